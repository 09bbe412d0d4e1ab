"""What is gone for good leaves no files behind, and what can come back keeps them."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from cms.media import services
from cms.media.models import MediaFile
from cms.media.repository import media as media_repository
from cms.members.repository import members
from cms.sponsors.models import Sponsor
from cms.sponsors.repository import sponsors
from config.engines.dynoxide import Dynoxide
from core.dynamo import history, maintenance, trash
from core.dynamo.actors import SYSTEM, Actor
from core.dynamo.attributes import now
from core.dynamo.errors import NotFound
from core.dynamo.streams import failures, source
from core.dynamo.support_table import SupportItem
from tests.cms.club import make_member, make_sponsor
from tests.config.processes import ROOT
from tests.media_bucket import Bucket, photo

HOUR = timedelta(hours=1)


@pytest.fixture
def logo(streaming: Dynoxide, bucket: Bucket, alice: Actor) -> MediaFile:
    return services.add(alice, photo(600, 400), name="logo.jpg", folder="sponsors").media


def run_streams() -> None:
    call_command("streams", "--once")
    assert list(failures.failed(source.streamed_tables())) == []


def sponsor_with(logo: MediaFile, *, expired: bool = True, **fields: Any) -> Sponsor:
    expiry = now() - HOUR if expired else now() + HOUR
    return make_sponsor(logo_id=logo.id, expiry_timestamp=expiry, **fields)


def stored(media: MediaFile) -> MediaFile:
    return media_repository.get(media.id, strong=True)


def is_there(media: MediaFile) -> bool:
    try:
        return bool(stored(media))
    except NotFound:
        return False


def delete(media: MediaFile, actor: Actor) -> trash.TrashedItem:
    media_repository.delete(stored(media), actor=actor)
    image = trash.of_record("media", media.id)
    assert image is not None
    return image


def let_expire(image: trash.TrashedItem, streaming: Dynoxide) -> None:
    """Its thirty days in the trash are over."""
    maintenance.request(
        "UpdateItem",
        TableName=SupportItem.Meta.table_name,
        Key=image.raw_key(),
        UpdateExpression="SET #ttl = :over",
        ExpressionAttributeNames={"#ttl": "TTL"},
        ExpressionAttributeValues={":over": {"N": str(int((now() - HOUR).timestamp()))}},
    )
    assert streaming.sweep() == 1


class TestASponsorThatExpires:
    def test_takes_its_logo_along_with_all_files(
        self, streaming: Dynoxide, bucket: Bucket, logo: MediaFile
    ) -> None:
        sponsor_with(logo)
        assert bucket.keys() == sorted(logo.s3_keys)
        assert streaming.sweep() == 1

        run_streams()

        assert bucket.keys() == []
        assert not is_there(logo)
        assert trash.of_record("media", logo.id) is None
        newest = history.entries("media", logo.id).items[0]
        assert (newest.verb, newest.actor_name) == ("delete", SYSTEM.name)

    def test_leaves_a_logo_that_something_else_uses(
        self, streaming: Dynoxide, bucket: Bucket, logo: MediaFile
    ) -> None:
        sponsor_with(logo)
        make_member(avatar_id=logo.id)
        streaming.sweep()

        run_streams()

        assert bucket.keys() == sorted(logo.s3_keys)
        assert stored(logo).refs == 1

    def test_never_keeps_what_is_in_the_trash_from_coming_back(
        self, as_role: Callable[[str], Client], streaming: Dynoxide, logo: MediaFile
    ) -> None:
        member = make_member(avatar_id=logo.id)
        sponsor_with(logo)
        members.delete(members.get(member.id, strong=True), actor=SYSTEM)
        streaming.sweep()
        run_streams()
        assert not is_there(logo)

        told = as_role("moderator").post("/cms/members/trash/restore", {"key": member.id}, follow=True)

        assert "“Maya Rosenthal” was restored without: file “logo.jpg”." in told.content.decode()
        assert members.get(member.id, strong=True).avatar_id is None

    def test_has_no_logo_or_one_that_is_gone_already(self, streaming: Dynoxide, logo: MediaFile) -> None:
        make_sponsor("Without", expiry_timestamp=now() - HOUR)
        sponsor_with(logo)
        maintenance.request("DeleteItem", TableName=MediaFile.Meta.table_name, Key=logo.raw_key())
        assert streaming.sweep() == 2
        run_streams()

    def test_may_be_told_of_twice(self, streaming: Dynoxide, bucket: Bucket, logo: MediaFile) -> None:
        sponsor_with(logo)
        streaming.sweep()
        run_streams()
        forget_checkpoints()
        run_streams()
        assert bucket.keys() == []
        assert [entry.verb for entry in history.entries("media", logo.id).items] == ["delete", "create"]


def forget_checkpoints() -> None:
    table = SupportItem.Meta.table_name
    for page in maintenance.scan(TableName=table):
        for item in page["Items"]:
            if item["PK"]["S"].startswith("STREAM#"):
                maintenance.request("DeleteItem", TableName=table, Key={"PK": item["PK"], "SK": item["SK"]})


KILLED = """
import os, django
django.setup()
from datetime import timedelta
from django.core.management import CommandError, call_command
from cms.media.repository import media
from core.media import storage
from core.dynamo.streams import positions

