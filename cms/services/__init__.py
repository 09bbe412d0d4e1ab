"""The rules of the website's content."""
