"""A worker loads at its start what pages need, and the rest with the first request that needs it."""

import json
import subprocess
import sys
from functools import cache
from typing import Any

from tests.config.processes import ROOT, clean_environment

# Each takes 5 to 50 ms and up to 10 MB in every worker, for a request that few of them ever get.
LATER = {
    "PIL",  # pictures that somebody uploads
    "authlib",  # signing in
    "api.v1",
    "cms.demo",  # examples and importers: manage.py
    "cms.payload",
    "defusedxml",  # the older interface of SAMS
    "django.contrib.admin",  # needs a database, as do users of Django
    "django.contrib.auth",
    "httpcore",  # asking other services
    "httpx",
    "icalendar",  # calendars to subscribe to
    "joserfc",
    "lxml",
    "nh3",
    "ninja",  # the API
    "pi_heif",
    "prosemirror",  # checking and rendering rich text
    "pydantic",
    "quests.demo",
    "requests",
    "scouting.demo",
    "scouting.superalliance",
    "sqlite3",  # manage.py stores copy
    "tqdm",  # progress bars of manage.py
    "tracker.demo",
    "xlsxwriter",  # workbooks
}
LOAD = """
import gc, json, sys
import config.wsgi
from cms.media.check import OTHERS
from django.urls import get_resolver, reverse
from core.stores.http.client import CLIENTS
from core.accounts.rights import rights_of
from core.stores.limits import LIMITERS

def load_all_views(resolver):
    for pattern in resolver.url_patterns:
        load_all_views(pattern) if hasattr(pattern, "url_patterns") else rights_of(pattern.callback)

def declared():
    return [sorted(LIMITERS), sorted(CLIENTS), sorted(OTHERS)]

reverse("scouting:mine"), reverse("tracker:home")
started = {"modules": list(sys.modules), "collects": gc.isenabled(), "kept": gc.get_freeze_count()}
started |= {"declared": declared()}
load_all_views(get_resolver())
print(json.dumps(started | {"declared_later": declared(), "modules_later": list(sys.modules)}))
"""


def test_a_worker_starts_without_what_few_requests_need() -> None:
    loaded = set(worker()["modules"])
    assert {"config.urls", "scouting.urls", "core.crud.views.edit"} <= loaded
    assert LATER & loaded == set()


def test_views_are_loaded_with_their_first_request() -> None:
    started = worker()
    assert {"tracker.statistics.views.box_score", "scouting.analysis.views.table"} & set(
        started["modules"]
    ) == set()
    assert {"tracker.statistics.views.box_score", "scouting.analysis.views.table"} <= set(
        started["modules_later"]
    )


def test_what_is_told_of_limits_services_and_files_needs_no_page_to_be_loaded() -> None:
    started = worker()
    limits, services, files = started["declared"]
    assert started["declared"] == started["declared_later"]
    assert {"tracker-live", "scouting-form", "quest-claim", "sign-in"} <= set(limits)
    assert services == ["sams", "sams-logos", "tba"]
    assert files == ["private/pits", "private/quests", "private/streams"]


def test_what_a_worker_loads_is_never_looked_through_for_garbage_and_all_else_is() -> None:
    started = worker()
    assert started["collects"]
    assert started["kept"] > 100_000


@cache
def worker() -> dict[str, Any]:
    environment = clean_environment(
        SECRET_KEY="only-for-this-test-" + "0123456789" * 5,
        ALLOWED_HOSTS="127.0.0.1",
        COGNITO_USER_POOL_ID="eu-central-1_Test",
        COGNITO_CLIENT_ID="test",
        COGNITO_DOMAIN="https://login.fieldhouse.example",
    )
    run = subprocess.run(
        [sys.executable, "-c", LOAD], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    started: dict[str, Any] = json.loads(run.stdout)
    return started
