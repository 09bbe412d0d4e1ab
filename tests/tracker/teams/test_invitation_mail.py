"""An invitation by mail brings its link, and an account for whoever has none."""

import re

import pytest
from django.core import mail

from core.accounts import cognito
from core.accounts.repository import people
from core.dynamo.errors import Unavailable
from tests.the_club import the_club
from tests.tracker.club import browser_of, ghost, join, person, team_of
from tracker import repository
from tracker.teams.limits import MAILING
from tracker.teams.services import teams

INA = "ina.berg@club.example"


@pytest.fixture
def owner(db):
    return person("Olga")


@pytest.fixture
def ina(team, owner):
    return ghost(team, "Ina", 12, last_name="Berg", actor=owner)


def invite(owner, team, **sent):
    return browser_of(owner).post(f"/tracker/teams/{team.id}/invitations/new/", {"role": "player", **sent})


def password_in(message):
    found = re.findall(r"^Your temporary password: (\S+)$", message.body, re.MULTILINE)
    return found[0] if found else None


@pytest.mark.usefixtures("marked_german")
def test_who_is_invited_reads_it_in_the_language_of_the_club(pool, owner, team, ina):
    the_club(language="de")
    invite(owner, team, player=ina.id, email=INA)

    (message,) = mail.outbox
    assert message.subject == "«Your invitation to Feldkamp Falcons»"


def test_a_new_person_gets_an_account_its_password_and_the_link(pool, owner, team, ina):
    page = invite(owner, team, player=ina.id, email="Ina.Berg@club.example")
    (message,) = mail.outbox

    assert message.to == [INA]
    assert message.subject == "Your invitation to Feldkamp Falcons"
    assert "Hello Ina," in message.body
    assert "Olga Example has invited you to the team Feldkamp Falcons." in message.body
    (link,) = re.findall(r"http://testserver/tracker/invitations/\w+/", message.body)
    assert link in page.text
    assert pool.sign_in_with(INA, password_in(message)) == "NEW_PASSWORD_REQUIRED"
    values = cognito._values(pool.ask("admin_get_user", Username=INA)["UserAttributes"])
    assert (values["name"], values["email_verified"]) == ("Ina Berg", "true")
    assert cognito.groups_of(values["sub"]) == ("guest",)
    assert people.get(values["sub"]).invited_by == owner.sub


def test_an_account_that_cannot_be_made_a_guest_is_not_made(pool, owner, team, ina, monkeypatch):
    administer = cognito.administer

    def lose_the_group(operation, **arguments):
        if operation == "admin_add_user_to_group":
            raise Unavailable
        return administer(operation, **arguments)

    monkeypatch.setattr(cognito, "administer", lose_the_group)
    page = invite(owner, team, player=ina.id, email=INA)

    assert "The account could not be created because the sign-in service is not responding." in page.text
    assert password_in(mail.outbox[0]) is None
    assert cognito.find(INA).accounts == []


def test_a_member_whom_a_team_invites_stays_a_member(pool, owner, team):
    invite(owner, team, role="scorekeeper", email=pool["member"].email)

    assert pool.groups_of("member") == set()


def test_only_the_owner_and_administrators_open_accounts(pool, owner, team):
    manager = person("Mara")
    join(manager, team, "manager", actor=owner)
    unknown = invite(manager, team, role="scorekeeper", email=INA)
    known = invite(manager, team, role="scorekeeper", email=pool["member"].email)

    assert cognito.find(INA).accounts == []
    asked = "owner can invite someone who has no account. If the person cannot sign in, ask the owner."
    # The same for everybody: nobody who invites learns who has an account.
    assert [asked in page.text for page in (unknown, known)] == [True, True]
    assert "If you have no account yet, ask the owner of the team to invite you." in mail.outbox[0].body
    assert password_in(mail.outbox[0]) is None
    assert asked not in invite(owner, team, role="scorekeeper", email=INA).text
    assert [account.groups for account in cognito.find(INA).accounts] == [("guest",)]


def test_a_guest_invites_others_only_as_the_owner_of_the_team(pool, owner, team):
    gesa = person("Gesa", groups=["guest"])
    join(gesa, team, "manager", actor=owner)
    invite(gesa, team, role="scorekeeper", email=INA)
    assert cognito.find(INA).accounts == []

    teams.transfer(owner, team.id, gesa.sub, seen_version=team.version)
    invite(gesa, team, role="scorekeeper", email=INA)
    assert [account.groups for account in cognito.find(INA).accounts] == [("guest",)]


def test_who_has_signed_in_before_gets_the_link_and_keeps_the_password(pool, owner, team, ina):
    pool.add("Ina", "Berg", email=INA)
    page = invite(owner, team, player=ina.id, email=INA)
    (message,) = mail.outbox

    assert password_in(message) is None
    assert f"Sign in with the account that has this address: {INA}" in message.body
    assert pool.sign_in_with(INA, "wrong") == "NotAuthorizedException"
    # Nobody who invites learns who has an account.
    assert "It has been sent by e-mail." in page.text
    assert "account" not in page.text.split('id="link-heading"')[1].split("</section>")[0]


def test_who_has_not_signed_in_yet_keeps_the_password_of_the_first_mail(pool, owner, team, ina):
    other = person("Otto")
    invite(owner, team, player=ina.id, email=INA)
    invite(other, team_of(other, "Others"), role="manager", email=INA)
    first, second = mail.outbox

    assert password_in(second) is None
    assert "If you have never signed in, use the temporary password from the e-mail" in second.body
    assert pool.sign_in_with(INA, password_in(first)) == "NEW_PASSWORD_REQUIRED"


def test_for_a_role_the_mail_greets_without_a_name(pool, owner, team):
    invite(owner, team, role="scorekeeper", email=INA)

    assert "Hello,\n" in mail.outbox[0].body


def test_without_the_sign_in_service_the_invitation_stands_and_says_what_is_missing(
    db, owner, team, ina, settings
):
    settings.COGNITO_ENDPOINT = "http://127.0.0.1:9"
    page = invite(owner, team, player=ina.id, email=INA)

    assert page.status_code == 200
    assert "The account could not be created because the sign-in service is not responding." in page.text
    assert len(repository.invitations.of_team(team.id)) == 1


def test_mail_that_cannot_be_sent_leaves_the_link(pool, owner, team, ina, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    page = invite(owner, team, player=ina.id, email=INA)

    assert "The e-mail could not be sent. Give the person the link below instead." in page.text
    assert re.search(r"http://testserver/tracker/invitations/\w+/", page.text)
    assert "is on its way" not in page.text


def test_one_address_gets_so_many_mails_a_day_whoever_invites(pool, owner, team, ina):
    answers = [invite(owner, team, player=ina.id, email=INA).status_code for _time in range(MAILING.limit)]
    other = person("Otto")
    theirs = team_of(other, "Others")
    refused = invite(other, theirs, role="manager", email=INA)

    assert set(answers) == {200}
    assert refused.status_code == 429
    assert len(mail.outbox) == MAILING.limit == 5
    assert invite(other, theirs, role="manager").status_code == 200
