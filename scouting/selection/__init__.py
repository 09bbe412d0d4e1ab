"""Team selection: the pick list of an event."""
