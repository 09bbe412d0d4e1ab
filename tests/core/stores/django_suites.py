"""Django's own tests of cache backends and session engines, held against ours.

They come with Django's source distribution, not with the installed package, and need a database of their own,
so test_django_suites.py runs this module in a process of its own.
"""

import os
import sys

import django
from django.conf import settings
from django.test.runner import DiscoverRunner

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
sys.path.insert(0, sys.argv[1] if __name__ == "__main__" else "")

settings.DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
settings.INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "core.dynamo",
    "core.stores",
    "cache",
    "sessions_tests",
]
django.setup()

from cache.tests import BaseCacheTests, caches_setting_for_tests  # noqa: E402
from django.test import SimpleTestCase, TestCase, override_settings  # noqa: E402
from sessions_tests.tests import SessionTestsMixin  # noqa: E402

from core.dynamo import tables  # noqa: E402
from core.stores.sessions import SessionStore  # noqa: E402


# The three tests about culling skip themselves without these two, as for Redis: a table is never culled.
@override_settings(
    CACHES=caches_setting_for_tests(BACKEND="core.stores.cache.DynamoDBCache", exclude={"cull", "zero_cull"})
)
class CacheTests(BaseCacheTests, TestCase):
    pass


class SessionTests(SessionTestsMixin, SimpleTestCase):
    backend = SessionStore


class Runner(DiscoverRunner):
    def run_checks(self, databases: set[str]) -> None:
        """The settings here are no site's."""


if __name__ == "__main__":
    list(tables.ensure_tables(tables.specs()))
    sys.exit(Runner(interactive=False).run_tests([f"__main__.{sys.argv[2]}"]))
