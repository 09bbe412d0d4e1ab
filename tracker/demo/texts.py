"""Two softball teams that do not exist: who plays for them, against whom, and where."""

from dataclasses import dataclass

from tracker.models import ACTIVE, SUB


@dataclass(frozen=True)
class Place:
    """A place on a roster. `person` is the demo account behind it, in the role `role`."""

    first_name: str
    last_name: str
    number: int
    positions: tuple[str, ...]
    skill: float
    person: str = ""
    role: str = ""
    is_private: bool = False
    status: str = ACTIVE
    # Played last season only.
    has_left: bool = False


@dataclass(frozen=True)
class Club:
    """A team: its league, its roster in batting order, and the key that its ids are made from."""

    key: str
    name: str
    description: str
    preset: str
    owner: str
    scorekeeper: str
    ground: str
    batters: int
    places: tuple[Place, ...]


MAVERICKS = Club(
    key="mavericks",
    name="Mühlenbach Mavericks",
    description="Mixed Slow-Pitch, Training dienstags um 18:30 Uhr am Mühlenbach.",
    preset="slowpitch",
    owner="Maya",
    scorekeeper="Sina",
    ground="Sportplatz am Mühlenbach",
    batters=10,
    places=(
        Place("Maya", "Rosenthal", 7, ("SS", "2B"), 0.75, person="Maya"),
        Place("Jannik", "Thiele", 11, ("LCF",), 0.6),
        Place("Moritz", "Feldkamp", 23, ("1B",), 0.85, person="Moritz", role="manager"),
        Place("Ayla", "Demir", 4, ("3B",), 0.9),
        Place("Milan", "Petrov", 18, ("LF", "UTIL"), 0.7, person="Milan", role="player"),
        Place("Swantje", "Ohlsen", 2, ("RCF",), 0.45),
        Place("Bao", "Nguyen", 31, ("P",), 0.5),
        Place("Karla", "Wiedemann", 15, ("2B",), 0.35, is_private=True),
        Place("Ove", "Lund", 44, ("RF",), 0.4),
        Place("Nele", "Brückner", 9, ("C",), 0.3),
        Place("Ruben", "Castell", 5, ("EH", "1B"), 0.65),
        Place("Hanno", "Petersen", 77, ("RF",), 0.25, has_left=True),
        Place("Sina", "Hoffmann", 28, ("UTIL",), 0.4, person="Sina", role="scorekeeper"),
        Place("Theda", "Janssen", 12, ("OF",), 0.5),
        Place("Ferdi", "Aksoy", 66, ("UTIL",), 0.55, status=SUB),
    ),
)
FOXES = Club(
    key="foxes",
    name="Fieldhouse Foxes",
    description="Fast-Pitch, Landesliga. Wir spielen samstags Doubleheader.",
    preset="fastpitch",
    owner="Odile",
    scorekeeper="Stellan",
    ground="Ballpark Nordwiese",
    batters=9,
    places=(
        Place("Lotte", "Hagemann", 1, ("CF",), 0.8),
        Place("Maya", "Rosenthal", 7, ("SS",), 0.7, person="Maya", role="player"),
        Place("Odile", "Brandt", 20, ("C",), 0.9, person="Odile"),
        Place("Frieda", "Kallweit", 14, ("1B",), 0.75),
        Place("Zoe", "Marchetti", 3, ("3B",), 0.55),
        Place("Inga", "Solberg", 25, ("LF",), 0.5),
        Place("Paula", "Zielinski", 8, ("RF",), 0.4, is_private=True),
        Place("Emilia", "Voss", 6, ("2B",), 0.35),
        Place("Ronja", "Falk", 33, ("P",), 0.2),
        Place("Henrike", "Dahl", 19, ("DH",), 0.45),
        Place("Leonie", "Abel", 10, ("OF",), 0.5, has_left=True),
        Place("Stella", "Moreau", 5, ("2B", "SS"), 0.3),
        Place("Tabea", "Krüger", 42, ("UTIL",), 0.3, status=SUB),
    ),
)
# Manages the team without a place on its roster.
COACHES = {
    "mavericks": (("Gesa", "scorekeeper"),),
    "foxes": (("Milan", "manager"), ("Stellan", "scorekeeper")),
}

AWAY = "Sportpark Hochfeld"
LAST, THIS = "last", "this"


@dataclass(frozen=True)
class Meeting:
    """A game, so many days from today. `is_wrong` is one whose box score does not add up."""

    key: str
    opponent: str
    days: int | None
    hour: int = 15
    is_home: bool = True
    season: str = THIS
    is_wrong: bool = False


PLAYED = {
    "mavericks": (
        Meeting("m1", "Auwald Otters", -430, season=LAST),
        Meeting("m2", "Nordhafen Pirates", -402, is_home=False, season=LAST),
        Meeting("m3", "Eichgrund Owls", -374, season=LAST),
        Meeting("m4", "Silbersee Herons", -80, is_home=False),
        Meeting("m5", "Nordhafen Pirates", -52, is_wrong=True),
        Meeting("m6", "Auwald Otters", -24, is_home=False),
    ),
    "foxes": (
        Meeting("f1", "Weidental Wolves", -423, hour=13, season=LAST),
        Meeting("f2", "Weidental Wolves", -395, is_home=False, season=LAST),
        Meeting("f3", "Hochfeld Hornets", -66, hour=13),
        Meeting("f4", "Silbersee Herons", -31, is_home=False),
    ),
}
LIVE = Meeting("m7", "Eichgrund Owls", 0)
# Only the score is known.
TOLD_LATER = Meeting("f5", "Hochfeld Hornets", -59, is_home=False)
TOLD_SCORES = (6, 4)
COMING = {
    "mavericks": (
        Meeting("m8", "Weidental Wolves", 2, hour=18),
        Meeting("m9", "Silbersee Herons", 9, is_home=False),
        Meeting("m10", "Nordhafen Pirates", 37),
        Meeting("m11", "Hochfeld Hornets", None, is_home=False),
    ),
    "foxes": (
        Meeting("f6", "Auwald Otters", 4, hour=13),
        Meeting("f7", "Weidental Wolves", 11, hour=13, is_home=False),
        Meeting("f8", "Silbersee Herons", 46, hour=13),
    ),
}
# Rained out a week ago; it has no new date yet.
RAINED_OUT = Meeting("m12", "Hochfeld Hornets", -6, hour=18)
# What people answer, and how likely it is; the empty one is no answer.
ANSWERS = {"yes": 60, "maybe": 10, "no": 12, "": 18}
NOTES = {
    ("Milan", "yes"): "Komme direkt von der Arbeit, vielleicht zehn Minuten später.",
    ("Maya", "yes"): "Ich bringe die Bälle mit.",
    ("Moritz", "maybe"): "Hängt vom Dienstplan ab, ich sage am Vortag Bescheid.",
}
DELETED_TEAM = "Freitagsrunde"
# Somebody who keeps only the own figures: against whom, how many days ago, what came of it, both scores.
OWN_GAMES = (
    ("Firmenturnier, Team Werkstatt", -45, ("1B", "FO", "2B", "BB"), (9, 6)),
    ("Firmenturnier, Team Vertrieb", -44, ("GO", "HR", "1B"), (7, 8)),
    ("Sommerliga im Stadtpark", -12, ("K", "1B", "1B", "SF", "3B"), (12, 10)),
)
