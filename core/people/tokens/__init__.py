"""The page on which people make and revoke their access tokens."""
