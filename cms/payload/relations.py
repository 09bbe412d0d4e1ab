"""Relations of an export: ids, slugs and files in Payload mapped to those here."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.urls import reverse

from cms.payload.document import Document, key_in, quoted
from core.accounts.repository import people
from core.dynamo.queries import every
from core.dynamo.references import MOST_PER_FIELD
from core.media.file_urls import public_address

PUBLIC_PAGES = {"news": "public:article", "events": "public:event", "teams": "public:team"}


class Account(NamedTuple):
    """A user of Payload; `sub` is the id of the account here, None without one."""

    name: str
    email: str
    sub: str | None


@dataclass
class Relations:
    """Mappings by collection and Payload's id. `ids` has the records stored here or about to be."""

    ids: dict[str, dict[str, str]] = field(default_factory=dict)
    slugs: dict[tuple[str, str], str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    accounts: dict[str, Account] = field(default_factory=dict)
    sams_teams: dict[str, str] = field(default_factory=dict)
    subs_by_email: dict[str, str] = field(default_factory=dict)

    def add(self, collection: str, key: str, our_id: str) -> None:
        self.ids.setdefault(collection, {})[key] = our_id

    # --- Relation fields -------------------------------------------------------------------------------

    def one(self, document: Document, name: str, *, to: str) -> str | None:
        found = self._found(document, name, [document.get(name)], to)
        return next(iter(found), None)

    def many(self, document: Document, *names: str, to: str) -> list[str]:
        """The ids here, at most MOST_PER_FIELD; the others are noted."""
        found = self._found(document, names[0], document.listed(*names), to)
        if len(found) > MOST_PER_FIELD:
            left_out = ", ".join(list(found.values())[MOST_PER_FIELD:])
            document.note(f"“{names[0]}” names more {to} than fit; left out: {left_out}")
        return list(found)[:MOST_PER_FIELD]

    def people(self, document: Document, name: str) -> list[str]:
        """The subs of users who have an account here, found by e-mail; the others are noted."""
        found = []
        for value in document.listed(name):
            account = self.account(value)
            if account is None:
                document.note(f"“{name}” names the user {quoted(key_in(value))}, who is not in the export")
            elif account.sub is None:
                who = account.name or account.email or key_in(value)
                document.note(f"“{name}” names {who}, who has no account here and was left out")
            else:
                found.append(account.sub)
        return list(dict.fromkeys(found))

    def account(self, value: object) -> Account | None:
        account = self.accounts.get(key_in(value))
        return account or (self.account_in(value) if isinstance(value, dict) else None)

    def account_in(self, user: Mapping[str, Any]) -> Account | None:
        name, email = (str(user.get(part) or "").strip() for part in ("name", "email"))
        if not name and not email:
            return None
        return Account(name, email, self.subs_by_email.get(email.lower()))

    def _found(self, document: Document, name: str, values: Iterable[Any], to: str) -> dict[str, str]:
        """Ids here mapped to Payload's, without duplicates, in order; unknown ones are noted."""
        found: dict[str, str] = {}
        for value in values:
            if value is None:
                continue
            key = key_in(value)
            our_id = self.ids.get(to, {}).get(key)
            if our_id is None:
                document.note(f"“{name}” names {to} {quoted(key or value)}, which is not here")
            else:
                found.setdefault(our_id, key)
        return found

    # --- Links in texts --------------------------------------------------------------------------------

    def address_of(self, collection: str, key: str) -> str | None:
        if collection == "media":
            stored = self.files.get(key)
            return public_address(stored) if stored else None
        slug = self.slugs.get((collection, key))
        return reverse(PUBLIC_PAGES[collection], args=[slug]) if slug else None

    def media_id(self, key: str) -> str | None:
        return self.ids.get("media", {}).get(key)


def subs_by_email() -> dict[str, str]:
    """The sub of every account here, by e-mail in lower case."""
    return {str(person.email).lower(): person.sub for person in every(people.by_name) if person.email}
