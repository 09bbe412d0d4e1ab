"""Ask before what is not easily taken back: in a dialog over the page, or on a page of its own."""

from collections.abc import Callable

from django.http import HttpResponse

from core.accounts.rights import SignedInRequest
from core.common.http import go, small_number
from core.crud import toasts
from core.crud.confirm_page import Question as Question
from core.crud.http import page_or_partial
from core.crud.toasts import Undo
from core.dynamo.errors import Conflict, Replayed, Text
from core.dynamo.idempotency import IdempotencyKey
from core.stores import idempotency


def confirmed(
    request: SignedInRequest,
    question: Callable[[], Question],
    change: Callable[[int, IdempotencyKey | None], object],
    *,
    done: Text,
    then: str,
    undo: Undo | None = None,
) -> HttpResponse:
    """Ask; once it is confirmed, do it once and go on. `question` refuses those who may not."""
    if request.method != "POST":
        return _page(request, question())
    try:
        change(small_number(request.POST.get("version", "")), idempotency.once(request))
    except Replayed:
        pass
    except Conflict as error:
        return _page(request, question(), problem=error)
    toasts.add(request, done, undo=undo)
    return go(request, then)


def _page(request: SignedInRequest, question: Question, *, problem: Conflict | None = None) -> HttpResponse:
    context = {"question": question, "problem": problem, "address": request.path}
    status = problem.status_code if problem else 200
    return page_or_partial(request, "core/crud/confirm.html", "dialog", context, status=status)
