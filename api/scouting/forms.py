"""Stand, pit and comment forms."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal
from urllib.parse import quote

from django.http import HttpResponse
from ninja import Query
from pydantic import ConfigDict, Field

from api import answers
from api.lists import ItemQuery, ListQuery, PageOf, listing
from api.operations import PREFIX, Operations
from api.scouting import schemas
from api.scouting.documents import COMMENT, PIT, STAND, FormDocument
from api.scouting.entries import checked, posted
from api.scouting.schemas import EventKey, TeamNumber
from core.accounts.rights import SignedInRequest
from core.dynamo.attributes import now
from core.dynamo.errors import Replayed
from core.stores import idempotency
from scouting.forms import services as forms
from scouting.forms.forms import CommentEntry, PitEntry, StandEntry
from scouting.forms.queries import FormFilter, form_at, forms_page
from scouting.forms.repository import stand_forms

part = Operations("Scouting forms")
ADDRESSES = {"stand": "stand-forms", "pit": "pit-forms", "comment": "comment-forms"}


class FormListQuery(ListQuery):
    """Forms of an event, of a team, or of both; or `scout=me` for those that you sent."""

    model_config = ConfigDict(populate_by_name=True)

    event: EventKey | None = None
    team: TeamNumber | None = None
    scout: Annotated[Literal["me"] | None, Field(description="Scouts see only their own forms.")] = None


def _list(request: SignedInRequest, document: FormDocument, query: FormListQuery) -> HttpResponse:
    wanted = FormFilter(query.event or "", query.team or "", is_own=query.scout is not None)
    fields = document.attributes(query.only)

    def read(**page: Any) -> Any:
        return forms_page(request.user, document.kind, wanted, fields=fields, strong=query.strong, **page)

    return listing(request, query, read, lambda form: document.of(form, query.only))


def _get(request: SignedInRequest, document: FormDocument, key: str, query: ItemQuery) -> HttpResponse:
    fields = document.attributes(query.only)
    form = form_at(request.user, document.kind, _key(document, key), fields=fields, strong=query.strong)
    return answers.answer(document.of(form, query.only), version=form.seen_version)


def _key(document: FormDocument, key: str) -> str:
    """The key of a form; a stand form is also found by its id."""
    return stand_forms.key_with_id(key) if document is STAND and "|" not in key else key


def _sent(document: FormDocument, form: Any, began: datetime) -> HttpResponse:
    """201, or 200 for the form of an earlier request with the same Idempotency-Key: it is older than this."""
    status = 201 if form.created_at >= began else 200
    return _stored(
        document, form, status=status, location=_address(document, forms.KINDS[document.kind].key_of(form))
    )


def _stored(document: FormDocument, form: Any, **options: Any) -> HttpResponse:
    return answers.answer(document.of(form), version=form.seen_version, **options)


def _address(document: FormDocument, key: str) -> str:
    return f"{PREFIX}/scouting/{ADDRESSES[document.kind]}/{quote(key, safe='')}"


def _edit(
    request: SignedInRequest, document: FormDocument, form: Any, fields: Mapping[str, Any]
) -> HttpResponse:
    key, version = forms.KINDS[document.kind].key_of(form), answers.seen_version(request)
    with answers.precondition():
        forms.edit(
            request.user,
            document.kind,
            key,
            fields,
            seen_version=version,
            once=idempotency.once(request),
        )
    return _stored(document, forms.opened(request.user, document.kind, key))


def _move(
    request: SignedInRequest, document: FormDocument, key: str, place: Mapping[str, Any]
) -> HttpResponse:
    version, key = answers.seen_version(request), _key(document, key)
    try:
        with answers.precondition():
            key = forms.move(
                request.user,
                document.kind,
                key,
                place,
                seen_version=version,
                once=idempotency.once(request),
            )
    except Replayed as earlier:
        key = earlier.answer["key"]
    form = forms.opened(request.user, document.kind, key)
    return _stored(document, form, location=_address(document, key))


def _delete(request: SignedInRequest, document: FormDocument, key: str) -> HttpResponse:
    key = _key(document, key)
    if "If-Match" in request.headers:
        version = answers.seen_version(request)
    else:
        version = forms.opened(request.user, document.kind, key).seen_version
    with answers.precondition():
        forms.delete(request.user, document.kind, key, seen_version=version)
    return answers.no_content()


# --- Stand forms -------------------------------------------------------------------------------------------

StandForms = list[schemas.StandForm] | PageOf[schemas.StandForm]


@part.get("/stand-forms", right="scouting.form.view", answer=StandForms)
def list_stand_forms(request: SignedInRequest, query: Query[FormListQuery]) -> HttpResponse:
    """Stand forms: of an event by team and match, of a team at all events or your own newest first."""
    return _list(request, STAND, query)


@part.post("/stand-forms", right="scouting.form.create", answer=schemas.StandForm)
def send_stand_form(
    request: SignedInRequest,
    body: schemas.StandFormBody,
    further: Annotated[bool, Query(description="Beside the report of another scout.")] = False,
) -> HttpResponse:
    """Send a report about a robot in a match. The scores are computed."""
    began = now()
    game = forms.game_of(body.event)
    entry = StandEntry(posted(STAND, game.questions, body), game=game)
    once, fields = idempotency.once(request), checked(STAND, entry)
    return _sent(STAND, forms.submit_stand(request.user, fields, once=once, is_further=further), began)


@part.get("/stand-forms/{key}", right="scouting.form.view", answer=schemas.StandForm, etag=True)
def get_stand_form(request: SignedInRequest, key: str, query: Query[ItemQuery]) -> HttpResponse:
    """A stand form by its key or its id."""
    return _get(request, STAND, key, query)


@part.change("PATCH", "/stand-forms/{key}", right="scouting.form.update", answer=schemas.StandForm)
def correct_stand_form(request: SignedInRequest, key: str, body: schemas.StandFormChange) -> HttpResponse:
    """Correct a stand form: leads every one, scouts their own until the event is over."""
    form = forms.opened(request.user, "stand", _key(STAND, key))
    game, initial = forms.game_of(form.event, [form]), StandEntry.initial_of(form)
    data = initial | posted(STAND, game.questions, body, form)
    entry = StandEntry(data, game=game, initial=initial, is_edit=True)
    return _edit(request, STAND, form, checked(STAND, entry))


@part.change("POST", "/stand-forms/{key}/move", right="scouting.form.delete", answer=schemas.StandForm)
def move_stand_form(request: SignedInRequest, key: str, body: schemas.StandFormPlace) -> HttpResponse:
    """Move a stand form to another robot or match, with all its answers."""
    return _move(request, STAND, key, {"team": body.teamNumber, "match": body.matchNumber})


@part.delete("/stand-forms/{key}", right="scouting.form.delete")
def delete_stand_form(request: SignedInRequest, key: str) -> HttpResponse:
    """Delete a stand form; it stays in the trash for 30 days."""
    return _delete(request, STAND, key)


# --- Pit forms ---------------------------------------------------------------------------------------------

PitForms = list[schemas.PitForm] | PageOf[schemas.PitForm]


@part.get("/pit-forms", right="scouting.form.view", answer=PitForms)
def list_pit_forms(request: SignedInRequest, query: Query[FormListQuery]) -> HttpResponse:
    """Pit forms: of an event by team, of a team at all events or your own newest first."""
    return _list(request, PIT, query)


@part.post("/pit-forms", right="scouting.form.create", answer=schemas.PitForm)
def send_pit_form(request: SignedInRequest, body: schemas.PitFormBody) -> HttpResponse:
    """Send the answers of a team about its robot: one form for each team at an event."""
    began = now()
    game = forms.game_of(body.event)
    entry = PitEntry(posted(PIT, game.pit, body), game=game)
    once, fields = idempotency.once(request), checked(PIT, entry)
    return _sent(PIT, forms.submit_pit(request.user, fields, once=once), began)


@part.get("/pit-forms/{key}", right="scouting.form.view", answer=schemas.PitForm, etag=True)
def get_pit_form(request: SignedInRequest, key: str, query: Query[ItemQuery]) -> HttpResponse:
    """A pit form by its key."""
    return _get(request, PIT, key, query)


@part.change("PATCH", "/pit-forms/{key}", right="scouting.form.update", answer=schemas.PitForm)
def correct_pit_form(request: SignedInRequest, key: str, body: schemas.PitFormChange) -> HttpResponse:
    """Correct a pit form: leads every one, scouts their own until the event is over. Its photos stay."""
    form = forms.opened(request.user, "pit", key)
    game, initial = forms.game_of(form.event, [form]), PitEntry.initial_of(form)
    data = initial | posted(PIT, game.pit, body, form)
    entry = PitEntry(data, game=game, initial=initial, stored_photos=form.photos or (), is_edit=True)
    return _edit(request, PIT, form, checked(PIT, entry))


@part.change("POST", "/pit-forms/{key}/move", right="scouting.form.delete", answer=schemas.PitForm)
def move_pit_form(request: SignedInRequest, key: str, body: schemas.PitFormPlace) -> HttpResponse:
    """Move a pit form to another team, with its photos."""
    return _move(request, PIT, key, {"team": body.teamNumber})


@part.delete("/pit-forms/{key}", right="scouting.form.delete")
def delete_pit_form(request: SignedInRequest, key: str) -> HttpResponse:
    """Delete a pit form; it stays in the trash for 30 days."""
    return _delete(request, PIT, key)


# --- Comments ----------------------------------------------------------------------------------------------

CommentForms = list[schemas.CommentForm] | PageOf[schemas.CommentForm]


@part.get("/comment-forms", right="scouting.form.view", answer=CommentForms)
def list_comment_forms(request: SignedInRequest, query: Query[FormListQuery]) -> HttpResponse:
    """Comments of an event, of a team or your own, newest first."""
    return _list(request, COMMENT, query)


@part.post("/comment-forms", right="scouting.form.create", answer=schemas.CommentForm)
def send_comment(request: SignedInRequest, body: schemas.CommentFormBody) -> HttpResponse:
    """Send a comment about a team."""
    began = now()
    fields = checked(COMMENT, CommentEntry(_comment(body)))
    form = forms.submit_comment(request.user, fields, once=idempotency.once(request))
    return _sent(COMMENT, form, began)


@part.get("/comment-forms/{key}", right="scouting.form.view", answer=schemas.CommentForm, etag=True)
def get_comment(request: SignedInRequest, key: str, query: Query[ItemQuery]) -> HttpResponse:
    """A comment by its key."""
    return _get(request, COMMENT, key, query)


@part.change("PATCH", "/comment-forms/{key}", right="scouting.form.update", answer=schemas.CommentForm)
def correct_comment(request: SignedInRequest, key: str, body: schemas.CommentFormChange) -> HttpResponse:
    """Correct a comment: leads every one, scouts their own until the event is over."""
    form = forms.opened(request.user, "comment", key)
    fields = checked(COMMENT, CommentEntry(_comment(body), is_edit=True))
    return _edit(request, COMMENT, form, fields)


@part.delete("/comment-forms/{key}", right="scouting.form.delete")
def delete_comment(request: SignedInRequest, key: str) -> HttpResponse:
    """Delete a comment; it stays in the trash for 30 days."""
    return _delete(request, COMMENT, key)


def _comment(body: schemas.CommentFormChange) -> dict[str, Any]:
    return {COMMENT.names[name]: value for name, value in body.model_dump().items()}
