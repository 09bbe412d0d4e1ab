"""The pages of webhooks: made, changed, paused, deleted, tried, and their log. For administrators only."""

import re
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from core.dynamo import metering, queries, transactions
from core.dynamo.attributes import now
from core.webhooks import repository, services, signatures
from core.webhooks.models import Delivery, Webhook
from core.webhooks.rules import MOST_WEBHOOKS
from tests.cast import CAST, ROLES, sign_in
from tests.the_club import the_club

ADDRESS = "/webhooks/"
TYPED = {
    "label": "Club app",
    "address": "https://app.example.org/hook",
    "kinds": ["news.published", "game.final"],
    "once": "first",
}
ADMIN = CAST["admin"]


@pytest.fixture
def admin(db):
    return sign_in(Client(), "admin")


@pytest.fixture
def made(db):
    return services.create(ADMIN, {name: TYPED[name] for name in ("label", "address", "kinds")})


def text_of(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


def secret_in(answer):
    (secret,) = re.findall(r'id="secret" value="([^"]*)"', answer.content.decode())
    return secret


def stored(made):
    return repository.webhook(made.webhook.id)


def page_of(made, verb=""):
    return f"{ADDRESS}{made.webhook.id}/{verb}"


# --- Who ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", [role for role in ROLES if role != "admin"])
def test_only_administrators_may(made, role):
    person, before = sign_in(Client(), role), stored(made).attribute_values
    refused = 302 if role == "stranger" else 403
    for verb in ("", "secret", "delete"):
        assert person.get(page_of(made, verb)).status_code == refused
    assert person.get(ADDRESS).status_code == refused
    # A form without a session is answered with a sign-in, so that nothing typed is lost.
    refused = 401 if role == "stranger" else 403
    for verb in ("", "pause", "resume", "secret", "delete", "test", "again"):
        assert person.post(page_of(made, verb), TYPED).status_code == refused
    assert person.post(ADDRESS, TYPED).status_code == refused
    assert (stored(made).attribute_values, len(repository.every_webhook())) == (before, 1)
    if role != "stranger":
        assert 'href="/webhooks/"' not in person.get("/desk/").content.decode()


@pytest.mark.parametrize(
    "verb",
    [
        lambda user, key: services.create(user, TYPED),
        lambda user, key: services.edit(user, key, TYPED, seen_version=1),
        lambda user, key: services.pause(user, key),
        lambda user, key: services.resume(user, key),
        lambda user, key: services.delete(user, key),
        lambda user, key: services.change_secret(user, key),
        lambda user, key: services.send_test(user, key),
        lambda user, key: services.send_again(user, key, "x"),
    ],
)
def test_a_service_asks_for_the_right_as_well(made, verb):
    with pytest.raises(PermissionDenied):
        verb(CAST["moderator"], made.webhook.id)


# --- A new one ----------------------------------------------------------------------------------------------


def test_a_new_webhook_shows_its_secret_once(admin):
    assert 'id="no-webhooks"' in admin.get(ADDRESS).content.decode()
    answer = admin.post(ADDRESS, TYPED)
    secret = secret_in(answer)
    (webhook,) = repository.every_webhook()
    assert (answer.status_code, webhook.label, webhook.address) == (200, "Club app", TYPED["address"])
    assert (webhook.kinds, webhook.created_by) == (["game.final", "news.published"], ADMIN.name)
    assert secret.startswith("whsec_")
    assert signatures._open(webhook.id, webhook.secret) == secret
    page = admin.get(ADDRESS)
    assert secret not in page.content.decode()
    assert "Game final, News published" in text_of(page)
    assert secret not in admin.get(f"{ADDRESS}{webhook.id}/").content.decode()
    assert answer["Cache-Control"] == "no-store"


def test_the_secret_is_not_stored_in_plain(made):
    raw = queries.get(Webhook, made.webhook.raw_key(), strong=True).stored
    assert made.secret.removeprefix("whsec_") not in str(raw)
    assert made.secret.encode() not in raw["secret"]["B"]


def test_the_secret_of_one_webhook_does_not_serve_another(made):
    other = services.create(ADMIN, {name: TYPED[name] for name in ("label", "address", "kinds")})
    with pytest.raises(signatures.Unreadable):
        signatures._open(other.webhook.id, stored(made).secret)


def test_a_form_that_is_sent_twice_makes_one_webhook_and_shows_no_secret_again(admin):
    first = admin.post(ADDRESS, TYPED)
    again = admin.post(ADDRESS, TYPED)
    assert 'id="made-before"' in again.content.decode()
    assert secret_in(first) not in again.content.decode()
    assert len(repository.every_webhook()) == 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"label": ""}, "label"),
        ({"label": "x" * 61}, "label"),
        ({"address": ""}, "address"),
        ({"address": "https://10.0.0.1/"}, "address"),
        ({"address": "http://example.org/"}, "address"),
        ({"address": "https://example.org/" + "x" * 500}, "address"),
        ({"kinds": []}, "kinds"),
        ({"kinds": ["everything"]}, "kinds"),
    ],
)
def test_a_mistake_is_told_at_its_field(admin, wrong, field):
    answer = admin.post(ADDRESS, TYPED | wrong)
    assert (answer.status_code, [*answer.context["form"].errors]) == (422, [field])
    assert repository.every_webhook() == []


