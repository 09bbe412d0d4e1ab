"""Writing what SuperAlliance had, as often as one likes, and comparing it with what is stored then."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

from dynamo.actors import SYSTEM
from dynamo.errors import AlreadyExists
from dynamo.transactions import Transaction
from scouting import keys, repository
from scouting.game import Game
from scouting.models import EventInfo, ScoutedItem, Settings
from scouting.services import settings
from scouting.superalliance import converting
from scouting.superalliance.converting import Converted, NotConverted, event_of, id_of
from scouting.superalliance.reading import Document, documents

PSEUDO_EVENTS = {
    "week0": "Week 0",
    "testing": "Testing Event",
    "gcrprac": "GCR Practice",
    "gnrprac": "GNR Practice",
    "worldsprac": "Worlds Practice",
}
COMPARED = ("scores", "answers", "criticals", "comments", "strategy", "teams", "total_score", "scout_name")


class Report:
    """What happened to the documents, in words."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        self.left_out: dict[str, Counter[str]] = defaultdict(Counter)
        self.refused: list[str] = []
        self.problems: list[str] = []

    def lines(self) -> list[str]:
        told = []
        for collection, counts in self.counts.items():
            each = ", ".join(f"{number} {what}" for what, number in counts.items())
            told.append(f"{collection}: {each}.")
        for collection, fields in self.left_out.items():
            named = ", ".join(f"{name} ({number})" for name, number in fields.most_common())
            told.append(f"{collection}, fields without a place: {named}.")
        told += [f"Not converted: {each}." for each in self.refused]
        return told + [f"PROBLEM: {each}." for each in self.problems]


