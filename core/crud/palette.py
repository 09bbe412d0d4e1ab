"""What apps register for the command palette and the search: quick actions and further search hits."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy

from core.accounts.user import User
from core.crud.cells import badge_element
from core.crud.html import escape, icon
from core.crud.listing import Badge
from core.dynamo.errors import Text
from core.dynamo.search_index import indexed_words

# Quick actions: URL name, title, icon.
ACTIONS: list[tuple[str, Text, str]] = [("accounts:invite", gettext_lazy("Invite a member"), "mail")]


@dataclass(frozen=True)
class Hit:
    """One line of the palette. With `form`, it sends that form of the page instead of opening an address."""

    title: Text
    icon: str
    address: str = ""
    kind: Text = ""
    badge: Badge | None = None
    form: str = ""
    name: str = ""
    value: str = ""
    # Of a record.
    entity: str = ""
    key: str = ""

    def element(self, element_id: str, attributes: str = "") -> SafeString:
        """The line as a link or as the button of its form. Not a template, which is slow for 25 lines."""
        kind = f' <span class="quiet">{escape(self.kind)}</span>' if self.kind else ""
        badge = f" {badge_element(self.badge)}" if self.badge else ""
        text = f'<span class="palette-text"><span>{escape(self.title)}</span>{kind}</span>'
        begin = f'class="palette-item" id="{escape(element_id)}"{attributes}'
        inside = f"{icon(self.icon)}{text}{badge}"
        if not self.form:
            return mark_safe(f'<a {begin} href="{escape(self.address)}">{inside}</a>')  # noqa: S308
        sends = f'form="{escape(self.form)}" name="{escape(self.name)}" value="{escape(self.value)}"'
        return mark_safe(f'<button {begin} type="submit" {sends}>{inside}</button>')  # noqa: S308


@dataclass(frozen=True)
class Source:
    """Where an app searches for a person, besides resources."""

    # The hits that have all these words.
    find: Callable[[Sequence[str]], Iterable[Hit]]
    # Further scopes of the search index, and by entity the hit of a record, None to hide it.
    scopes: Sequence[str] = ()
    shows: Mapping[str, Callable[[Any], Hit | None]] = field(default_factory=dict)


Finder = Callable[[User], Source | None]
# With the domain of each.
finders: list[tuple[str, Finder]] = []


def register_finder(domain: str) -> Callable[[Finder], Finder]:
    """Register a search of an app for what is no resource, such as records of a few people only."""

    def register(finder: Finder) -> Finder:
        finders.append((domain, finder))
        return finder

    return register


def has_words(title: str, wanted: Iterable[str]) -> bool:
    """Whether every wanted word is the prefix of a word of the title, as in the search index."""
    own = indexed_words([title])
    return all(any(word.startswith(beginning) for word in own) for beginning in wanted)
