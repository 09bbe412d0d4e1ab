"""The operations of a resource of the content: reading and writing it as its pages do, by its form."""

from collections.abc import Callable
from typing import Any, Literal, TypeVar
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override
from ninja import Query
from pydantic import BaseModel, Field, create_model

from api import answers
from api.cms.bodies import body_of, posted_of
from api.cms.records import ContentDocument
from api.forms import valid
from api.lists import ItemQuery, ListQuery, listing
from api.operations import PREFIX, InvalidFields, Operations
from api.problems import FieldError
from core.accounts.rights import SignedInRequest
from core.content.status import ARCHIVED, DRAFT, PUBLISHED
from core.crud import edit_session, services
from core.crud.edit_session import Opened, Seen
from core.crud.fields.richtext import SHOWN
from core.crud.forms import as_posted, belongs
from core.crud.listing import Listing
from core.crud.pristine import pristine_values
from core.crud.publication import PublishedResource, change_status, write_at_once
from core.crud.resource import Resource
from core.crud.rows import find
from core.dynamo import history, trash
from core.dynamo.errors import NotFound, Replayed
from core.dynamo.items import Item
from core.dynamo.paging import Page
from core.stores import idempotency

View = TypeVar("View", bound=Callable[..., HttpResponse])
# The addresses of lists, by entity.
ADDRESSES: dict[str, str] = {}
STATUSES = {
    "publish": (PUBLISHED, "Publish {}, as it is stored. Published already, it stays so."),
    "unpublish": (DRAFT, "Make {} a draft again, which readers do not see."),
    "archive": (ARCHIVED, "Archive {}: readers do not see it."),
}


class ContentOperations:
    """Declares the operations of one resource: `article` makes list_articles, get_article and so on."""

    def __init__(self, part: Operations, document: ContentDocument, name: str, *, order: str) -> None:
        self.part, self.document, self.name, self.order = part, document, name, order
        self.resource: Resource = document.resource
        self.path = f"/{self.resource.slug}"
        ADDRESSES[self.resource.entity] = f"{PREFIX}/cms{self.path}"
        self.record_path = f"{self.path}/{{id}}"
        self.words = name.replace("_", " ")
        self.a = f"an {self.words}" if self.words[0] in "aeiou" else f"a {self.words}"

    def declare_all(self) -> None:
        self.declare_reading()
        self.declare_creating()
        self.declare_changing()

    def declare_reading(self) -> None:
        document, schema = self.document, self.document.schema
        query_model = _query_model(self.resource)

        def list_records(request: SignedInRequest, query: Query[query_model]) -> HttpResponse:  # type: ignore[valid-type]
            return _list(request, document, query)

        def get(request: SignedInRequest, id: str, query: Query[ItemQuery]) -> HttpResponse:
            return _get(request, document, id, query)

        stored = " as it is stored, without changes that are kept and not published"
        has_copies = self.resource.has_copies
        self._named(list_records, "list", f"The {self.words}s, {self.order}", ending="s")
        self._named(get, "get", f"{self.a.capitalize()}{stored if has_copies else ''}")
        view = self.resource.right("view")
        self.part.get(self.path, right=view, answer=document.list_schema)(list_records)
        self.part.get(self.record_path, right=view, answer=schema, etag=True)(get)

    def declare_creating(self) -> None:
        document, form = self.document, self.resource.form
        needed = form.draft_needs or [name for name, field in form.base_fields.items() if field.required]
        model = body_of(self._title("Body"), form, document.names, needed)

        def create(request: SignedInRequest, body: model) -> HttpResponse:  # type: ignore[valid-type]
            return _create(request, document, body)

        draft = ", which is a draft until it is published" if self.resource.has_copies else ""
        self._named(create, "create", f"Make {self.a}{draft}")
        self.part.post(self.path, right=self.resource.right("create"), answer=document.schema)(create)

    def declare_changing(self) -> None:
        document = self.document
        model = body_of(self._title("Change"), self.resource.form, document.names, ())

        def change(request: SignedInRequest, id: str, body: model) -> HttpResponse:  # type: ignore[valid-type]
            return _change(request, document, id, body)

        def delete(request: SignedInRequest, id: str) -> HttpResponse:
            return _delete(request, document, id)

        def restore(request: SignedInRequest, id: str) -> HttpResponse:
            return _restore(request, document, id)

        at_once = "; readers see that of a published one at once"
        self._named(change, "change", f"Change {self.a}{at_once if self.resource.has_copies else ''}")
        self._named(delete, "delete", f"Delete {self.a}; it stays in the trash for 30 days")
        self._named(restore, "restore", f"Take {self.a} out of the trash. What is not there stays as it is")
        update, right = self.resource.right("update"), self.resource.right("delete")
        self.part.change("PATCH", self.record_path, right=update, answer=document.schema)(change)
        if isinstance(self.resource, PublishedResource):
            self._declare_statuses()
        self.part.delete(self.record_path, right=right)(delete)
        self.part.act("POST", f"{self.record_path}/restore", right=right, answer=document.schema)(restore)

    def _declare_statuses(self) -> None:
        for verb, (status, text) in STATUSES.items():
            view = self._named(_status_view(self.document, status), verb, text.format(self.a))
            operation = self.part.act(
                "POST",
                f"{self.record_path}/{verb}",
                right=self.resource.right("update"),
                answer=self.document.schema,
            )
            operation(view)

    def _title(self, ending: str) -> str:
        return "".join(word.title() for word in self.words.split()) + ending

    def _named(self, view: View, verb: str, text: str, *, ending: str = "") -> View:
        """The name is the operationId, the text what the reference page says."""
        view.__name__, view.__doc__ = f"{verb}_{self.name}{ending}", text
        return view


