"""Stream handlers: delete the files of removed media and the logos of expired sponsors."""

from contextlib import suppress

from cms.media import services
from cms.media.repository import media
from cms.sponsors.models import Sponsor
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import InUse, NotFound
from core.dynamo.streams import Change, on, when_gone

# A file stays as long as its record can be taken back out of the trash.
when_gone("media")(services.delete_files)


@on("sponsor", "REMOVE")
def delete_logo(change: Change) -> None:
    """The logo of a sponsor that has expired goes with it, unless something else uses it.

    Nobody deleted the sponsor, so nobody could want to undo it: the logo goes past the trash.
    """
    sponsor = Sponsor.from_raw_data(change.image)
    if not change.has_expired or not sponsor.logo_id:
        return
    with suppress(NotFound, InUse):
        logo = media.get(sponsor.logo_id, strong=True)
        media.delete(logo, actor=SYSTEM, for_ever=True)
