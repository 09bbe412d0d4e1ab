"""Views of the analysis pages."""
