"""The day itself: the servers, the crowd, and what happens to the servers meanwhile."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from cms.media.models import MediaFile
from cms.media.repository import media
from cms.sams import client as sams_client
from cms.sams import drift, logos
from config.engines.dynoxide import Dynoxide
from config.engines.ministack import Ministack
from config.engines.provision import provision_bucket
from config.local import ROOT
from core.dynamo import connection, maintenance, tables
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.faults import FaultProxy, Faults
from core.dynamo.faults.capacity import Hot, Source
from core.stores.http import HttpClient
from tests import engine_tables
from tests.awaiting import eventually
from tests.bench import servers
from tests.bench.servers import Gunicorn, memory_of
from tests.cast import CAST, session_of
from tests.cms.club import make_sponsor
from tests.cms.sams import server as sams_server
from tests.cms.sams.server import Sams
from tests.connecting import connected_to
from tests.core.accounts.issuer import Issuer
from tests.load import checks, crowd, filling
from tests.load.browser import Journal
from tests.load.filling import PAGES, Filled
from tests.load.people import STAND
from tests.load.settings import ENGINE_IS_DEAD_SECONDS, Club

# Transactions hold their items for 6 to 12 ms, partitions have what AWS gives them, and indexes are late.
LIKE_AWS = Faults(overlap=6, capacity=1, stale_index=1, lag=200)
USER_POOL = "pool"
SAMPLE_SECONDS = 1.0
MORE_CLUBS = 40
# A new connection goes to either worker.
TIMES_TO_WARM_UP = 6
MOST_SECONDS_WITHOUT_A_WRITE = 5.0


@dataclass
class Outage:
    """From the kill until the process was there again, in seconds of the day."""

    what: str
    begin: float
    end: float


@dataclass
class Outcome:
    club: Club
    journal: Journal
    outages: list[Outage]
    # By worker, the seconds of the day and MB of its own memory.
    memory: dict[int, list[tuple[float, float]]]
    requests_to_dynamodb: dict[str, int]
    injected: dict[str, int]
    units: dict[Source, float]
    hottest: list[Hot]
    # What is not as it was acknowledged, as sentences.
    problems: list[str]


@dataclass
class Site:
    """Everything that runs, and what an accident needs to know of it."""

    engine: Dynoxide
    proxy: FaultProxy
    issuer: Issuer
    sams: Sams
    web: Gunicorn
    streams: "StreamsWorker"
    filled: Filled
    outages: list[Outage] = field(default_factory=list)
    memory: dict[int, list[tuple[float, float]]] = field(default_factory=dict)


class StreamsWorker:
    """`manage.py streams` as a child process."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment

    def start(self) -> None:
        command = [sys.executable, "manage.py", "streams"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        self._process.terminate()
        return self._process.wait()


def run(club: Club, folder: Path) -> Outcome:
    with site(club, folder) as running:
        plan = running.filled.plan | {"port": running.web.port, "issuer": _port_of(running.issuer)}
        _warm_up(running)
        running.proxy.clear()
        with crowd.coming(plan) as people, _measured_memory(running, people.begin):  # type: ignore[arg-type]
            _happen(running, club, people.begin)
            journal = people.journal()
        outcome = Outcome(
            club,
            journal,
            running.outages,
            running.memory,
            requests_to_dynamodb=dict(Counter(running.proxy.requests)),
            injected=dict(running.proxy.injected),
            units=running.proxy.units,
            hottest=running.proxy.hottest(),
            problems=[],
        )
        outcome.problems = problems_after(running, journal)
        return outcome


def problems_after(running: Site, journal: Journal) -> list[str]:
    """What was acknowledged beside what is stored, when follow-ups are done and indexes are current."""
    running.proxy.faults = Faults()
    found = [] if running.streams.stop() == 0 else ["The streams' worker has ended by itself."]
    call_command("streams", "--once", stdout=StringIO())
    return [*found, *checks.problems(running.filled, journal, running.sams, running.web.port)]


def _warm_up(running: Site) -> None:
    """The proxy copies each table once to let its indexes lag, and a worker loads the modules of a page."""
    for spec in tables.specs():
        for index in spec.indexes[:1]:
            maintenance.request("Scan", TableName=spec.name, IndexName=index.name, Limit=1)
    plan, admin = running.filled.plan, str(session_of(CAST["admin"]).session_key)
    article = next(iter(plan["editors"].values()))[0]
    places = (STAND, "/cms/news/", f"/cms/news/{article}/", "/quests/", "/desk/", *PAGES)
    own = {plan["live"]: "", f"{plan['game']}score/": plan["scorer"]}
    for place, who in (dict.fromkeys(places, admin) | own).items():
        for _time in range(TIMES_TO_WARM_UP):
            status = eventually(partial(checks.status_of, running.web.port, place, who), lambda it: it == 200)
            assert status == 200, f"{place} is answered with {status}."


def _port_of(issuer: Issuer) -> int:
    return int(issuer.endpoint.rpartition(":")[2])


# --- What runs ----------------------------------------------------------------------------------------------


@contextmanager
def site(club: Club, folder: Path) -> Iterator[Site]:
    with ExitStack() as running:
        engine = running.enter_context(Dynoxide(db_path=folder / "dynamodb.sqlite", can_sweep=True))
        files = running.enter_context(Ministack(data=folder, region=settings.AWS_REGION))
        bucket = provision_bucket(files.endpoint, settings.AWS_REGION, "http://testserver")
        running.enter_context(
            override_settings(
                S3_ENDPOINT=files.endpoint,
                MEDIA_BUCKET=bucket,
                BUCKET_ADDRESS=f"{files.endpoint}/{bucket}",
                MEDIA_PUBLIC_URL=f"{files.endpoint}/{bucket}",
            )
        )
        with connected_to(engine.endpoint):
            engine_tables.make(engine)
            filled = filling.fill(club)
        proxy = running.enter_context(FaultProxy(engine.endpoint, faults=LIKE_AWS))
        running.enter_context(connected_to(proxy.endpoint))
        connection.warm()
        issuer = Issuer(
            issuer=f"https://cognito-idp.{settings.AWS_REGION}.amazonaws.com/{USER_POOL}",
            client_id=settings.COGNITO_CLIENT_ID,
        )
        issuer.people = {each["sub"]: each for each in filled.newcomers}
        running.enter_context(issuer)
        variables = {
            **club.variables,
            "AWS_ENDPOINT_URL_S3": files.endpoint,
            "MEDIA_BUCKET": bucket,
            "AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER": issuer.endpoint,
            "COGNITO_USER_POOL_ID": USER_POOL,
            "COGNITO_DOMAIN": issuer.endpoint,
        }
        environment = servers.fieldhouse_environment(proxy.endpoint) | variables
        servers.collect_static(environment)
        web = running.enter_context(servers.fieldhouse(proxy.endpoint, **variables))
        streams = StreamsWorker(environment)
        streams.start()
        running.callback(streams.kill)
        yield Site(engine, proxy, issuer, running.enter_context(_sams()), web, streams, filled)


@contextmanager
def _sams() -> Iterator[Sams]:
    on_loopback = partial(HttpClient, may_connect=lambda address: address.is_loopback)
    with ExitStack() as running:
        for module in (sams_client, logos, drift):
            running.enter_context(patch.object(module, "HttpClient", on_loopback))
        sams = running.enter_context(sams_server.running())
        sams.clubs += [sams_server.club(f"Verein {number:03}") for number in range(MORE_CLUBS)]
        running.enter_context(
            override_settings(
                SAMS_BASE_URL=f"{sams.origin}/api/v2",
                SAMS_API_KEY=sams_server.KEY,
                SAMS_CLUB="vc-beispielstadt",
                SAMS_ASSOCIATION=sams_server.ASSOCIATION_NAME,
                SAMS_ASSOCIATION_UUID=sams_server.ASSOCIATION,
                SAMS_LOGO_ORIGINS=[],
            )
        )
        for made in (sams_client._made, logos._made):
            made.cache_clear()
            running.callback(made.cache_clear)
        yield sams


# --- What happens -------------------------------------------------------------------------------------------


def _happen(running: Site, club: Club, begin: float) -> None:
    """Let everything happen at its share of the day."""
    for share, do in _happenings(running, begin):
        time.sleep(max(0.0, begin + share * club.seconds - time.monotonic()))
        do()


@contextmanager
def _measured_memory(running: Site, begin: float) -> Iterator[None]:
    """Look at the memory of the web workers every second."""
    is_over = threading.Event()

    def measure() -> None:
        while not is_over.wait(SAMPLE_SECONDS):
            for pid in running.web.workers():
                # One that has just been killed has none.
                with suppress(OSError, IndexError):
                    sample = time.monotonic() - begin, memory_of(pid, "Anonymous")
                    running.memory.setdefault(pid, []).append(sample)

    thread = threading.Thread(target=measure)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _happenings(running: Site, begin: float) -> list[tuple[float, Callable[[], Any]]]:
    files, sponsors = running.filled.files, running.filled.logos
    count = len(files)
    shares = [(number + 0.5) / count for number in range(count)]
    found: list[tuple[float, Callable[[], Any]]] = [
        (0.15, partial(_kill_worker, running, begin)),
        (0.30, partial(call_command, "sams", "sync-clubs", stdout=StringIO())),
        (0.32, partial(call_command, "sams", "sync-teams", stdout=StringIO())),
        (0.40, partial(_kill_streams, running)),
        (0.55, partial(_kill_engine, running, begin)),
        *((share, partial(_delete, file)) for share, file in zip(shares, files, strict=True)),
        *((share, partial(_expire, running, logo)) for share, logo in zip(shares, sponsors, strict=True)),
    ]
    return sorted(found, key=lambda each: each[0])


def _wait_for_a_write(running: Site) -> None:
    """Whoever is killed while a transaction is under way may have applied it without an answer."""
    deadline = time.monotonic() + MOST_SECONDS_WITHOUT_A_WRITE
    while not running.proxy.under_way and time.monotonic() < deadline:
        time.sleep(0.001)


def _kill_worker(running: Site, begin: float) -> None:
    before = running.web.workers()
    _wait_for_a_write(running)
    killed_at = time.monotonic() - begin
    os.kill(before[0], signal.SIGKILL)
    while len(set(running.web.workers()) - {before[0]}) < len(before):
        time.sleep(0.05)
    running.outages.append(Outage("a web worker", killed_at, time.monotonic() - begin))


def _kill_streams(running: Site) -> None:
    running.streams.kill()
    running.streams.start()


def _kill_engine(running: Site, begin: float) -> None:
    _wait_for_a_write(running)
    killed_at = time.monotonic() - begin
    running.engine.kill()
    time.sleep(ENGINE_IS_DEAD_SECONDS)
    running.engine.restart()
    running.outages.append(Outage("the engine", killed_at, time.monotonic() - begin))


def _delete(file: MediaFile) -> None:
    media.delete(media.get(file.id, strong=True), actor=SYSTEM, for_ever=True)


def _expire(running: Site, logo: MediaFile) -> None:
    """A sponsor whose time is over is removed by the engine, as AWS does."""
    make_sponsor(
        f"Sponsor mit {logo.filename}", logo_id=logo.id, expiry_timestamp=now() - timedelta(seconds=1)
    )
    running.engine.sweep()
