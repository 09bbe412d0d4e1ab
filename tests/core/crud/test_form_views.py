"""Every form view of the URLconf answers a mistake, a refusal, a replay and a lost session alike.

Each page is asked with its own way of answering, and with a form, a record and a service of the test. What a
page shows of its own records is tested beside it.
"""

import re
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace

import pytest
from django import forms
from django.conf import settings as configured
from django.test import Client, RequestFactory
from django.urls import URLResolver, get_resolver, path

from config.urls import urlpatterns as own_urls
from core.common.lazy_views import LazyView
from core.crud.form_page import ActionPage, FormPage
from core.crud.forms import RefusableForm
from core.dynamo.errors import AlreadyExists, Conflict, Invalid, KeyReused, Replayed, TooManyRequests
from tests.cast import sign_in

HTMX = {"HX-Request": "true"}
TEMPLATE = """<html><body>{% partialdef part inline %}<form>
{% if contested is not None %}<p id="contested">{{ contested }}</p>{% endif %}
{{ form.non_field_errors }}{{ form.name.as_field_group }}{{ form.number.as_field_group }}
</form>{% endpartialdef %}</body></html>"""
TYPED = {"name": "what was typed", "number": "3"}
# What `load` would have read, for those whose answers ask for it.
LOADED = {"core.people.views.ChangeGroups": {"account": SimpleNamespace(sub="someone", groups=())}}
# Whoever changes groups is shown those that are stored now: tests/core/people/test_groups.py.
SHOWS_ANEW = {"core.people.views.ChangeGroups"}
# Every answer shows the quest as it is now, with its other actions: tests/quests/test_quest_steps.py.
HAS_OWN_ANSWERS = {
    "quests.views.quest_page.TakeAction",
    # Every answer of the board has the order that was sent: tests/scouting/selection/test_selection.py.
    "scouting.selection.views.ChangeBoard",
    # Both versions are compared field by field, and the editor stays open: tests/core/crud/test_conflict.py.
    "core.crud.views.edit.RecordPage",
    # Only what another record has taken is asked for: tests/core/crud/test_trash.py.
    "core.crud.views.trash.Restore",
    # It is refused by a notice above the differences: tests/core/crud/test_restore_version.py.
    "core.crud.views.history.RestoreVersion",
    # A conflict leads back to the record: tests/cms/news/test_publish.py.
    "core.crud.views.publication.Unpublish",
    "core.crud.views.publication.Archive",
    "core.crud.views.publication.Republish",
    # Every answer shows the game as it is now: tests/tracker/scoring/test_scoring_conflicts.py and
    # tests/tracker/scoring/test_corrections_page.py.
    "tracker.scoring.views.plays.CorrectPlay",
    "tracker.scoring.views.plays.InsertPlay",
    "tracker.scoring.views.scoring.EmptyPlace",
    "tracker.scoring.views.scoring.EndHalfInning",
    "tracker.scoring.views.scoring.RecordPlay",
    "tracker.scoring.views.scoring.RedoPlay",
    "tracker.scoring.views.scoring.SetOpponentRuns",
    "tracker.scoring.views.scoring.UndoPlay",
}
# Before anything else they find out which event it is, which the probe leaves out:
# tests/scouting/forms/test_stand_page.py, test_pit_page.py and test_one_form.py.
FIND_THE_EVENT = {
    "scouting.forms.views.submit.Stand",
    "scouting.forms.views.submit.Pit",
    "scouting.forms.views.submit.Comment",
}
ANSWERED_IN_PLACE = {
    # With HTMX what was saved is shown in its place: tests/tracker/roster/test_roster_editing.py and
    # tests/tracker/games/test_availability.py.
    "tracker.roster.views.player_edit.EditPlayer",
    "tracker.games.views.game.AnswerGame",
    # The answer is an event for the picker: tests/core/crud/test_picker_field.py.
    "core.crud.views.dialog.Create",
    # A new token is shown in the answer, and never again: tests/core/people/test_tokens.py.
    "core.people.tokens.views.Tokens",
    # A secret as well: tests/core/webhooks/test_pages.py.
    "core.webhooks.views.Webhooks",
    "core.webhooks.views.ChangeSecret",
    # The answer names each file with its outcome: tests/cms/media/test_new.py.
    "cms.media.views.Upload",
}
# They take a POST and have no form that could be corrected.
WITHOUT_A_FORM = {
    # Our scripts ask, and get JSON or a part of the page: tests/cms/media/test_upload.py and test_new.py,
    # tests/core/crud/test_working_copy.py and tests/tracker/scoring/test_play_preview.py.
    "cms.media.views.begin",
    "cms.media.views.finish",
    "cms.media.views.describe",
    "core.crud.views.edit.autosave",
    "tracker.scoring.views.plays.preview",
    # The answer names each selected record with its outcome: tests/core/crud/test_bulk.py.
    "core.crud.views.bulk.run",
    # One button each: tests/cms/media/test_list.py, tests/desk/test_theme.py and
    # tests/core/accounts/test_sign_out.py.
    "core.crud.views.layout.choose",
    "desk.language.choose_language",
    "desk.theme.choose_theme",
    "core.accounts.views.logout",
}
# A file that cannot be read is told above an empty editor, which has no wrong field.
STARTS_AGAIN = "scouting.games.views.UploadGame"


