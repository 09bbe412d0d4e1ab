"""The search over the records of all domains, as Ctrl+K and its page find them."""

from typing import Annotated, Any
from urllib.parse import quote, unquote

from django.http import HttpRequest, HttpResponse
from ninja import Query
from pydantic import BaseModel, ConfigDict, Field

from api import answers
from api.cms.operations import ADDRESSES
from api.lists import PageOf, start_of
from api.operations import PREFIX, Operations
from core.accounts.rights import SignedInRequest
from core.crud.listing import LONGEST_SEARCH, searched
from core.crud.palette import Hit
from core.crud.record_search import find_records
from core.dynamo.paging import LONGEST_TOKEN, sign
from core.dynamo.search import MOST_RECORDS
from quests.repository import quests
from scouting.events.repository import event_infos
from tracker.repository import games, players, teams

part = Operations("Search")
# The addresses of records that are no content, with the ids in their keys.
PATTERNS = {
    quests.entity: "/quests/{0}",
    event_infos.entity: "/scouting/events/{1}",
    teams.entity: "/tracker/teams/{0}",
    players.entity: "/tracker/teams/{0}/players/{1}",
    games.entity: "/tracker/games/{0}",
}


class SearchQuery(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    q: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST_SEARCH,
            description="Words or their beginnings, of two letters or more.",
        ),
    ]
    limit: Annotated[
        int, Field(ge=1, le=MOST_RECORDS, description="Approximate: each domain with hits has at least one.")
    ] = MOST_RECORDS
    next_token: Annotated[
        str | None, Field(alias="nextToken", max_length=LONGEST_TOKEN, description="Of the page before.")
    ] = None


class Found(BaseModel):
    """A record; `address` is where the API has it, if it does."""

    title: str
    kind: Annotated[str, Field(description="What it is, in the language of the request.")]
    status: Annotated[str | None, Field(description="Such as draft, of what is published.")]
    page: Annotated[str, Field(description="The address of its page.")]
    address: str | None


class FoundPage(PageOf[Found]):
    """A page of the search."""

    is_cut: Annotated[
        bool, Field(alias="isCut", description="There are more that cannot be paged: ask for more words.")
    ]


@part.get("", right="home.page.view", answer=FoundPage)
def search(request: SignedInRequest, query: Query[SearchQuery]) -> HttpResponse:
    """The records that have all these words and that you may view; those that begin with the text first.

    A token finds records of the domains that it reads.
    """
    text = searched(query.q)
    bound_to = (request.user.sub, request.path, text)
    start = start_of(query.next_token, *bound_to)
    found = find_records(request.user, text, start, limit=query.limit)
    return answers.answer(
        {
            "items": [_found(request, hit) for hit in found.hits],
            "nextToken": sign(found.next_keys, *bound_to) if found.next_keys else None,
            "isCut": found.is_cut,
        }
    )


def _found(request: HttpRequest, hit: Hit) -> dict[str, Any]:
    return {
        "title": str(hit.title),
        "kind": str(hit.kind),
        "status": hit.badge.kind if hit.badge else None,
        "page": request.build_absolute_uri(hit.address),
        "address": _address(hit),
    }


def _address(hit: Hit) -> str | None:
    pattern = PATTERNS.get(hit.entity)
    if pattern is None and hit.entity not in ADDRESSES:
        return None
    # The key as its document has it, such as TEAM#12|PLAYER#34: the ids in it.
    ids = [quote(unquote(part).rpartition("#")[2], safe="") for part in hit.key.split("|")]
    return PREFIX + pattern.format(*ids) if pattern else f"{ADDRESSES[hit.entity]}/{ids[0]}"
