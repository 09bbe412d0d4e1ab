"""The screens of the quest board."""
