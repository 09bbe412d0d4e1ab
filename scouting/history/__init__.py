"""Earlier versions of events, games and settings."""
