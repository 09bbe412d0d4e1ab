"""The rules of the quest board."""
