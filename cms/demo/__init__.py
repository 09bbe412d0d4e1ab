"""Example content of a club that does not exist, so that a fresh site has something to look at."""

from contextlib import suppress

from cms import repository
from cms.demo import article, booking, event, location, media_file, member, page, post, sams, sponsor, team
from cms.demo.texts import ROLES
from cms.models import Role
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import AlreadyExists


def load() -> None:
    """A load that was interrupted is repeated: names and slugs are unique, so nothing comes twice."""
    for name, vorstand in ROLES:
        with suppress(AlreadyExists):
            repository.roles.create(Role(name=name, vorstand=vorstand), actor=SYSTEM)
    for module in (article, location, member, team, sponsor, post, page, event, booking, sams, media_file):
        module.load()
