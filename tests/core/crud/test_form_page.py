"""What every form page does: show, correct, refuse, show both versions, answer a replay, go on."""

from copy import deepcopy
from types import SimpleNamespace

import pytest
from django import forms
from django.test import Client
from django.urls import path

from config.urls import urlpatterns as own_urls
from core.accounts.rights import requires, rights_of
from core.crud.confirm_page import ConfirmPage, Question
from core.crud.form_page import ActionPage, FormPage
from core.crud.forms import RefusableForm
from core.crud.toasts import Undo
from core.dynamo.errors import (
    AlreadyExists,
    Conflict,
    Invalid,
    KeyReused,
    NotFound,
    Replayed,
    TooManyRequests,
    Unavailable,
)
from core.dynamo.items import new_id
from tests.cast import sign_in

HTMX = {"HX-Request": "true"}
TEMPLATE = """{% load seen %}<html><body>{% partialdef part inline %}<form method="post">
{% if object %}{% seen_field object %}{% endif %}
{% if contested is not None %}{% include "core/crud/contested.html" %}{% endif %}
{{ form.non_field_errors }}{{ form.name.as_field_group }}{{ form.number.as_field_group }}
</form>{% endpartialdef %}</body></html>"""


class ThingForm(RefusableForm):
    name = forms.CharField()
    number = forms.IntegerField()


class Service:
    """Refuses what the test tells it to."""

    def __init__(self):
        self.refusal = None
        self.saved = []
        self.stored = SimpleNamespace(name="stored", number=7, seen_version=5)

    def save(self, **fields):
        if self.refusal:
            raise self.refusal
        self.saved.append(fields)


service = Service()


@requires("home.page.view")
class NewThing(FormPage[ThingForm]):
    form_class = ThingForm
    template = "form_page_test.html"
    partial = "part"
    success_message = "The thing is there."

    def load(self):
        self.answer = {"key": "new-key"}

    def initial(self):
        return {"name": "usual", "number": 1}

    def save(self):
        service.save(**self.form.cleaned_data, key=self.answer["key"], once=self.once)

    def success_url(self):
        return f"/things/{self.answer['key']}"


@requires("home.page.view")
class EditThing(FormPage[ThingForm]):
    form_class = ThingForm
    template = "form_page_test.html"
    success_message = "Saved."

    def get_object(self):
        return service.stored

    def initial(self):
        return {"name": self.object.name, "number": self.object.number}

    def save(self):
        service.save(**self.form.cleaned_data, seen=self.seen_version)

    def context(self):
        return {"object": self.object}

    def success_url(self):
        return "/things/1"


@requires("home.page.view")
class DeleteThing(ConfirmPage):
    success_message = "It was deleted."

    def question(self):
        return Question("Delete it?", "It is gone then.", "Delete", "/things/1", seen_version=5)

    def save(self):
        service.save(seen=self.seen_version)

    def undo(self):
        return Undo("/things/1/restore")

    def success_url(self):
        return "/things"


class ReasonForm(RefusableForm):
    reason = forms.CharField()


@requires("home.page.view")
class RecallThing(DeleteThing):
    form_class = ReasonForm

    def save(self):
        service.save(seen=self.seen_version, **self.form.cleaned_data)


@requires("home.page.view")
class RestoreThing(ActionPage):
    success_message = "It is back."

    def save(self):
        service.save(once=self.once)

    def success_url(self):
        return "/things/1"


@requires("home.page.view")
class HideThing(RestoreThing):
    toast_errors = (Conflict,)

    def refused_url(self, error):
        return "/things/other"


class Unguarded(NewThing):
    """Its right is not declared, so nobody may open it."""


urlpatterns = [
    path("things/new", NewThing.as_view()),
    path("things/edit", EditThing.as_view()),
    path("things/delete", DeleteThing.as_view()),
    path("things/recall", RecallThing.as_view()),
    path("things/restore", RestoreThing.as_view()),
    path("things/hide", HideThing.as_view()),
    path("things/unguarded", Unguarded.as_view()),
    *own_urls,
]
pytestmark = [pytest.mark.urls(__name__), pytest.mark.usefixtures("db")]
TYPED = {"name": "typed", "number": "3", "version": "4"}


