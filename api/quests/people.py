"""People of the board: oneself, the public profile of others, bookings and the leaderboard."""

from contextlib import suppress
from functools import partial
from typing import Annotated

from django.http import HttpResponse
from ninja import Query

from api import answers
from api.forms import valid
from api.lists import PageOf, PageQuery, listing
from api.operations import Operations
from api.quests import documents, schemas
from core.accounts.rights import SignedInRequest
from core.dynamo.attributes import now
from core.dynamo.errors import NotFound, Replayed
from core.stores import idempotency
from quests import queries, repository, rules
from quests.forms import AdjustPointsForm, WalletForm
from quests.limits import enforce_limit
from quests.months import month_of
from quests.services import accounts

part = Operations("Quest people")
ME = "me"
Month = Annotated[
    str | None,
    Query(pattern=r"^20[0-9]{2}-(0[1-9]|1[0-2])$", description="Such as 2026-03; else the current one."),
]


@part.get("/leaderboard", right="quests.account.view", answer=list[schemas.Leader])
def get_leaderboard(request: SignedInRequest, month: Month = None) -> HttpResponse:
    """Who earned the most XP in a month; whoever has the same has the same place."""
    return answers.answer(
        [
            {
                "place": leader.place,
                "userId": leader.key,
                "username": leader.name,
                "experience": leader.experience,
                "questsCompleted": leader.completed,
            }
            for leader in queries.leaders(month or month_of(now()))
        ]
    )


@part.get("/users/{key}", right="quests.account.view", answer=schemas.Account)
def get_user(request: SignedInRequest, key: str) -> HttpResponse:
    """A person by their userId, or yourself as me, also before you had anything to do with quests."""
    user = request.user
    account = accounts.account_or_new(user) if key in (ME, user.sub) else repository.accounts.get(key)
    return answers.answer(documents.account(user, account))


@part.get(
    "/users/{key}/ledger",
    right="quests.account.view",
    answer=list[schemas.Booking] | PageOf[schemas.Booking],
)
def list_bookings(request: SignedInRequest, key: str, query: Query[PageQuery]) -> HttpResponse:
    """Your own bookings (me), newest first: every change of points, XP and reputation. Stewards see all."""
    account_id = request.user.sub if key == ME else key
    if not rules.may_see_points(request.user, account_id):
        raise NotFound
    return listing(request, query, partial(repository.ledger.of_user, account_id), documents.booking)


@part.act("PUT", "/users/me/wallet", right="quests.account.view", answer=schemas.Account)
def save_wallet(request: SignedInRequest, body: schemas.WalletBody) -> HttpResponse:
    """Save your wallet address, which only you see."""
    form = valid(WalletForm({"wallet": body.walletAddress}), {"walletAddress": "wallet"})
    enforce_limit("wallet", request.user.sub)
    account = accounts.set_wallet(request.user, form.cleaned_data["wallet"])
    return answers.answer(documents.account(request.user, account))


@part.act(
    "POST",
    "/users/{key}/adjust",
    right="quests.account.adjust",
    answer=schemas.Account,
    is_once=True,
)
def adjust_points(request: SignedInRequest, key: str, body: schemas.AdjustBody) -> HttpResponse:
    """Give points to somebody else or take them, as a steward. Without an Idempotency-Key each time anew."""
    form = valid(AdjustPointsForm(body.model_dump()), {"points": "points", "note": "note"})
    enforce_limit("desk", request.user.sub)
    with suppress(Replayed):
        accounts.adjust_points(request.user, key, **form.cleaned_data, once=idempotency.once(request))
    return answers.answer(documents.account(request.user, repository.accounts.get(key, strong=True)))
