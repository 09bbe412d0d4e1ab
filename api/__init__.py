"""The JSON API over the same services that the pages use."""
