"""Scouting: forms, the pick list, the season, events, and what is computed from them."""
