"""The face of the fictitious club of the example content."""

from pathlib import Path

from core.club import queries
from core.club.repository import club_settings, put_logo
from core.dynamo.actors import SYSTEM
from core.dynamo.example_data import read
from core.dynamo.transactions import Transaction
from desk.club import services

LOGO = Path(__file__).with_name("logo.svg")


def load() -> None:
    """Load name, logo and colours, unless somebody has saved the settings."""
    club = club_settings.stored(strong=True)
    if club.seen_version:
        return
    logo = services.logo_of(LOGO.read_bytes())
    transaction = Transaction()
    transaction.add(put_logo(logo.name, logo.data))
    fields = read(__file__, "club") | {"logo": logo.stored}
    written = club_settings.save(club, fields, actor=SYSTEM, transaction=transaction)
    transaction.commit()
    queries.remember(written)
