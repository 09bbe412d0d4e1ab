"""Sponsors from Payload."""

from cms.payload.document import Document, LeftOut
from cms.payload.kinds.kind import Kind
from cms.payload.relations import Relations
from cms.sponsors.forms import SponsorForm
from cms.sponsors.models import Sponsor
from cms.sponsors.repository import sponsors
from core.dynamo.attributes import now, to_iso


def sponsor(document: Document, relations: Relations) -> Sponsor:
    expiry = document.moment("expiryDate")
    if expiry and expiry <= now():
        # DynamoDB's TTL would delete it at once, and its logo with it.
        raise LeftOut(f"it has expired on {to_iso(expiry)[:10]}")
    return Sponsor(
        id=document.id,
        name=document.needed(SponsorForm, "name", document.text("name")),
        website=document.wanted(SponsorForm, "website", document.text("website")),
        description=document.wanted(SponsorForm, "description", document.text("description")),
        logo_id=relations.one(document, "logo", to="media"),
        # A TTL attribute has whole seconds.
        expiry_timestamp=expiry.replace(microsecond=0) if expiry else None,
        created_at=document.moment("createdAt"),
    )


KIND = Kind("sponsors", sponsors, sponsor)
