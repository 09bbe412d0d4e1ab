"""The specification, as tests; mirrors the packages."""
