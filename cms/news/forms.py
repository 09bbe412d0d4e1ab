"""Forms of an article."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cms.base.fields import SlugField
from cms.base.forms import SluggedForm
from cms.media.fields import MediaField, PicturedTextField
from core.content.richtext import excerpt
from core.crud.fields import ClubDateTimeField, PickerField, TagsField
from core.crud.forms import RefusableForm


class NewsForm(SluggedForm):
    """The summary is empty as well while it is made from the text."""

    draft_needs = ("title",)
    aside = ("publish_at", "author_ids", "tags", "slug")
    made_fields = ("slug", "excerpt")

    title = forms.CharField(label=_("Title"), max_length=200)
    content = PicturedTextField(label=_("Content"), folder="news")
    image_ids = MediaField(
        label=_("Pictures"),
        many=True,
        required=False,
        folder="news",
        help_text=_("The first picture is the cover."),
    )
    excerpt = forms.CharField(
        label=_("Summary"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Shown in lists. Leave empty to use the beginning of the text."),
    )
    publish_at = ClubDateTimeField(
        label=_("Publication date"),
        required=False,
        help_text=_("Leave empty to publish now, or pick a future time to schedule."),
    )
    author_ids = PickerField(
        label=_("Authors"),
        to="person",
        many=True,
        required=False,
        help_text=_("Leave empty to use your name."),
    )
    tags = TagsField(label=_("Tags"), required=False)
    slug = SlugField()

    def get_initial_for_field(self, field: forms.Field, field_name: str) -> Any:
        value = super().get_initial_for_field(field, field_name)
        is_made = field_name == "excerpt" and value == excerpt(self.initial.get("content"))
        return "" if is_made else value


class SharedForm(RefusableForm):
    is_shared = forms.BooleanField(required=False)
