"""Rewards that could not be booked, for stewards."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from ninja import Query
from pydantic import Field

from api import answers
from api.lists import PageOf, PageQuery, listing
from api.operations import Operations
from api.quests import documents, schemas
from core.accounts.rights import SignedInRequest
from core.dynamo.errors import Conflict, Replayed
from core.stores import idempotency
from quests import repository
from quests.limits import enforce_limit
from quests.models import FailedReward
from quests.services import rewards

part = Operations("Failed rewards")


class RewardListQuery(PageQuery):
    status: Annotated[schemas.RewardStatus, Field(description="Whether it is still tried.")] = "pending"


@part.get(
    "/failed-rewards",
    right="quests.reward.view",
    answer=list[schemas.FailedReward] | PageOf[schemas.FailedReward],
)
def list_failed_rewards(request: SignedInRequest, query: Query[RewardListQuery]) -> HttpResponse:
    """The failed rewards of a status, the oldest first."""
    read = partial(repository.failed_rewards.with_status, query.status)
    return listing(request, query, read, documents.failed_reward)


@part.get("/failed-rewards/{key}", right="quests.reward.view", answer=schemas.FailedReward, etag=True)
def get_failed_reward(request: SignedInRequest, key: str) -> HttpResponse:
    """A failed reward."""
    # A run takes and gives back its lease without a new version.
    request.META.pop("HTTP_IF_NONE_MATCH", None)
    return _answer(repository.failed_rewards.get(key, strong=True))


@part.act(
    "POST",
    "/failed-rewards/{key}/retry",
    right="quests.reward.update",
    answer=schemas.FailedReward,
    is_once=True,
)
def retry_reward(request: SignedInRequest, key: str) -> HttpResponse:
    """Try it now: it is completed if it was booked, else pending, or abandoned after the fifth try.

    409 if it is settled, or if a run is at it right now.
    """
    enforce_limit("desk", request.user.sub)
    try:
        if rewards.retry_now(request.user, key, once=idempotency.once(request)) == "skipped":
            raise Conflict(_("Someone else is working on it right now."))
    except Replayed:
        pass
    return _answer(repository.failed_rewards.get(key, strong=True))


@part.change(
    "POST", "/failed-rewards/{key}/abandon", right="quests.reward.update", answer=schemas.FailedReward
)
def abandon_reward(request: SignedInRequest, key: str) -> HttpResponse:
    """Give it up: it is no longer tried."""
    return _change(request, key, rewards.abandon)


@part.change(
    "POST", "/failed-rewards/{key}/reopen", right="quests.reward.update", answer=schemas.FailedReward
)
def reopen_reward(request: SignedInRequest, key: str) -> HttpResponse:
    """Try an abandoned one again, five more times."""
    return _change(request, key, rewards.reopen)


def _change(request: SignedInRequest, key: str, change: Callable[..., FailedReward]) -> HttpResponse:
    version = answers.seen_version(request)
    enforce_limit("desk", request.user.sub)
    try:
        with answers.precondition():
            record = change(request.user, key, seen_version=version, once=idempotency.once(request))
    except Replayed:
        record = repository.failed_rewards.get(key, strong=True)
    return _answer(record)


def _answer(record: FailedReward) -> HttpResponse:
    return answers.answer(documents.failed_reward(record), version=record.seen_version)
