"""Photos of submitted work: private files that only people who may see the quest can read."""

from collections.abc import Iterable
from typing import NamedTuple

from django.urls import reverse

from core.dynamo.reindex import records_of
from core.media import private_photos
from core.media.file_owners import OTHERS, Owner
from core.media.files import PRIVATE_FOLDER
from quests import repository
from quests.models import Quest

FOLDER = f"{PRIVATE_FOLDER}/quests"


class PhotoLinks(NamedTuple):
    name: str
    address: str
    thumbnail: str


def photo_links(quest: Quest) -> list[PhotoLinks]:
    return [
        PhotoLinks(photo["name"], _address(quest, photo["s3Key"]), _address(quest, photo["smallKey"]))
        for photo in quest.photos or ()
    ]


def _address(quest: Quest, key: str) -> str:
    return reverse("quests:photo", args=[quest.id, private_photos.name_of(key)])


# --- Registration with `manage.py media check` --------------------------------------------------------------


def _all_keys() -> Iterable[str]:
    for quest in records_of(repository.quests):
        yield from private_photos.keys_of(quest.photos)


def _has(key: str, quest_id: str) -> bool:
    quest = repository.quests.get_many([quest_id], strong=True).get(quest_id)
    return quest is not None and key in private_photos.keys_of(quest.photos)


OTHERS[FOLDER] = Owner(_all_keys, _has)
