"""An edit form that is refused while somebody else saves: no save may overwrite what its writer never saw."""

import re

from core.dynamo.items import new_id

# Theirs is saved, the mistake is told, its correction meets theirs, and whoever has seen that saves.
SAFE = [302, 422, 409, 302]


def version_in(page):
    """The version that the form of a page is sent with."""
    return re.search(r'name="version" value="(\d+)"', page.content.decode())[1]


def answers_to_a_mistake(client, address, *, wrong, mine, theirs, theirs_at=None):
    """Open it, let somebody else save theirs, send what is wrong, correct it, and send that once more."""

    def send(typed, page, to=address):
        return client.post(to, typed | {"version": version_in(page), "once": new_id()})

    opened = client.get(address)
    saved = send(theirs, opened, theirs_at or address)
    refused = send(wrong, opened)
    corrected = send(mine, refused)
    once_more = send(mine, corrected)
    return [answer.status_code for answer in (saved, refused, corrected, once_more)]