positions.LEASE = timedelta(seconds=0.2)
erase = storage.delete

def die(*arguments, **options):
    os.kill(os.getpid(), 9)

def erase_and_die(keys):
    erase(keys)
    die()

{patch}
call_command("streams", "--once")
"""


@pytest.mark.parametrize(
    "patch",
    [
        pytest.param("media.delete = die", id="before the logo is deleted"),
        pytest.param("storage.delete = die", id="between the logo and its files"),
        pytest.param("storage.delete = erase_and_die", id="before the files are noted as deleted"),
    ],
)
def test_a_worker_killed_on_the_way_from_the_sponsor_to_the_files_leaves_nothing(
    streaming: Dynoxide, bucket: Bucket, logo: MediaFile, patch: str
) -> None:
    sponsor_with(logo)
    streaming.sweep()
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DYNAMODB_ENDPOINT": streaming.endpoint,
        "AWS_ENDPOINT_URL_S3": bucket.engine.endpoint,
        "MEDIA_BUCKET": bucket.name,
    }
    command = [sys.executable, "-c", KILLED.format(patch=patch)]
    killed = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL

    run_streams()

    assert bucket.keys() == []
    assert not is_there(logo)


class TestAPersonsDelete:
    def test_of_a_sponsor_leaves_its_logo(
        self, streaming: Dynoxide, bucket: Bucket, logo: MediaFile, alice: Actor
    ) -> None:
        sponsor = sponsor_with(logo, expired=False)
        sponsors.delete(sponsor, actor=alice)
        run_streams()
        assert bucket.keys() == sorted(logo.s3_keys)
        assert stored(logo).refs == 0

    def test_of_a_file_can_be_undone_as_long_as_it_is_in_the_trash(
        self, streaming: Dynoxide, bucket: Bucket, logo: MediaFile, alice: Actor
    ) -> None:
        image = delete(logo, alice)
        run_streams()
        assert bucket.keys() == sorted(logo.s3_keys)

        media_repository.restore(image.trash_id, actor=alice)
        run_streams()
        assert bucket.keys() == sorted(logo.s3_keys)
        assert is_there(logo)

    def test_of_a_file_deletes_it_when_the_trash_gives_it_up(
        self, streaming: Dynoxide, bucket: Bucket, logo: MediaFile, alice: Actor
    ) -> None:
        image = delete(logo, alice)
        run_streams()
        let_expire(image, streaming)
        run_streams()
        assert bucket.keys() == []

    def test_of_a_file_that_was_restored_and_deleted_again_waits_for_its_last_image(
        self, streaming: Dynoxide, bucket: Bucket, logo: MediaFile, alice: Actor
    ) -> None:
        first = delete(logo, alice)
        media_repository.restore(first.trash_id, actor=alice)
        last = delete(logo, alice)
        run_streams()
        assert bucket.keys() == sorted(logo.s3_keys)

        let_expire(last, streaming)
        run_streams()
        assert bucket.keys() == []


def test_the_file_of_a_record_that_another_program_deleted_is_deleted(
    streaming: Dynoxide, bucket: Bucket, logo: MediaFile
) -> None:
    maintenance.request("DeleteItem", TableName=MediaFile.Meta.table_name, Key=logo.raw_key())
    run_streams()
    assert bucket.keys() == []


def test_while_s3_is_down_nothing_is_given_up(
    streaming: Dynoxide, bucket: Bucket, logo: MediaFile, settings: Any
) -> None:
    endpoint = settings.S3_ENDPOINT
    settings.S3_ENDPOINT = "http://127.0.0.1:1"
    maintenance.request("DeleteItem", TableName=MediaFile.Meta.table_name, Key=logo.raw_key())
    with pytest.raises(CommandError, match=r"^Files are unavailable right now"):
        run_streams()
    settings.S3_ENDPOINT = endpoint
    run_streams()
    assert bucket.keys() == []
