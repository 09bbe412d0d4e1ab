"""Example posts in social media."""

from contextlib import suppress
from datetime import timedelta

from cms import repository
from cms.models import Post
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists

# Address, text, days ago, kind, slug of the team.
POSTS: list[tuple[str, str, int, str, str | None]] = [
    (
        "https://social.example/@verein/derby",
        "17:15 im fünften Satz! Danke an alle, die in der Mühlenhalle laut waren. #derby #volleyball",
        1,
        "Video",
        "herren1",
    ),
    (
        "https://social.example/@verein/tabellenspitze",
        "Sechs Spiele, sechs Siege. Der Blick von oben ist schön.",
        8,
        "Image",
        "damen2",
    ),
    (
        "https://social.example/@verein/sommerfest",
        "So sieht ein Grillstand aus, wenn 200 Leute Hunger haben.",
        40,
        "Image",
        None,
    ),
    (
        "https://social.example/@verein/waffeln",
        "Die U16 backt Waffeln für die neue Ballpumpe. Samstag ab 14 Uhr.",
        15,
        "Image",
        "u16weiblich",
    ),
]


def load() -> None:
    teams = {team.slug: team.id for team in repository.teams.by_name(limit=100).items}
    for url, caption, days, kind, team in POSTS:
        post = Post(
            url=url,
            caption=caption,
            timestamp=now().replace(minute=30, second=0, microsecond=0) - timedelta(days=days),
            type=kind,
            team_id=teams.get(team or ""),
        )
        with suppress(AlreadyExists):
            repository.posts.create(post, actor=SYSTEM)
