"""Photos of submitted work: private files that only people who may see the quest can read."""

from core.media import private_photos
from core.media.file_owners import OTHERS
from core.media.files import PRIVATE_FOLDER
from core.media.private_photos import PhotoLinks
from quests import repository
from quests.models import Quest

FOLDER = f"{PRIVATE_FOLDER}/quests"
# For `manage.py media check`.
OTHERS[FOLDER] = private_photos.owner(repository.quests)


def photo_links(quest: Quest) -> list[PhotoLinks]:
    return private_photos.links(quest.photos, "quests:photo", quest.id)
