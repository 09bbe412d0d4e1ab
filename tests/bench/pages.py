"""What one warm page costs our processor, in requests and units to DynamoDB, and in bytes.

Measured in one process with production settings, which `run` starts.
"""

import json
import logging
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from html import unescape
from pathlib import Path
from typing import Any, Literal

if __name__ == "__main__":
    import django

    django.setup()
    logging.disable(logging.WARNING)

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.test import Client
from django.urls import path, reverse
from tqdm import tqdm

from cms.news.resource import news
from config import urls
from core.accounts.rights import requires
from core.dynamo import metering
from tests.cast import sign_in
from tests.cms.filling import key_of
from tests.core.crud.pages import OpenForm, open_form

SHELL = "empty page of the shell"
WARM = 3
PASSES = 3
SHELL_ADDRESS = "/bench/shell"
API_LIST, API_ADDRESS = "API list of 100", "/api/v1/cms/news?limit=100"


@dataclass
class Cost:
    """One page: median and best processor milliseconds, requests to DynamoDB, capacity units, size."""

    ms: float
    best_ms: float
    requests: int
    units: float
    kilobytes: float


@dataclass(frozen=True)
class Screen:
    """`prepare` is not timed; what it answers is the request that is."""

    name: str
    role: str
    prepare: Callable[[Client], Callable[[], HttpResponse]]
    expect: int = 200


Costs = dict[str, Cost]
Part = Literal["screens", "news"]


def run(part: Part, environment: Mapping[str, str], *, rounds: int) -> Costs:
    with tempfile.NamedTemporaryFile("r+", suffix=".json") as answer:
        command = [sys.executable, "-m", "tests.bench.pages", part, str(rounds), answer.name]
        subprocess.run(command, env=environment, check=True)
        return {name: Cost(**cost) for name, cost in json.load(answer).items()}


def main(part: str, rounds: int, answer: Path) -> None:
    urls.urlpatterns.insert(0, path(SHELL_ADDRESS[1:], shell))
    screens = list(everywhere() if part == "screens" else of_news())
    costs = measure(screens, rounds)
    answer.write_text(json.dumps({name: asdict(cost) for name, cost in costs.items()}))


@requires("home.page.view")
def shell(request: HttpRequest) -> HttpResponse:
    """Nothing but what every page has."""
    return render(request, "base.html")


