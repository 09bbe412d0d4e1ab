"""Import the documents of an export through the repositories, with history and search index."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cms.payload.document import Document, LeftOut, NotImported
from cms.payload.kinds import media_file
from cms.payload.kinds.kind import Kind, SluggedKind
from cms.payload.plan import Plan, made_slug
from cms.payload.report import Outcome, Report
from core.dynamo import guards
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import AlreadyExists, DataError, Unavailable
from core.dynamo.items import Item

# How many slugs are tried if others take them at the same time.
ATTEMPTS = 10


# Shows how far it is: takes the documents, a name for them and their number.
Progress = Callable[[Iterable[Any], str, int], Iterable[Any]]


class Importer:
    """`may_write` is False for a dry run and for a verification; `absent` is the outcome of a document
    that is not stored yet: “imported” in a dry run, “missing” in a verification."""

    def __init__(self, plan: Plan, report: Report, *, may_write: bool, absent: Outcome = "imported") -> None:
        self.plan, self.report = plan, report
        self.may_write, self.absent = may_write, absent
        # Unique values a dry run would have claimed, to find duplicates within the export.
        self._taken: dict[tuple[str, str, str], str] = {}

    def run(self, kinds: Sequence[Kind], progress: Progress) -> None:
        for kind in kinds:
            documents = self.plan.of(kind)
            for document in progress(documents, kind.collection, len(documents)):
                self._import(kind, document)

    def _import(self, kind: Kind, document: Document) -> None:
        try:
            outcome, why = self._outcome(kind, document), ""
        except LeftOut as reason:
            outcome, why = "left out", str(reason)
        except Unavailable:
            # The documents after it would fail as well.
            raise
        except (NotImported, DataError) as reason:
            outcome, why = "refused", str(reason)
        except RecursionError:
            outcome, why = "refused", "it is nested too deeply"
        self.report.count(document, outcome, why)

    def _outcome(self, kind: Kind, document: Document) -> Outcome:
        """Import one document. Those already here are built as well, so that the report has their notes."""
        if document.values.get("deletedAt"):
            raise LeftOut("it is in Payload's trash")
        if self.plan.was_deleted_here(document):
            raise LeftOut("it was deleted here")
        item = kind.build(document, self.plan.relations)
        if isinstance(kind, SluggedKind):
            _note_slug(kind, document, item)
        document.note_left_over()
        stored_id = self.plan.stored_id(document)
        if stored_id is not None:
            self._note_duplicate(document, stored_id)
            return "there already"
        if not self.may_write:
            self._refuse_impossible(kind, document, item)
            if self.absent == "imported":
                self.plan.relations.add(kind.collection, document.key, document.id)
            return self.absent
        return self._write(kind, document, item)

    def _write(self, kind: Kind, document: Document, item: Any) -> Outcome:
        if kind is media_file.KIND:
            media = media_file.upload(document, item, self.plan.export)
            self.plan.relations.files[document.key] = media.s3_key
            self.plan.relations.add(kind.collection, document.key, media.id)
            self._note_duplicate(document, media.id)
            return "imported"
        is_new = _created(kind, document, item)
        self.plan.relations.add(kind.collection, document.key, document.id)
        return "imported" if is_new else "there already"

    def _note_duplicate(self, document: Document, stored_id: str) -> None:
        if stored_id != document.id:
            document.note("the library has this very file already, which is used instead")

    def _refuse_impossible(self, kind: Kind, document: Document, item: Item) -> None:
        """Raise what a write would raise: a missing file, or a unique value that is taken."""
        if kind is media_file.KIND:
            media_file.file_of(document, self.plan.export)
        entity = kind.repository.entity
        for unique in kind.repository.unique:
            values = unique.values_of(item)
            mine = {(entity, unique.field, value): document.id for value in values}
            owners = guards.owners_of(entity, unique.field, values) if values else {}
            if owners or any(self._taken.get(place, document.id) != document.id for place in mine):
                raise NotImported(str(unique.message))
            self._taken |= mine


def _note_slug(kind: SluggedKind, document: Document, item: Any) -> None:
    document.ignore("slug")
    made = made_slug(kind, document)
    if item.slug != made:
        document.note(f"its address is “{item.slug}”, for another record has “{made}”")


def _created(kind: Kind, document: Document, item: Any) -> bool:
    """Create the record; False if it is there already, from an earlier or a concurrent run."""
    for _attempt in range(ATTEMPTS):
        try:
            kind.repository.create(item, actor=SYSTEM)
            return True
        except AlreadyExists as error:
            if error.field is None:
                return False
            if error.field != "slug" or not isinstance(kind, SluggedKind):
                raise
            # Another record took the slug since the plan was made.
            made = made_slug(kind, document) or item.slug
            item.slug = kind.repository.next_free(made, taken={item.slug}, number=kind.number_slug)
            document.note(f"its address is “{item.slug}”, for another record has “{made}”")
    raise NotImported("its address is always taken")
