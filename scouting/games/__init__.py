"""Game definitions: what the forms of a year ask, and what the answers are worth."""
