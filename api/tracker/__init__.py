"""Softball: people, teams, rosters, games, plays and statistics."""
