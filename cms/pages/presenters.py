"""The records that a page shows, and the values of its template."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from cms.media.queries import media_refs, text_html, text_picture_ids
from cms.pages.models import Page
from core.club import queries as club
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef


class Fact(NamedTuple):
    title: str
    text: str
    # Where the text leads, such as to an e-mail.
    address: str = ""


def related(page: Page) -> list[RecordRef]:
    return media_refs(text_picture_ids(page))


def page_context(page: Page, records: Mapping[RecordRef, Item]) -> dict[str, Any]:
    """The context of the page's template, for the public page and the preview."""
    return {"page": page, "text": text_html(page, records)}


def imprint_facts() -> list[Fact]:
    """What the settings of the club say for the imprint."""
    own = club.current()
    facts = [
        Fact(_("Address"), "\n".join(filter(None, [own.legal_name or own.name, own.address]))),
        Fact(_("E-mail"), own.email, f"mailto:{own.email}"),
        Fact(_("Phone"), own.phone),
        Fact(_("Represented by"), own.represented_by),
        Fact(_("Register"), own.register),
        Fact(_("VAT ID"), own.tax_id),
        Fact(_("Responsible for the content"), own.responsible),
    ]
    # The name alone is no imprint.
    return [fact for fact in facts if fact.text] if own.address else []
