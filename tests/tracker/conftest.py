"""A real user pool for what makes accounts."""

from tests.user_pool import pool, user_pool  # noqa: F401
