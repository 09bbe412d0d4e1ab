"""A small Blue Alliance on loopback, with one event. What a test changes in `tba` is answered next."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from scouting.events.event import Match
from tests.scouting import field

KEY = "the-team-s-key"


class Tba:
    """What the server knows. `status` is what it answers; `raw` instead of JSON; it may be slow.

    `later_ms` sets the clock of whoever asks it forward.
    """

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.asked: list[str] = []
        self.later_ms = 0
        self.status = 200
        self.raw: bytes | None = None
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.answers: dict[str, Any] = answers(field.KEY, matches=6, played=2)


def answers(key: str, *, matches: int, played: int) -> dict[str, Any]:
    """The four answers about an event, by their addresses."""
    plan = field.schedule(field.TEAMS, matches, played=played)
    return {
        f"/event/{key}": event(key),
        f"/event/{key}/teams": [team(number) for number in field.TEAMS],
        f"/event/{key}/rankings": {"rankings": [ranked(n, rank) for rank, n in enumerate(field.TEAMS, 1)]},
        f"/event/{key}/matches": [match(key, each) for each in plan],
    }


def event(key: str) -> dict[str, Any]:
    return {
        "key": key,
        "name": "Fieldhouse Regional",
        "city": "Beispielstadt",
        "state_prov": None,
        "country": "Deutschland",
        "start_date": f"{key[:4]}-03-18",
        "end_date": f"{key[:4]}-03-21",
        "timezone": "America/New_York",
    }


def team(number: str) -> dict[str, Any]:
    return {"key": f"frc{number}", "nickname": f"Robots {number}", "city": "Beispielstadt"}


def ranked(number: str, rank: int) -> dict[str, Any]:
    return {"team_key": f"frc{number}", "rank": rank, "record": {"wins": 2, "losses": 1, "ties": 0}}


def match(key: str, plan: Match) -> dict[str, Any]:
    sides = {"red": plan.red, "blue": plan.blue}
    return {
        "key": f"{key}_qm{plan.number}",
        "comp_level": "qm",
        "match_number": plan.number,
        "alliances": {
            colour: {
                "team_keys": [f"frc{number}" for number in side.teams],
                "score": -1 if side.score is None else side.score,
                "surrogate_team_keys": [],
            }
            for colour, side in sides.items()
        },
        "score_breakdown": {colour: {"foulPoints": 4} for colour in sides} if plan.was_played else None,
        "videos": [{"type": "youtube", "key": f"video-{plan.number}"}] if plan.was_played else [],
        "time": 1773820800 + plan.number * 600,
    }


@contextmanager
def running() -> Iterator[Tba]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    tba = Tba(f"http://127.0.0.1:{server.server_address[1]}")
    server.tba = tba  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield tba
    finally:
        tba.may_answer.set()
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: Any

    def do_GET(self) -> None:
        tba: Tba = self.server.tba
        tba.asked.append(self.path)
        tba.may_answer.wait(30)
        found = tba.answers.get(self.path.removeprefix("/api/v3"))
        if self.headers.get("X-TBA-Auth-Key") != KEY:
            self.reply(401, b'{"Error": "X-TBA-Auth-Key is invalid."}')
        elif tba.status != 200:
            self.reply(tba.status, b"{}")
        elif tba.raw is not None:
            self.reply(200, tba.raw)
        else:
            self.reply(404 if found is None else 200, json.dumps(found).encode())

    def reply(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        pass
