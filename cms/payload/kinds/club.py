"""Roles, locations, members and sponsors from Payload."""

from cms.locations.forms import LocationForm
from cms.locations.models import Location
from cms.locations.repository import locations
from cms.members.forms import MemberForm
from cms.members.models import Member
from cms.members.repository import members
from cms.payload.document import Document, LeftOut
from cms.payload.kinds.kind import Kind
from cms.payload.relations import Relations
from cms.roles.forms import RoleForm
from cms.roles.models import Role
from cms.roles.repository import roles
from cms.sponsors.forms import SponsorForm
from cms.sponsors.models import Sponsor
from cms.sponsors.repository import sponsors
from core.dynamo.attributes import now, to_iso


def role(document: Document, relations: Relations) -> Role:
    return Role(name=document.needed_text(RoleForm, "name"), vorstand=document.get("vorstand") is True)


def location(document: Document, relations: Relations) -> Location:
    names = ("address.postalCode", "postalCode", "postal")
    code = document.get(*names)
    # Payload stores a number, which loses a leading zero.
    postal = f"{code:05}" if isinstance(code, int) else document.text(*names)
    return Location(
        name=document.needed_text(LocationForm, "name"),
        street=document.wanted(LocationForm, "street", document.text("address.street", "street")),
        postal=document.wanted(LocationForm, "postal", postal),
        city=document.wanted(LocationForm, "city", document.text("address.city", "city")),
        **document.wanted_texts(LocationForm, "description"),
    )


def member(document: Document, relations: Relations) -> Member:
    return Member(
        name=document.needed_text(MemberForm, "name"),
        role_ids=relations.many(document, "roles", to="roles"),
        avatar_id=relations.one(document, "avatar", to="media"),
        **document.wanted_texts(MemberForm, "email", "phone"),
    )


def sponsor(document: Document, relations: Relations) -> Sponsor:
    expiry = document.moment("expiryDate")
    if expiry and expiry <= now():
        # DynamoDB's TTL would delete it at once, and its logo with it.
        raise LeftOut(f"it has expired on {to_iso(expiry)[:10]}")
    return Sponsor(
        name=document.needed_text(SponsorForm, "name"),
        logo_id=relations.one(document, "logo", to="media"),
        # A TTL attribute has whole seconds.
        expiry_timestamp=expiry.replace(microsecond=0) if expiry else None,
        **document.wanted_texts(SponsorForm, "website", "description"),
    )


ROLES = Kind("roles", roles, role)
LOCATIONS = Kind("locations", locations, location)
MEMBERS = Kind("members", members, member)
SPONSORS = Kind("sponsors", sponsors, sponsor)
