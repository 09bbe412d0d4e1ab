"""The website: what it shows, for everybody, and its content for those who write it."""
