"""The other forms of scouting in a browser: pit, comment, the own ones, one form and its correction."""

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from playwright.sync_api import Page, expect

from core.dynamo.errors import Invalid, TooLarge, TooManyRequests, Unavailable
from scouting.forms import services as forms
from scouting.forms.repository import pit_forms, stand_forms
from scouting.settings import services as settings
from tests.browser.signing_in import sign_in
from tests.scouting.field import KEY, event, pit, stand

Accessible = Callable[[Page], None]


@pytest.fixture(autouse=True)
def _at_an_event(db: object) -> None:
    settings.forget()
    event()


def test_every_page_is_accessible(
    live_server: object, every_look: Page, assert_accessible: Accessible
) -> None:
    form, asked = (
        stand("20", 1, teleFuel=30, climbLevel="two", comments="Fast"),
        pit("20", answers={"notDo": "Swim"}),
    )
    keys = {
        "stand": stand_forms.key_of(form),
        "pit": pit_forms.key_of(asked),
    }
    page = sign_in(every_look, "scout-lead")
    for address in (
        "/scouting/pit/",
        "/scouting/comment/",
        "/scouting/mine/",
        "/scouting/stand/?choose=event",
        *(
            reverse(f"scouting:{screen}", args=[kind, keys[kind]])
            for kind in keys
            for screen in ("form", "form-edit")
        ),
    ):
        page.goto(address)
        page.locator("main details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
        assert_accessible(page)


def test_a_pit_form_asks_on_when_an_answer_calls_for_it(live_server: object, phone: Page) -> None:
    page = sign_in(phone, "scout")
    page.goto("/scouting/pit/")
    expect(page.get_by_label("How?")).to_be_hidden()
    page.get_by_text("Picks up in another way").tap()
    page.get_by_label("How?").fill("With a net")
    page.get_by_role("button", name="Send").tap()
    expect(page.get_by_text("Choose a team.")).to_be_visible()
    expect(page.get_by_label("How?")).to_have_value("With a net")
    page.get_by_label("Team").fill("20")
    page.get_by_role("button", name="Send").tap()
    expect(page.get_by_text("Pit form of 20 saved.")).to_be_visible()
    assert pit_forms.at(KEY)[0].answers["pickupOtherExplain"] == "With a net"


def test_a_form_is_corrected_with_the_same_steppers(live_server: object, phone: Page) -> None:
    stand("20", 1, teleFuel=30)
    page = sign_in(phone, "scout")
    page.goto("/scouting/mine/")
    page.get_by_role("link", name="20 in match 1").tap()
    page.get_by_role("link", name="Edit").tap()
    page.locator("#id_q_teleFuel_less").tap()
    page.get_by_role("button", name="Save").tap()
    expect(page.get_by_role("heading", name="Score 29")).to_be_visible()


def test_a_lead_deletes_a_form_and_takes_it_back(live_server: object, desktop: Page) -> None:
    form = stand("20", 1)
    page = sign_in(desktop, "scout-lead")
    page.goto(reverse("scouting:form", args=["stand", stand_forms.key_of(form)]))
    page.locator("#delete > summary").click()
    page.get_by_role("button", name="Delete this form").click()
    expect(page.get_by_text("Form deleted.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Form restored.")).to_be_visible()
    assert len(stand_forms.at(KEY)) == 1


def test_a_wrong_form_leads_to_its_first_wrong_field(live_server: object, phone: Page) -> None:
    form = stand("20", 1)
    page = sign_in(phone, "scout-lead")
    for address in ("/scouting/pit/", "/scouting/comment/"):
        page.goto(address)
        page.get_by_role("button", name="Send").tap()
        expect(page.get_by_label("Team")).to_be_focused()
        expect(page.get_by_label("Team")).to_have_accessible_description("Choose a team.")
        expect(page.get_by_label("Team")).to_be_in_viewport()
    page.goto(reverse("scouting:form-edit", args=["stand", stand_forms.key_of(form)]))
    page.locator("#id_q_autoFuel").fill("99999")
    page.get_by_role("button", name="Save").tap()
    expect(page.locator("#id_q_autoFuel")).to_be_focused()
    expect(page.locator("#id_q_autoFuel")).to_be_in_viewport()


def test_the_reason_of_a_refusal_is_told_and_everything_typed_stays(
    live_server: object, phone: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = sign_in(phone, "scout")
    page.goto("/scouting/comment/")
    page.get_by_label("Team").fill("20")
    page.get_by_label("Comment").fill("Tips over")
    sending = forms.submit_comment
    refusals: list[Exception] = [
        Invalid("Not this event."),
        PermissionDenied(),
        TooLarge("Too long."),
        TooManyRequests(retry_after=7),
        Unavailable("The store is away."),
    ]
    for refusal in refusals:

        def refuse(*_given: object, refusal: Exception = refusal, **_named: object) -> None:
            raise refusal

        monkeypatch.setattr(forms, "submit_comment", refuse)
        page.get_by_role("button", name="Send").tap()
        told = "You do not have permission" if isinstance(refusal, PermissionDenied) else str(refusal)
        expect(page.locator("#toasts")).to_contain_text(told)
        expect(page.locator("#toasts [data-toast]")).to_have_count(1)
        expect(page.get_by_label("Comment")).to_have_value("Tips over")
    monkeypatch.setattr(forms, "submit_comment", sending)
    page.get_by_role("button", name="Try again").tap()
    expect(page.get_by_text("Comment about 20 saved.")).to_be_visible()
