"""Whether everything that was acknowledged is stored, once, and nothing else is wrong: sentences, or none."""

import http.client
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

from django.core.management import CommandError, call_command

from cms.media.repository import media
from cms.news.repository import news
from cms.sams.repository import sams_clubs, sams_teams
from cms.sponsors.repository import sponsors
from config.engines.process import HOST
from core.dynamo import history, maintenance, working_copies
from core.dynamo.registry import repositories
from core.dynamo.reindex import records_of
from core.dynamo.search_index import WordRow, partition
from core.dynamo.support_table import unpack
from core.media import storage
from quests import repository as board
from quests.models import COMPLETE, SUBMITTED
from scouting.forms.repository import stand_forms
from tests.cms.sams.server import Sams
from tests.load.browser import PATIENCE_SECONDS, Journal
from tests.load.filling import Filled
from tests.load.people import BEGUN
from tests.tracker.scorebook import Played
from tracker import repository as tracker
from tracker.rules import box_scores

Problems = Iterator[str]


def problems(filled: Filled, journal: Journal, sams: Sams, port: int) -> Problems:
    told = defaultdict(list, journal.acknowledged)
    yield from of_forms(filled.plan["event"], told["form"])
    yield from of_articles(told["save"], told["publish"], told["autosave"])
    yield from of_plays(filled.played, told["play"])
    yield from of_quests(told["claim"], told["submit"], told["attest"])
    yield from of_sessions(told["sign-in"], port)
    yield from of_sams(sams)
    yield from of_follow_ups(filled)
    yield from of_side_items()


def of_forms(event: str, acknowledged: Iterable[list[Any]]) -> Problems:
    """Each once, with its answers; what was not acknowledged may be there, once."""
    stored = Counter((int(form.match), form.team) for form in stand_forms.at(event))
    forms = {(int(form.match), form.team): form for form in stand_forms.at(event)}
    for place, count in stored.items():
        if count > 1:
            yield f"The form of {place} is stored {count} times."
    for match, team, auto, tele, comments in acknowledged:
        form = forms.get((match, team))
        if form is None:
            yield f"The form of team {team} in match {match} is lost."
        elif (form.scores["autoFuel"], form.scores["teleFuel"], form.comments) != (auto, tele, comments):
            yield f"The form of team {team} in match {match} has other answers than were sent."


def of_articles(
    saved: Iterable[list[str]], published: Iterable[list[str]], kept: Iterable[list[str]]
) -> Problems:
    """Each title that was saved is in the record or in its history, once; the last one kept is at hand."""
    applied, last_kept = [*saved, *published], dict(map(tuple, kept))
    for key in dict.fromkeys(key for key, _title in (*applied, *kept)):
        record, copy = news.get(key, strong=True), working_copies.get("news", key)
        entries = history.entries("news", key, limit=100, strong=True).items
        before = [unpack(entry.before) for entry in entries if entry.before]
        titles = Counter([record.title, *(each["title"]["S"] for each in before if "title" in each)])
        for title in (title for edited, title in applied if edited == key):
            if titles[title] != 1:
                yield f"The title {title!r} was acknowledged and is stored {titles[title]} times."
        at_hand = {*titles, copy.values["typed"]["title"][0] if copy else ""}
        # What was kept is gone when the same edit was applied.
        if key in last_kept and not {last_kept[key], last_kept[key].removesuffix(BEGUN)} & at_hand:
            yield f"The title {last_kept[key]!r} was kept and is nowhere."


def of_plays(played: Played, acknowledged: Iterable[list[Any]]) -> Problems:
    story = tracker.games.story(played.id, strong=True)
    stored = [(each.result, each.player_id) for each in story.at_bats]
    told = [(result, batter) for _count, result, batter in acknowledged]
    if stored[: len(told)] != told or len(stored) > len(told) + 1:
        yield f"{len(told)} plays were acknowledged and {len(stored)} are stored."
    box = tracker.boxes.get(played.team.id, story.game.season_id, played.id, strong=True)
    replayed = box_scores.stored_box(story.game, story.at_bats, revision=int(box.revision))
    if replayed.serialize() != box.serialize():
        yield "The stored box score is not what the plays come to."