def test_there_are_thirty_at_most(admin):
    for number in range(MOST_WEBHOOKS):
        last = services.create(ADMIN, TYPED | {"label": str(number)})
    answer = admin.post(ADDRESS, TYPED)
    assert (answer.status_code, len(repository.every_webhook())) == (409, MOST_WEBHOOKS)
    assert "You have reached the maximum number of webhooks." in text_of(answer)
    services.delete(ADMIN, last.webhook.id)
    assert admin.post(ADDRESS, TYPED | {"once": "second"}).status_code == 200


# --- Changes ------------------------------------------------------------------------------------------------


def test_it_is_changed(admin, made):
    assert 'id="conflict"' not in admin.get(page_of(made)).content.decode()
    typed = TYPED | {"label": "Other", "kinds": ["quest.completed"], "version": "1"}
    answer = admin.post(page_of(made), typed)
    assert (answer.status_code, answer["Location"]) == (302, page_of(made))
    webhook = stored(made)
    assert (webhook.label, webhook.kinds, webhook.seen_version) == ("Other", ["quest.completed"], 2)
    assert webhook.secret == made.webhook.secret


@pytest.mark.parametrize("seen", ["", "0", "7"])
def test_a_change_of_another_version_is_a_conflict_that_shows_both(admin, made, seen):
    answer = admin.post(
        page_of(made), TYPED | {"label": "Other", "kinds": ["quest.completed"], "version": seen}
    )
    assert (answer.status_code, stored(made).label) == (409, "Club app")
    assert 'id="conflict"' in answer.content.decode()
    assert [(each.title, each.mine, each.theirs) for each in answer.context["contested"]] == [
        ("Purpose", "Other", "Club app"),
        ("Events", "Quest completed", "News published, Game final"),
    ]


def test_what_happens_in_a_domain_that_is_off_is_offered_to_those_who_have_it_only(admin, made):
    the_club(off=["tracker", "quests"])

    def offered(address):
        return [name for name, _title in admin.get(address).context["form"].fields["kinds"].choices]

    assert not {"game.final", "quest.completed"} & set(offered(ADDRESS))
    assert {"news.published", "game.final"} <= set(offered(page_of(made)))
    assert "quest.completed" not in offered(page_of(made))


def test_it_is_paused_and_resumed(admin, made):
    assert admin.post(page_of(made, "pause")).status_code == 302
    assert stored(made).is_paused
    page = text_of(admin.get(page_of(made)))
    assert 'id="resume"' in page
    assert 'id="test"' not in page
    admin.post(page_of(made, "resume"))
    assert not stored(made).is_paused


def test_it_is_deleted_after_a_question(admin, made):
    assert "Delete this webhook?" in text_of(admin.get(page_of(made, "delete")))
    answer = admin.post(page_of(made, "delete"))
    assert (answer.status_code, answer["Location"]) == (302, ADDRESS)
    assert repository.every_webhook() == []


def test_a_new_secret_is_asked_for_and_shown_once(admin, made):
    assert 'id="secret"' not in admin.get(page_of(made, "secret")).content.decode()
    answer = admin.post(page_of(made, "secret"), {"once": "second"})
    secret = secret_in(answer)
    assert secret != made.secret
    webhook = stored(made)
    assert signatures._open(webhook.id, webhook.secret) == secret
    assert signatures._open(webhook.id, webhook.former_secret) == made.secret
    again = admin.post(page_of(made, "secret"), {"once": "second"})
    assert 'id="made-before"' in again.content.decode()
    assert signatures._open(webhook.id, stored(made).secret) == secret


@pytest.mark.parametrize("key", ["nothing", "a" * 3000])
@pytest.mark.parametrize("verb", ["", "pause", "resume", "secret", "delete", "test", "again"])
def test_what_is_not_there_is_not_found(admin, key, verb):
    answer = admin.post(f"{ADDRESS}{key}/{verb}", TYPED | {"version": "1"})
    assert answer.status_code == (302 if verb == "again" else 404)
    assert repository.every_webhook() == []


