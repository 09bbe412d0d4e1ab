"""The clock and the kinds of stores."""

from tests.core.stores.conftest import clock, kind  # noqa: F401
