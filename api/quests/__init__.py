"""The quest board."""