# --- The log ------------------------------------------------------------------------------------------------


def test_a_test_is_queued_and_in_the_log(admin, made):
    assert 'id="no-deliveries"' in admin.get(page_of(made)).content.decode()
    assert admin.post(page_of(made, "test")).status_code == 302
    (delivery,) = repository.delivered(made.webhook.id).items
    assert (delivery.kind, delivery.status) == ("webhook.test", "waiting")
    assert [each.id for each in due(made)] == [delivery.id]
    page = text_of(admin.get(page_of(made)))
    assert delivery.id in page
    assert "Send again" not in page


def due(made):
    return repository.due(made.webhook.id, now()).items


def concluded(made, number, **fields):
    moment = now() - timedelta(minutes=number)
    delivery = repository.new_delivery(
        made.webhook, "news.published", str(number), moment, "{}", due=moment, change=str(number)
    )
    for name, value in fields.items():
        setattr(delivery, name, value)
    delivery.gsi1_pk = delivery.gsi1_sk = None
    repository.add([delivery])
    return delivery


def test_the_log_tells_how_each_went(admin, made):
    concluded(made, 1, status="sent", attempts=2, code=204, tried_at=now())
    concluded(made, 2, status="failed", attempts=14, code=500, tried_at=now())
    concluded(made, 3, status="failed", attempts=14, error="slow", tried_at=now())
    page = text_of(admin.get(page_of(made)))
    for words in ("Delivered", "Answered 204", "Failed", "Answered 500", "No answer in time."):
        assert words in page
    assert page.count("Send again") == 3


def test_a_long_log_is_read_page_by_page(admin, made):
    ids = [concluded(made, number, status="sent").id for number in range(25)]
    first = admin.get(page_of(made)).content.decode()
    (more,) = set(re.findall(r'href="(\?after=[^"]+)"', first))
    second = admin.get(page_of(made) + more, headers={"HX-Request": "true"}).content.decode()
    found = [re.findall(r"msg_[0-9a-f]{32}(?=</span>)", page) for page in (first, second)]
    assert found == [ids[:20], ids[20:]]
    assert admin.get(f"{page_of(made)}?after=forged").status_code == 400


def test_what_is_over_is_sent_again(admin, made):
    delivery = concluded(made, 1, status="failed", attempts=14)
    answer = admin.post(page_of(made, "again"), {"delivery": delivery.sk})
    assert (answer.status_code, answer["Location"]) == (302, page_of(made))
    (waiting,) = due(made)
    assert waiting.id == delivery.id
    found = queries.get(Delivery, delivery.raw_key(), strong=True)
    assert (found.status, found.give_up_at > now() + timedelta(hours=23)) == ("waiting", True)
    again = admin.post(page_of(made, "again"), {"delivery": delivery.sk}, follow=True)
    assert "Someone else changed this" in text_of(again)


@pytest.mark.parametrize("delivery", ["", "nothing", "x" * 2000])
def test_a_delivery_that_is_not_there_is_not_sent(admin, made, delivery):
    answer = admin.post(page_of(made, "again"), {"delivery": delivery}, follow=True)
    assert "does not exist" in text_of(answer)
    assert due(made) == []


def test_nothing_is_sent_to_a_paused_one_by_hand(admin, made):
    services.pause(ADMIN, made.webhook.id)
    answer = admin.post(page_of(made, "test"), follow=True)
    assert "Nothing is sent while the webhook is paused." in text_of(answer)
    assert repository.delivered(made.webhook.id).items == []


# --- Home ---------------------------------------------------------------------------------------------------


def test_home_tells_administrators_of_what_was_paused_or_not_delivered(admin, made):
    shown = admin.get("/desk/").content.decode() + admin.get("/desk/later").content.decode()
    assert "Club app" not in shown
    transactions.send(repository.change(made.webhook.id, [Webhook.problem.set("undelivered")]))
    shown = admin.get("/desk/").content.decode() + admin.get("/desk/later").content.decode()
    assert "Not delivered" in shown
    assert page_of(made) in shown


# --- Costs --------------------------------------------------------------------------------------------------


def test_the_list_and_a_page_are_two_and_three_requests(admin, made):
    for address, requests in ((ADDRESS, 2), (page_of(made), 3)):
        with metering.metered() as meter:
            assert admin.get(address).status_code == 200
        assert meter.requests == requests, address
