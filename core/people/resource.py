"""The resource of the directory, for pickers in other forms; its screens are the user administration."""

from typing import Any, Unpack

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from core.accounts.models import Person
from core.accounts.repository import people
from core.accounts.rights import may
from core.accounts.user import User
from core.crud.listing import Listing
from core.crud.resource import Resource
from core.crud.screens import Screen, pick
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions


class PersonResource(Resource):
    app = "accounts"
    repository = people
    slug = "directory"
    icon = "person"
    singular = _("person")
    plural = _("People")

    def screens(self) -> list[Screen]:
        return [("pick", "pick", "view", pick.pick)]

    def may(self, user: User, verb: str, record: Any = None) -> bool:
        """Only `view`: people are created at sign-in or by invitation, never in a form."""
        return verb == "view" and super().may(user, verb, record)

    def is_shown_to(self, user: User) -> bool:
        return may(user, "accounts.user.view")

    @property
    def list_address(self) -> str:
        return reverse("accounts:people")

    def record_address(self, key: str) -> str:
        return reverse("accounts:person", args=[key])

    def page(self, listing: Listing, **options: Unpack[PageOptions]) -> Page[Person]:
        return people.by_name(**options)

    def detail_of(self, user: User, record: Person) -> str:
        return record.email if user.is_admin else ""


directory = PersonResource()
