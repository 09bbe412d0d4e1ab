"""`manage.py import_tba`: import an event of The Blue Alliance, from saved files or by fetching it."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.dynamo.actors import SYSTEM
from core.dynamo.errors import Invalid
from core.dynamo.management.base import OperatorCommand
from scouting.events import services as events
from scouting.keys import EVENT
from scouting.tba import client
from scouting.tba.parsing import TbaEvent, parse_event

NEEDED, PERHAPS = ("event", "teams", "matches"), ("rankings",)


class Command(OperatorCommand):
    help = (
        "Bring an event of The Blue Alliance over: out of a folder with event.json, teams.json, matches.json "
        "and perhaps rankings.json, or by its key, such as 2026mndu, asked for with TBA_KEY. It can be "
        "repeated: the newer answer counts, and what leads typed stays."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", metavar="DIR|EVENT", help="The folder with the files, or an event.")
        parser.add_argument(
            "--replace-typed", action="store_true", help="What is told wins over what leads typed."
        )
        parser.add_argument("--dry-run", action="store_true", help="Only tell what was read.")

    def handle(self, *, source: str, replace_typed: bool, dry_run: bool, **_options: Any) -> None:
        folder = Path(source)
        if folder.is_dir():
            fetched = _saved(folder)
        elif EVENT.fullmatch(source.lower()):
            fetched = client.current().event(source.lower())
        else:
            raise CommandError(f"“{source}” is neither a folder nor an event such as 2026mndu.")
        self.stdout.write(f"{fetched.name} ({fetched.key}), as of {fetched.as_of:%Y-%m-%d %H:%M} UTC.")
        if dry_run:
            counted = _counted(len(fetched.teams), len(fetched.matches), len(fetched.playoffs))
            self.stdout.write(f"It would tell {counted}.")
            return
        refreshed = events.store(SYSTEM, fetched, replaces_typed=replace_typed)
        if refreshed.is_late:
            self.stdout.write("What is here was told later: it stays.")
        counted = _counted(refreshed.teams, refreshed.matches, refreshed.playoffs)
        self.stdout.write(f"It has {counted}.")
        typed = [*refreshed.typed_teams, *map(str, refreshed.typed_matches)]
        if typed:
            self.stdout.write(f"Kept as leads typed it: {', '.join(typed)}.")


def _counted(teams: int, matches: int, playoffs: int) -> str:
    if playoffs:
        return f"{teams} teams, {matches} matches and {playoffs} playoff matches"
    return f"{teams} teams and {matches} matches"


def _saved(folder: Path) -> TbaEvent:
    """The event from saved files, dated by the newest of them."""
    paths = {name: folder / f"{name}.json" for name in (*NEEDED, *PERHAPS)}
    missing = [paths[name].name for name in NEEDED if not paths[name].exists()]
    if missing:
        raise CommandError(f"{folder} has no {', '.join(missing)}.")
    answers = {name: _json(path) for name, path in paths.items() if path.exists()}
    as_of = max(path.stat().st_mtime for path in paths.values() if path.exists())
    try:
        return parse_event(
            answers["event"],
            answers["teams"],
            answers.get("rankings"),
            answers["matches"],
            as_of=datetime.fromtimestamp(int(as_of), UTC),
        )
    except Invalid as error:
        raise CommandError(f"{folder}: {error}") from error


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CommandError(f"{path} is not JSON.") from error
