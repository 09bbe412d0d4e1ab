"""What becomes of the bytes of a picture: decoded, made smaller, encoded anew, nothing else kept."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms, ImageFile

from core.media import gif, images, processing
from core.media.errors import Busy, UploadRefused
from core.media.images import AnimationTooLarge, BrokenPicture, TooManyPixels
from core.media.processing import NeitherKind, OnlyDocuments, SvgRefused, prepare
from tests.media_bucket import animation, encoded, opened, photo, png_that_claims

GPS = 0x8825
ORIENTATION = 0x0112
TURNED_RIGHT = 6
SVG = b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def exif(**entries: Any) -> Image.Exif:
    made = Image.Exif()
    made[0x010F] = "Camera of Alice"
    made.get_ifd(GPS)[2] = (47.0, 48.0, 30.0)
    for tag, value in entries.items():
        made[{"orientation": ORIENTATION}[tag]] = value
    return made


def test_a_photo_becomes_a_jpeg_and_smaller_copies_in_two_formats() -> None:
    made = prepare(photo(4000, 3000))

    assert (made.original.mime_type, made.original.width, made.original.height) == ("image/jpeg", 2400, 1800)
    assert [(part.format, part.width, part.height) for part in made.variants] == [
        ("jpeg", 480, 360),
        ("webp", 480, 360),
        ("jpeg", 800, 600),
        ("webp", 800, 600),
        ("jpeg", 1200, 900),
        ("webp", 1200, 900),
    ]
    for part in (made.original, *made.variants):
        picture = opened(part.data)
        assert (picture.format.lower(), picture.size) == (part.format, (part.width, part.height))


def test_a_picture_is_never_made_larger() -> None:
    made = prepare(photo(800, 600))

    assert (made.original.width, made.original.height) == (800, 600)
    assert {part.width for part in made.variants} == {480}


def test_nothing_tells_where_and_with_what_it_was_taken() -> None:
    data = photo(1600, 1200, exif=exif(), comment=b"Alice lives here", xmp=b"<x:xmpmeta>GPS</x:xmpmeta>")
    assert opened(data).getexif().get_ifd(GPS)

    made = prepare(data)

    for part in (made.original, *made.variants):
        picture = opened(part.data)
        assert dict(picture.getexif()) == {}
        assert {"exif", "comment", "xmp", "icc_profile"} & set(picture.info) == set()
        assert not any(hidden in part.data for hidden in (b"Alice", b"GPS", b"Exif", b"http"))


def test_a_photo_that_was_taken_sideways_is_upright() -> None:
    made = prepare(photo(1600, 1200, exif=exif(orientation=TURNED_RIGHT)))

    assert (made.original.width, made.original.height) == (1200, 1600)
    # What the camera held to the left is at the top: the red corner is now on the right.
    red, green, _blue = opened(made.original.data).getpixel((1150, 50))
    assert (red > 200, green < 60) == (True, True)


def test_the_colours_of_a_camera_become_those_of_the_web() -> None:
    def shown(**options: Any) -> tuple[int, ...]:
        data = encoded(Image.new("RGB", (100, 100), "red"), "PNG", **options)
        return opened(prepare(data).original.data).getpixel((50, 50))

    red, blue = (254, 0, 0), (0, 0, 254)
    assert shown() == red
    assert shown(icc_profile=with_red_and_blue_swapped()) == blue
    assert shown(icc_profile=b"not a profile") == red


def with_red_and_blue_swapped() -> bytes:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    names = {b"rXYZ": b"bXYZ", b"bXYZ": b"rXYZ"}
    # The list of contents: 12 bytes each, beginning with the name.
    entries = [profile[at : at + 12] for at in range(132, 132 + 12 * profile[131], 12)]
    swapped = b"".join(names.get(entry[:4], entry[:4]) + entry[4:] for entry in entries)
    return profile[:132] + swapped + profile[132 + len(swapped) :]


def test_a_photo_of_an_iphone_becomes_a_jpeg() -> None:
    made = prepare(encoded(Image.new("RGB", (1600, 1200), "teal"), "HEIF", exif=exif().tobytes()))

    assert (made.original.mime_type, made.original.width, made.original.height) == ("image/jpeg", 1600, 1200)
    assert dict(opened(made.original.data).getexif()) == {}


def test_what_is_see_through_stays_so() -> None:
    logo = Image.new("RGBA", (900, 600), (0, 0, 0, 0))
    logo.paste((200, 30, 30, 255), (100, 100, 300, 300))
    made = prepare(encoded(logo, "PNG"))

    assert made.original.mime_type == "image/png"
    assert [part.format for part in made.variants] == ["png", "webp"] * 2
    for part in (made.original, *made.variants):
        assert opened(part.data).getpixel((5, 5))[3] == 0


def test_a_drawing_without_transparency_is_a_jpeg_whatever_its_palette() -> None:
    opaque = Image.new("RGBA", (900, 600), (10, 20, 30, 255))
    palette = Image.new("RGB", (900, 600), "white").quantize()

    assert prepare(encoded(opaque, "PNG")).original.mime_type == "image/jpeg"
    assert prepare(encoded(palette, "GIF")).original.mime_type == "image/jpeg"


def test_a_picture_of_many_bits_keeps_its_greys() -> None:
    made = prepare(encoded(Image.new("I;16", (50, 50), 0x8000), "PNG"))

    assert opened(made.original.data).getpixel((25, 25)) == (128, 128, 128)


def test_too_large_a_file_gets_less_quality_and_then_fewer_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "LONGEST_SIDES", (600, 450, 300))
    picture = Image.effect_noise((600, 600), 80).convert("RGB")
    full, least = (len(encoded(picture, "JPEG", quality=quality)) for quality in (85, 50))

    def made_of(picture: Image.Image, most: int) -> processing.Part:
        monkeypatch.setattr(images, "LARGEST_FILE", most)
        return prepare(encoded(picture, "PNG")).original

    assert made_of(picture, full).width == 600
    lesser, smaller = made_of(picture, full * 9 // 10), made_of(picture, least * 9 // 10)
    assert (lesser.width, least < len(lesser.data) <= full * 9 // 10) == (600, True)
    assert (smaller.width, len(smaller.data) <= least * 9 // 10) == (450, True)
    picture.putalpha(Image.effect_noise((600, 600), 80))
    photo_without_background = made_of(picture, full * 2)
    assert (photo_without_background.mime_type, photo_without_background.width) == ("image/webp", 450)
    with pytest.raises(TooManyPixels):
        made_of(picture, 1000)


# --- What is not taken ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "refusal"),
    [
        pytest.param(b"These are only words.", NeitherKind, id="text"),
        pytest.param(b"", NeitherKind, id="nothing"),
        pytest.param(b"<html><img src=x onerror=alert(1)>", NeitherKind, id="page"),
        pytest.param(SVG, SvgRefused, id="drawing"),
        pytest.param(b"\xef\xbb\xbf \n<SVG onload=alert(1)>", SvgRefused, id="drawing without declaration"),
        pytest.param(encoded(Image.new("RGB", (9, 9)), "BMP"), NeitherKind, id="format nobody needs"),
        pytest.param(photo()[:3000], BrokenPicture, id="half a JPEG"),
        pytest.param(encoded(Image.effect_noise((99, 99), 9), "PNG")[:-5000], BrokenPicture, id="half a PNG"),
        pytest.param(encoded(Image.new("RGB", (200, 200)), "HEIF")[:-50], BrokenPicture, id="half a HEIC"),
        pytest.param(encoded(Image.new("RGB", (200, 200)), "WEBP")[:-20], BrokenPicture, id="half a WebP"),
        pytest.param(animation()[:-60], BrokenPicture, id="half an animation"),
        pytest.param(png_that_claims(20_000, 20_000), TooManyPixels, id="400 million pixels"),
        pytest.param(png_that_claims(8_000, 7_000), TooManyPixels, id="56 million pixels"),
        pytest.param(png_that_claims(2**31 - 1, 2**31 - 1), TooManyPixels, id="far too many pixels"),
        pytest.param(
            encoded(Image.new("L", (5_000, 4_001)), "WEBP", method=0),
            TooManyPixels,
            id="a WebP",
        ),
    ],
)
def test_what_is_no_picture_is_refused_in_words(data: bytes, refusal: type[UploadRefused]) -> None:
    with pytest.raises(UploadRefused) as refused:
        prepare(data)

    assert type(refused.value) is refusal
    assert refused.value.status_code == 422


def test_a_pixel_flood_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageFile.ImageFile, "load", lambda picture: pytest.fail("decoded"))

    with pytest.raises(TooManyPixels):
        prepare(png_that_claims(8_000, 7_000))


def test_a_webp_may_have_fewer_pixels_than_other_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    square = Image.new("RGB", (100, 100))
    monkeypatch.setattr(images, "MOST_PIXELS_OF_WEBP", 9_999)

    with pytest.raises(TooManyPixels):
        prepare(encoded(square, "WEBP"))
    assert prepare(encoded(square, "PNG")).original.width == 100


def test_what_hides_in_or_behind_a_picture_does_not_survive() -> None:
    page = b"<html><script>alert(document.domain)</script></html>"
    for data in (
        photo(comment=page) + page,
        encoded(Image.new("RGB", (600, 400)), "PNG") + b"PK\x03\x04" + page,
        encoded(Image.new("RGB", (600, 400)), "WEBP", xmp=page),
        animation(comment=page) + page,
    ):
        assert b"script" in data
        made = prepare(data)
        served = b"".join(part.data for part in (made.original, *made.variants))
        assert (b"script" in served, b"PK\x03" in served) == (False, False)


def test_a_picture_is_refused_where_only_documents_are_wanted() -> None:
    with pytest.raises(OnlyDocuments):
        prepare(photo(), kinds=("document",))


@given(st.integers(0, 2000), st.binary(min_size=1, max_size=40), st.sampled_from(images.FORMATS))
def test_whatever_is_changed_in_a_file_it_is_a_picture_or_refused_in_words(
    place: int, garbage: bytes, format: str
) -> None:
    data = encoded(Image.linear_gradient("L").convert("RGB"), format)
    place %= len(data)
    with suppress(UploadRefused):
        made = prepare(data[:place] + garbage + data[place + len(garbage) :])
        assert opened(made.original.data).format in ("JPEG", "PNG", "WEBP", "GIF")


# --- Animations -------------------------------------------------------------------------------------------


def test_an_animation_is_kept_frame_by_frame_without_copies() -> None:
    data = animation(5, loop=0, comment=b"Alice lives here")
    made = prepare(data)

    before, after = opened(data), opened(made.original.data)
    assert (made.original.mime_type, made.variants) == ("image/gif", [])
    assert (after.n_frames, after.info["loop"], after.info["duration"]) == (5, 0, 50)
    for number in range(5):
        before.seek(number)
        after.seek(number)
        assert after.convert("RGB").tobytes() == before.convert("RGB").tobytes()
    assert b"Alice" not in made.original.data


def test_every_frame_is_decoded_also_the_last() -> None:
    data = gif.bare(animation(2))
    # The pixels of the last frame are one part, before an empty part and the end of the file.
    length = next(length for length in range(1, 256) if data[-3 - length] == length)
    broken = data[: -2 - length] + b"\xff" * length + data[-2:]

    with pytest.raises(BrokenPicture):
        prepare(broken)


@pytest.mark.parametrize("limit", ["MOST_FRAMES", "MOST_MOVING_PIXELS", "LARGEST_FILE"])
def test_an_animation_beyond_a_limit_is_refused(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    data = animation(4, (60, 40))
    exactly = {"MOST_FRAMES": 4, "MOST_MOVING_PIXELS": 4 * 60 * 40, "LARGEST_FILE": len(gif.bare(data))}[
        limit
    ]
    monkeypatch.setattr(images, limit, exactly)
    prepare(data)

    monkeypatch.setattr(images, limit, exactly - 1)
    with pytest.raises(AnimationTooLarge):
        prepare(data)


# --- Everybody in turn ------------------------------------------------------------------------------------


def test_when_all_places_are_taken_one_is_asked_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processing, "WAIT_SECONDS", 0.01)
    data = photo(10, 10)
    with processing._slot(), processing._slot(), pytest.raises(Busy) as busy:
        prepare(data)
    assert (busy.value.status_code, busy.value.headers) == (503, {"Retry-After": "5"})

    for _again in range(3):
        with pytest.raises(NeitherKind):
            prepare(b"A refusal gives its place back.")
    prepare(data)
