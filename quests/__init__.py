"""Volunteer quests: lifecycle, attestations, points, rewards and disputes."""
