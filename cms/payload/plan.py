"""Plan of an import: the documents of the export, which of them are stored already, and their slugs."""

from dataclasses import dataclass, field
from typing import Any

from cms.media.repository import media
from cms.payload.document import Document, key_in
from cms.payload.kinds import KINDS
from cms.payload.kinds.kind import Kind, SluggedKind
from cms.payload.kinds.media_file import hash_of
from cms.payload.relations import Relations, subs_by_email
from cms.payload.report import Report
from cms.payload.source import Export, Unreadable, documents_in
from core.dynamo import guards, trash
from core.dynamo.registry import RecordRef


@dataclass
class Plan:
    export: Export
    relations: Relations
    documents: dict[str, list[Document]] = field(default_factory=dict)
    trashed: set[RecordRef] = field(default_factory=set)

    def of(self, kind: Kind) -> list[Document]:
        return self.documents.get(kind.collection, [])

    def stored_id(self, document: Document) -> str | None:
        return self.relations.ids.get(document.collection, {}).get(document.key)

    def was_deleted_here(self, document: Document) -> bool:
        return (document.collection, document.id) in self.trashed and self.stored_id(document) is None


def plan_of(export: Export, report: Report) -> Plan:
    """Read the export and what is stored, without writes. Unreadable files and documents become problems
    in the report."""
    plan = Plan(export, Relations(subs_by_email=subs_by_email()))
    _learn_accounts(plan, report)
    for team in _values(export, "sams-teams", report):
        if isinstance(team, dict) and isinstance(team.get("uuid"), str):
            plan.relations.sams_teams[key_in(team)] = team["uuid"]
    absent = [kind.collection for kind in KINDS if not export.has(kind.collection)]
    if absent:
        report.notes.append(f"not in the export: {', '.join(absent)}")
    for kind in KINDS:
        plan.documents[kind.collection] = _documents(export, kind.collection, report)
        _learn_existing(plan, kind)
    _learn_files(plan)
    return plan


def made_slug(kind: SluggedKind, document: Document) -> str | None:
    """The slug of a record if no other record has it; None without a slug or name to make it from."""
    names = (document.values.get("slug"), document.values.get(kind.named_by))
    name = next((name for name in names if isinstance(name, str) and name.strip()), None)
    return kind.make_slug(name) if name else None


def _values(export: Export, collection: str, report: Report) -> list[Any]:
    try:
        return export.values(collection)
    except Unreadable as error:
        report.problems.append(str(error))
        return []


def _documents(export: Export, collection: str, report: Report) -> list[Document]:
    documents, problems = documents_in(collection, _values(export, collection, report))
    for problem in problems:
        report.problems.append(f"{collection}: {problem}")
    return documents


def _learn_accounts(plan: Plan, report: Report) -> None:
    for user in _documents(plan.export, "users", report):
        account = plan.relations.account_in(user.values)
        if account is None:
            continue
        plan.relations.accounts[user.key] = account
        if account.sub is None:
            role = user.values.get("role")
            former_role = f"; the role there was “{role}”" if isinstance(role, str) and role != "none" else ""
            report.notes.append(
                f"users {user.key} “{account.name or account.email}”: has no account here{former_role}"
            )


def _learn_existing(plan: Plan, kind: Kind) -> None:
    documents = plan.of(kind)
    fields = {"media": ("id", "s3_key")}.get(kind.collection, ("id",))
    if isinstance(kind, SluggedKind):
        fields = ("id", "slug")
    ids = [document.id for document in documents]
    stored = kind.repository.get_many(ids, strong=True, fields=fields) if ids else {}
    for document in documents:
        record = stored.get(document.id)
        if record is not None:
            plan.relations.add(kind.collection, document.key, document.id)
        if record is not None and kind.collection == "media":
            plan.relations.files[document.key] = record.s3_key
    if len(stored) < len(documents):
        plan.trashed.update((kind.collection, key) for key in trash.keys(kind.repository.entity))
    if isinstance(kind, SluggedKind):
        _learn_slugs(plan, kind, {key: record.slug for key, record in stored.items()})


def _learn_slugs(plan: Plan, kind: SluggedKind, stored: dict[str, str | None]) -> None:
    """Assign all slugs before the import, so that texts can link to records that are imported later."""
    entity = kind.repository.entity
    made = {document.key: made_slug(kind, document) for document in plan.of(kind)}
    taken = set(guards.owners_of(entity, "slug", filter(None, made.values())))
    for document in plan.of(kind):
        if plan.was_deleted_here(document):
            continue
        slug = stored.get(document.id) or made[document.key]
        if slug and slug in taken and document.id not in stored:
            slug = kind.repository.next_free(slug, taken=taken, number=kind.number_slug)
        if slug:
            taken.add(slug)
            plan.relations.slugs[kind.collection, document.key] = slug


def _learn_files(plan: Plan) -> None:
    """Find by content hash the files that the library has already, so that they are not uploaded again."""
    for document in plan.documents["media"]:
        filename = document.values.get("filename")
        path = plan.export.file(filename) if isinstance(filename, str) else None
        if plan.stored_id(document) is None and path is not None:
            key = media.key_with_hash(hash_of(path))
            stored = media.get_many([key], strong=True, fields=("id", "s3_key")) if key else {}
            for record in stored.values():
                plan.relations.add("media", document.key, record.id)
                plan.relations.files[document.key] = record.s3_key
