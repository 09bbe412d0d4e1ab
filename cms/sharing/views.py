"""The text to share an article with."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cms.news.resource import news
from cms.sharing.services import LONGEST, mark_shared, share_text
from core.accounts.rights import requires
from core.crud import edit_session
from core.crud.form_page import FormPage
from core.crud.forms import RefusableForm
from core.dynamo.errors import NotFound


class SharedForm(RefusableForm):
    is_shared = forms.BooleanField(required=False)


@requires("cms.news.view", "cms.news.update")
class Share(FormPage[SharedForm]):
    form_class = SharedForm
    template = "cms/sharing/page.html"
    success_message = _("Saved.")

    def load(self) -> None:
        self.opened = edit_session.open_record(self.request.user, news, self.kwargs["key"])
        if self.opened.record is None:
            raise NotFound
        news.ensure(self.request.user, "update", self.opened.record)

    def initial(self) -> Mapping[str, Any]:
        return {"is_shared": self.opened.record.shared_to_mastodon}

    def save(self) -> None:
        mark_shared(self.request.user, news, self.opened, **self.form.cleaned_data)

    def context(self) -> Mapping[str, Any]:
        address = news.public_address(self.opened.record)
        whole_address = self.request.build_absolute_uri(address)
        return {
            "resource": news,
            "opened": self.opened,
            "record_address": news.record_address(self.kwargs["key"]),
            "text": share_text(self.opened.record, whole_address) if address else "",
            "longest": LONGEST,
        }

    def success_url(self) -> str:
        return self.request.path
