"""Imports SuperAlliance documents, as often as needed, and then compares them with what is stored."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from core.common.http import small_number
from core.dynamo import history, trash
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import AlreadyExists
from core.dynamo.queries import every
from core.dynamo.transactions import Transaction
from scouting import keys
from scouting.events.models import EventInfo
from scouting.events.repository import event_infos
from scouting.forms.repository import comment_forms, pit_forms, stand_forms
from scouting.games.definition import Game
from scouting.models import ScoutedItem
from scouting.repository import ScoutingRepository
from scouting.selection.repository import selections
from scouting.settings import services as settings
from scouting.settings.models import Settings
from scouting.settings.repository import stored_settings
from scouting.superalliance import conversion
from scouting.superalliance.conversion import Converted, NotConverted, event_of, id_of, names_event
from scouting.superalliance.documents import Document, documents

PSEUDO_EVENTS = {
    "week0": "Week 0",
    "testing": "Testing Event",
    "gcrprac": "GCR Practice",
    "gnrprac": "GNR Practice",
    "worldsprac": "Worlds Practice",
}
# Attributes that an import does not determine.
NOT_COMPARED = {"version", "updated_at"}

STORES: Mapping[str, ScoutingRepository[Any]] = {
    "standforms": stand_forms,
    "pitforms": pit_forms,
    "commentforms": comment_forms,
    "teamselections": selections,
}
CONVERSIONS: Mapping[str, Callable[..., Converted]] = {
    "standforms": conversion.stand_form,
    "pitforms": conversion.pit_form,
    "commentforms": conversion.comment_form,
    "teamselections": conversion.selection,
}
Converter = Callable[..., Converted]
Progress = Callable[[list[Document], str], Iterable[Document]]


class Report:
    """The result of an import, as text."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        self.left_out: dict[str, Counter[str]] = defaultdict(Counter)
        self.refused: list[str] = []
        self.superseded: list[str] = []
        self.problems: list[str] = []

    def lines(self) -> list[str]:
        lines = []
        for collection, counts in self.counts.items():
            each = ", ".join(f"{number} {what}" for what, number in counts.items())
            lines.append(f"{collection}: {each}.")
        for collection, fields in self.left_out.items():
            named = ", ".join(f"{name} ({number})" for name, number in fields.most_common())
            lines.append(f"{collection}, fields without a place: {named}.")
        lines += [f"Left out: {each}." for each in self.superseded]
        lines += [f"Not converted: {each}." for each in self.refused]
        return lines + [f"PROBLEM: {each}." for each in self.problems]


