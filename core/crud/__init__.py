"""The CRUD engine: resources with their lists, forms, history, trash, bulk actions and export."""
