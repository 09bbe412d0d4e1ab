"""Access to The Blue Alliance: the client, and the parsing of its JSON."""