class Importer:
    """The import; `year` completes event codes of documents that have none."""

    def __init__(
        self,
        folder: Path,
        *,
        year: int | None = None,
        may_write: bool = True,
        progress: Progress = lambda documents, _name: documents,
    ) -> None:
        self.folder = folder
        self.year = year
        self.may_write = may_write
        self.progress = progress
        self.report = Report()
        # By collection and key, a function that converts the document again, for the comparison.
        self.expected: dict[str, dict[str, Converter]] = defaultdict(dict)
        self._deleted: dict[str, set[str]] = {}
        self._games: dict[int, Game | None] = {}

    def run(self) -> Report:
        self._each("standforms", self._stand_forms)
        self._each("pitforms", self._pit_forms)
        self._each("commentforms", self._comment_forms)
        self._each("teamselections", self._selections)
        self._config()
        settings.forget()
        if self.may_write:
            self._verify()
        return self.report

    # --- The collections -----------------------------------------------------------------------------------

    def _each(self, collection: str, bring: Callable[[str, list[Document]], None]) -> None:
        """Import the documents of a collection, by event, oldest first."""
        by_event: dict[str, list[Document]] = defaultdict(list)
        for document in documents(self.folder, collection):
            try:
                by_event[self._event_of(collection, document)].append(document)
            except NotConverted as error:
                self._refuse(collection, document, error)
        for event, found in sorted(by_event.items()):
            if self.may_write:
                self._make_event(event)
            bring(event, found)

    def _event_of(self, collection: str, document: Document) -> str:
        """The event of a document; a pick list without one belongs to the active event."""
        if collection == "teamselections" and not names_event(document) and self._active_event:
            return self._active_event
        return event_of(document, self.year)

    @cached_property
    def _active_event(self) -> str | None:
        """The event of the newest configuration that has one."""
        for document in reversed(documents(self.folder, "config")):
            with suppress(NotConverted):
                if names_event(document) and str(document["event"]).lower() != "none":
                    return event_of(document, self.year)
        return None

    def _stand_forms(self, event: str, found: list[Document]) -> None:
        """The first form about a robot in a match is the main one, the others are additional reports."""
        stored = stand_forms.at(event)
        known = {form.id: form for form in stored}
        places = {form.sk for form in stored}
        for document in self.progress(found, f"standforms {event}"):
            convert = self._converter("standforms", document, event)
            if convert is None or self._was_moved("standforms", convert().item, known):
                continue
            earlier = known.get(id_of(document))
            is_further = earlier.is_further if earlier else convert().item.sk in places
            if is_further:
                convert = partial(convert, further=id_of(document))
            places.add(convert().item.sk)
            self._bring("standforms", convert)

    def _pit_forms(self, event: str, found: list[Document]) -> None:
        """Only the last form of each team is imported."""
        known = {form.id: form for form in pit_forms.at(event)}
        last = {str(document.get("teamNumber")): document for document in found}
        for document in self.progress(found, f"pitforms {event}"):
            if document is not last[str(document.get("teamNumber"))]:
                self._count("pitforms", "earlier forms")
                self.report.superseded.append(f"pitforms {_id(document)}, a later form of the team was sent")
                continue
            convert = self._converter("pitforms", document, event)
            if convert and not self._was_moved("pitforms", convert().item, known):
                self._bring("pitforms", convert)

    def _comment_forms(self, event: str, found: list[Document]) -> None:
        for document in self.progress(found, f"commentforms {event}"):
            if convert := self._converter("commentforms", document, event):
                self._bring("commentforms", convert)

    def _selections(self, event: str, found: list[Document]) -> None:
        """Each save was a document; only the last one is imported."""
        self.report.counts["teamselections"]["earlier saves"] += len(found) - 1
        if convert := self._converter("teamselections", found[-1], event):
            self._bring("teamselections", convert)

    def _config(self) -> None:
        """Import the active event of a year, unless leads have chosen one here."""
        for document in documents(self.folder, "config"):
            code = str(document.get("event") or "none").lower()
            written = document.get("year") or self.year or conversion.written_at(document).year
            year = small_number(str(written))
            if settings.of_year(year, strong=True).version is not None:
                self._count("config", "already there")
                continue
            try:
                if not year:
                    raise NotConverted(f"“{written}” is no year")
                event = None if code == "none" else event_of(document, year)
            except NotConverted as error:
                self._refuse("config", document, error)
                continue
            self._count("config", "imported" if self.may_write else "to import")
            if not self.may_write:
                continue
            if event:
                self._make_event(event)
            chosen = {"event": event, "locked": True} if event else {}
            transaction = Transaction()
            stored_settings.create(Settings.of_year(year, **chosen), actor=SYSTEM, transaction=transaction)
            if all(item.sk != "DEFAULT" for item in stored_settings.all()):
                stored_settings.create(Settings.default(year), actor=SYSTEM, transaction=transaction)
            transaction.commit()

    # --- One document --------------------------------------------------------------------------------------

    def _converter(self, collection: str, document: Document, event: str) -> Converter | None:
        """Converts the document, as often as it is called; None if it cannot be converted."""
        try:
            convert = partial(CONVERSIONS[collection], document, event, self._game(event))
            left_out = convert().left_out
        except NotConverted as error:
            self._refuse(collection, document, error)
            return None
        if left_out:
            self.report.left_out[collection].update(left_out)
        return convert

    def _bring(self, collection: str, convert: Converter) -> None:
        item, stored = convert().item, STORES[collection]
        key, item_id = stored.key_of(item), getattr(item, "id", None)
        if item_id in self._deleted_of(stored.entity):
            self._count(collection, "deleted here")
            return
        there = self._there(stored, key, item)
        is_ours = there is None or getattr(there, "id", None) == item_id
        if there:
            self._count(collection, "already there" if is_ours else "left as they are here")
        else:
            self._count(collection, "imported" if self.may_write else "to import")
        if is_ours:
            self.expected[collection][key] = convert

    def _was_moved(self, collection: str, item: Any, known: Mapping[str, Any]) -> bool:
        """Whether leads have moved the form to another robot here; then it is not imported again."""
        there = known.get(item.id)
        places = [(form.team, getattr(form, "match", None)) for form in (item, there) if form]
        if len(set(places)) < 2:
            return False
        self._count(collection, "corrected here")
        return True

    def _there(self, stored: ScoutingRepository[Any], key: str, item: ScoutedItem) -> Any:
        """The record that is stored under this key already; if None, the item is created if it may be."""
        if not self.may_write:
            return stored.get_many([key]).get(key)
        try:
            stored.create(item, actor=SYSTEM)
        except AlreadyExists as error:
            return error.current
        return None

    def _deleted_of(self, entity: str) -> set[str]:
        """The ids of forms in the trash, which are not imported again."""
        if entity not in self._deleted:
            found = every(lambda **options: trash.page(entity, **options))
            self._deleted[entity] = {each.record.get("id", {}).get("S", "") for each in found}
        return self._deleted[entity]

    def _count(self, collection: str, what: str) -> None:
        self.report.counts[collection][what] += 1

    def _refuse(self, collection: str, document: Document, error: NotConverted) -> None:
        self._count(collection, "not converted")
        self.report.refused.append(f"{collection} {_id(document)}, because {error}")

    def _make_event(self, event: str) -> None:
        code = keys.short_code(event)
        info = EventInfo.about(event, name=PSEUDO_EVENTS.get(code, event), is_own=code in PSEUDO_EVENTS)
        with suppress(AlreadyExists):
            event_infos.create(info, actor=SYSTEM)

    def _game(self, event: str) -> Game:
        # The key of a converted event has its year.
        year = keys.year_of(event) or 0
        if year not in self._games:
            self._games[year] = settings.game(year)
        game = self._games[year]
        if game is None:
            raise NotConverted(f"there is no game of {year}")
        return game

    # --- Comparing -----------------------------------------------------------------------------------------

    def _verify(self) -> None:
        """Report documents that are missing, or differ from what is stored."""
        for collection, expected in self.expected.items():
            stored = STORES[collection]
            found = stored.get_many(expected, strong=True)
            self.report.counts[collection]["found again"] = len(found)
            if len(found) < len(expected):
                self.report.problems.append(f"{collection}: {len(expected) - len(found)} are missing")
            for key, there in found.items():
                differing = _differing(expected[key]().item, there)
                if differing and _was_changed_here(stored.entity, key):
                    self._count(collection, "corrected here")
                elif differing:
                    names = ", ".join(differing)
                    self.report.problems.append(f"{collection}: {key} is not as it was sent ({names})")


def _id(document: Document) -> str:
    return str(document.get("_id") or "(no id)")


def _was_changed_here(entity: str, key: str) -> bool:
    newest = history.entries(entity, key, limit=1, strong=True).items
    return bool(newest) and newest[0].verb != "create"


def _differing(sent: ScoutedItem, stored: ScoutedItem) -> list[str]:
    """The names of differing attributes, without index keys, which are derived."""
    names = {name for name in sent.get_attributes() if not name.startswith("gsi")} - NOT_COMPARED
    if getattr(stored, "game_year", None) is None:
        # An earlier release did not store it: None means the year of the event, as here.
        names.discard("game_year")
    return sorted(name for name in names if getattr(sent, name) != getattr(stored, name))
