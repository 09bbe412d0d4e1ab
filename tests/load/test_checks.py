"""The checks after a day notice what is lost, doubled or wrong."""

import pytest

from cms.news.models import News
from cms.news.repository import news
from core.dynamo import search_index
from core.dynamo.transactions import commit, delete
from quests.models import CLAIMED
from tests.cast import CAST
from tests.cms.articles import article
from tests.load import checks
from tests.quests.board import PERFORMER, claimed, completed, open_accounts
from tests.scouting import field
from tests.scouting.field import KEY, stand
from tests.tracker.scorebook import Played
from tracker.scoring.models import AtBat

pytestmark = pytest.mark.usefixtures("db")
EDITOR = CAST["official"].actor


@pytest.fixture
def edited() -> News:
    """An article whose title was first One, then Two."""
    return news.update(article("One"), {"title": "Two"}, actor=EDITOR)


def test_a_form_that_is_lost_or_has_other_answers() -> None:
    field.event()
    stand("20", 1, autoFuel=2, teleFuel=3, comments="a")

    assert list(checks.of_forms(KEY, [[1, "20", 2, 3, "a"]])) == []
    assert list(checks.of_forms(KEY, [[2, "20", 2, 3, "a"]])) == ["The form of team 20 in match 2 is lost."]
    assert list(checks.of_forms(KEY, [[1, "20", 2, 4, "a"]])) == [
        "The form of team 20 in match 1 has other answers than were sent."
    ]


def test_a_form_that_is_stored_twice() -> None:
    field.event()
    for further in ("", "someone"):
        stand("20", 1, further=further)

    assert list(checks.of_forms(KEY, [])) == ["The form of (1, '20') is stored 2 times."]


def test_an_edit_that_is_neither_in_the_record_nor_in_its_history(edited: News) -> None:
    key = edited.id

    assert list(checks.of_articles([[key, "One"]], [[key, "Two"]], [])) == []
    assert list(checks.of_articles([[key, "Three"]], [], [])) == [
        "The title 'Three' was acknowledged and is stored 0 times."
    ]
    assert list(checks.of_articles([], [], [[key, "Three begonnen"]])) == [
        "The title 'Three begonnen' was kept and is nowhere."
    ]
    assert list(checks.of_articles([], [], [[key, "Two begonnen"]])) == []


def test_an_edit_that_was_carried_out_twice(edited: News) -> None:
    again = news.update(edited, {"title": "One"}, actor=EDITOR)

    assert list(checks.of_articles([[again.id, "One"]], [], [])) == [
        "The title 'One' was acknowledged and is stored 2 times."
    ]


def test_a_play_that_is_lost_or_doubled_and_a_box_score_that_is_wrong() -> None:
    played = Played()
    told = [[number, result, played.batter(number + 1).id] for number, result in enumerate(("K", "1B", "1B"))]
    for _count, result, _batter in told[:2]:
        played.record(result)

    assert list(checks.of_plays(played, told[:2])) == []
    assert list(checks.of_plays(played, told)) == ["3 plays were acknowledged and 2 are stored."]
    played.record("1B")
    played.record("1B")
    assert list(checks.of_plays(played, told[:2])) == ["2 plays were acknowledged and 4 are stored."]
    commit(delete(AtBat, played.story().at_bats[-1].raw_key()))
    assert list(checks.of_plays(played, told)) == ["The stored box score is not what the plays come to."]


def test_a_claim_with_two_winners_and_work_that_was_confirmed_and_is_not_complete() -> None:
    open_accounts()
    quest, done = claimed(), completed()
    won, finished = [quest.id, PERFORMER.sub], [done.id, PERFORMER.sub]

    assert list(checks.of_quests([won, finished], [finished], [finished, finished])) == []
    assert list(checks.of_quests([won, [quest.id, "someone"]], [], [])) == [
        f"['{PERFORMER.sub}', 'someone'] were told that a quest is theirs, and {PERFORMER.sub} has it."
    ]
    assert list(checks.of_quests([won], [won], [won, won])) == [
        f"A quest was confirmed by both sides and is {CLAIMED}.",
        f"The work of a quest was submitted and it is {CLAIMED}.",
    ]


def test_a_word_that_is_missing_and_one_that_no_record_has() -> None:
    key = article("Derby").id
    assert list(checks.of_side_items()) == []

    commit(
        search_index.remove("cms", "derby", entity="news", key=key),
        search_index.put("cms", "pokal", entity="news", key=key),
    )

    assert list(checks.of_side_items()) == [
        f"The search lacks ('WORD#cms#de', 'derby', 'news', '{key}').",
        f"The search has ('WORD#cms#po', 'pokal', 'news', '{key}'), which no record has.",
    ]
