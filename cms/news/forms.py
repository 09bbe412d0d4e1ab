"""Forms of an article."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cms.base.fields import SlugField
from cms.media.fields import MediaField, PicturedTextField
from core.content import slugs
from core.content.richtext import excerpt
from core.crud.fields import ClubDateTimeField, PickerField, TagsField
from core.crud.forms import RecordForm, RefusableForm


class NewsForm(RecordForm):
    """The fields for slug and summary are empty while these are made from title and text, so that they
    follow changes of both; the made values are placeholders."""

    draft_needs = ("title",)
    aside = ("publish_at", "author_ids", "tags", "slug")

    title = forms.CharField(label=_("Title"), max_length=200)
    content = PicturedTextField(label=_("Content"), folder="news")
    image_ids = MediaField(
        label=_("Pictures"),
        many=True,
        required=False,
        folder="news",
        help_text=_("The first one is the cover."),
    )
    excerpt = forms.CharField(
        label=_("Summary"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Shown in lists. Left empty, it is the beginning of the text."),
    )
    publish_at = ClubDateTimeField(
        label=_("Publication date"),
        required=False,
        help_text=_("Left empty, it is the moment when you publish. Readers wait for a later one."),
    )
    author_ids = PickerField(
        label=_("Authors"), to="person", many=True, required=False, help_text=_("Left empty, it is you.")
    )
    tags = TagsField(label=_("Tags"), required=False)
    slug = SlugField(
        help_text=_(
            "Left empty, it is made from the title. Once published it stays, and earlier ones lead to it."
        )
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("slug", "excerpt"):
            if self.get_initial_for_field(self.fields[name], name) == "":
                self.fields[name].widget.attrs["placeholder"] = self.initial.get(name) or ""

    def get_initial_for_field(self, field: forms.Field, field_name: str) -> Any:
        value = super().get_initial_for_field(field, field_name)
        if field_name == "slug" and slugs.is_made_from(self.initial.get("title") or "", value or ""):
            return ""
        if field_name == "excerpt" and value == excerpt(self.initial.get("content")):
            return ""
        return value


class SharedForm(RefusableForm):
    is_shared = forms.BooleanField(required=False)
