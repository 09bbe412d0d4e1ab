"""Formats of dates and times (FORMAT_MODULE_PATH)."""
