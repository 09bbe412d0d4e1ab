"""The year, its game, and the current event."""