def measure(screens: list[Screen], rounds: int) -> Costs:
    """Each screen in a few passes, so that a busy moment of the machine does not meet one of them alone."""
    clients = {screen.role: client(screen.role) for screen in screens}
    times: dict[str, list[float]] = {screen.name: [] for screen in screens}
    costs: Costs = {}
    shown = tqdm(total=len(screens) * (PASSES + 1), desc="Pages", disable=None)
    for screen in screens:
        for _time in range(WARM):
            _send(screen, clients[screen.role])
        ask = screen.prepare(clients[screen.role])
        with metering.metered() as meter:
            answer = ask()
        costs[screen.name] = Cost(0, 0, meter.requests, meter.units, len(answer.content) / 1000)
        shown.update()
    for _pass in range(PASSES):
        for screen in screens:
            for _round in range(max(1, rounds // PASSES)):
                times[screen.name].append(_send(screen, clients[screen.role]))
            shown.update()
    shown.close()
    for name, cost in costs.items():
        cost.ms, cost.best_ms = statistics.median(times[name]), min(times[name])
    return costs


def client(role: str) -> Client:
    return sign_in(Client(SERVER_NAME="127.0.0.1", headers={"x-forwarded-proto": "https"}), role)


def _send(screen: Screen, client: Client) -> float:
    """Processor milliseconds of this thread: what waits for DynamoDB is not counted, what it answers is."""
    ask = screen.prepare(client)
    started = time.thread_time()
    answer = ask()
    took = (time.thread_time() - started) * 1000
    assert answer.status_code == screen.expect, f"{screen.name} answers {answer.status_code}."
    return took


# --- Screens -----------------------------------------------------------------------------------------------


def page(name: str, address: str, role: str = "admin") -> Screen:
    return Screen(name, role, lambda client: lambda: client.get(address))


def of_news() -> Iterator[Screen]:
    """The operations of the contest."""
    yield page("list", news.list_address)
    yield page("page 40", _fortieth(client("admin")))
    yield page("search", f"{news.list_address}?q=spielb")
    yield page("edit form", news.record_address(key_of(0)))
    yield Screen("save", "admin", _save(htmx=False), expect=302)
    yield page("new form", news.new_address)
    yield Screen("create", "admin", _create, expect=302)
    yield page(API_LIST, API_ADDRESS)


def everywhere() -> Iterator[Screen]:
    """Every main screen; the articles of the contest lie beside the demo data."""
    from tracker.demo.played import id_of

    reader = client("admin")
    yield page(SHELL, SHELL_ADDRESS)
    yield page("Home", reverse("home"))
    yield page("Home, right after it", reader.get(reverse("home")).context["later"])
    yield page("Home, recent activity", reverse("activity"))
    for screen in of_news():
        yield screen if screen.name != "list" else page("news list", news.list_address)
    yield Screen("save with HTMX", "admin", _save(htmx=True))
    yield page("history", news.address("history", key_of(0)))
    yield page("search everywhere", f"{reverse('search')}?q=spielb")
    yield page("calendar", reverse("cms:calendar"))
    yield page("events", reverse("cms:event-list"))
    yield page("members", reverse("cms:member-list"))
    yield page("teams", reverse("cms:team-list"))
    yield page("media", reverse("cms:media-list"))
    board = reverse("quests:quest-list")
    yield page("quest board", board)
    yield page("one quest", _first(reader, board, rf'href="({board}[0-9a-f-]{{36}}/)'))
    yield page("own quests", reverse("quests:mine"))
    yield page("leaders", reverse("quests:leaders"))
    yield page("quest desk", reverse("quests:desk"))
    yield page("stand form", reverse("scouting:stand"))
    yield page("pit", reverse("scouting:pit"))
    yield page("own forms", reverse("scouting:mine"), "scout")
    analysis = reverse("scouting:analysis")
    yield page("analysis", analysis)
    numbers = dict.fromkeys(re.findall(r"/scouting/teams/(\w+)/", reader.get(analysis).content.decode()))
    first = list(numbers)[:4]
    yield page("team of an event", reverse("scouting:team", args=[first[0]]))
    yield page("compare", f"{reverse('scouting:compare')}?{'&'.join(f'team={number}' for number in first)}")
    yield page("selection", reverse("scouting:selection"))
    yield page("coverage", reverse("scouting:coverage"))
    team, live, ended = id_of("team", "mavericks"), id_of("game", "m7"), id_of("game", "m1")
    yield page("tracker home", reverse("tracker:home"), "member")
    yield page("team", reverse("tracker:team", args=[team]), "member")
    yield page("team statistics", reverse("tracker:statistics", args=[team]), "member")
    yield page("scoring page", reverse("tracker:score", args=[live]), "scout")
    yield page("box score", reverse("tracker:box", args=[ended]), "member")
    yield page("games", reverse("tracker:games", args=[team]), "member")
    yield page("public first page", "/")


def _first(client: Client, address: str, pattern: str) -> str:
    found = re.search(pattern, client.get(address).content.decode())
    assert found, f"{address} has no link {pattern}."
    return unescape(found[1])


def _fortieth(client: Client) -> str:
    """Reached as a person would."""
    address = str(news.list_address)
    for _page in range(39):
        address = news.list_address + _first(client, address, r'id="load-more"[^>]*? href="([^"]*)"')
    return address


def _save(*, htmx: bool) -> Callable[[Client], Callable[[], HttpResponse]]:
    def prepare(client: Client) -> Callable[[], HttpResponse]:
        form = _written(open_form(client, news.record_address(key_of(1))))
        return lambda: form.send("publish", htmx=htmx)

    return prepare


def _create(client: Client) -> Callable[[], HttpResponse]:
    form = _written(open_form(client, news.new_address)).fill(title=f"Nachbericht {os.urandom(6).hex()}")
    return lambda: form.send()


def _written(form: OpenForm) -> OpenForm:
    """A new text of the usual length, as the editor sends it."""
    del form.fields["content"]
    text: dict[str, Any] = {"type": "text", "text": f"{os.urandom(6).hex()} {'Five sets. ' * 200}".strip()}
    document = {"type": "doc", "content": [{"type": "paragraph", "content": [text]}]}
    form.fields["content-document"] = json.dumps(document)
    return form


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
