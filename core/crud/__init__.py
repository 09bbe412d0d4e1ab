"""The one CRUD engine behind every list and form."""
