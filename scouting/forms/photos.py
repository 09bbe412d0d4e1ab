"""Private photos of robots: readable with the pit form, not part of the media library of the website."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from core.accounts.user import User
from core.media import private_photos
from core.media.file_owners import OTHERS
from core.media.files import PRIVATE_FOLDER, delete_unused
from core.media.private_photos import PhotoFields, PhotoLinks
from scouting.forms.models import PitForm
from scouting.forms.repository import pit_forms

FOLDER = f"{PRIVATE_FOLDER}/pits"
# For `manage.py media check`.
OTHERS[FOLDER] = private_photos.owner(pit_forms)


def kept(
    user: User, key: str, files: Sequence["UploadedFile[Any]"]
) -> AbstractContextManager[list[PhotoFields]]:
    """Context manager that stores new photos, and deletes them again if the block raises."""
    return private_photos.stored_photos(user, files, folder=FOLDER, record=key)


@contextmanager
def added_to(form: PitForm, user: User, files: Sequence["UploadedFile[Any]"]) -> Iterator[None]:
    """Stores photos and sets `form.photos`; the files are deleted if the block raises."""
    with kept(user, pit_forms.key_of(form), files) as described:
        form.photos = described
        yield


def described(form: PitForm) -> list[PhotoLinks]:
    return private_photos.links(form.photos, "scouting:photo", pit_forms.key_of(form))


def forget(photos: Iterable[PhotoFields]) -> None:
    """Delete the files of removed photos."""
    delete_unused(private_photos.keys_of(photos))