class ProbeForm(RefusableForm):
    name = forms.CharField()
    number = forms.IntegerField()


def patterns(resolver=None):
    for each in (resolver or get_resolver("config.urls")).url_patterns:
        if isinstance(each, URLResolver):
            yield from patterns(each)
        else:
            yield each


def view_of(callback):
    # The screens of a resource are partials of a view.
    view = getattr(callback, "func", callback)
    return view.view if isinstance(view, LazyView) else view


def page_of(callback):
    """The class of a form page, or None for any other view."""
    found = getattr(view_of(callback), "view_class", None)
    return found if found is not None and issubclass(found, FormPage) else None


def is_page(callback):
    """Whether it is a view for people; operations of the API answer JSON."""
    return not view_of(callback).__module__.startswith("ninja.")


def name_of(page):
    return f"{page.__module__}.{page.__qualname__}"


def collected():
    """Each page once, with what its address says of it."""
    found = {}
    for pattern in patterns():
        page = page_of(pattern.callback)
        if page is not None:
            parts = re.findall(r"<(?:\w+:)?(\w+)>", str(pattern.pattern))
            known = pattern.default_args | getattr(pattern.callback, "keywords", {})
            found.setdefault(name_of(page), (page, dict.fromkeys(parts, "1") | known))
    return found


PAGES = collected()
USUAL = {name: page for name, (page, _parts) in PAGES.items() if name not in HAS_OWN_ANSWERS}
# An action at once has no page that could show a refusal.
WITH_A_PAGE = [name for name, page in USUAL.items() if not issubclass(page, ActionPage)]
# `@idempotent` gives the first answer again, which was kept whole: nothing is answered anew.
ANSWERED_ANEW = [
    name
    for name, page in USUAL.items()
    if name not in ANSWERED_IN_PLACE and not hasattr(page.dispatch, "__wrapped__")
]


class Service:
    refusal = None


def probe_of(name, page):
    """The page with its own way of answering; what it reads, shows and saves is the test's."""

    def load(self):
        vars(self).update(LOADED.get(name, {}))

    def save(self):
        raise Service.refusal

    has_record = page.get_object is not FormPage.get_object
    own = {
        "rights": ("home.page.view",),
        "form_class": ProbeForm,
        "template": "probe.html",
        "partial": "part" if page.partial else "",
        "takes_files": False,
        "load": load,
        "check": lambda self: None,
        "get_object": lambda self: SimpleNamespace(seen_version=2) if has_record else None,
        "initial": lambda self: {"name": "what is stored", "number": 7},
        "context": lambda self: {},
        "save": save,
        "message": lambda self: "It is done.",
        "undo": lambda self: None,
        "success_url": lambda self: "/done",
    }
    if name in FIND_THE_EVENT:
        own["dispatch"] = FormPage.dispatch
    kept = ("blank_form", "bound_form", "form_kwargs", "compare", "show")
    return type(page.__name__, (page,), own | {each: getattr(FormPage, each) for each in kept})


