"""English formats: unambiguous dates and 24 hours."""
