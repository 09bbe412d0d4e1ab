"""Pages such as the imprint: written like news, at an address of their own that takes nobody else's."""

import pytest
from django.test import Client

from cms.pages.models import Page
from cms.pages.repository import pages
from core.content.richtext import from_plain_text
from core.dynamo import metering
from core.dynamo.faults import FaultProxy, Faults
from tests.cast import sign_in
from tests.cms.club import MAKER
from tests.core.crud.pages import OpenForm, open_form

pytestmark = pytest.mark.usefixtures("db")

NEW = "/cms/pages/new"


def of_form(form: OpenForm) -> Page:
    return pages.get(form.action.split("/")[-2], strong=True)


def make_page(title: str = "Impressum", slug: str = "impressum", status: str = "published") -> Page:
    text = from_plain_text("Verein <b>e. V.</b>")
    return pages.create(Page(title=title, slug=slug, status=status, content=text), actor=MAKER)


def test_what_is_published_is_at_its_address(as_role) -> None:
    form = open_form(as_role("moderator"), NEW).fill(title="Impressum", content="Verein <b>e. V.</b>")
    assert form.send("publish").status_code == 302

    with metering.metered() as meter:
        answer = Client().get("/impressum/")

    page = answer.content.decode()
    assert "Verein &lt;b&gt;e. V.&lt;/b&gt;" in page
    assert answer["Cache-Control"] == "public, max-age=60"
    assert meter.operations == ["Query", "BatchGetItem"]


@pytest.mark.parametrize("status", ["draft", "archived"])
def test_nothing_else_is(client: Client, status: str) -> None:
    make_page(status=status)

    assert client.get("/impressum/").status_code == 404
    assert client.get("/no-such-page/").status_code == 404


def test_also_not_while_the_index_still_says_so(proxy: FaultProxy, client: Client) -> None:
    item = make_page()
    proxy.faults = Faults(stale_index=1)
    pages.update(item, {"status": "draft"}, actor=MAKER)
    assert pages.at_slug("impressum").status == "published"

    assert client.get("/impressum/").status_code == 404


def test_an_earlier_address_leads_to_the_new_one(client: Client) -> None:
    pages.update(make_page("Legal", "legal"), {"slug": "impressum"}, actor=MAKER)

    answer = client.get("/legal/")
    assert (answer.status_code, answer["Location"]) == (301, "/impressum/")


@pytest.mark.parametrize("slug", ["news", "teams", "events", "cms", "auth", "stores", "static", "search"])
def test_an_address_that_the_site_uses_itself_is_refused(as_role, slug: str) -> None:
    answer = open_form(as_role("moderator"), NEW).fill(title="Mine", slug=slug).send()

    assert answer.status_code == 422
    refusal = "This address is reserved. Choose another one."
    assert answer.context["form"].errors == {"slug": [refusal]}


def test_also_when_it_would_be_made_from_the_title(as_role) -> None:
    answer = open_form(as_role("moderator"), NEW).fill(title="News!").send()

    assert answer.context["form"].errors.keys() == {"slug"}


def test_two_pages_of_one_title_have_two_addresses(as_role) -> None:
    make_page("Satzung", "satzung")
    form = open_form(as_role("moderator"), NEW).fill(title="Satzung")
    form.send()

    assert of_form(form).slug == "satzung-2"


def test_changes_wait_until_they_are_published(as_role) -> None:
    item = make_page()
    client = as_role("moderator")
    open_form(client, f"/cms/pages/{item.id}/").fill(content="New text.").send()

    assert "New text." not in Client().get("/impressum/").content.decode()
    assert "New text." in client.get(f"/cms/pages/{item.id}/preview").content.decode()


@pytest.mark.parametrize("role", ["official", "scout", "member"])
def test_others_than_moderators_do_not_come_in(role: str) -> None:
    item = make_page()
    client = sign_in(Client(), role)

    for address in ("", "new", f"{item.id}/", f"{item.id}/preview"):
        assert client.get(f"/cms/pages/{address}").status_code == 403