def address(name):
    return f"/probe/{name}"


urlpatterns = [
    *(path(f"probe/{name}", probe_of(name, page).as_view(), parts) for name, (page, parts) in PAGES.items()),
    *own_urls,
]
pytestmark = pytest.mark.urls(__name__)


@pytest.fixture
def client(settings, tmp_path, db):
    (tmp_path / "probe.html").write_text(TEMPLATE)
    templates = deepcopy(settings.TEMPLATES)
    templates[0]["DIRS"] = [tmp_path, *templates[0]["DIRS"]]
    settings.TEMPLATES = templates
    return sign_in(Client(), "admin")


def answers(client, name, refusal, typed=TYPED):
    """With and without HTMX: they differ only in their extent."""
    Service.refusal = refusal
    whole, part = (client.post(address(name), typed, headers=each) for each in ({}, HTMX))
    assert part.status_code == whole.status_code
    assert part.get("Retry-After") == whole.get("Retry-After")
    assert "<html>" in whole.content.decode()
    has_part = bool(PAGES[name][0].partial)
    assert ("<html>" in part.content.decode()) is not has_part
    return whole


def shows_what_was_typed(answer):
    return 'value="what was typed"' in answer.content.decode()


def test_the_forms_of_the_site_are_found():
    assert len(PAGES) >= 100


def test_every_exception_names_a_page() -> None:
    assert {
        *LOADED,
        *SHOWS_ANEW,
        *HAS_OWN_ANSWERS,
        *FIND_THE_EVENT,
        *ANSWERED_IN_PLACE,
        STARTS_AGAIN,
    } <= {*PAGES}


def test_whatever_else_takes_a_post_has_no_form():
    callbacks = [each.callback for each in patterns() if page_of(each.callback) is None]
    # No view takes TRACE: each answers with the methods that it takes.
    asked = [(view_of(each), each(RequestFactory().trace("/"))) for each in callbacks if is_page(each)]

    assert all(answer.status_code == 405 for _view, answer in asked)
    assert {name_of(view) for view, answer in asked if "POST" in answer["Allow"]} == WITHOUT_A_FORM


@pytest.mark.parametrize("name", PAGES)
def test_it_declares_its_own_right(name):
    assert vars(PAGES[name][0]).get("rights") or "resource" in PAGES[name][1]


@pytest.mark.parametrize("name", [each for each in WITH_A_PAGE if each != STARTS_AGAIN])
def test_a_mistake_is_422_with_the_focus_at_the_first_wrong_field(client, name):
    answer = answers(client, name, None, TYPED | {"number": "many"})

    assert answer.status_code == 422
    assert shows_what_was_typed(answer)
    focused = re.findall(
        r'<(?:input|textarea|select)[^>]*name="(\w+)"[^>]*autofocus', answer.content.decode()
    )
    assert focused == ["number"]


@pytest.mark.parametrize("name", WITH_A_PAGE)
def test_a_refusal_at_a_field_is_told_there(client, name):
    answer = answers(client, name, AlreadyExists("There is one.", field="number"))

    assert answer.status_code in (422, 409)
    assert answer.context["form"].errors == {"number": ["There is one."]}
    assert shows_what_was_typed(answer)


@pytest.mark.parametrize("name", [each for each in WITH_A_PAGE if each not in SHOWS_ANEW])
def test_another_version_is_409_with_both_or_with_the_reason(client, name):
    answer = answers(client, name, Conflict("Somebody was faster."))

    assert answer.status_code == 409
    assert shows_what_was_typed(answer)
    page = PAGES[name][0]
    shows_both = page.get_object is not FormPage.get_object and page.compares
    assert ('id="contested"' in answer.content.decode()) is shows_both
    assert shows_both or "Somebody was faster." in answer.content.decode()


