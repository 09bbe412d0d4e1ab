"""What we compare ourselves with: Django's own admin over the same articles in SQLite."""

# The key of the session that `fill` leaves in the database.
SESSION = "b" * 32
