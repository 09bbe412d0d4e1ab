"""A page with a form: what every form of this application does, so that a screen only declares its own part.

CONTRIBUTING has an example, "A form of its own". A lost session is answered before the page is called
(`core/accounts/resend.py`).
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.views import View

from core.accounts.rights import SignedInRequest
from core.common.http import go, small_number, with_headers
from core.crud import toasts
from core.crud.conflicts import contested_fields
from core.crud.forms import RefusableForm
from core.crud.http import page_or_partial
from core.crud.templatetags.seen import FIELD as SEEN_VERSION
from core.crud.toasts import Undo
from core.dynamo.errors import AlreadyExists, Conflict, DataError, Invalid, NotFound, Replayed, Text
from core.dynamo.idempotency import IdempotencyKey
from core.stores import idempotency

F = TypeVar("F", bound=RefusableForm)


class FormPage(View, Generic[F]):
    """Shows a form, saves what was typed, and answers; nothing typed is lost, whatever is wrong with it."""

    http_method_names = ["get", "head", "post"]

    # --- What a screen declares ---

    form_class: type[F]
    template: str
    # The part of the template that HTMX asks for; without one it gets the whole page.
    partial: ClassVar[str] = ""
    takes_files: ClassVar[bool] = False
    success_message: Text = ""
    # Whether a newer version is shown with what was typed; else only the reason of the refusal.
    compares: ClassVar[bool] = True
    # Whether what is invalid, but at no field, is 422 as well: HTMX swaps in 409 and 422, and no 400.
    swaps_invalid: ClassVar[bool] = False

    def load(self) -> None:
        """First of all, also before a save: read what `save` needs, and refuse those who may not."""

    def check(self) -> None:
        """Before the form is shown or is to be corrected, not before a save, where the service asks:
        whoever may not do this is told that, and not what to correct."""

    def get_object(self) -> Any:
        """The record that is edited, as it is stored now. None where a new one is made."""
        return None

    def initial(self) -> Mapping[str, Any]:
        """What the form begins with, and what is compared with what was typed when somebody else saved."""
        return {}

    def form_kwargs(self) -> Mapping[str, Any]:
        """What the form needs besides what was typed, such as choices."""
        return {}

    def save(self) -> None:
        """Call the service with `self.form`, `self.once` and `self.seen_version`."""
        raise NotImplementedError

    def context(self) -> Mapping[str, Any]:
        """What the template needs besides `form`, `contested` and `problem`."""
        return {}

    def message(self) -> Text:
        return self.success_message

    def undo(self) -> Undo | None:
        """What the toast offers to take it back."""
        return None

    def success_url(self) -> str:
        raise NotImplementedError

    # --- What it can ask ---

    request: SignedInRequest
    form: F
    # Whether the same was sent and done before, and only its answer was lost.
    is_replay = False
    # Why nothing was saved.
    problem: DataError | None = None
    # The fields that are stored otherwise than they were typed.
    contested: Any = None

    def __init__(self, **declared: Any) -> None:
        super().__init__(**declared)
        # What `success_url` must know also of a replay, such as the key of the new record; set by `load`.
        self.answer: Mapping[str, Any] = {}

    @cached_property
    def object(self) -> Any:
        return self.get_object()

    @property
    def once(self) -> IdempotencyKey | None:
        """Makes the transaction of the service apply once."""
        return idempotency.once(self.request, answer=self.answer)

    @property
    def seen_version(self) -> int:
        """The version of the record that the form was made from: see `{% seen_field record %}`."""
        return small_number(self.request.POST.get(SEEN_VERSION, ""))

    # --- The way of a request; a screen that is unlike the others overrides one of these ---

    @classmethod
    def as_view(cls, **declared: Any) -> Callable[..., HttpResponseBase]:
        view = super().as_view(**declared)
        # The guards ask the function. A right is not inherited: each screen declares its own.
        for name in ("rights", "reads"):
            if name in vars(cls):
                setattr(view, name, getattr(cls, name))
        return view

    def get(self, _request: SignedInRequest, **_parts: Any) -> HttpResponseBase:
        self.load()
        self.check()
        self.form = self.blank_form()
        return self.show()

    def post(self, _request: SignedInRequest, **_parts: Any) -> HttpResponseBase:
        self.load()
        return self.process()

    def process(self) -> HttpResponse:
        """Validate, save and answer; a page may call it again after a conflict that needs no answer."""
        self.form = self.bound_form()
        try:
            if not self.form.is_valid():
                return self.correct()
            self.save()
        except Replayed as earlier:
            self.is_replay, self.answer = True, earlier.answer
        except DataError as error:
            if not self.shows_error(error):
                raise
            return self.refuse(error)
        return self.done()

    def blank_form(self) -> F:
        return self.form_class(initial=dict(self.initial()), **self.form_kwargs())

    def bound_form(self) -> F:
        files = (self.request.FILES,) if self.takes_files else ()
        return self.form_class(self.request.POST, *files, **self.form_kwargs())

    def correct(self) -> HttpResponse:
        """A field is wrong: 422. A button that only helps to fill in the form is no mistake."""
        self.check()
        if self.form.wants_help():
            return self.show()
        self.form.focus_first_error()
        return self.show(422)

    def shows_error(self, error: DataError) -> bool:
        """Whether the form says it; what is not there, and what cannot be reached, has a page of its own."""
        is_gone = isinstance(error, NotFound) and error.field not in self.form.fields
        return error.status_code < 500 and not is_gone

    def refuse(self, error: DataError) -> HttpResponse:
        """The service did not save it: the form says why, or shows both versions."""
        self.problem, status = error, error.status_code
        is_outdated = error.field is None and isinstance(error, Conflict | AlreadyExists)
        if self.compares and is_outdated and self._reloaded():
            # The person sees the newer version: pressing Save again means their own.
            self.contested = self.compare()
        else:
            status = self.form.add_refusal(error)
        return self.show_error(error, status)

    def show_error(self, error: DataError, status: int = 0) -> HttpResponse:
        """The page with `problem`, with the status and the headers of the error."""
        self.problem, status = error, status or error.status_code
        if self.swaps_invalid and status == Invalid.status_code:
            status = Invalid.status_code_at_field
        return with_headers(self.show(status), error.headers)

    def compare(self) -> Any:
        """What was typed beside what is stored now, for `core/crud/contested.html`."""
        return contested_fields(self.form, self.initial())

    def show(self, status: int = 200) -> HttpResponse:
        own = {"form": self.form, "contested": self.contested, "problem": self.problem}
        context = own | dict(self.context())
        return page_or_partial(self.request, self.template, self.partial, context, status=status)

    def done(self) -> HttpResponse:
        toasts.add(self.request, self.message(), undo=self.undo())
        return go(self.request, self.success_url())

    def _reloaded(self) -> bool:
        self.object = self.get_object()
        return self.object is not None


class ActionPage(FormPage[RefusableForm]):
    """A button that does something at once, with no page of its own: what is refused is an error page, or a
    toast on the page that it leads to."""

    http_method_names = ["post"]
    form_class = RefusableForm
    # The errors that are a toast.
    toast_errors: ClassVar[tuple[type[DataError], ...]] = ()

    def refused_url(self, _error: DataError) -> str:
        """Where a refusal leads."""
        return self.success_url()

    def shows_error(self, error: DataError) -> bool:
        return isinstance(error, self.toast_errors)

    def refuse(self, error: DataError) -> HttpResponse:
        toasts.add(self.request, error.message, level=messages.ERROR)
        return go(self.request, self.refused_url(error))