class Importer:
    """`year` is that of all event codes, where the documents do not tell it."""

    def __init__(self, folder: Path, *, year: int | None = None, sample: int = 20, seed: int = 8) -> None:
        self.folder = folder
        self.year = year
        self.sample = sample
        self.chance = Random(seed)
        self.report = Report()
        self.written: dict[str, list[ScoutedItem]] = defaultdict(list)
        self._games: dict[int, Game | None] = {}

    def run(self) -> Report:
        self._each("standforms", self._stand_forms)
        self._each("pitforms", self._pit_forms)
        self._each("commentforms", self._comment_forms)
        self._each("teamselections", self._selections)
        self._config()
        settings.forget()
        self._verify()
        return self.report

    # --- The collections -----------------------------------------------------------------------------------

    def _each(self, collection: str, bring: Callable[[str, list[Document]], None]) -> None:
        """The documents of a collection, event by event, oldest first."""
        by_event: dict[str, list[Document]] = defaultdict(list)
        for document in documents(self.folder, collection):
            try:
                by_event[event_of(document, self.year)].append(document)
            except NotConverted as error:
                self._refuse(collection, document, error)
        for event, found in sorted(by_event.items()):
            self._make_event(event)
            bring(event, found)

    def _stand_forms(self, event: str, found: list[Document]) -> None:
        """The first form of a robot in a match has its place, the others are further reports."""
        stored = repository.stand_forms.at(event)
        known = {form.id for form in stored}
        places = {form.sk for form in stored}
        for document in found:
            if id_of(document) in known:
                self.report.counts["standforms"]["already there"] += 1
                continue
            converted = self._converted("standforms", document, converting.stand_form, event)
            if converted is None:
                continue
            if converted.item.sk in places:
                converted = converting.stand_form(document, event, self._game(event), further=id_of(document))
            places.add(converted.item.sk)
            self._create("standforms", repository.stand_forms, converted.item)

    def _pit_forms(self, event: str, found: list[Document]) -> None:
        """There is one of each team: the last that was sent."""
        last = {str(document.get("teamNumber")): document for document in found}
        for document in found:
            if document is not last[str(document.get("teamNumber"))]:
                self._refuse("pitforms", document, NotConverted("a later form of the team was sent"))
                continue
            converted = self._converted("pitforms", document, converting.pit_form, event)
            if converted:
                self._create("pitforms", repository.pit_forms, converted.item)

    def _comment_forms(self, event: str, found: list[Document]) -> None:
        for document in found:
            converted = self._converted("commentforms", document, _comment, event)
            if converted:
                self._create("commentforms", repository.comment_forms, converted.item)

    def _selections(self, event: str, found: list[Document]) -> None:
        """Every save was a document; the last one counts."""
        self.report.counts["teamselections"]["earlier saves"] += len(found) - 1
        converted = self._converted("teamselections", found[-1], _selection, event)
        if converted:
            self._create("teamselections", repository.selections, converted.item)

    def _config(self) -> None:
        """Which event was active; what leads have chosen here stays."""
        for document in documents(self.folder, "config"):
            code = str(document.get("event") or "none").lower()
            year = int(document.get("year") or self.year or converting.written_at(document).year)
            if settings.of_year(year, strong=True).version is not None:
                self.report.counts["config"]["already there"] += 1
                continue
            try:
                event = None if code == "none" else event_of(document, year)
            except NotConverted as error:
                self._refuse("config", document, error)
                continue
            chosen = {"event": event, "locked": True} if event else {}
            transaction = Transaction()
            repository.settings.create(Settings.of_year(year, **chosen), actor=SYSTEM, within=transaction)
            if all(item.sk != "DEFAULT" for item in repository.settings.all()):
                repository.settings.create(Settings.default(year), actor=SYSTEM, within=transaction)
            transaction.commit()
            self.report.counts["config"]["imported"] += 1

    # --- One document --------------------------------------------------------------------------------------

    def _converted(
        self, collection: str, document: Document, convert: Callable[..., Converted], event: str
    ) -> Converted | None:
        try:
            converted = convert(document, event, self._game(event))
        except NotConverted as error:
            self._refuse(collection, document, error)
            return None
        if converted.left_out:
            self.report.left_out[collection].update(converted.left_out)
        return converted

    def _create(self, collection: str, stored: Any, item: ScoutedItem) -> None:
        try:
            stored.create(item, actor=SYSTEM)
        except AlreadyExists as error:
            is_ours = getattr(error.current, "id", None) == getattr(item, "id", None)
            self.report.counts[collection]["already there" if is_ours else "left as they are here"] += 1
            return
        self.report.counts[collection]["imported"] += 1
        self.written[collection].append(item)

    def _refuse(self, collection: str, document: Document, error: NotConverted) -> None:
        self.report.counts[collection]["not converted"] += 1
        self.report.refused.append(f"{collection} {document.get('_id') or '(no id)'}, because {error}")

    def _make_event(self, event: str) -> None:
        code = keys.short_code(event)
        info = EventInfo.about(event, name=PSEUDO_EVENTS.get(code, event), is_own=code in PSEUDO_EVENTS)
        try:
            repository.event_infos.create(info, actor=SYSTEM)
        except AlreadyExists:
            return

    def _game(self, event: str) -> Game:
        year = keys.year_of(event)
        if year not in self._games:
            self._games[year] = settings.game(year)
        game = self._games[year]
        if game is None:
            raise NotConverted(f"there is no game of {year}")
        return game

    # --- Comparing -----------------------------------------------------------------------------------------

    def _verify(self) -> None:
        """All that was written is there, and a sample of it is as it was sent."""
        stores = {
            "standforms": repository.stand_forms,
            "pitforms": repository.pit_forms,
            "commentforms": repository.comment_forms,
            "teamselections": repository.selections,
        }
        for collection, items in self.written.items():
            stored: Any = stores[collection]
            by_key = {stored.key_of(item): item for item in items}
            found = stored.get_many(by_key, strong=True)
            self.report.counts[collection]["found again"] = len(found)
            if len(found) < len(by_key):
                self.report.problems.append(f"{collection}: {len(by_key) - len(found)} are missing")
            for key in self._sampled(found):
                if _differs(by_key[key], found[key]):
                    self.report.problems.append(f"{collection}: {key} is not as it was sent")

    def _sampled(self, keys: Iterable[str]) -> list[str]:
        every = sorted(keys)
        return self.chance.sample(every, min(self.sample, len(every)))


def _comment(document: Document, event: str, _game: Game) -> Converted:
    return converting.comment_form(document, event)


def _selection(document: Document, event: str, _game: Game) -> Converted:
    return converting.selection(document, event)


def _differs(sent: ScoutedItem, stored: ScoutedItem) -> bool:
    return any(getattr(sent, name, None) != getattr(stored, name, None) for name in COMPARED)
