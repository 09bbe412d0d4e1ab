"""The user pool of the tests of user administration."""

from tests.user_pool import admin, as_person, pool, user_pool  # noqa: F401