def _query_model(resource: Resource) -> type[ListQuery]:
    """The filters of the list."""
    with override(None):
        filters: dict[str, Any] = {
            each.name: (
                Literal[tuple(choice for choice, _title in each.choices)] | None,
                Field(default=None, description=str(each.title)),
            )
            for each in resource.filters
        }
    return create_model(f"{type(resource).__name__}ListQuery", __base__=ListQuery, **filters)


def _list(request: SignedInRequest, document: ContentDocument, query: Any) -> HttpResponse:
    """The list of the pages with its default order, with what its index has.

    What else `fields` names, and all of it with `strong`, is read from the table in one more request.
    """
    user, resource = request.user, document.resource
    further = document.further(query.only)
    if further and query.limit is None and query.next_token is None:
        # A thousand texts may be too much for one answer.
        raise InvalidFields([FieldError("/query/limit", _("Send a limit to get these fields."))])
    fields = document.attributes(query.only)
    filters = {each.name: getattr(query, each.name) or "" for each in resource.filters}
    sorts = resource.sorts(filters)
    wanted = Listing(filters=filters, sort=sorts[0] if sorts else None)

    def read(**page: Any) -> Any:
        listed = find(user, resource, wanted, fields=() if further else fields, **page)
        if not (further or query.strong):
            return listed
        stored = resource.repository.reread(
            listed, strong=query.strong, fields=fields or document.listed_attributes
        )
        return Page([each for each in stored.items if resource.may(user, "view", each)], stored.next_key)

    shown = document.of if further else document.row
    return listing(request, query, read, lambda each: answers.chosen(shown(user, each), query.only))


def _get(request: SignedInRequest, document: ContentDocument, key: str, query: ItemQuery) -> HttpResponse:
    fields = document.attributes(query.only)
    record = document.resource.repository.get(key, fields=fields, strong=query.strong)
    document.resource.ensure(request.user, "view", record)
    values = answers.chosen(document.of(request.user, record), query.only)
    return answers.answer(values, version=record.seen_version)


def _create(request: SignedInRequest, document: ContentDocument, body: BaseModel) -> HttpResponse:
    resource, once = document.resource, idempotency.once(request)
    key = str(UUID(once.digest[:32])) if once else resource.new_key()
    opened, status = Opened(resource, key), 201
    try:
        with services.answered_once(resource, key, once, receipt_of=history.creation_answer):
            fields = _checked(request, document, opened, body)
            written = services.write(request.user, opened, fields, seen=Seen(), once=once)
    except Replayed:
        written, status = resource.repository.get(key, strong=True), 200
    return _answer(request, document, written, status=status, location=f"{PREFIX}/cms/{resource.slug}/{key}")


