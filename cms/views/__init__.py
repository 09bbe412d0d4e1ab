"""The screens that are not plain CRUD: the public pages above all."""
