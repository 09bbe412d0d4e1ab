"""The pages of the forms."""
