"""The screens of every resource, one module each."""
