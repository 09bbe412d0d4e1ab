"""Quests: the board, one's own, and every step from the offer to the reward."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Literal
from urllib.parse import quote

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from ninja import Query
from pydantic import BaseModel, ConfigDict, Field

from api import answers
from api.forms import valid
from api.lists import ItemQuery, ListQuery, PageOf, listing, start_of
from api.operations import PREFIX, Operations
from api.quests import documents, schemas
from api.quests.documents import LISTED, QUEST
from core.accounts.rights import SignedInRequest
from core.dynamo.errors import Invalid, Replayed
from core.dynamo.items import new_id
from core.dynamo.paging import DEFAULT_LIMIT, LONGEST_TOKEN, MOST, Page
from core.media import private_photos
from core.stores import idempotency
from quests import queries, repository
from quests.actions import ACTIONS, form_for
from quests.forms import QuestForm
from quests.limits import enforce_limit
from quests.models import OPEN, Quest
from quests.services import lifecycle

part = Operations("Quests")
ME = "me"
# The fields of the form of a quest by their names in the body.
NAMES = {
    "title": "title",
    "description": "description",
    "category": "category",
    "rewardXp": "reward_xp",
    "rewardReputation": "reward_reputation",
    "openUntil": "open_until",
}
# Bodies that may be left out.
CLAIM, ATTESTATION = schemas.ClaimBody(), schemas.AttestBody()
Person = Annotated[str | None, Field(min_length=1, max_length=128, description="A userId, or me.")]
Token = Annotated[str | None, Field(max_length=LONGEST_TOKEN)]


class QuestListQuery(ListQuery):
    """Quests of a status, or those of a person, of all statuses or of one."""

    model_config = ConfigDict(populate_by_name=True)

    status: Annotated[schemas.Status | None, Field(description="OPEN unless a person is named.")] = None
    creator: Person = None
    performer: Person = None
    category: Annotated[schemas.Category | None, Field(description="Not of a person.")] = None
    sort: Annotated[
        Literal["newest", "reward"] | None, Field(description="newest; quests of a person always.")
    ] = None


class OwnQuestsQuery(BaseModel):
    limit: Annotated[int, Field(ge=1, le=MOST, description="How many of each list.")] = DEFAULT_LIMIT
    createdToken: Token = None
    performedToken: Token = None


@part.get(
    "",
    right="quests.quest.view",
    answer=list[schemas.ListedQuest] | PageOf[schemas.ListedQuest],
)
def list_quests(request: SignedInRequest, query: Query[QuestListQuery]) -> HttpResponse:
    """The board, newest first or by reward; or what a person offers (creator) or has taken on (performer).

    Lists have what their indexes keep. What else `fields` names, such as description, and everything with
    `strong`, is read in one more request.
    """
    user, is_whole = request.user, query.strong or not LISTED.keys() >= {*query.only}
    fields = documents.attributes_of(query.only, LISTED)
    read = _reader(user.sub, query)

    def page(**options: Any) -> Page[Quest]:
        listed = read(fields=fields, **options)
        if not is_whole:
            return listed
        wanted = documents.attributes_of(query.only)
        return repository.quests.reread(listed, fields=wanted, strong=query.strong)

    names = QUEST if is_whole else LISTED
    return listing(request, query, page, lambda quest: documents.quest(user, quest, query.only, names))


def _reader(sub: str, query: QuestListQuery) -> Callable[..., Page[Quest]]:
    """The access pattern of the list that was asked for."""
    if query.creator is None and query.performer is None:
        by_reward = query.sort == "reward"
        return partial(queries.board_page, query.status or OPEN, query.category or "", is_by_reward=by_reward)
    if (query.creator and query.performer) or query.category or query.sort:
        raise Invalid(_("Name one person, without category and sort."))
    person = query.creator or query.performer or ""
    return partial(
        queries.quests_of,
        sub if person == ME else person,
        is_creator=query.creator is not None,
        status=query.status,
    )


@part.post("", right="quests.quest.create", answer=schemas.Quest)
def offer_quest(request: SignedInRequest, body: schemas.QuestBody) -> HttpResponse:
    """Offer a quest for one of your points; 422 if you have none, which waiting does not change."""
    fields = valid(QuestForm(QuestForm.default_initial() | _posted(body)), NAMES).fields_of()
    key = new_id()
    enforce_limit("create", request.user.sub)
    status = 201
    try:
        quest = lifecycle.create(
            request.user, fields, key=key, once=idempotency.once(request, answer={"key": key})
        )
    except Replayed as earlier:
        status, quest = 200, repository.quests.get(earlier.answer["key"], strong=True)
    return _answer(request, quest, status=status, location=f"{PREFIX}/quests/{quote(quest.id, safe='')}")


@part.get("/mine", right="quests.quest.view", answer=schemas.OwnQuests)
def list_own_quests(request: SignedInRequest, query: Query[OwnQuestsQuery]) -> HttpResponse:
    """What you offer and what you have taken on, each newest first and with a token of its own."""
    user = request.user

    def page(name: str, *, is_creator: bool, token: str | None) -> dict[str, Any]:
        bound_to = (user.sub, request.path, name)
        start = start_of(token, *bound_to, name=f"{name}Token")
        found = queries.quests_of(user.sub, is_creator=is_creator, limit=query.limit, start=start)
        return {
            "items": [documents.quest(user, quest, names=LISTED) for quest in found.items],
            "nextToken": found.next_token(*bound_to),
        }

    return answers.answer(
        {
            "created": page("created", is_creator=True, token=query.createdToken),
            "performed": page("performed", is_creator=False, token=query.performedToken),
        }
    )


@part.get("/{key}", right="quests.quest.view", answer=schemas.Quest, etag=True)
def get_quest(request: SignedInRequest, key: str, query: Query[ItemQuery]) -> HttpResponse:
    """A quest."""
    # Its status changes with time, and other programs change it without a new version.
    request.META.pop("HTTP_IF_NONE_MATCH", None)
    quest = repository.quests.get(key, fields=documents.attributes_of(query.only), strong=query.strong)
    return _answer(request, quest, query.only)


@part.change("PATCH", "/{key}", right="quests.quest.view", answer=schemas.Quest)
def edit_quest(request: SignedInRequest, key: str, body: schemas.QuestChange) -> HttpResponse:
    """Change your quest while nobody has taken it on; what is left out stays."""
    version, once = answers.seen_version(request), idempotency.once(request)
    posted = _posted(body)
    try:
        initial = QuestForm.initial_of(lifecycle.get_if_allowed(request.user, key, "edit", once))
        fields = valid(QuestForm(initial | posted), NAMES).fields_of()
        if "open_until" not in posted:
            # Another program may have stored a moment within the day.
            del fields["expires_at"]
        enforce_limit("edit", request.user.sub)
        with answers.precondition():
            quest = lifecycle.edit(request.user, key, fields, seen_version=version, once=once)
    except Replayed:
        quest = repository.quests.get(key, strong=True)
    return _answer(request, quest)


@part.act("DELETE", "/{key}", right="quests.quest.view", is_once=True)
def delete_quest(request: SignedInRequest, key: str) -> HttpResponse:
    """Delete your quest while nobody has taken it on; its point comes back."""
    with suppress(Replayed):
        _run(request, "delete", key, {}, {})
    return answers.no_content()


@part.get_file("/{key}/photos/{name}", right="quests.quest.view", kind="image/*")
def get_quest_photo(request: SignedInRequest, key: str, name: str) -> HttpResponse:
    """A photo of the work, as a picture."""
    data, mime_type = private_photos.read(repository.quests.get(key, strong=True).photos, name)
    return HttpResponse(data, content_type=mime_type)


# --- The steps of a quest -----------------------------------------------------------------------------------


@part.act("POST", "/{key}/claim", right="quests.quest.view", answer=schemas.Quest, is_once=True)
def claim_quest(request: SignedInRequest, key: str, body: schemas.ClaimBody = CLAIM) -> HttpResponse:
    """Take a quest on: 409 if somebody was faster, 403 if you have as many as one person can."""
    seen = "" if body.version is None else str(body.version)
    return _act(request, "claim", key, {"seen": seen}, {"version": "seen"})


@part.act("POST", "/{key}/release", right="quests.quest.view", answer=schemas.Quest, is_once=True)
def release_quest(request: SignedInRequest, key: str) -> HttpResponse:
    """Give a quest back; you may take it on again with the time that was left."""
    return _act(request, "release", key)


@part.act("POST", "/{key}/submit", right="quests.quest.view", answer=schemas.Quest, is_once=True)
def submit_work(request: SignedInRequest, key: str, body: schemas.SubmitBody) -> HttpResponse:
    """Submit your work, which then waits for both sides. Photos of an earlier submission stay."""
    return _act(request, "submit", key, body.model_dump())


@part.act("POST", "/{key}/request-changes", right="quests.quest.view", answer=schemas.Quest, is_once=True)
def request_changes(request: SignedInRequest, key: str, body: schemas.ChangesBody) -> HttpResponse:
    """Hand the work back as who offers the quest, at most three times."""
    return _act(request, "request_changes", key, body.model_dump())


@part.act("POST", "/{key}/attest", right="quests.quest.view", answer=schemas.Quest, is_once=True)
def attest_work(request: SignedInRequest, key: str, body: schemas.AttestBody = ATTESTATION) -> HttpResponse:
    """Confirm the work for your side. The second confirmation completes the quest and books its reward."""
    data = {"notes": body.notes, "seen": body.submittedAt or ""}
    return _act(request, "attest", key, data, {"notes": "notes", "submittedAt": "seen"})


@part.act("POST", "/{key}/dispute", right="quests.quest.view", answer=schemas.Quest, is_once=True)
def dispute_work(request: SignedInRequest, key: str, body: schemas.DisputeBody) -> HttpResponse:
    """Dispute submitted work as one of its two sides; a steward decides."""
    return _act(request, "dispute", key, body.model_dump())


@part.act("POST", "/{key}/answer", right="quests.quest.view", answer=schemas.Quest, is_once=True)
def answer_dispute(request: SignedInRequest, key: str, body: schemas.AnswerBody) -> HttpResponse:
    """Answer a dispute as the other side, once."""
    return _act(request, "answer", key, body.model_dump())


@part.act("POST", "/{key}/decide", right="quests.quest.decide", answer=schemas.Quest, is_once=True)
def decide_dispute(request: SignedInRequest, key: str, body: schemas.DecisionBody) -> HttpResponse:
    """End a dispute of others as a steward: complete with the reward, reopen, or cancel."""
    return _act(request, "decide", key, body.model_dump())


@part.act("POST", "/{key}/recall", right="quests.quest.decide", answer=schemas.Quest, is_once=True)
def recall_quest(request: SignedInRequest, key: str, body: schemas.StewardBody) -> HttpResponse:
    """Take a quest from the person who has it, as a steward."""
    return _act(request, "recall", key, body.model_dump())


@part.act("POST", "/{key}/take-down", right="quests.quest.decide", answer=schemas.Quest, is_once=True)
def take_down_quest(request: SignedInRequest, key: str, body: schemas.StewardBody) -> HttpResponse:
    """Cancel an open offer of somebody else as a steward; its point goes back."""
    return _act(request, "take_down", key, body.model_dump())


def _act(
    request: SignedInRequest,
    action: str,
    key: str,
    data: Mapping[str, Any] | None = None,
    names: Mapping[str, str] | None = None,
) -> HttpResponse:
    data = data or {}
    try:
        quest = _run(request, action, key, data, names or {name: name for name in data})
    except Replayed:
        quest = repository.quests.get(key, strong=True)
    return _answer(request, quest)


def _run(
    request: SignedInRequest, action: str, key: str, data: Mapping[str, Any], names: Mapping[str, str]
) -> Quest:
    """What the button on the page of the quest does."""
    form = valid(form_for(action, data), names)
    enforce_limit(action, request.user.sub)
    return ACTIONS[action].run(request.user, key, **form.cleaned_data, once=idempotency.once(request))


def _answer(
    request: SignedInRequest, quest: Quest, only: tuple[str, ...] = (), **options: Any
) -> HttpResponse:
    return answers.answer(documents.quest(request.user, quest, only), version=quest.seen_version, **options)


def _posted(body: schemas.QuestChange) -> dict[str, Any]:
    """What was sent, as the form takes it; null is as if it was left out."""
    sent = body.model_dump(exclude_unset=True, exclude_none=True)
    return {NAMES[name]: value for name, value in sent.items()}
