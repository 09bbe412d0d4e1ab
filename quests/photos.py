"""Photos of work: for those who see the quest, not in the library and at no address of the website."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from mimetypes import guess_type
from pathlib import PurePosixPath
from typing import Any, BinaryIO, NamedTuple, cast

from django.core.files.uploadedfile import UploadedFile
from django.urls import reverse

from accounts.user import User
from cms.media import checking, storage
from cms.media.keeping import PRIVATE
from cms.media.names import file_name
from cms.services import media_file
from dynamo.errors import NotFound
from dynamo.reindex import records_of
from quests import repository
from quests.models import Quest

FOLDER = f"{PRIVATE}/quests"
WEBP = "webp"

# What a quest keeps of a photo: its key in S3, the keys of its copies and what it was called.
Described = dict[str, Any]


class Shown(NamedTuple):
    name: str
    address: str
    thumbnail: str


@contextmanager
def kept(user: User, key: str, files: Sequence["UploadedFile[Any]"]) -> Iterator[list[Described]]:
    """The files of a submission; they go again if it is refused."""
    with ExitStack() as stack:
        yield [_described(file, stack.enter_context(_stored(user, key, file))) for file in files]


def shown(quest: Quest) -> list[Shown]:
    return [
        Shown(photo["name"], _address(quest, photo["s3Key"]), _address(quest, photo["smallKey"]))
        for photo in quest.photos or ()
    ]


def read(quest: Quest, name: str) -> tuple[bytes, str]:
    """The bytes of a photo or of its small copy, and their type."""
    for photo in quest.photos or ():
        for key in (photo["s3Key"], photo["smallKey"]):
            if _name_of(key) == name:
                # A copy may have another type than the photo itself.
                return storage.read(key), guess_type(key, strict=False)[0] or "application/octet-stream"
    raise NotFound


def _stored(user: User, key: str, file: "UploadedFile[Any]") -> AbstractContextManager[dict[str, Any]]:
    return media_file.kept_for(user, cast(BinaryIO, file), name=file.name or "", folder=FOLDER, record=key)


def _described(file: "UploadedFile[Any]", fields: Mapping[str, Any]) -> Described:
    copies = sorted((copy for copy in fields["variants"] if copy["format"] != WEBP), key=_width)
    return {
        "name": file_name(file.name or ""),
        "s3Key": fields["s3_key"],
        "smallKey": copies[0]["s3Key"] if copies else fields["s3_key"],
        "copies": [copy["s3Key"] for copy in fields["variants"]],
    }


def _width(copy: Mapping[str, Any]) -> int:
    return int(copy["width"])


def _address(quest: Quest, key: str) -> str:
    return reverse("quests:photo", args=[quest.id, _name_of(key)])


def _name_of(key: str) -> str:
    """What tells the files of a quest apart: the last two parts of a key."""
    path = PurePosixPath(key)
    return f"{path.parent.name}-{path.name}"


# --- Which files are needed ---------------------------------------------------------------------------------


def _keys_of(quest: Quest) -> set[str]:
    return {key for photo in quest.photos or () for key in (photo["s3Key"], *photo["copies"])}


def _all_keys() -> Iterable[str]:
    for quest in records_of(repository.quests):
        yield from _keys_of(quest)


def _has(key: str, quest_id: str) -> bool:
    quest = repository.quests.get_many([quest_id], strong=True).get(quest_id)
    return quest is not None and key in _keys_of(quest)


checking.OTHERS[FOLDER] = checking.Owner(_all_keys, _has)
