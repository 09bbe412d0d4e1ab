"""Decode, rotate, resize and re-encode pictures, so that no metadata and no hidden content survives."""

from collections.abc import Iterator
from io import BytesIO

import pi_heif
from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageCms, ImageOps, ImageSequence, UnidentifiedImageError

from core.common.logs import events
from core.media import gif
from core.media.errors import NotAPicture, UploadRefused
from core.media.processing import Part, Prepared

# The formats that are accepted; Pillow's other decoders are not used.
FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "HEIF")
MOST_PIXELS = 50_000_000
# The decoder of WebP holds several copies of the picture.
MOST_PIXELS_OF_WEBP = 20_000_000
LONGEST_SIDES = (2400, 1800, 1200)
WIDTHS = (480, 800, 1200)
LARGEST_FILE = 5 * 1024 * 1024
QUALITY = 85
QUALITIES = range(QUALITY, 45, -5)
# Limits of an animation: its frames, and the pixels of all frames together.
MOST_FRAMES = 500
MOST_MOVING_PIXELS = 200_000_000

# The modes in which Pillow can interpolate pixels, which resizing needs.
RESIZABLE = ("RGB", "RGBA", "CMYK", "L")
EXTENSIONS = {"JPEG": "jpg", "PNG": "png", "WEBP": "webp", "GIF": "gif"}

pi_heif.register_heif_opener()
Image.MAX_IMAGE_PIXELS = MOST_PIXELS
# Pillow warns above its limit of pixels and raises above twice the limit.
TOO_LARGE = (Image.DecompressionBombError, Image.DecompressionBombWarning)


class BrokenPicture(UploadRefused):
    message = _("This picture is damaged or incomplete. Choose another copy.")


class TooManyPixels(UploadRefused):
    message = _("This picture has too many pixels. Make it smaller and upload it again.")


class AnimationTooLarge(UploadRefused):
    message = _("This animation is too large: at most 5 MB and 500 frames. Make it shorter or smaller.")


def prepare(data: bytes) -> Prepared:
    """The re-encoded picture and its variants; raises UploadRefused."""
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as opened:
            _refuse_pixel_flood(opened)
            if opened.format == "GIF" and getattr(opened, "is_animated", False):
                return Prepared(_animation(opened, data), [])
            upright = _decoded(opened)
    except UploadRefused:
        raise
    except TOO_LARGE as error:
        raise TooManyPixels from error
    except UnidentifiedImageError as error:
        raise NotAPicture from error
    # Decoders raise any exception for hostile bytes.
    except Exception as error:
        events.info("picture_refused", reason=type(error).__name__)
        raise BrokenPicture from error
    return Prepared(_original(upright), list(_variants(upright)))


def _refuse_pixel_flood(picture: Image.Image) -> None:
    """Check the declared size before decoding, against decompression bombs."""
    most = MOST_PIXELS_OF_WEBP if picture.format == "WEBP" else MOST_PIXELS
    if picture.width * picture.height > most:
        raise TooManyPixels


def _decoded(picture: Image.Image) -> Image.Image:
    """The pixels, upright and in sRGB, without metadata such as location or camera."""
    longest = LONGEST_SIDES[0]
    # A JPEG can be decoded at half or a quarter of its size, which saves most of the memory.
    picture.draft(None, (longest, longest))
    picture.load()
    mode = "RGBA" if picture.has_transparency_data else "RGB"
    profile = picture.info.get("icc_profile")
    # In place, because a copy of a large picture before resizing would need too much memory.
    ImageOps.exif_transpose(picture, in_place=True)
    smaller = _within(_resizable(picture, mode), longest)
    plain = _in_web_colours(smaller, profile, mode)
    bare = Image.new(mode, plain.size)
    bare.paste(plain)
    return bare if mode == "RGB" or _is_see_through(bare) else bare.convert("RGB")


def _resizable(picture: Image.Image, mode: str) -> Image.Image:
    if picture.mode.startswith("I"):
        # Pillow would clip 16-bit greys to 255 instead of scaling them.
        return picture.convert("I").point(lambda value: value / 256).convert("L")
    return picture if picture.mode in RESIZABLE else picture.convert(mode)


def _in_web_colours(picture: Image.Image, profile: bytes | None, mode: str) -> Image.Image:
    """Convert from the embedded profile to sRGB: phones store wider colours than screens expect."""
    if profile:
        try:
            source = ImageCms.ImageCmsProfile(BytesIO(profile))
            target = ImageCms.createProfile("sRGB")
            converted = ImageCms.profileToProfile(picture, source, target, outputMode=mode)
            if converted is not None:
                return converted
        except (ImageCms.PyCMSError, OSError, ValueError):
            # A profile that is invalid or does not match the mode is ignored.
            pass
    return picture.convert(mode)


def _is_see_through(picture: Image.Image) -> bool:
    return picture.getchannel("A").getextrema() != (255, 255)


def _original(picture: Image.Image) -> Part:
    """The first encoding that is at most LARGEST_FILE bytes."""
    forms = _see_through_forms(picture) if picture.mode == "RGBA" else _opaque_forms(picture)
    fitting = next((form for form in forms if len(form.data) <= LARGEST_FILE), None)
    if fitting is None:
        raise TooManyPixels
    return fitting


def _opaque_forms(picture: Image.Image) -> Iterator[Part]:
    """Encodings in decreasing quality, then decreasing size."""
    for side in LONGEST_SIDES:
        smaller = _within(picture, side)
        yield from (_encode(smaller, "JPEG", quality) for quality in QUALITIES)


def _see_through_forms(picture: Image.Image) -> Iterator[Part]:
    """PNG, then lossy WebP in decreasing size, for photos with transparency."""
    yield _encode(picture, "PNG")
    yield from (_encode(_within(picture, side), "WEBP") for side in LONGEST_SIDES)


def _variants(picture: Image.Image) -> Iterator[Part]:
    """Copies in the WIDTHS that are smaller than the picture, for `srcset`."""
    for width in WIDTHS:
        if width < picture.width:
            height = max(1, round(picture.height * width / picture.width))
            smaller = picture.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)
            yield _encode(smaller, "PNG" if picture.mode == "RGBA" else "JPEG")
            yield _encode(smaller, "WEBP")


def _within(picture: Image.Image, longest: int) -> Image.Image:
    if max(picture.size) <= longest:
        return picture
    factor = longest / max(picture.size)
    size = max(1, round(picture.width * factor)), max(1, round(picture.height * factor))
    return picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)


def _encode(picture: Image.Image, format: str, quality: int = QUALITY) -> Part:
    file = BytesIO()
    match format:
        case "JPEG":
            picture.save(file, format, quality=quality, progressive=True, optimize=True)
        case "WEBP":
            picture.save(file, format, quality=quality)
        case _:
            picture.save(file, format)
    return _part(file.getvalue(), format, picture)


def _animation(picture: Image.Image, data: bytes) -> Part:
    """The animation with its original frames, each of which was decoded to validate it."""
    pixels = 0
    for number, frame in enumerate(ImageSequence.Iterator(picture), start=1):
        frame.load()
        pixels += frame.width * frame.height
        if number > MOST_FRAMES or pixels > MOST_MOVING_PIXELS:
            raise AnimationTooLarge
    bare = gif.bare(data)
    if len(bare) > LARGEST_FILE:
        raise AnimationTooLarge
    return _part(bare, "GIF", picture)


def _part(data: bytes, format: str, picture: Image.Image) -> Part:
    return Part(data, EXTENSIONS[format], f"image/{format.lower()}", *picture.size)
