"""News that programs write: by the form of the page and its services, so that both obey the same rules."""

import json
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpResponse
from pydantic import AfterValidator, BaseModel, Field

from api import answers
from api.cms import content
from api.fields import SENT
from api.forms import valid
from api.operations import PREFIX
from cms.news.resource import news
from core.accounts.rights import SignedInRequest
from core.content.status import DRAFT, PUBLISHED
from core.crud import edit_session, services
from core.crud.edit_session import Opened, Seen
from core.crud.forms import as_posted
from core.crud.pristine import pristine_values
from core.crud.publication import change_status, write_at_once
from core.dynamo.errors import NotFound, Replayed
from core.dynamo.items import Item
from core.dynamo.references import MOST_PER_FIELD
from core.stores import idempotency

part, NEWS = content.part, content.NEWS
MADE = (*news.form.made_fields, "publish_at")
Keys = Annotated[list[str], Field(max_length=MOST_PER_FIELD)]


def _moment(text: str) -> datetime:
    """A time with its offset, of years with which there is room to compute."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None or not 1900 <= moment.year <= 9000:
        raise ValueError(text)
    return moment


SentMoment = Annotated[str, AfterValidator(_moment), Field(json_schema_extra={"format": "date-time"})]


class ArticleChange(BaseModel):
    """What is left out stays; the names are those of the table."""

    model_config = SENT

    title: Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")] = ""
    content: Annotated[
        dict[str, Any] | None, Field(description="The text as a document of the editor (ProseMirror).")
    ] = None
    excerpt: Annotated[str, Field(max_length=500, description="Empty: the beginning of the text.")] = ""
    publishAt: Annotated[SentMoment | None, Field(description="null: the moment when it is published.")] = (
        None
    )
    authorIds: Annotated[Keys, Field(description="Empty: the person who writes.")] = []
    imageIds: Annotated[Keys, Field(description="The first one is the cover.")] = []
    tags: list[Annotated[str, Field(pattern=r"^[^,\r\n]*$")]] = []
    slug: Annotated[str, Field(description="Empty: made from the title.")] = ""


class ArticleBody(ArticleChange):
    """A new article, which is a draft."""

    title: Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")]


@part.post("/news", right="cms.news.create", answer=NEWS.schema)
def create_article(request: SignedInRequest, body: ArticleBody) -> HttpResponse:
    """Write a new article. It is a draft until it is published."""
    once = idempotency.once(request)
    key = str(UUID(once.digest[:32])) if once else news.new_key()
    opened, status = Opened(news, key), 201
    fields = _checked(request, opened, body)
    try:
        written = services.write(request.user, opened, fields, seen=Seen(), once=once)
    except Replayed:
        written, status = news.repository.get(key, strong=True), 200
    return _answer(written, status=status, location=f"{PREFIX}/cms/news/{key}")


@part.change("PATCH", "/news/{id}", right="cms.news.update", answer=NEWS.schema)
def change_article(request: SignedInRequest, id: str, body: ArticleChange) -> HttpResponse:
    """Change an article; readers see the change of a published one at once."""
    seen, opened = Seen(answers.seen_version(request)), _opened(request, id)
    once = idempotency.once(request)
    # The form makes a slug, a summary and a date; all else that was not sent stays as it is stored.
    written_fields = {*MADE, *(NEWS.names[name] for name in body.model_fields_set)}
    try:
        with answers.precondition(), services.answered_once(news, id, once):
            checked = _checked(request, opened, body)
            fields = {name: value for name, value in checked.items() if name in written_fields}
            written = write_at_once(request.user, opened, fields, seen=seen, once=once)
    except Replayed:
        written = news.repository.get(id, strong=True)
    return _answer(written)


@part.act("POST", "/news/{id}/publish", right="cms.news.update", answer=NEWS.schema)
def publish_article(request: SignedInRequest, id: str) -> HttpResponse:
    """Publish an article as it is stored, at its date if that is later. Published already, it stays so."""
    return _set_status(request, id, PUBLISHED)


@part.act("POST", "/news/{id}/unpublish", right="cms.news.update", answer=NEWS.schema)
def unpublish_article(request: SignedInRequest, id: str) -> HttpResponse:
    """Make an article a draft again, which readers do not see."""
    return _set_status(request, id, DRAFT)


@part.delete("/news/{id}", right="cms.news.delete")
def delete_article(request: SignedInRequest, id: str) -> HttpResponse:
    """Delete an article; it stays in the trash for 30 days."""
    record = news.repository.get(id, strong=True)
    has_seen = "If-Match" in request.headers
    version = answers.seen_version(request) if has_seen else record.seen_version
    with answers.precondition():
        services.delete(request.user, news, record, seen_version=version)
    return answers.no_content()


def _opened(request: SignedInRequest, key: str) -> Opened:
    """The article, which the person may change, and the changes of it that somebody keeps."""
    opened = edit_session.open_record(request.user, news, key)
    if opened.record is None:
        raise NotFound
    news.ensure(request.user, "update", opened.record)
    return opened


def _set_status(request: SignedInRequest, key: str, status: str) -> HttpResponse:
    opened = _opened(request, key)
    record: Item = opened.record
    if opened.record.status != status:
        version = record.seen_version
        record = change_status(request.user, news, record, status, seen_version=version, copy=opened.copy)
    return _answer(record)


def _checked(request: SignedInRequest, opened: Opened, body: ArticleChange) -> dict[str, Any]:
    """The fields to write: the form of the page with what was sent, checked as the page checks it."""
    is_draft = not news.is_live(opened.record)
    blank = opened.posted_form(None, None, request.user, is_draft=is_draft)
    unchanged, typed = pristine_values(blank), _typed(body)
    if "content-document" in typed:
        # The textarea beside it, which a browser without JavaScript sends.
        unchanged.pop("content", None)
    form = opened.posted_form(as_posted(unchanged | typed), None, request.user, is_draft=is_draft)
    return news.prepare(request.user, opened.record, valid(form, NEWS.names).cleaned_data)


def _typed(body: ArticleChange) -> dict[str, list[Any]]:
    """What was sent, as a browser would send it; a time stays one, because local times may come twice."""
    typed: dict[str, list[Any]] = {}
    for name in body.model_fields_set:
        value = getattr(body, name)
        if name == "content":
            typed["content-document"] = [json.dumps(value) if value else ""]
        elif name == "tags":
            typed[name] = ["\n".join(value)]
        else:
            typed[NEWS.names[name]] = value if isinstance(value, list) else [value or ""]
    return typed


def _answer(record: Item, **options: Any) -> HttpResponse:
    return answers.answer(NEWS.of(record), version=record.seen_version, **options)
