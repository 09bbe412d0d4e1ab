"""Views of the quest board."""
