"""Volunteer quests: the life of a quest, attestations, points, rewards and disputes."""
