"""Working copies."""

import pytest

from core.dynamo import metering, transactions, working_copies
from core.dynamo.actors import Actor
from core.dynamo.errors import Conflict, Invalid
from core.dynamo.working_copies import WorkingCopy

pytestmark = pytest.mark.usefixtures("db")


def save(actor: Actor, title: str, seen_version: int, key: str = "1") -> WorkingCopy:
    return working_copies.save(
        entity="article",
        key=key,
        label=title,
        values={"title": title, "body": {"text": "x" * 100_000}},
        seen_version=seen_version,
        based_on=3,
        actor=actor,
    )


def test_what_was_typed_is_kept_with_its_last_editor(alice: Actor, bob: Actor) -> None:
    first = save(alice, "One", 0)
    with metering.metered() as meter:
        save(bob, "Two", first.version)

    copy = working_copies.get("article", "1")

    assert copy is not None
    assert (copy.values["title"], copy.based_on, copy.actor_name) == ("Two", 3, "Bob Brandt")
    assert copy.version > first.version
    assert copy.values["body"] == {"text": "x" * 100_000}
    assert meter.requests == 1


def test_a_save_over_somebody_elses_is_refused_and_shows_theirs(alice: Actor, bob: Actor) -> None:
    first = save(alice, "One", 0)
    save(bob, "Two", first.version)

    with pytest.raises(Conflict) as refusal:
        save(alice, "Three", first.version)

    assert str(refusal.value) == "Bob Brandt changed this draft in the meantime."
    assert refusal.value.current.values["title"] == "Two"


def test_two_people_who_begin_at_once_do_not_overwrite_each_other(alice: Actor, bob: Actor) -> None:
    save(alice, "One", 0)

    with pytest.raises(Conflict):
        save(bob, "Two", 0)


def test_a_copy_that_was_discarded_meanwhile_is_not_brought_back(alice: Actor) -> None:
    copy = save(alice, "One", 0)
    transactions.commit(working_copies.discard("article", "1", copy.version))

    with pytest.raises(Conflict, match="published or discarded"):
        save(alice, "Two", copy.version)

    assert working_copies.get("article", "1") is None


def test_a_copy_begun_anew_is_not_overwritten_from_the_one_before_it(alice: Actor, bob: Actor) -> None:
    earlier = save(alice, "One", 0)
    transactions.commit(working_copies.discard("article", "1", earlier.version))
    save(bob, "Two", 0)

    with pytest.raises(Conflict):
        save(alice, "One and a half", earlier.version)


def test_my_copies_are_those_i_edited_last(alice: Actor, bob: Actor) -> None:
    save(alice, "One", 0, key="1")
    second = save(alice, "Two", 0, key="2")
    save(bob, "Two by Bob", second.version, key="2")
    save(alice, "Three", 0, key="3")

    assert [(copy.key, copy.label) for copy in working_copies.last_edited_by(alice.sub).items] == [
        ("3", "Three"),
        ("1", "One"),
    ]
    assert [copy.label for copy in working_copies.last_edited_by(bob.sub).items] == ["Two by Bob"]


def test_a_copy_is_read_strongly_because_its_editors_take_turns(alice: Actor) -> None:
    working_copies.save(
        entity="article", key="1", label="", values={}, seen_version=0, based_on=1, actor=alice
    )

    with metering.metered() as meter:
        working_copies.get("article", "1")

    assert meter.units == 1.0


def test_half_of_a_character_is_refused(alice: Actor) -> None:
    with pytest.raises(Invalid):
        save(alice, "\ud800", 0)


def test_a_copy_follows_a_version_of_its_record_that_changed_nothing_of_it(alice: Actor) -> None:
    copy = save(alice, "One", 0)

    transactions.commit(working_copies.rebase(copy, 4))

    again = working_copies.get("article", "1")
    assert again is not None
    assert (again.based_on, again.version, again.values["title"]) == (4, copy.version, "One")


def test_a_copy_of_another_version_or_none_does_not_follow(alice: Actor) -> None:
    seen = save(alice, "One", 0)
    transactions.commit(working_copies.discard("article", "1", int(seen.version)))
    with pytest.raises(Conflict):
        transactions.commit(working_copies.rebase(seen, 4))
    save(alice, "One", 0)
    seen.based_on = 2

    with pytest.raises(Conflict):
        transactions.commit(working_copies.rebase(seen, 4))

    copy = working_copies.get("article", "1")
    assert copy is not None
    assert copy.based_on == 3
