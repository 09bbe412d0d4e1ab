"""The year, its game, and the event at which we are."""
