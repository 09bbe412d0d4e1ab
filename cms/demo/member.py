"""Example members. Some are demo accounts: who signs in as Maya may change the team that she trains."""

from contextlib import suppress

from cms import repository
from cms.models import Member
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import AlreadyExists

# Name, roles, e-mail, phone.
MEMBERS: list[tuple[str, list[str], str | None, str | None]] = [
    ("Amara Lindqvist", ["1. Vorsitzende"], "amara.lindqvist@fieldhouse.example", "07999 55 01"),
    ("Henning Ostertag", ["2. Vorsitzender"], "henning.ostertag@verein.example", None),
    ("Tabea Wirsching", ["Kassenwartin"], "kasse@verein.example", "07999 55 03"),
    ("Moritz Feldkamp", ["Schriftführer", "Pressewart"], "moritz.feldkamp@fieldhouse.example", None),
    ("Liv Sommerfeld", ["Jugendwartin", "Trainerin"], "jugend@verein.example", "0151 555 0107"),
    ("Odile Brandt", ["Schiedsrichterwart"], "odile.brandt@fieldhouse.example", None),
    ("Maya Rosenthal", ["Trainerin"], "maya.rosenthal@fieldhouse.example", "0151 555 0111"),
    ("Ruben Achterberg", ["Trainer"], "ruben.achterberg@verein.example", None),
    ("Jonas Grünwald", ["Co-Trainer"], None, "0151 555 0123"),
    ("Çağla Demirel", ["Co-Trainer"], "cagla@verein.example", None),
    ("Wolf-Dieter Überschär", ["Zeugwart"], None, None),
    ("Svea Nordmann", [], "svea.nordmann@verein.example", None),
]


def load() -> None:
    roles = {role.name: role.id for role in repository.roles.by_name(limit=100).items}
    for name, named_roles, email, phone in MEMBERS:
        role_ids = [roles[role] for role in named_roles if role in roles]
        with suppress(AlreadyExists):
            repository.members.create(
                Member(name=name, role_ids=role_ids, email=email, phone=phone), actor=SYSTEM
            )
