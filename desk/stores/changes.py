"""Changes of the stores by administrators, each confirmed first."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import requires
from core.common.http import go
from core.crud import toasts
from core.crud.confirm_page import ConfirmPage, Question
from core.stores.idempotency import idempotent
from desk.stores import inspection, services
from desk.stores.services import UPDATE, ChangedStore
from desk.stores.views import in_memory


@method_decorator(idempotent, name="dispatch")
class Change(ConfirmPage):
    """The question before a change of the stores, and the change."""

    screen: ClassVar[str]
    # The parts of the address that name what is changed.
    words: ClassVar[tuple[str, ...]] = ()
    change: ClassVar[Callable[..., ChangedStore]]

    def subject(self) -> str:
        """What is changed, for the question."""
        return ""

    def setup(self, request: HttpRequest, *args: Any, **parts: Any) -> None:
        super().setup(request, *args, **parts)
        # Checked first, so that without the right not even the idempotency key is written.
        services.ensure_may_change(self.request.user)
        self.named: list[str] = [parts.get(word) or request.GET.get(word, "") for word in self.words]

    def dispatch(self, request: HttpRequest, *args: Any, **parts: Any) -> HttpResponseBase:
        # Limits can also be reset in memory; all other changes need the table.
        if settings.STORES == "memory" and self.screen != "limits":
            return in_memory(self.request)
        return super().dispatch(request, *args, **parts)

    def save(self) -> None:
        self.saved = self.change(self.request.user, *self.named)

    def question(self) -> Question:
        return self.declared_question(subject=self.subject(), back_title=_("Cache and limits"))

    def done(self) -> HttpResponse:
        level = messages.SUCCESS if self.saved.is_recorded else messages.WARNING
        toasts.add(self.request, self.saved.text, level=level)
        return go(self.request, self.success_url())

    def success_url(self) -> str:
        return reverse(f"stores:{self.screen}")


@requires(UPDATE)
class DeleteValue(Change):
    screen = "cache"
    words = ("key",)
    title = _("Remove this value?")
    text = _("It is computed again when it is needed. Nothing anyone wrote is lost.")
    button = _("Remove")
    change = staticmethod(services.delete_value)
    is_dangerous = True

    def subject(self) -> str:
        return inspection.value(self.named[0]).hash


@requires(UPDATE)
class ClearCache(Change):
    screen = "cache"
    title = _("Clear the whole cache?")
    text = _(
        "Pages compute cached values again, so the site is slower for a moment and asks other "
        "services again. Nothing anyone wrote is lost, and nobody is signed out."
    )
    button = _("Clear the cache")
    change = staticmethod(services.clear_cache)
    is_dangerous = True


@requires(UPDATE)
class ReleaseJob(Change):
    screen = "dedupe"
    words = ("key", "job")
    title = _("Release this job?")
    text = _(
        "Everyone waiting for it gets an error, and the job can start again. Only do this if the job "
        "hangs. Otherwise it may run twice."
    )
    button = _("Release")
    change = staticmethod(services.release_job)
    is_dangerous = True

    def subject(self) -> str:
        return self.named[0]


@requires(UPDATE)
class ResetLimit(Change):
    screen = "limits"
    words = ("limit", "key")
    title = _("Reset this limit?")
    text = _("The limit starts again from zero. Other server processes may refuse requests a little longer.")
    button = _("Reset")
    change = staticmethod(services.reset_limit)

    def subject(self) -> str:
        limit, key = self.named
        return f"{services.limiter_of(limit).about}: {key}"


@requires(UPDATE)
class Recalculate(Change):
    screen = "adaptive"
    words = ("name",)
    title = _("Recalculate the shares?")
    text = _("The shares of people and background jobs are recalculated now instead of within 30 seconds.")
    button = _("Recalculate")
    change = staticmethod(services.recalculate)

    def subject(self) -> str:
        return services.client_of(self.named[0]).name


@requires(UPDATE)
class ResetClient(Change):
    screen = "adaptive"
    words = ("name",)
    title = _("Reset this limit?")
    text = _(
        "Our count starts again from zero. The other service keeps its own count and may still "
        "refuse requests."
    )
    button = _("Reset")
    change = staticmethod(services.reset_client)
    is_dangerous = True

    def subject(self) -> str:
        return services.client_of(self.named[0]).name
