"""The verbs of scouting."""
