"""Verification of an import: count all documents and compare a random sample field by field."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from cms.payload.document import Document, LeftOut, NotImported, quoted
from cms.payload.kinds import media_file
from cms.payload.kinds.kind import Kind, SluggedKind
from cms.payload.plan import Plan, made_slug
from cms.payload.report import Report, line_about
from core.dynamo.items import Item

NOT_CARRIED = {"version", "refs", "updated_at", "slug", "old_slugs", "first_published_at"}
# Up to which number a slug is accepted as a numbered one.
MOST_NUMBERS = 1000


def verify(plan: Plan, kinds: Sequence[Kind], report: Report, *, sample: int, seed: int | None) -> None:
    chooser = random.Random(seed)
    for kind in kinds:
        documents = plan.of(kind)
        if not documents:
            continue
        keys = {document.key: plan.stored_id(document) for document in documents}
        stored = kind.repository.get_many(filter(None, keys.values()), strong=True, fields=("id",))
        here = [document for document in documents if keys[document.key] in stored]
        chosen = chooser.sample(here, min(sample, len(here)))
        differing = sum(not _is_equal(plan, kind, document, report) for document in chosen)
        report.verified.append(
            f"{kind.collection}: {len(documents)} in the export, {len(here)} here; "
            f"{len(chosen)} compared, {differing} differ"
        )


def _is_equal(plan: Plan, kind: Kind, document: Document, report: Report) -> bool:
    record = kind.repository.get(plan.stored_id(document) or "", strong=True)
    try:
        found = list(differences(plan, kind, document.anew(), record))
    except (NotImported, LeftOut) as reason:
        found = [str(reason)]
    was_changed = record.seen_version > 1
    for difference in found:
        text = f"{'was changed here since' if was_changed else 'differs'}: {difference}"
        (report.notes if was_changed else report.problems).append(line_about(document, text))
    return not found


def differences(plan: Plan, kind: Kind, document: Document, record: Any) -> Iterator[str]:
    if kind is media_file.KIND:
        yield from media_file.differences(document, record, plan.export)
        if record.id != document.id:
            return
    expected = kind.build(document, plan.relations)
    for name in kind.compared or _carried(record):
        wanted, found = getattr(expected, name), getattr(record, name)
        # A document without createdAt got the time of the import.
        if (wanted or None) != (found or None) and not (name == "created_at" and wanted is None):
            yield f"{name} is “{quoted(_plain(found))}” instead of “{quoted(_plain(wanted))}”"
    if isinstance(kind, SluggedKind) and not _is_address(kind, document, record.slug):
        yield f"its address is “{record.slug}”"


def _carried(record: Item) -> list[str]:
    """Attributes that the document decides, without derived ones."""
    left_aside = NOT_CARRIED.union(record.derived())
    return [name for name in record.get_attributes() if name not in left_aside]


def _is_address(kind: SluggedKind, document: Document, slug: str | None) -> bool:
    made = made_slug(kind, document) or ""
    return slug == made or any(slug == kind.number_slug(made, each) for each in range(2, MOST_NUMBERS))


def _plain(value: object) -> object:
    return value if isinstance(value, str | list | dict | int) or value is None else str(value)