@pytest.mark.parametrize("name", WITH_A_PAGE)
def test_too_often_is_429_and_says_when_to_try_again(client, name):
    answer = answers(client, name, TooManyRequests(retry_after=17))

    assert (answer.status_code, answer["Retry-After"]) == (429, "17")
    assert shows_what_was_typed(answer)


@pytest.mark.parametrize("name", WITH_A_PAGE)
@pytest.mark.parametrize(("refusal", "status"), [(KeyReused(), 422), (Invalid("No."), 400)])
def test_any_other_refusal_is_told_above_what_was_typed(client, name, refusal, status):
    answer = answers(client, name, refusal)

    swapped = {400: 422} if PAGES[name][0].swaps_invalid else {}
    assert answer.status_code == swapped.get(status, status)
    assert len(answer.context["form"].non_field_errors()) == 1
    assert shows_what_was_typed(answer)


@pytest.mark.parametrize("name", ANSWERED_ANEW)
def test_what_was_done_before_leads_on_as_the_first_time(client, name):
    Service.refusal = Replayed({"key": "1"})

    assert client.post(address(name), TYPED).status_code == 302
    assert "HX-Redirect" in client.post(address(name), TYPED, headers=HTMX)


@pytest.mark.parametrize("name", PAGES)
def test_a_lost_session_offers_what_was_typed_again(name, db):
    stranger, ours = Client(), {"Origin": "http://testserver"}
    for headers in (ours, ours | HTMX):
        answer = stranger.post(address(name), TYPED, headers=headers)

        assert answer.status_code == 401
        assert shows_what_was_typed(answer)


# --- The exceptions -----------------------------------------------------------------------------------------


def is_usual(client, name, *checks):
    """Whether a page answers as all others do."""
    try:
        for check in checks:
            check(client, name)
    except Exception:  # noqa: BLE001  # a page that cannot answer at all is unusual too
        return False
    return True


@pytest.mark.parametrize("name", sorted(HAS_OWN_ANSWERS))
def test_an_exception_is_still_needed(client, name):
    is_action = issubclass(PAGES[name][0], ActionPage)
    refusals = [
        test_a_mistake_is_422_with_the_focus_at_the_first_wrong_field,
        test_a_refusal_at_a_field_is_told_there,
        test_another_version_is_409_with_both_or_with_the_reason,
        test_too_often_is_429_and_says_when_to_try_again,
    ]
    replay = test_what_was_done_before_leads_on_as_the_first_time

    assert not is_usual(client, name, *([] if is_action else refusals), replay)


@pytest.mark.parametrize("name", sorted(ANSWERED_IN_PLACE))
def test_an_answer_in_place_is_not_the_usual_one(client, name):
    assert not is_usual(client, name, test_what_was_done_before_leads_on_as_the_first_time)


@pytest.mark.parametrize("name", sorted(SHOWS_ANEW))
def test_what_is_shown_anew_is_not_what_was_typed(client, name):
    assert not is_usual(client, name, test_another_version_is_409_with_both_or_with_the_reason)


def test_a_file_that_starts_again_has_no_wrong_field(client):
    check = test_a_mistake_is_422_with_the_focus_at_the_first_wrong_field
    assert not is_usual(client, STARTS_AGAIN, check)


# --- Their templates ----------------------------------------------------------------------------------------


def source_of(template):
    """A template with all that it is made of."""
    text = (Path(configured.BASE_DIR) / "templates" / template).read_text()
    parts = re.findall(r'{% (?:include|extends) "([^"#]+)[^"]*"', text)
    return text + "".join(source_of(each) for each in parts if each != "base.html")


@pytest.mark.parametrize("name", [each for each in WITH_A_PAGE if PAGES[each][0].show is FormPage.show])
def test_its_template_says_all_that_may_be_answered(name):
    page = PAGES[name][0]
    source = source_of(page.template)

    assert re.search(r"non_field_errors|problem", source)
    assert page.partial == "" or f"{{% partialdef {page.partial} " in source
    compares_itself = page.compare is not FormPage.compare
    if page.get_object is not FormPage.get_object and page.compares and not compares_itself:
        assert "contested" in source