def of_quests(
    claims: Iterable[list[str]], submitted: Iterable[list[str]], attested: Iterable[list[str]]
) -> Problems:
    """Each claim has one winner, and what both sides have confirmed is complete; the points agree."""
    winners: defaultdict[str, set[str]] = defaultdict(set)
    for key, sub in claims:
        winners[key].add(sub)
    confirmed = Counter(key for key, _sub in attested)
    done = {key for key, _sub in submitted}
    for key, subs in winners.items():
        quest = board.quests.get(key, strong=True)
        if subs != {quest.performer_id}:
            yield f"{sorted(subs)} were told that a quest is theirs, and {quest.performer_id} has it."
        if confirmed[key] == 2 and quest.status != COMPLETE:
            yield f"A quest was confirmed by both sides and is {quest.status}."
        if key in done and quest.status not in (SUBMITTED, COMPLETE):
            yield f"The work of a quest was submitted and it is {quest.status}."
    yield from _said_by("quests", "audit")


def of_sessions(signed_in: Iterable[list[str]], port: int) -> Problems:
    for sub, session in signed_in:
        status = status_of(port, "/desk/", session)
        if status != 200:
            yield f"The session of {sub} is answered with {status}."
        account = board.accounts.get_many([sub], strong=True).get(sub)
        if account is None or account.points != 10:
            yield f"{sub} has signed in and has no account with ten points."


def status_of(port: int, path: str, session: str) -> int:
    connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE_SECONDS)
    headers = {"Cookie": f"__Host-session={session}", "X-Forwarded-Proto": "https"}
    connection.request("GET", path, headers=headers)
    status = connection.getresponse().status
    connection.close()
    return status


def of_sams(sams: Sams) -> Problems:
    clubs, served = {record.name for record in records_of(sams_clubs)}, {each["name"] for each in sams.clubs}
    if clubs != served:
        yield f"SAMS has {len(served)} clubs and {len(clubs)} are stored."
    if len(list(sams_teams.all())) != 2:
        yield "SAMS names two teams of ours, and others are stored."


def of_follow_ups(filled: Filled) -> Problems:
    """Files of what is gone are gone, and what has expired has left once."""
    for file in (*filled.files, *filled.logos):
        if media.get_many([file.id], strong=True):
            yield f"The record of {file.filename} is still there."
        elif storage.about(file.s3_key) is not None:
            yield f"The file {file.filename} is still there, although its record is gone."
    expired = Counter(
        row["key"]["S"]
        for row in maintenance.scan_items(TableName=history.HistoryEntry.Meta.table_name)
        if row["PK"]["S"].startswith("HIST#sponsor#") and row["verb"]["S"] == "expire"
    )
    if sorted(expired.values()) != [1] * len(filled.logos):
        yield f"{len(filled.logos)} sponsors have expired, and their history says so {dict(expired)} times."
    if any(sponsor.expiry_timestamp for sponsor in records_of(sponsors)):
        yield "A sponsor that has expired is still there."
    yield from _said_by("streams", "failed", expected="0 changes were put aside.\n")


def of_side_items() -> Problems:
    """Guards, references and words are those of the records."""
    yield from _said_by(
        "guards",
        "repair",
        "--dry-run",
        expected="0 unique values would be released, 0 references would be removed, "
        "0 counts would be corrected.\n",
    )
    wanted, stored = set(_words_of_records()), set(_stored_words())
    for word in sorted(wanted - stored)[:5]:
        yield f"The search lacks {word}."
    for word in sorted(stored - wanted)[:5]:
        yield f"The search has {word}, which no record has."


def _words_of_records() -> Iterator[tuple[str, str, str, str]]:
    for repository in repositories():
        if repository.searched:
            for record in records_of(repository):
                key, scope = repository.key_of(record), repository.word_scope_of(record)
                for word in repository.words_of(record):
                    yield partition(scope, word), word, repository.entity, key


def _stored_words() -> Iterator[tuple[str, str, str, str]]:
    for raw in maintenance.scan_items(TableName=WordRow.Meta.table_name):
        if raw["PK"]["S"].startswith("WORD#"):
            row = WordRow.from_raw_data(raw)
            yield row.pk, *row.place


def _said_by(*command: str, expected: str | None = None) -> Problems:
    """What a command has to complain about."""
    told = StringIO()
    try:
        call_command(*command, stdout=told, stderr=told)
    except CommandError as error:
        yield f"manage.py {' '.join(command)}: {error} {told.getvalue()}"
        return
    if expected is not None and told.getvalue() != expected:
        yield f"manage.py {' '.join(command)}: {told.getvalue()}"
