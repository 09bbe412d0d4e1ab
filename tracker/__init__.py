"""Softball: people, teams, memberships, rosters, games, at-bats and statistics."""