def _change(request: SignedInRequest, document: ContentDocument, key: str, body: BaseModel) -> HttpResponse:
    resource, once = document.resource, idempotency.once(request)
    seen, opened = Seen(answers.seen_version(request)), _opened(request, resource, key)
    try:
        with answers.precondition(), services.answered_once(resource, key, once):
            checked = _checked(request, document, opened, body)
            written_fields = _made_fields(resource) | {document.names[name] for name in body.model_fields_set}
            fields = {name: value for name, value in checked.items() if name in written_fields}
            written = write_at_once(request.user, opened, fields, seen=seen, once=once)
    except Replayed:
        written = resource.repository.get(key, strong=True)
    return _answer(request, document, written)


def _made_fields(resource: Resource) -> set[str]:
    """What the form makes, such as a slug; all else that was not sent stays as it is stored."""
    made = {*getattr(resource.form, "made_fields", ())}
    return made | {resource.online_from} if isinstance(resource, PublishedResource) else made


def _status_view(document: ContentDocument, status: str) -> Callable[..., HttpResponse]:
    def set_status(request: SignedInRequest, id: str) -> HttpResponse:
        resource = document.resource
        assert isinstance(resource, PublishedResource)  # noqa: S101
        opened = _opened(request, resource, id)
        record: Any = opened.record
        if record.status != status:
            version = record.seen_version
            record = change_status(
                request.user, resource, record, status, seen_version=version, copy=opened.copy
            )
        return _answer(request, document, record)

    return set_status


def _delete(request: SignedInRequest, document: ContentDocument, key: str) -> HttpResponse:
    resource = document.resource
    record = resource.repository.get(key, strong=True)
    has_seen = "If-Match" in request.headers
    version = answers.seen_version(request) if has_seen else record.seen_version
    with answers.precondition():
        services.delete(request.user, resource, record, seen_version=version)
    return answers.no_content()


def _restore(request: SignedInRequest, document: ContentDocument, key: str) -> HttpResponse:
    resource, trashed = document.resource, trash.of_record(document.resource.entity, key)
    if trashed is None:
        record = resource.repository.get(key, strong=True)
        resource.ensure(request.user, "delete", record)
    else:
        record = services.restore(request.user, resource, trashed.trash_id).record
    return _answer(request, document, record)


def _opened(request: SignedInRequest, resource: Resource, key: str) -> Opened:
    """The record, which the person may change, and the changes of it that somebody keeps."""
    opened = edit_session.open_record(request.user, resource, key)
    if opened.record is None:
        raise NotFound
    resource.ensure(request.user, "update", opened.record)
    return opened


def _checked(
    request: SignedInRequest, document: ContentDocument, opened: Opened, body: BaseModel
) -> dict[str, Any]:
    """The fields to write: the form of the page with what was sent, checked as the page checks it."""
    resource, user = opened.resource, request.user
    is_draft = resource.has_copies and not resource.is_live(opened.record)
    blank = opened.posted_form(None, None, user, is_draft=is_draft)
    sent = {document.names[name]: value for name, value in body.model_dump(exclude_unset=True).items()}
    if any(name not in blank.fields or blank.fields[name].disabled for name in sent):
        raise PermissionDenied
    # What a text was shown with stays: its unknown parts may be sent back.
    posted = {
        name: values
        for name, values in pristine_values(blank).items()
        if name.endswith(SHOWN) or not any(belongs(name, field) for field in sent)
    }
    for name, value in sent.items():
        posted |= posted_of(name, blank.fields[name], value)
    form = opened.posted_form(as_posted(posted), None, user, is_draft=is_draft)
    return resource.prepare(user, opened.record, valid(form, document.names).cleaned_data)


def _answer(
    request: SignedInRequest, document: ContentDocument, record: Item, **options: Any
) -> HttpResponse:
    return answers.answer(document.of(request.user, record), version=record.seen_version, **options)
