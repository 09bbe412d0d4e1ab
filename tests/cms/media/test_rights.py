"""Who may do what in the library: officials upload and describe their own files, moderators change all."""

import pytest
from django.test import Client

from cms.media.repository import media as library
from tests.cast import sign_in
from tests.cms.files import address_of, picture

pytestmark = pytest.mark.usefixtures("db", "bucket")

MAY_ALL = ("admin", "moderator")
MAY_NOTHING = ("scout-lead", "scout", "steward", "member", "other-member")
HTMX = {"HX-Request": "true"}


def get(role: str, address: str) -> int:
    return sign_in(Client(), role).get(address, headers=HTMX).status_code


def post(role: str, address: str, **fields: str) -> int:
    return sign_in(Client(), role).post(address, fields).status_code


@pytest.mark.parametrize("role", MAY_NOTHING)
def test_others_do_not_come_in(role: str) -> None:
    media = picture()

    for address in ("", "new", "choose", f"{media.id}/", f"{media.id}/replace", f"{media.id}/delete"):
        assert get(role, f"/cms/media/{address}") == 403
    for address in ("new", "describe", "layout", f"{media.id}/replace", f"{media.id}/delete"):
        assert post(role, f"/cms/media/{address}", **{f"alt-{media.id}": "Mine"}) == 403
    assert library.get(media.id, strong=True).alt is None


@pytest.mark.parametrize("role", [*MAY_ALL, "official"])
def test_officials_look_choose_and_upload(role: str) -> None:
    media = picture()

    screens = ("", "new", "choose", f"{media.id}/", f"{media.id}/history")
    assert [get(role, f"/cms/media/{address}") for address in screens] == [200] * 5


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("role", [*MAY_ALL, "official"])
def test_a_picture_is_described_by_who_uploaded_it_and_by_those_who_may_change_all(
    role: str, own: bool
) -> None:
    may = own or role in MAY_ALL
    media = picture(by=role if own else "moderator" if role == "official" else "official")

    answer = post(role, "/cms/media/describe", **{f"alt-{media.id}": "Jubel"})

    assert answer == (302 if may else 403)
    assert library.get(media.id, strong=True).alt == ("Jubel" if may else None)
    assert post(role, address_of(media), alt="Jubel!", original_name="A.jpg", version="2") == (
        302 if may else 403
    )


@pytest.mark.parametrize("role", [*MAY_ALL, "official"])
def test_what_others_may_use_is_replaced_and_deleted_by_moderators_only(role: str) -> None:
    media = picture(by="official")
    expected = 200 if role in MAY_ALL else 403

    assert [get(role, address_of(media, screen)) for screen in ("replace", "delete")] == [expected] * 2
    if role == "official":
        assert post(role, address_of(media, "delete"), version="1", remove_uses="yes") == 403
        assert post(role, address_of(media, "replace"), version="1") == 403
