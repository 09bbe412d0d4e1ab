"""A small SAMS on loopback, as FIELDS.md 4.7 describes it, with all of its eight defects.

One league of eight teams has played all its 56 matches, and one has not begun. What a test changes in `sams`
is what the server answers next.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import permutations
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID, uuid5

SPACE = UUID("8a1d6f0e-0d5f-4c0d-9f53-d1a1c0a7e001")
KEY = "the-club-s-key"
ASSOCIATION_NAME = "Verband der Beispiele"
OWN = "VC Beispielstadt"
OTHERS = ("SV Ahorn", "TV Birke", "VfL Eiche", "TSV Fichte", "SC Linde", "TuS Pappel", "FT Ulme")
RESULTS = ("3:0", "3:1", "3:2", "2:3", "1:3", "0:3")


def uuid_of(*parts: object) -> str:
    return str(uuid5(SPACE, "/".join(map(str, parts))))


ASSOCIATION, SEASON = uuid_of("association"), uuid_of("season", "2026/27")
LEAGUE, NEXT_LEAGUE = uuid_of("league", "Landesliga"), uuid_of("league", "Bezirksliga")
TOP, BELOW = uuid_of("hierarchy", "top"), uuid_of("hierarchy", "below")
OWN_CLUB = uuid_of("club", OWN)


class Sams:
    """What the server knows. `is_down` answers 500, `is_empty` answers lists without content."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.is_down = False
        self.is_empty = False
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.files: dict[str, bytes] = {}
        # The association itself is missing here.
        self.associations = [{"uuid": uuid_of("other", n), "name": f"Verband {n}"} for n in range(130)]
        self.seasons = [
            {"uuid": uuid_of("season", "2025/26"), "name": "2025/26", "currentSeason": False},
            {
                "uuid": SEASON,
                "name": "2026/27",
                "currentSeason": True,
                "startDate": "2026-07-01",
                "endDate": "2027-06-30",
            },
        ]
        self.clubs = [club(name) for name in (OWN, *OTHERS)]
        self.hierarchies = [
            {"uuid": BELOW, "name": "Bezirksliga", "level": 2, "parentLeagueHierarchyUuid": TOP},
            {"uuid": TOP, "name": "Landesliga", "level": 1, "parentLeagueHierarchyUuid": None},
        ]
        self.leagues = [
            league(NEXT_LEAGUE, "Bezirksliga Damen", BELOW),
            league(LEAGUE, "Landesliga Herren", TOP),
        ]
        self.teams = {
            LEAGUE: [team(LEAGUE, name) for name in (OWN, *OTHERS)],
            NEXT_LEAGUE: [team(NEXT_LEAGUE, name) for name in (OWN, *OTHERS[:3])],
        }
        # Reserves play along under another team's name.
        self.teams[LEAGUE].append(team(LEAGUE, OWN, "Reserve") | {"masterTeamUuid": uuid_of(LEAGUE, OWN)})
        self.matches = {
            LEAGUE: season_of(LEAGUE, (OWN, *OTHERS), is_played=True),
            NEXT_LEAGUE: season_of(NEXT_LEAGUE, (OWN, *OTHERS[:3]), is_played=False),
        }
        self.rankings: dict[str, list[dict[str, Any]]] = {LEAGUE: [], NEXT_LEAGUE: []}

    def answer(self, path: str, query: dict[str, str]) -> Any:
        match path.removeprefix("/api/v2/").split("/"):
            case ["seasons"]:
                return [] if self.is_empty else self.seasons
            case ["associations"]:
                return self.page(self.associations, query)
            case ["associations", uuid]:
                return {"uuid": uuid, "name": ASSOCIATION_NAME} if uuid == ASSOCIATION else None
            case ["associations", uuid, "sportsclubs"]:
                return self.page(self.clubs, query) if uuid == ASSOCIATION else None
            case ["leagues"]:
                return self.page(self.leagues, query)
            case ["league-hierarchies"]:
                return self.page(self.hierarchies, query)
            case ["leagues", uuid, "teams"]:
                return self.page(self.teams.get(uuid, []), query)
            case ["leagues", uuid, "rankings"]:
                return self.page(self.rankings[uuid], query) if uuid in self.rankings else None
            case ["league-matches"]:
                return self.page(self.matches.get(query["for-league"], []), query)
        return None

    def page(self, found: list[Any], query: dict[str, str]) -> dict[str, Any]:
        number, size = int(query.get("page", 0)), int(query.get("size", 20))
        shown = [] if self.is_empty else found
        content = shown[number * size : (number + 1) * size]
        pages = -(-len(shown) // size)
        return {
            "content": content,
            "totalElements": len(shown),
            "numberOfElements": len(content),
            "totalPages": pages,
            "first": number == 0,
            "last": number + 1 >= pages,
            "empty": not content,
        }


def club(name: str) -> dict[str, Any]:
    return {
        "uuid": uuid_of("club", name),
        "name": name,
        "shortname": "",
        "associationUuid": ASSOCIATION,
        "logoImageLink": None,
    }


def league(uuid: str, name: str, hierarchy: str) -> dict[str, Any]:
    return {
        "uuid": uuid,
        "name": name,
        "shortName": "",
        "gender": "MALE",
        "leagueHierarchyUuid": hierarchy,
        "seasonUuid": SEASON,
        "associationUuid": ASSOCIATION,
    }


def team(league_uuid: str, name: str, *more: str) -> dict[str, Any]:
    return {
        "uuid": uuid_of(league_uuid, name, *more),
        "masterTeamUuid": None,
        "name": f"{name} 1",
        "shortName": "",
        "clubCode": "",
        "sportsclubUuid": uuid_of("club", name),
        "associationUuid": ASSOCIATION,
        "logoImageLink": None,
        "logoImageForScreenOutputLink": None,
    }


def season_of(league_uuid: str, names: tuple[str, ...], *, is_played: bool) -> list[dict[str, Any]]:
    """Everybody against everybody, at home and away."""
    chance = Random(league_uuid)
    month = "10" if is_played else "12"
    return [
        match(league_uuid, pair, f"2026-{month}-{number % 28 + 1:02}", number, chance if is_played else None)
        for number, pair in enumerate(permutations(names, 2), start=1)
    ]


def match(
    league_uuid: str, pair: tuple[str, str], day: str, number: int, chance: Random | None
) -> dict[str, Any]:
    teams = [{"uuid": uuid_of(league_uuid, name), "name": f"{name} 1"} for name in pair]
    return {
        "uuid": uuid_of(league_uuid, *pair),
        # Declared a moment, and only a day.
        "date": day,
        "time": "14:00",
        "matchNumber": number,
        "leagueUuid": league_uuid,
        "location": {
            "name": f"Halle {pair[0]}",
            "address": {"city": "Beispielstadt"},
        },
        "team1Description": teams[0]["name"],
        "team2Description": teams[1]["name"],
        "_embedded": {"team1": teams[0], "team2": teams[1]},
        "referees": None,
        "indefinitelyRescheduled": False,
        "results": result(teams, chance) if chance else None,
    }


def result(teams: list[dict[str, str]], chance: Random) -> dict[str, Any]:
    set_points = chance.choice(RESULTS)
    first, second = map(int, set_points.split(":"))
    won = [True] * first + [False] * second
    sets = [f"25:{chance.randint(10, 23)}" if is_won else f"{chance.randint(10, 23)}:25" for is_won in won]
    balls = [sum(int(points.split(":")[side]) for points in sets) for side in (0, 1)]
    return {
        "winner": teams[first < second]["uuid"],
        "winnerName": teams[first < second]["name"],
        "setPoints": set_points,
        "ballPoints": f"{balls[0]}:{balls[1]}",
        "sets": [
            {"number": n, "ballPoints": points, "winner": None} for n, points in enumerate(sets, start=1)
        ],
    }


def ranking_row(name: str, rank: int, **numbers: Any) -> dict[str, Any]:
    return {
        "uuid": uuid_of(LEAGUE, name),
        "teamName": f"{name} 1",
        "rank": rank,
        "scoreIncludingLosses": None,
        "matchesPlayed": 14,
        "points": 20,
        "wins": 7,
        "losses": 7,
        "setWins": 25,
        "setLosses": 25,
        "setRatio": "1,000\n   ",
        "ballWins": 900,
        "ballLosses": 900,
        "ballRatio": "1,000\n   ",
        **numbers,
    }


@contextmanager
def running() -> Iterator[Sams]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    sams = Sams(f"http://127.0.0.1:{server.server_address[1]}")
    server.sams = sams  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield sams
    finally:
        sams.may_answer.set()
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: Any

    def do_GET(self) -> None:
        sams: Sams = self.server.sams
        sams.asked.append(self.path)
        sams.headers.append(dict(self.headers))
        sams.may_answer.wait(30)
        address = urlsplit(self.path)
        if sams.is_down:
            self.reply(500, b"down")
        elif address.path in sams.files:
            self.reply(200, sams.files[address.path], "image/png")
        elif self.headers.get("X-Api-Key") != KEY:
            self.reply(401, b"{}")
        elif self.headers.get("Accept") == "application/json":
            self.reply(406, b"")
        else:
            found = sams.answer(address.path, dict(parse_qsl(address.query)))
            self.reply(404 if found is None else 200, json.dumps(found).encode())

    def reply(self, status: int, body: bytes, kind: str = "application/hal+json;charset=UTF-8") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        pass
