"""Form fields that refer to files of the media library."""

from typing import Any

from core.crud.fields import PickerField
from core.crud.fields.picker import PickerWidget
from core.crud.fields.richtext import RichTextField, RichTextWidget
from core.crud.registry import resource_for
from core.media.files import FOLDERS
from core.media.processing import DOCUMENT, IMAGE, KINDS

# Only what the browser's file dialog offers; the server determines the type from the content.
ACCEPTED = {IMAGE: "image/*,.heic,.heif", DOCUMENT: "application/pdf"}


def accepted(kinds: tuple[str, ...] = KINDS) -> str:
    """The value of `accept` of a file input."""
    return ",".join(ACCEPTED[kind] for kind in kinds)


def library_address() -> str:
    """Address of the dialog in which files are chosen."""
    return resource_for("media").address("choose")


class MediaWidget(PickerWidget):
    """Thumbnails of the chosen files in order, a dialog to choose from the library, and uploads."""

    template_name = "cms/media/field.html"
    use_fieldset = True
    kinds: tuple[str, ...] = (IMAGE,)
    folder = FOLDERS[0]

    def id_for_label(self, id_: str) -> str:
        return ""

    def frame(self, name: str, value: object, attrs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        by, fill = super().frame(name, value, attrs)
        by |= {
            "may_search": self.state.may_search,
            "autofocus": bool(attrs.get("autofocus")),
            "library": library_address(),
            "kinds": self.kinds,
            "only_kind": self.kinds[0] if len(self.kinds) == 1 else "",
            "folder": self.folder,
            "accept": accepted(self.kinds),
        }
        return by, fill


class MediaField(PickerField):
    """Cleans to the id of a file, or with `many` to a list of ids: see `PickerField`.

    `folder` is the folder of the bucket for uploads from this field.
    """

    widget: MediaWidget = MediaWidget  # type: ignore[assignment]

    def __init__(
        self,
        *,
        many: bool = False,
        kinds: tuple[str, ...] = (IMAGE,),
        folder: str = FOLDERS[0],
        **kwargs: Any,
    ) -> None:
        super().__init__(to="media", many=many, **kwargs)
        self.widget.kinds, self.widget.folder = kinds, folder


class PicturedTextWidget(RichTextWidget):
    template_name = "cms/media/text.html"
    folder = FOLDERS[0]

    def frame(self, name: str, value: object, attrs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        by, fill = super().frame(name, value, attrs)
        library = library_address() if self.state.may_search else ""
        return by | {"folder": self.folder}, fill | {"media_library": library}


class PicturedTextField(RichTextField):
    """Rich text with pictures of the library; pasted or dropped pictures are uploaded to `folder`."""

    widget: PicturedTextWidget = PicturedTextWidget  # type: ignore[assignment]
    to = "media"

    def __init__(self, *, folder: str = FOLDERS[0], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.widget.folder = folder
