"""The pages of analysis."""
