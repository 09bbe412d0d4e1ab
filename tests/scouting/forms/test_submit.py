"""Sending forms: scores are computed, a robot in a match has one form, what is sent twice is stored once."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied

from core.accounts.user import User
from core.dynamo import maintenance
from core.dynamo.attributes import now, to_iso
from core.dynamo.errors import DataError, Invalid, KeyReused
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.support_table import SupportItem
from scouting.analysis import queries
from scouting.events.event import NoSuchEvent
from scouting.events.models import EventInfo
from scouting.events.repository import event_infos
from scouting.forms import services as forms
from scouting.forms.repository import comment_forms, pit_forms
from scouting.settings import services as settings
from tests.racing import at_once
from tests.scouting.field import KEY, be_at, event, exist, stand
from tests.scouting.forms.sent_forms import LEAD, MEMBER, SCORES, SCOUT, edited, fields, key_of, play, stored

pytestmark = pytest.mark.usefixtures("db")


def once(key="first", *, user=SCOUT, payload=None):
    return IdempotencyKey(user.sub, "scouting:stand", key, payload or {"team": "20"})


def receipts_expire():
    """Let everything that this test sent be a day old."""
    table = SupportItem.Meta.table_name
    for item in maintenance.scan_items(TableName=table):
        if "expiresAt" in item:
            over = {"expiresAt": {"S": to_iso(now() - timedelta(milliseconds=1))}}
            maintenance.request("PutItem", TableName=table, Item=item | over)


def comments():
    return comment_forms.of_team(KEY, "20")


def test_a_stand_form_has_its_scores_and_the_name_of_whoever_is_signed_in():
    event()
    form = forms.submit_stand(SCOUT, fields(), once=once())
    (kept,) = stored()
    assert (kept.auto_score, kept.tele_score, kept.total_score) == (4, 50, 54)
    assert (kept.scout_id, kept.scout_name) == (SCOUT.sub, SCOUT.name)
    assert kept.id == form.id
    assert kept.scores == SCORES


def test_a_retry_is_answered_with_the_form_that_is_stored():
    event()
    first = forms.submit_stand(SCOUT, fields(), once=once())
    again = forms.submit_stand(SCOUT, fields(), once=once())
    assert again.id == first.id
    assert len(stored()) == 1


@pytest.mark.parametrize(
    ("submit", "told"),
    [
        (forms.submit_stand, fields()),
        (forms.submit_pit, {"event": KEY, "team": "20", "answers": {}}),
        (forms.submit_comment, {"event": KEY, "team": "20", "comments": "Fast"}),
    ],
)
def test_a_retry_after_its_row_has_expired_still_finds_its_own_form(submit, told):
    event()
    first = submit(SCOUT, told, once=once())
    receipts_expire()
    again = submit(SCOUT, told, once=once())
    assert (again.id, again.sk) == (first.id, first.sk)
    assert len([*stored(), *pit_forms.at(KEY), *comments()]) == 1


def test_a_key_that_was_used_for_another_robot_is_refused():
    event()
    forms.submit_stand(SCOUT, fields(), once=once())
    with pytest.raises(KeyReused):
        forms.submit_stand(SCOUT, fields("101"), once=once(payload={"team": "101"}))
    assert len(stored()) == 1


def test_the_same_key_of_somebody_else_is_another_form():
    event()
    forms.submit_stand(SCOUT, fields(), once=once())
    forms.submit_stand(LEAD, fields("101"), once=once(user=LEAD))
    assert len({form.id for form in stored()}) == 2


def test_a_robot_that_has_a_form_in_this_match_is_told_with_that_form():
    event()
    first = forms.submit_stand(SCOUT, fields(), once=once())
    with pytest.raises(forms.Taken) as refused:
        forms.submit_stand(LEAD, fields(), once=once(user=LEAD))
    assert refused.value.current.id == first.id
    assert len(stored()) == 1


def test_a_second_report_can_be_kept_beside_the_first_and_is_also_sent_once():
    event()
    forms.submit_stand(SCOUT, fields(), once=once())
    for _attempt in range(2):
        second = forms.submit_stand(LEAD, fields(), once=once(user=LEAD), is_further=True)
    assert [(form.is_further, form.scout_id) for form in stored()] == [(False, SCOUT.sub), (True, LEAD.sub)]
    assert second.sk == f"TEAM#20#MATCH#0001#R#{LEAD.sub}"


def test_nobody_reports_the_same_robot_twice():
    event()
    first = forms.submit_stand(SCOUT, fields(), once=once())
    with pytest.raises(forms.Taken) as refused:
        forms.submit_stand(SCOUT, fields(), once=once("second"), is_further=True)
    assert refused.value.current.id == first.id
    assert len(stored()) == 1


def deleted(form):
    forms.delete(LEAD, "stand", key_of(form), seen_version=form.seen_version)


def moved(form, team, match):
    told = {"team": team, "match": match}
    return forms.move(LEAD, "stand", key_of(form), told, seen_version=form.seen_version)


def by_scout(match=1):
    """What there is of the robot by the scout."""
    return [form for form in stored() if (form.match, form.scout_id) == (match, SCOUT.sub)]


@pytest.mark.parametrize("gone", [deleted, lambda form: moved(form, "101", 9)])
def test_whoever_has_a_further_report_sends_no_other_once_the_first_one_is_gone(gone):
    event()
    first = forms.submit_stand(LEAD, fields(), once=once(user=LEAD))
    own = forms.submit_stand(SCOUT, fields(), once=once(), is_further=True)
    gone(first)
    with pytest.raises(forms.Taken) as refused:
        forms.submit_stand(SCOUT, fields(), once=once("second"))
    assert refused.value.current.id == own.id
    assert [form.id for form in by_scout()] == [own.id]


def test_whoever_has_a_further_report_is_led_to_it_and_not_to_the_first_one():
    event()
    forms.submit_stand(LEAD, fields(), once=once(user=LEAD))
    own = forms.submit_stand(SCOUT, fields(), once=once(), is_further=True)
    with pytest.raises(forms.Taken) as refused:
        forms.submit_stand(SCOUT, fields(), once=once("second"))
    assert refused.value.current.id == own.id


def test_a_form_is_not_moved_to_a_robot_of_which_its_scout_has_told():
    event()
    first = forms.submit_stand(LEAD, fields(), once=once(user=LEAD))
    own = forms.submit_stand(SCOUT, fields(), once=once(), is_further=True)
    other = forms.submit_stand(SCOUT, fields(match=2), once=once("second"))
    deleted(first)
    with pytest.raises(forms.Taken, match="This scout has already reported this robot") as refused:
        moved(other, "20", 1)
    assert refused.value.current.id == own.id
    assert [form.id for form in stored()] == [own.id, other.id]


def test_a_form_is_not_brought_back_beside_a_new_one_of_its_scout():
    event()
    first = forms.submit_stand(LEAD, fields(), once=once(user=LEAD))
    earlier = forms.submit_stand(SCOUT, fields(), once=once(), is_further=True)
    deleted(earlier)
    deleted(first)
    own = forms.submit_stand(SCOUT, fields(), once=once("second"))
    with pytest.raises(forms.Taken, match="This scout has already reported this robot") as refused:
        forms.restore(LEAD, "stand", key_of(earlier))
    assert refused.value.current.id == own.id
    deleted(own)
    forms.restore(LEAD, "stand", key_of(earlier))
    assert [form.id for form in stored()] == [earlier.id]


def test_moving_a_further_report_to_its_own_robot_leaves_it_where_it_is():
    event()
    first = forms.submit_stand(LEAD, fields(), once=once(user=LEAD))
    own = forms.submit_stand(SCOUT, fields(), once=once(), is_further=True)
    deleted(first)
    assert moved(own, "20", 1) == key_of(own)
    assert [form.sk for form in stored()] == [own.sk]


def test_a_scout_has_one_report_of_a_robot_whoever_sends_moves_or_restores_at_once():
    event()
    settings.active()
    rounds = range(1, 5)
    trashed, misplaced = {}, {}
    for match in rounds:
        trashed[match] = forms.submit_stand(SCOUT, fields(match=match), is_further=True)
        deleted(trashed[match])
        misplaced[match] = forms.submit_stand(SCOUT, fields("101", match))

    acts = [
        lambda match: forms.submit_stand(SCOUT, fields(match=match)),
        lambda match: forms.submit_stand(SCOUT, fields(match=match), is_further=True),
        lambda match: moved(misplaced[match], "20", match),
        lambda match: forms.restore(LEAD, "stand", key_of(trashed[match])),
    ]
    answers = at_once(lambda number: acts[number // 4](number % 4 + 1), 16)
    reports = [[form for form in by_scout(match) if form.team == "20"] for match in rounds]
    assert [len(each) for each in reports] == [1, 1, 1, 1]
    assert sum(isinstance(answer, forms.Taken) for answer in answers) == 12


def test_six_scouts_send_the_same_match_at_once_twice_each():
    scheduled = event().matches[0]
    scouts = [User.of(sub=f"scout-{n}", name=f"Scout {n}", email="", groups=["scout"]) for n in range(6)]
    settings.active()

    def send(number):
        scout, team = scouts[number % 6], scheduled.teams[number % 6]
        return forms.submit_stand(scout, fields(team), once=once(f"key-{number % 6}", user=scout))

    answers = at_once(send, 12)
    assert [answer for answer in answers if isinstance(answer, DataError)] == []
    assert sorted(form.team for form in stored()) == sorted(scheduled.teams)
    assert [answers[n].id for n in range(6)] == [answers[n + 6].id for n in range(6)]


def test_while_the_event_is_locked_forms_of_another_one_are_refused():
    event()
    other = EventInfo.about("2026other", name="Another one", is_own=True)
    event_infos.create(other, actor=LEAD.actor)
    with pytest.raises(NoSuchEvent, match="does not exist"):
        forms.submit_stand(SCOUT, fields(at="2026nowhere"))
    forms.submit_stand(SCOUT, fields(at="2026other"))
    be_at(KEY, locked=True)
    told = {"event": "2026other", "team": "101"}
    for submit, more in (
        (forms.submit_stand, {"match": 1, "scores": SCORES}),
        (forms.submit_pit, {"answers": {}}),
        (forms.submit_comment, {"comments": "Fast"}),
    ):
        with pytest.raises(Invalid, match="2026fhtest only"):
            submit(SCOUT, told | more)
    assert pit_forms.at("2026other") == []
    forms.submit_stand(SCOUT, fields())


def test_only_scouts_send_forms():
    event()
    for submit in (forms.submit_stand, forms.submit_pit, forms.submit_comment):
        with pytest.raises(PermissionDenied):
            submit(MEMBER, fields())


def test_there_is_one_pit_form_of_each_team():
    event()
    told = {"event": KEY, "team": "20", "answers": {"notDo": "Swim"}}
    first = forms.submit_pit(SCOUT, told, once=once())
    assert forms.submit_pit(SCOUT, told, once=once()).id == first.id
    with pytest.raises(forms.Taken) as refused:
        forms.submit_pit(LEAD, told, once=once(user=LEAD))
    assert refused.value.current.id == first.id


def test_comments_of_one_millisecond_stay_apart_and_a_retry_is_one():
    event()
    told = {"event": KEY, "team": "20", "comments": "Fast"}
    at_once(lambda number: forms.submit_comment(SCOUT, told, once=once(f"key-{number % 4}")), 8)
    assert len(comments()) == 4


# --- Which game --------------------------------------------------------------------------------------------


def test_a_form_is_read_with_the_game_that_it_was_sent_with():
    event()
    play(2024)
    form = forms.submit_stand(SCOUT, fields(scores={"autoAmpsNotes": 2}))
    pit_form = forms.submit_pit(SCOUT, {"event": KEY, "team": "20", "answers": {}})
    worth = form.total_score
    assert (worth > 0, form.game_year, pit_form.game_year) == (True, 2024, 2024)
    play(None)
    assert forms.game_of(KEY).year == 2026
    assert forms.game_of(KEY, stored()).year == 2024
    assert queries.at(KEY).game.year == 2024
    assert queries.at(KEY, with_forms=False, with_pits=True).game.year == 2024
    edited(SCOUT, form, scores={"autoAmpsNotes": 4})
    assert stored()[0].total_score == 2 * worth


def test_all_events_of_a_year_follow_the_game_that_was_chosen_for_it():
    event()
    play(2024)
    assert forms.game_of("2026other").year == 2024
    assert forms.game_of("2025other").year == 2025
    assert queries.at(KEY).game.year == 2024


def test_forms_that_do_not_say_their_game_are_read_with_that_of_their_events_year():
    event()
    exist("2025other")
    play(2024)
    stand("20", 1)
    stand("20", 1, key="2025other")
    assert queries.at(KEY).game.year == 2026
    assert queries.at("2025other").game.year == 2025
    forms.submit_stand(SCOUT, fields("101", scores={}))
    forms.submit_stand(SCOUT, fields("102", scores={}))
    assert queries.at(KEY).game.year == 2024
