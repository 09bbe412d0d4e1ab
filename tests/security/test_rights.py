"""The table of rights says what FIELDS.md 4.3 says."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from django.core.exceptions import PermissionDenied

from core.accounts.rights import PUBLIC, RIGHTS, ensure, may, may_open, may_to_some, requires
from core.accounts.user import AnonymousUser, User
from tests.cast import CAST

# Who may do it to any record.
MATRIX = {
    "cms.news": {"view": "AMO", "create": "AMO", "update": "AM", "delete": "AM"},
    "cms.event": {"view": "AMO", "create": "AMO", "update": "AM", "delete": "AM"},
    "cms.team": {"view": "AMO", "create": "AM", "update": "AM", "delete": "AM"},
    "cms.member": {"view": "AMO", "contact": "AM", "create": "AM", "update": "AM", "delete": "AM"},
    "cms.media": {"view": "AMO", "create": "AMO", "update": "AM", "delete": "AM"},
    "cms.sponsor": {"view": "AM", "create": "AM", "update": "AM", "delete": "AM"},
    "cms.location": {"view": "AMO", "create": "AM", "update": "AM", "delete": "AM"},
    "cms.role": {"view": "members", "create": "AM", "update": "AM", "delete": "AM"},
    "cms.calendar": {"view": "members"},
    "cms.bus": {"view": "members", "create": "members", "update": "AM", "delete": "AM"},
    "cms.post": {"view": "AMO", "create": "AM", "update": "AM", "delete": "AM"},
    "cms.page": {"view": "AM", "create": "AM", "update": "AM", "delete": "AM"},
    "cms.sams": {"view": "AMO", "update": "A"},
    "accounts.user": {"view": "A", "invite": "A", "update": "A"},
    "accounts.person": {"view": "AMO"},
    "accounts.token": {"update": "members"},
}
LETTERS = {"admin": "A", "moderator": "M", "official": "O"}


@pytest.mark.parametrize("entity", MATRIX)
def test_the_table_follows_the_matrix(entity: str) -> None:
    expected = {
        (verb, role): (holders == "members" and role != "guest") or LETTERS.get(role, "?") in holders
        for verb, holders in MATRIX[entity].items()
        for role in CAST
    }

    assert {(verb, role): may(CAST[role], f"{entity}.{verb}") for verb, role in expected} == expected


def test_every_content_right_is_in_the_matrix() -> None:
    named = {f"{entity}.{verb}" for entity, verbs in MATRIX.items() for verb in verbs}

    assert {right for right in RIGHTS if right.startswith(("cms.", "accounts."))} == named


def test_a_guest_may_open_home_and_the_own_teams_and_nothing_else() -> None:
    guest = replace(CAST["guest"], member_ids=frozenset({"m1"}))

    assert {right for right in RIGHTS if may_to_some(guest, right)} == {"home.page.view", "tracker.team.view"}
    # Not even what would be their own: an entry with their address, a booking in their name.
    assert not may(guest, "cms.member.update", record(email=guest.email))
    assert not may(guest, "cms.bus.delete", record(booker_id=guest.sub))
    assert not may(guest, "cms.team.update", record(staff_ids={"m1"}))


def test_whoever_has_a_group_of_the_club_is_no_guest() -> None:
    both = User.of(sub="x", name="X", email="x@fieldhouse.example", groups=["guest", "scout"])

    assert (both.is_guest, CAST["guest"].is_guest, CAST["member"].is_guest) == (False, True, False)
    assert may(both, "quests.quest.view")
    assert may(both, "scouting.form.create")


def record(**fields: object) -> SimpleNamespace:
    return SimpleNamespace(**fields)


OFFICIAL = CAST["official"]


@pytest.mark.parametrize(
    ("right", "mine", "foreign"),
    [
        ("cms.news.update", record(author_ids=["x", "official-sub"]), record(author_ids=["x"])),
        ("cms.news.delete", record(author_ids=["official-sub"]), record(author_ids=None)),
        ("cms.event.update", record(author_ids=["official-sub"]), record(author_ids=[])),
        ("cms.event.delete", record(author_ids=["official-sub"]), record(author_ids=["official"])),
        (
            "cms.member.update",
            record(email="Official@Fieldhouse.example"),
            record(email="x@fieldhouse.example"),
        ),
        ("cms.member.delete", record(email="official@fieldhouse.example"), record(email=None)),
        ("cms.media.update", record(uploaded_by="official-sub"), record(uploaded_by="member-sub")),
        ("cms.bus.update", record(booker_id="official-sub"), record(booker_id="member-sub")),
        ("cms.bus.delete", record(booker_id="official-sub"), record(booker_id=None)),
    ],
)
def test_own_records_may_be_changed_and_those_of_others_not(
    right: str, mine: SimpleNamespace, foreign: SimpleNamespace
) -> None:
    assert may(OFFICIAL, right, mine)
    assert not may(OFFICIAL, right, foreign)
    ensure(OFFICIAL, right, mine)
    with pytest.raises(PermissionDenied):
        ensure(OFFICIAL, right, foreign)
    assert may(CAST["moderator"], right, foreign)


def test_coaches_and_contact_persons_change_their_own_team_and_find_the_others() -> None:
    coach = replace(CAST["member"], member_ids=frozenset({"m1"}))
    own, foreign = record(staff_ids={"m1", "m2"}), record(staff_ids={"m2"})

    assert may_to_some(coach, "cms.team.update")
    assert (may(coach, "cms.team.update", own), may(coach, "cms.team.update", foreign)) == (True, False)
    assert not may(coach, "cms.team.delete", own)
    for kind in ("team", "member", "location"):
        assert may_to_some(coach, f"cms.{kind}.view")
        assert may(coach, f"cms.{kind}.view", foreign)
    assert not may(coach, "cms.member.update", record(email="else@fieldhouse.example"))
    assert not may(coach, "cms.location.update", record())


def test_who_is_no_member_that_the_website_names_does_not_come_near_members_and_teams() -> None:
    for right in ("cms.team.view", "cms.member.view", "cms.member.update", "cms.location.view"):
        assert not may_to_some(CAST["member"], right)


def test_a_person_without_an_email_is_not_everybody_without_an_email() -> None:
    nobody = User.of(sub="x", name="X", email="", groups=())

    assert not may(nobody, "cms.member.update", record(email=""))


def test_strangers_may_only_what_is_public() -> None:
    assert may(AnonymousUser(), PUBLIC)
    assert not any(may(AnonymousUser(), right) for right in RIGHTS)


def test_groups_that_we_do_not_know_give_no_right() -> None:
    user = User.of(sub="x", name="X", email="x@fieldhouse.example", groups=["Admin", "root", "superuser"])

    assert user.groups == frozenset()
    assert not may(user, "accounts.user.view")


def test_a_right_that_is_not_in_the_table_cannot_be_declared_or_asked_for() -> None:
    with pytest.raises(ValueError, match=r"cms\.news\.explode"):
        requires("cms.news.explode")
    with pytest.raises(KeyError):
        may(CAST["admin"], "cms.news.explode")


def test_an_operation_is_judged_by_the_right_of_its_method() -> None:
    def operation() -> None:
        """An address of the API; its other methods are answered with 405."""

    operation.rights_by_method = {"GET": ("cms.role.view",), "POST": ("cms.role.create",)}  # type: ignore[attr-defined]

    opened = [may_open(CAST["member"], operation, method) for method in ("GET", "POST", "PUT")]
    assert opened == [True, False, True]
