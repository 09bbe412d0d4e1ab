"""Private photos of robots: readable with the pit form, not part of the media library of the website."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple

from django.core.files.uploadedfile import UploadedFile
from django.urls import reverse

from core.accounts.user import User
from core.dynamo import trash
from core.dynamo.reindex import records_of
from core.media import private_photos
from core.media.file_owners import OTHERS, Owner
from core.media.files import PRIVATE_FOLDER, delete_unused
from core.media.private_photos import PhotoFields
from scouting.forms.models import PitForm
from scouting.forms.repository import pit_forms

FOLDER = f"{PRIVATE_FOLDER}/pits"


class RobotPhoto(NamedTuple):
    """A photo as the form page uses it; `id` is the value that keeps it when the form is saved."""

    id: str
    address: str
    thumbnail: str


def kept(
    user: User, key: str, files: Sequence["UploadedFile[Any]"]
) -> AbstractContextManager[list[PhotoFields]]:
    """Context manager that stores new photos, and deletes them again if the block raises."""
    return private_photos.stored_photos(user, files, folder=FOLDER, record=key)


@contextmanager
def added_to(form: PitForm, user: User, files: Sequence["UploadedFile[Any]"]) -> Iterator[None]:
    """Context manager that stores photos and sets `form.photos`;
    the files are deleted if the block raises."""
    with kept(user, pit_forms.key_of(form), files) as described:
        form.photos = described
        yield


def described(form: PitForm) -> list[RobotPhoto]:
    return [
        RobotPhoto(photo["s3Key"], _address(form, photo["s3Key"]), _address(form, photo["smallKey"]))
        for photo in form.photos or ()
    ]


def forget(photos: Iterable[PhotoFields]) -> None:
    """Delete the files of removed photos."""
    delete_unused(private_photos.keys_of(photos))


def _address(form: PitForm, key: str) -> str:
    return reverse("scouting:photo", args=[pit_forms.key_of(form), private_photos.name_of(key)])


# --- Which files are needed ---------------------------------------------------------------------------------


def _all_keys() -> Iterable[str]:
    for form in records_of(pit_forms):
        yield from private_photos.keys_of(form.photos)


def _has(key: str, form_key: str) -> bool:
    """Whether the form or its trash image has the file: a deleted form can be restored with its photos."""
    found = [*pit_forms.get_many([form_key], strong=True).values()]
    trashed = trash.of_record(pit_forms.entity, form_key)
    if trashed is not None:
        found.append(PitForm.from_raw_data(trashed.record))
    return any(key in private_photos.keys_of(form.photos) for form in found)


OTHERS[FOLDER] = Owner(_all_keys, _has)
