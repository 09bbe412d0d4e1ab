"""Robotics scouting: stand, pit and comment forms, game definitions, analysis, team selection."""
