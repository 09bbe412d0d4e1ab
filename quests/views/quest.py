"""One quest: everything about it, and the steps that this person can take now."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, is_htmx, with_headers
from core.crud import toasts
from core.crud.http import page_or_partial
from core.crud.http import reading as reading_first
from core.dynamo import working_copies
from core.dynamo.errors import DataError, NotFound, Replayed, Unavailable
from core.dynamo.prefetch import Wanted
from core.stores import idempotency
from quests import flags, photos, reading, repository, rules, telling
from quests.forms import VerbForm
from quests.limits import limit
from quests.models import COMPLETE
from quests.reading import Story
from quests.services import lifecycle
from quests.verbs import TITLES, VERBS, Verb, form_for

TEMPLATE = "quests/quest.html"


@dataclass(frozen=True)
class Offered:
    """A step with its form."""

    name: str
    verb: Verb
    form: VerbForm
    address: str
    # Was just refused: it is shown opened, as it was typed.
    is_typed: bool = False


@dataclass(frozen=True)
class Refused:
    """A step that was not taken; without an error, its form says what to correct."""

    name: str
    form: VerbForm
    error: DataError | None = None

    @property
    def status(self) -> int:
        return self.error.status_code if self.error else 422


def _stored_quest(_request: HttpRequest, key: str) -> list[Wanted]:
    return working_copies.keys_of(repository.quests, key, have_copies=False)


@reading_first(_stored_quest)
@requires("quests.quest.view")
@require_safe
def quest(request: SignedInRequest, key: str) -> HttpResponse:
    """Three requests: the session with the quest, its steps, and the names."""
    return _page(request, reading.story(key))


@requires("quests.quest.view")
@require_safe
def changes(request: SignedInRequest, key: str) -> HttpResponse:
    """Asked every few seconds by an open page: nothing to say as long as it shows the newest version."""
    try:
        stored = repository.quests.get(key, strong=True, fields=("version",))
    except NotFound as gone:
        return render(request, f"{TEMPLATE}#gone", {"problem": gone})
    if str(stored.seen_version) == request.GET.get("seen"):
        return HttpResponse(status=204)
    return _page(request, reading.story(key))


@requires("quests.quest.view")
@require_safe
def photo(request: SignedInRequest, key: str, name: str) -> HttpResponse:
    """A photo of the work, for whoever may see the quest: nobody finds it without signing in."""
    data, mime_type = photos.read(repository.quests.get(key, fields=("photos",)), name)
    return HttpResponse(data, content_type=mime_type)


@requires("quests.quest.view")
@require_http_methods(["GET", "HEAD", "POST"])
def act(request: SignedInRequest, key: str, verb: str) -> HttpResponse:
    """Take a step: four requests, and for HTMX two more that show the quest as it is now."""
    if verb not in VERBS:
        raise NotFound
    if request.method != "POST":
        # Without JavaScript a refused step stands at its own address, which somebody may open again.
        return HttpResponseRedirect(reverse("quests:quest-record", args=[key]))
    form = form_for(verb, request.user, request.POST, request.FILES)
    done = None
    try:
        if not form.is_valid():
            # Whoever may not take the step is told that, not what to correct.
            lifecycle.allowed(request.user, key, verb, idempotency.once(request))
            form.focus_first_error()
            return _refusal(request, key, Refused(verb, form))
        limit(verb, request.user.sub)
        done = VERBS[verb].run(request.user, key, form.cleaned_data, idempotency.once(request))
    except Replayed:
        # Sent twice: it is done, and that is what is told.
        pass
    except (NotFound, Unavailable):
        raise
    except DataError as error:
        return _refusal(request, key, Refused(verb, form, error))
    toasts.add(request, VERBS[verb].done)
    if verb == "delete":
        return go(request, reverse("quests:mine"))
    if is_htmx(request):
        return _page(request, reading.story(key, done), takes_focus=True)
    return HttpResponseRedirect(reverse("quests:quest-record", args=[key]))


def _refusal(request: SignedInRequest, key: str, refused: Refused) -> HttpResponse:
    """Say why in place, over what was typed; whatever the code is, the quest is what is replaced."""
    response = _page(request, reading.story(key), refused)
    if refused.error:
        with_headers(response, refused.error.headers)
    if is_htmx(request):
        response["HX-Retarget"] = response["HX-Reselect"] = "#quest"
        response["HX-Reswap"] = "outerHTML"
    return response


def _page(
    request: SignedInRequest, story: Story, refused: Refused | None = None, *, takes_focus: bool = False
) -> HttpResponse:
    """After a step of one's own the button that was pressed is gone, so the heading takes the focus."""
    user, quest = request.user, story.quest
    possible = rules.possible(user, quest)
    offered = [_offered(request, story, name, refused) for name in VERBS if name in possible]
    context: dict[str, Any] = {
        "card": telling.card(quest, story.people),
        "quest": quest,
        "steps": telling.steps(story),
        "confirmations": telling.confirmations(story),
        "photos": photos.shown(quest),
        "earns_nothing": quest.status != COMPLETE and not flags.earns_rewards(quest.performer_id or user.sub),
        "points": rules.POINTS_FOR_COMPLETING,
        "most": settings.QUEST_MONTHLY_XP_BETWEEN_TWO,
        "offered": [each for each in offered if not each.verb.is_opened_first],
        "others": [each for each in offered if each.verb.is_opened_first],
        "may_edit": "edit" in possible,
        "reasons": telling.reasons(user, quest, TITLES),
        "refused": refused,
        "seen": lifecycle.sight(quest),
        "takes_focus": takes_focus,
        "lost": refused.form.typed() if refused and refused.name not in possible else [],
        "reads_dispute": rules.may_read_dispute(user, quest),
        "is_creator": quest.creator_id == user.sub,
        "is_performer": quest.performer_id == user.sub,
    }
    status = refused.status if refused else 200
    return page_or_partial(request, TEMPLATE, "quest", context, status=status)


def _offered(request: SignedInRequest, story: Story, name: str, refused: Refused | None) -> Offered:
    is_typed = refused is not None and refused.name == name
    fresh = form_for(name, request.user, quest=story.quest)
    form = refused.form if refused is not None and is_typed else fresh
    address = reverse("quests:act", args=[story.quest.id, name])
    return Offered(name, VERBS[name], form, address, is_typed=is_typed)
