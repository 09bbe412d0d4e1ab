"""Sharing an article: the text to copy, and the flag that it was shared. Nothing is sent from here."""

from cms.news.models import News
from core.accounts.user import User
from core.crud.edit_session import Opened
from core.crud.publication import PublishedResource, change_and_rebase_copy
from core.dynamo.items import Item

# The limit of Mastodon.
LONGEST_SHARE_TEXT = 500
SEPARATOR = "\n\n"


def share_text(news: News, address: str, *, longest: int = LONGEST_SHARE_TEXT) -> str:
    """Title, summary and address; the summary is cut, then the title, so that the address stays whole."""
    title = _shorten(news.title or "", longest - len(SEPARATOR) - len(address))
    room = longest - len(title) - len(address) - 2 * len(SEPARATOR)
    return SEPARATOR.join(filter(None, [title, _shorten(news.excerpt or "", room), address]))


def mark_shared(user: User, resource: PublishedResource, opened: Opened, *, is_shared: bool) -> Item:
    """Store whether it was shared, without publishing the changes of a working copy."""
    return change_and_rebase_copy(
        user,
        resource,
        opened.record,
        {"shared_to_mastodon": is_shared},
        verb="update",
        seen_version=opened.record.seen_version,
        copy=opened.copy,
    )


def _shorten(text: str, longest: int) -> str:
    """The text cut at a word boundary, with … if it was cut."""
    if len(text) <= longest:
        return text
    beginning = text[: max(longest - 1, 0)]
    words, _space, _half_a_word = beginning.rpartition(" ")
    return f"{(words or beginning).rstrip()}…" if longest > 0 else ""
