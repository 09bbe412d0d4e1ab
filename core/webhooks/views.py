"""The screens of webhooks: the list with a form for a new one, and each with its log."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables

from core.accounts.rights import requires
from core.crud.confirm_page import ConfirmPage, Question
from core.crud.form_page import ActionPage, FormPage
from core.crud.forms import RefusableForm
from core.dynamo.errors import Conflict, DataError, NotFound, TooManyRequests
from core.dynamo.paging import read_token
from core.webhooks import presenters, repository, services
from core.webhooks.forms import WebhookForm
from core.webhooks.models import Webhook
from core.webhooks.services import RIGHT, Made

VIEW = "webhooks.webhook.view"


@requires(RIGHT)
class Webhooks(FormPage[WebhookForm]):
    """The page answers a new webhook in place: no other page may ever show its secret."""

    form_class = WebhookForm
    template = "core/webhooks/list.html"
    made: Made | None = None

    @sensitive_variables()
    def save(self) -> None:
        self.made = services.create(self.request.user, self.form.cleaned_data, once=self.once)

    def context(self) -> Mapping[str, Any]:
        return {
            "webhooks": [presenters.summary_of(each) for each in repository.every_webhook()],
            "made": self.made,
            "was_made_before": self.is_replay,
        }

    def done(self) -> HttpResponse:
        self.form = self.blank_form()
        return self.show()


@requires(RIGHT)
class WebhookPage(FormPage[WebhookForm]):
    form_class = WebhookForm
    template = "core/webhooks/webhook.html"
    partial = "more"
    success_message = _("Saved.")

    def load(self) -> None:
        """Whoever types a wrong address is told so, and not of what is gone."""
        self.object  # noqa: B018 - a 404 comes first

    def get_object(self) -> Webhook:
        return repository.webhook(self.kwargs["key"])

    def initial(self) -> Mapping[str, Any]:
        return {"label": self.object.label, "address": self.object.address, "kinds": self.object.kinds}

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"stored": self.object.kinds}

    def save(self) -> None:
        values, seen = self.form.cleaned_data, self.seen_version
        services.edit(self.request.user, self.kwargs["key"], values, seen_version=seen, once=self.once)

    def context(self) -> Mapping[str, Any]:
        bound_to = (self.request.user.sub, "webhooks:webhook", self.object.id)
        start = read_token(self.request.GET.get("after"), *bound_to)
        page = repository.delivered(self.object.id, start=start)
        return {
            **presenters.summary_of(self.object),
            "deliveries": presenters.delivery_rows(page.items),
            "next_token": page.next_token(*bound_to),
            "is_first_page": start is None,
        }

    def success_url(self) -> str:
        return _page_of(self.kwargs["key"])


class WebhookAction(ActionPage):
    """A button on the page of a webhook."""

    toast_errors: ClassVar[tuple[type[DataError], ...]] = (Conflict, TooManyRequests)

    def success_url(self) -> str:
        return _page_of(self.kwargs["key"])


@requires(RIGHT)
class Pause(WebhookAction):
    success_message = _("Webhook paused. Nothing is sent until you resume it.")

    def save(self) -> None:
        services.pause(self.request.user, self.kwargs["key"])


@requires(RIGHT)
class Resume(WebhookAction):
    success_message = _("Webhook resumed.")

    def save(self) -> None:
        services.resume(self.request.user, self.kwargs["key"])


@requires(RIGHT)
class SendTest(WebhookAction):
    success_message = _("Test sent. Reload the page to see the result.")

    def save(self) -> None:
        services.send_test(self.request.user, self.kwargs["key"])


@requires(RIGHT)
class SendAgain(WebhookAction):
    success_message = _("Sent again.")
    toast_errors = (Conflict, NotFound, TooManyRequests)

    def save(self) -> None:
        services.send_again(self.request.user, self.kwargs["key"], self.request.POST.get("delivery", ""))


@requires(RIGHT)
class Delete(ConfirmPage):
    title = _("Delete this webhook?")
    text = _("Nothing more is sent there, and its log is deleted.")
    button = _("Delete")
    is_dangerous = True
    success_message = _("Webhook deleted.")

    def question(self) -> Question:
        webhook = repository.webhook(self.kwargs["key"])
        back = {"back_title": webhook.label, "trail": [(_("Webhooks"), reverse("webhooks:list"))]}
        return self.declared_question(subject=webhook.label, detail=webhook.address, **back)

    def save(self) -> None:
        services.delete(self.request.user, self.kwargs["key"])

    def success_url(self) -> str:
        return reverse("webhooks:list")


@requires(RIGHT)
class ChangeSecret(FormPage[RefusableForm]):
    """Asks first, then shows the new secret in place, once."""

    form_class = RefusableForm
    template = "core/webhooks/secret.html"
    compares = False
    made: Made | None = None

    def get_object(self) -> Webhook:
        return repository.webhook(self.kwargs["key"])

    @sensitive_variables()
    def save(self) -> None:
        self.made = services.change_secret(self.request.user, self.kwargs["key"], once=self.once)

    def context(self) -> Mapping[str, Any]:
        return {"webhook": self.object, "made": self.made, "was_made_before": self.is_replay}

    def done(self) -> HttpResponse:
        return self.show()


def _page_of(key: str) -> str:
    return reverse("webhooks:webhook", args=[key])
