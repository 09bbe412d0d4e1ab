"""Stream handlers: delete the files of removed media and the logos of expired sponsors."""

from contextlib import suppress

from cms.media import services
from cms.media.repository import media
from cms.sponsors.models import Sponsor
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import InUse, NotFound
from core.dynamo.streams import Change, large_images, on, when_gone
from core.media import stream_images

# Here, because the media library owns the bucket.
large_images.offer(stream_images)
# Runs when the record is gone for good, so that it can be restored from the trash with its file.
when_gone("media")(services.delete_files)


@on("sponsor", "REMOVE")
def delete_logo(change: Change) -> None:
    """Delete the logo of a sponsor that expired by TTL, unless another record uses it.

    It is deleted for good, without the trash, because no person deleted the sponsor who could undo that.
    """
    sponsor = Sponsor.from_raw_data(change.image)
    if not change.has_expired or not sponsor.logo_id:
        return
    with suppress(NotFound, InUse):
        logo = media.get(sponsor.logo_id, strong=True)
        media.delete(logo, actor=SYSTEM, for_ever=True)
