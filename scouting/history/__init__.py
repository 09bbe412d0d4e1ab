"""Version history of events, games and settings."""
