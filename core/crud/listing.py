"""Columns, filters and orders of a list, and what a person chose of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo.errors import Text

Choices = Sequence[tuple[str, Text]]
LONGEST_SEARCH = 100
SEARCH = _("Search")


@dataclass(frozen=True)
class Column:
    """One column of a list and of its export.

    `name` is the record's attribute; `value` takes what is shown from the record where that is not the
    attribute itself. With `to`, the values are keys of another entity's records and their names are shown.
    A picture is shown by its address; a record without one shows the icon of a file.
    """

    name: str
    title: Text
    kind: Literal["text", "time", "day", "badge", "flag", "picture", "email"] = "text"
    value: Callable[[Any], Any] | None = None
    to: str | None = None

    def value_of(self, record: Any) -> Any:
        return self.value(record) if self.value else getattr(record, self.name)

    def keys_of(self, record: Any) -> list[str]:
        """The keys of the other records that this cell names."""
        value = self.value_of(record) if self.to else None
        return [value] if isinstance(value, str) else list(value or [])


@dataclass(frozen=True)
class Badge:
    """A word in a coloured pill; `kind` is its CSS class."""

    kind: str
    text: Text

    def __str__(self) -> str:
        return str(self.text)


@dataclass(frozen=True)
class Link:
    """A link to a further screen of a resource; `name` is its id on the page."""

    name: str
    title: Text
    address: str
    icon: str


@dataclass(frozen=True)
class Filter:
    """One select above the list. Without `keep`, an index serves it: see `Resource.page`.

    `keep_for` is a `keep` that also gets the user. `usual` is the label of what the list shows while nothing
    is chosen; by default everything.
    """

    name: str
    title: Text
    choices: Choices
    keep: Callable[[Any, str], bool] | None = None
    keep_for: Callable[[User, Any, str], bool] | None = None
    usual: Text = ""

    def keep_of(self, user: User) -> Callable[[Any, str], bool] | None:
        return partial(self.keep_for, user) if self.keep_for else self.keep

    def read(self, text: str | None) -> str:
        """The choice; the empty text for anything that is none."""
        return text if text and text in dict(self.choices) else ""


@dataclass(frozen=True)
class Sort:
    """An order that an index gives; `name` is the column it sorts by."""

    name: str
    title: Text
    newest_first: bool = False

    @property
    def code(self) -> str:
        return f"-{self.name}" if self.newest_first else self.name


@dataclass(frozen=True)
class Listing:
    """The search, filters and order of a list."""

    text: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)
    sort: Sort | None = None

    @property
    def query(self) -> dict[str, str]:
        """The query parameters of this list, without those that are not set."""
        parameters = {"q": self.text, **self.filters, "sort": self.sort.code if self.sort else ""}
        return {name: value for name, value in parameters.items() if value}

    @property
    def is_narrowed(self) -> bool:
        return bool(self.text or any(self.filters.values()))


@dataclass(frozen=True)
class ListBar:
    """What is above the rows of a list: search, filters and order, how many rows, and a menu of the rest.

    Each filter comes with what is chosen, the empty text if nothing is. Without `text` there is no search.
    The entries of the menu are HTML (`core.crud.cells.link_items`), and so is the `note` beside the count.
    """

    address: str
    found: str
    text: str | None = None
    search_label: Text = SEARCH
    filters: Sequence[tuple[Filter, str]] = ()
    sorts: Sequence[Sort] = ()
    sort: Sort | None = None
    # Words give no order of their own.
    sorts_matches: bool = False
    menu: SafeString | str = ""
    note: SafeString | str = ""

    @property
    def has_search(self) -> bool:
        return self.text is not None

    @property
    def has_choices(self) -> bool:
        return bool(self.filters or self.sorts)

    @property
    def offers_order(self) -> bool:
        return bool(self.sorts and (self.sorts_matches or not self.text))

    @property
    def filters_set(self) -> int:
        return sum(bool(chosen) for _filter, chosen in self.filters)

    @property
    def is_narrowed(self) -> bool:
        return bool(self.text or self.filters_set)


def searched(text: str) -> str:
    """The printable part of a typed search, cut to its maximal length."""
    return "".join(letter for letter in text if letter.isprintable()).strip()[:LONGEST_SEARCH]


def how_many(count: int, *, has_more: bool, is_first_page: bool) -> str:
    """The number of records on this page; DynamoDB has no total."""
    if not count:
        return gettext("Nothing found")
    if not is_first_page:
        return ngettext("%d more shown", "%d more shown", count) % count
    if has_more:
        return ngettext("%d shown", "%d shown", count) % count
    return ngettext("%d entry", "%d entries", count) % count
