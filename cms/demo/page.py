"""Example pages: the first page, imprint and privacy, statutes in preparation, and one of last year."""

from contextlib import suppress

from cms import repository
from cms.demo.documents import document
from cms.models import Page
from cms.models.page import FRONT, IMPRINT, PRIVACY
from core.content.status import ARCHIVED, DRAFT, PUBLISHED
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import AlreadyExists

# Title, slug, status, text.
PAGES = [
    (
        "Volleyball in Auenfeld",
        FRONT,
        PUBLISHED,
        """Wir spielen in der Halle und im Sand, vom ersten Baggern bis zur Verbandsliga.

Komm vorbei: Die ersten drei Trainings sind frei.""",
    ),
    (
        "Impressum",
        IMPRINT,
        PUBLISHED,
        """Volleyballclub Auenfeld e. V., Am Mühlbach 4, 79999 Auenfeld

Vertreten durch Amara Lindqvist (1. Vorsitzende) und Henning Ostertag (2. Vorsitzender).

## Kontakt

E-Mail: vorstand@verein.example, Telefon: 07999 55 01

## Registereintrag

Eingetragen im Vereinsregister. Diesen Verein gibt es nicht: alle Angaben sind erfunden.""",
    ),
    (
        "Datenschutz",
        PRIVACY,
        PUBLISHED,
        """Wir erheben so wenig wie möglich.

## Beim Besuch dieser Seite

Diese Seiten setzen keine Cookies und laden nichts von anderen Anbietern.

## Namen und Bilder

Wir nennen nur, wer zugestimmt hat. Wer seine Zustimmung zurückzieht, schreibt an den Vorstand.""",
    ),
    (
        "Beitragsordnung",
        "beitragsordnung",
        PUBLISHED,
        """- Kinder und Jugendliche: 60 Euro im Jahr
- Erwachsene: 120 Euro im Jahr
- Familien: 200 Euro im Jahr

Der Beitrag wird **im März** eingezogen.""",
    ),
    ("Satzung", "satzung", DRAFT, "Die neue Fassung kommt nach der Jahreshauptversammlung."),
    (
        "Hygieneregeln in der Halle",
        "hygieneregeln",
        ARCHIVED,
        "Diese Regeln gelten nicht mehr. Wir heben sie auf, weil jemand danach fragen könnte.",
    ),
]


def load() -> None:
    for title, slug, status, text in PAGES:
        page = Page(title=title, slug=slug, status=status, content=document(text))
        with suppress(AlreadyExists):
            repository.pages.create(page, actor=SYSTEM)
