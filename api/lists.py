"""Lists: a page with a token for the next one, or a bare array where neither limit nor nextToken is sent."""

from collections.abc import Callable
from typing import Annotated, Any, Generic, Protocol, TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, ConfigDict, Field

from api.answers import answer
from api.operations import InvalidFields
from api.problems import FieldError
from core.dynamo.errors import Invalid, InvalidToken
from core.dynamo.paging import DEFAULT_LIMIT, LONGEST_TOKEN, MOST, Page, StartKey, read_token

MOST_AT_ONCE = 1000
OF_THE_PAGE = {"limit", "nextToken", "fields", "strong"}

EXPIRED = _("This token is of another list or has expired. Ask for the first page again.")

T = TypeVar("T")


class TooMany(Invalid):
    message = _("There are more than 1,000. Ask for pages, with limit and nextToken.")


class FieldsQuery(BaseModel):
    """What every operation that reads takes."""

    model_config = ConfigDict(populate_by_name=True)

    fields_text: Annotated[
        str | None,
        Field(
            alias="fields",
            pattern=r"^[A-Za-z][A-Za-z0-9_]{0,39}(,[A-Za-z][A-Za-z0-9_]{0,39}){0,99}$",
            description="The names of the fields to answer, separated by commas; only these are read.",
            examples=["id,teamNumber,totalScore"],
        ),
    ] = None

    @property
    def only(self) -> tuple[str, ...]:
        return tuple(self.fields_text.split(",")) if self.fields_text else ()


class ItemQuery(FieldsQuery):
    """What every operation that reads records for their editors takes."""

    strong: Annotated[bool, Field(description="Read consistently: also what was written just now.")] = False


class PageQuery(BaseModel):
    """What every list takes."""

    model_config = ConfigDict(populate_by_name=True)

    limit: Annotated[
        int | None, Field(ge=1, le=MOST, description="How many; 20 if only nextToken is sent.")
    ] = None
    next_token: Annotated[
        str | None,
        Field(
            alias="nextToken",
            max_length=LONGEST_TOKEN,
            description="Of the page before; valid for an hour, for the same person and the same list.",
        ),
    ] = None


class ListQuery(ItemQuery, PageQuery):
    """What every list of records takes."""


class PageOf(BaseModel, Generic[T]):
    """A page of a list. It may have few or no items and yet a next one."""

    model_config = ConfigDict(populate_by_name=True)

    items: list[T]
    next_token: Annotated[str | None, Field(alias="nextToken", description="null on the last page.")]


class ReadPage(Protocol[T]):
    """An access pattern: one page of it."""

    def __call__(self, *, limit: int, start: StartKey | None) -> Page[T]: ...


def listing(
    request: HttpRequest,
    query: PageQuery,
    read: ReadPage[T],
    document: Callable[[T], Any],
    *,
    for_everybody: bool = False,
) -> HttpResponse:
    """The list as it was asked for. A token belongs to the person, the address and the filters.

    What is for everybody does not ask who it is: that would read the session.
    """
    if query.limit is None and query.next_token is None:
        return answer([document(item) for item in _all(read)])
    bound_to = _bound_to(request, "" if for_everybody else getattr(request.user, "sub", ""))
    page = read(limit=query.limit or DEFAULT_LIMIT, start=start_of(query.next_token, *bound_to))
    return answer({"items": [document(item) for item in page.items], "nextToken": page.next_token(*bound_to)})


def start_of(token: str | None, *bound_to: object, name: str = "nextToken") -> StartKey | None:
    """Where the page begins that a token of this name is for."""
    try:
        return read_token(token, *bound_to)
    except InvalidToken:
        raise InvalidFields([FieldError(f"/query/{name}", EXPIRED)]) from None


def _all(read: ReadPage[T]) -> list[T]:
    found: list[T] = []
    start: StartKey | None = None
    while len(found) <= MOST_AT_ONCE:
        page = read(limit=MOST_AT_ONCE + 1 - len(found), start=start)
        found += page.items
        start = page.next_key
        if start is None:
            return found
    raise TooMany


def _bound_to(request: HttpRequest, person: str) -> tuple[object, ...]:
    filters = sorted((name, value) for name, value in request.GET.items() if name not in OF_THE_PAGE)
    return person, request.path, *filters