@pytest.fixture(autouse=True)
def _service(settings, tmp_path):
    (tmp_path / "form_page_test.html").write_text(TEMPLATE)
    templates = deepcopy(settings.TEMPLATES)
    templates[0]["DIRS"] = [tmp_path, *templates[0]["DIRS"]]
    settings.TEMPLATES = templates
    service.__init__()


@pytest.fixture
def client(db):
    return sign_in(Client(), "member")


def body(answer):
    return answer.content.decode()


def test_it_begins_with_its_initial_values(client):
    answer = client.get("/things/new")

    assert answer.status_code == 200
    assert 'value="usual"' in body(answer)


def test_htmx_gets_the_part_and_others_the_page(client):
    assert "<html>" in body(client.get("/things/new"))
    assert "<html>" not in body(client.get("/things/new", headers=HTMX))
    # A page without a part is whole for everybody.
    assert "<html>" in body(client.get("/things/edit", headers=HTMX))


def test_what_is_typed_is_saved_once_told_and_led_on(client):
    key = new_id()

    answer = client.post("/things/new", TYPED | {"once": key})

    assert (answer.status_code, answer["Location"]) == (302, "/things/new-key")
    (saved,) = service.saved
    assert (saved["name"], saved["number"], saved["key"]) == ("typed", 3, "new-key")
    assert (saved["once"].key, saved["once"].answer) == (key, {"key": "new-key"})
    assert "The thing is there." in body(client.get("/desk/"))


def test_htmx_is_led_on_by_a_header(client):
    answer = client.post("/things/new", TYPED, headers=HTMX)

    assert (answer.status_code, answer["HX-Redirect"]) == (200, "/things/new-key")


def test_a_wrong_field_is_422_with_the_focus_at_the_first(client):
    answer = client.post("/things/new", {"name": "typed", "number": "many"})

    assert answer.status_code == 422
    assert 'value="typed"' in body(answer)
    assert list(answer.context["form"].errors) == ["number"]
    assert "autofocus" in str(answer.context["form"]["number"])
    assert "autofocus" not in str(answer.context["form"]["name"])
    assert service.saved == []


def test_what_a_service_refuses_at_a_field_is_422_there(client):
    service.refusal = AlreadyExists("There is one.", field="name")

    answer = client.post("/things/new", TYPED)

    assert answer.status_code == 422
    assert answer.context["form"].errors == {"name": ["There is one."]}
    assert "autofocus" in str(answer.context["form"]["name"])


@pytest.mark.parametrize(
    ("refusal", "status"),
    [(Invalid("No."), 400), (AlreadyExists("No."), 409), (Conflict("No."), 409), (KeyReused(), 422)],
)
def test_any_other_refusal_has_its_own_status_above_what_was_typed(client, refusal, status):
    service.refusal = refusal

    answer = client.post("/things/new", TYPED)

    assert answer.status_code == status
    assert answer.context["form"].non_field_errors() == [str(refusal)]
    assert 'value="typed"' in body(answer)


def test_too_often_is_429_and_says_when_to_try_again(client):
    service.refusal = TooManyRequests(retry_after=17)

    answer = client.post("/things/new", TYPED)

    assert (answer.status_code, answer["Retry-After"]) == (429, "17")
    assert 'value="typed"' in body(answer)


@pytest.mark.parametrize(("refusal", "status"), [(NotFound(), 404), (Unavailable(), 503)])
def test_what_is_gone_or_cannot_be_reached_has_a_page_of_its_own(client, refusal, status):
    service.refusal = refusal

    answer = client.post("/things/edit", TYPED)

    assert answer.status_code == status
    assert 'value="typed"' not in body(answer)


