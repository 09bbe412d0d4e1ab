"""What The Blue Alliance knows of events: its client, and its JSON as our types."""
