"""Telling of an article elsewhere. Nothing is sent: people copy the text."""

from cms.news.models import News
from core.accounts.user import User
from core.crud.edit_session import Opened
from core.crud.publication import PublishedResource, change_beside_copy
from core.dynamo.items import Item

# What Mastodon takes.
LONGEST = 500
BETWEEN = "\n\n"


def share_text(news: News, address: str, *, longest: int = LONGEST) -> str:
    """Title, summary and address; the summary is cut, then the title, so that the address stays whole."""
    title = _cut(news.title or "", longest - len(BETWEEN) - len(address))
    room = longest - len(title) - len(address) - 2 * len(BETWEEN)
    return BETWEEN.join(filter(None, [title, _cut(news.excerpt or "", room), address]))


def mark_shared(user: User, resource: PublishedResource, opened: Opened, *, is_shared: bool) -> Item:
    """Remember whether it was shared; that is no change for readers, so nothing has to be published."""
    return change_beside_copy(
        user,
        resource,
        opened.record,
        {"shared_to_mastodon": is_shared},
        verb="update",
        seen_version=opened.record.seen_version,
        copy=opened.copy,
    )


def _cut(text: str, longest: int) -> str:
    """Whole words, with … where some are missing."""
    if len(text) <= longest:
        return text
    beginning = text[: max(longest - 1, 0)]
    words, _space, _half_a_word = beginning.rpartition(" ")
    return f"{(words or beginning).rstrip()}…" if longest > 0 else ""