def test_another_version_is_shown_beside_what_was_typed(client):
    service.refusal = Conflict()

    answer = client.post("/things/edit", TYPED)

    assert answer.status_code == 409
    assert [(each.mine, each.theirs) for each in answer.context["contested"]] == [
        ("typed", "stored"),
        ("3", "7"),
    ]
    # The person has been told of it: what is saved next is based on it.
    assert 'name="version" value="5"' in body(answer)


def test_a_mistake_does_not_make_an_unseen_version_a_seen_one(client):
    answer = client.post("/things/edit", TYPED | {"number": "many"})

    assert 'name="version" value="4"' in body(answer)


def test_what_was_done_before_is_answered_as_it_was(client):
    service.refusal = Replayed({"key": "first-key"})

    answer = client.post("/things/new", TYPED)

    assert (answer.status_code, answer["Location"]) == (302, "/things/first-key")
    assert "The thing is there." in body(client.get("/desk/"))


def test_a_question_is_asked_and_done_and_can_be_taken_back(client):
    assert "Delete it?" in body(client.get("/things/delete"))
    assert '<dialog class="dialog"' in body(client.get("/things/delete", headers=HTMX))

    answer = client.post("/things/delete", {"version": "5"})

    assert (answer.status_code, answer["Location"]) == (302, "/things")
    assert service.saved == [{"seen": 5}]
    assert "/things/1/restore" in body(client.get("/desk/"))


def test_a_refusal_asks_again_and_says_why(client):
    service.refusal = Conflict("It is not as you saw it.")

    for headers in ({}, HTMX):
        answer = client.post("/things/delete", {"version": "4"}, headers=headers)

        assert answer.status_code == 409
        assert "It is not as you saw it." in body(answer)
        assert 'name="version" value="5"' in body(answer)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_question_with_a_field_keeps_what_was_typed(client, headers):
    assert 'name="reason"' in body(client.get("/things/recall", headers=headers))

    empty = client.post("/things/recall", {"version": "4", "reason": ""}, headers=headers)

    assert empty.status_code == 422
    assert empty.context["form"].errors == {"reason": ["This field is required."]}
    # Nobody was told of a newer version.
    assert 'name="version" value="4"' in body(empty)

    service.refusal = Conflict("It is not as you saw it.")
    refused = client.post("/things/recall", {"version": "4", "reason": "Too late."}, headers=headers)

    assert refused.status_code == 409
    assert body(refused).count("It is not as you saw it.") == 1
    assert 'value="Too late."' in body(refused)
    assert 'name="version" value="5"' in body(refused)


def test_an_action_has_no_page(client):
    assert client.get("/things/restore").status_code == 405
    assert client.post("/things/restore")["Location"] == "/things/1"

    service.refusal = Conflict("It is back already.")

    assert client.post("/things/restore").status_code == 409


def test_a_refusal_that_an_action_tells_is_an_error_toast_where_it_leads(client):
    service.refusal = Conflict("It is hidden already.")

    answer = client.post("/things/hide")

    assert (answer.status_code, answer["Location"]) == (302, "/things/other")
    page = client.get("/desk/")
    assert [(each.level_tag, str(each)) for each in page.context["messages"]] == [
        ("error", "It is hidden already.")
    ]


def test_any_other_refusal_of_an_action_is_an_error_page(client):
    service.refusal = Invalid("No.")

    assert client.post("/things/hide").status_code == 400


def test_other_methods_are_refused(client):
    answer = client.options("/things/new")

    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD, POST")


def test_a_lost_session_offers_what_was_typed_again(db):
    answer = Client().post("/things/new", TYPED, headers={"Origin": "http://testserver"})

    assert answer.status_code == 401
    assert 'value="typed"' in body(answer)


def test_the_guard_is_asked_of_the_view_and_is_not_inherited(client):
    assert rights_of(NewThing.as_view()) == ("home.page.view",)
    assert rights_of(Unguarded.as_view()) == ()
    assert client.get("/things/unguarded").status_code == 403
