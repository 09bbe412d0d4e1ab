"""The search over everything: what was opened last comes first, for those who may open it."""

from django.test import Client

from cms.news.models import News
from cms.roles.models import Role
from cms.roles.repository import roles
from core.accounts.models import Person
from core.accounts.repository import people
from core.dynamo import metering
from core.dynamo.actors import Actor
from desk.palette import MOST_RECENT
from tests.cast import CAST, sign_in
from tests.desk.palette import AsRole, titles


def test_what_was_opened_last_comes_first_in_that_order(as_role: AsRole, article: News, role: Role) -> None:
    response = as_role("official").get("/search", {"recent": f"role:{role.id},news:{article.id}"})

    found = titles(response)
    assert next(iter(found)) == "Recently opened"
    assert found["Recently opened"] == ["Herbstwart", "Herbstturnier in Müllheim"]


def test_what_was_opened_last_is_asked_for_its_right_and_forgotten_when_deleted(
    as_role: AsRole, article: News, role: Role, alice: Actor
) -> None:
    recent = {"recent": f"news:{article.id},role:{role.id}"}
    assert titles(as_role("member").get("/search", recent))["Recently opened"] == ["Herbstwart"]

    roles.delete(role, actor=alice)

    assert "Recently opened" not in titles(as_role("member").get("/search", recent))


def test_people_were_opened_last_only_by_those_who_may_open_them(as_role: AsRole, alice: Actor) -> None:
    people.create(Person(sub="herbst", name="Herbst Sommer", email="h@people.example"), actor=alice)
    recent = {"recent": "person:herbst"}

    assert titles(as_role("admin").get("/search", recent))["Recently opened"] == ["Herbst Sommer"]
    assert "Recently opened" not in titles(as_role("official").get("/search", recent))


def test_what_was_opened_last_costs_one_batch_and_nothing_if_there_is_none(
    as_role: AsRole, article: News, role: Role
) -> None:
    client = as_role("official")

    with metering.metered() as meter:
        client.get("/search", {"recent": f"news:{article.id},role:{role.id}"})
    assert meter.operations == ["GetItem", "BatchGetItem"]

    with metering.metered() as meter:
        client.get("/search")
    assert meter.operations == ["GetItem"]


def test_of_a_thousand_opened_records_only_the_last_ones_are_read(as_role: AsRole, alice: Actor) -> None:
    created = [roles.create(Role(name=f"Role {number:02}"), actor=alice) for number in range(MOST_RECENT + 1)]
    recent = ",".join(f"role:{role.id}" for role in created) + ",role:none" * 989

    with metering.metered() as meter:
        response = as_role("member").get("/search", {"recent": recent})

    assert titles(response)["Recently opened"] == [f"Role {number:02}" for number in range(MOST_RECENT)]
    assert meter.calls[-1].items == MOST_RECENT


def test_the_browser_remembers_under_a_name_that_tells_nothing_and_differs(
    client: Client, db: object
) -> None:
    owners = {
        role: sign_in(client, role).get("/search").content.decode().split('data-owner="')[1].split('"')[0]
        for role in ("member", "other-member")
    }

    assert owners["member"] != owners["other-member"]
    assert all(len(owner) == 32 and CAST[role].sub not in owner for role, owner in owners.items())


def test_a_record_announces_itself_by_its_key_only_once_it_is_saved(as_role: AsRole, article: News) -> None:
    client = as_role("official")

    assert f'data-recent="news:{article.id}"' in client.get(f"/cms/news/{article.id}/").content.decode()
    assert "data-recent" not in client.get("/cms/news/new").content.decode()
