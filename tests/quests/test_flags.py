"""Feature flags: for everybody, nobody, staff, or a share of people that only grows."""

import re
from pathlib import Path

import pytest
from django.test import Client

from core.accounts.user import User
from quests import flags, rules
from quests.errors import NotAllowed
from quests.models import COMPLETE
from quests.services import lifecycle, rewards
from tests.cast import CAST, sign_in
from tests.quests.board import CREATOR, PERFORMER, figures, ledger_agrees, open_accounts, submitted

CROWD = [User.of(sub=f"crowd-{number}", name="P", email="p@x.example", groups=[]) for number in range(1000)]


def test_the_guide_names_every_flag_with_its_default(settings):
    guide = (Path(settings.BASE_DIR) / "docs" / "quests.md").read_text()

    assert dict(re.findall(r"^\| `(FF_\w+)` \| `(\w+)` \|", guide, re.MULTILINE)) == settings.QUEST_FLAGS


def on_for(settings, value):
    settings.QUEST_FLAGS = settings.QUEST_FLAGS | {flags.DISPUTES: value}
    return {person.sub for person in CROWD if flags.is_on(flags.DISPUTES, person)}


def test_a_share_is_a_share_and_nobody_loses_it_when_it_grows(settings):
    few, more = on_for(settings, "25%"), on_for(settings, "60%")

    assert 200 < len(few) < 300
    assert few < more
    assert on_for(settings, "0%") == set()
    assert len(on_for(settings, "100%")) == 1000


def test_on_off_and_internal(settings):
    assert len(on_for(settings, "true")) == 1000
    assert on_for(settings, "false") == set()
    assert on_for(settings, "internal") == set()
    assert flags.is_on(flags.DISPUTES, CAST["official"])


def test_disputes_that_are_switched_off_are_refused_with_a_reason(db, settings):
    open_accounts()
    quest = submitted()
    settings.QUEST_FLAGS = settings.QUEST_FLAGS | {flags.DISPUTES: "false"}

    assert "dispute" not in rules.available_actions(CREATOR, quest)
    with pytest.raises(NotAllowed, match="Talk to a steward"):
        lifecycle.dispute(CREATOR, quest.id, reason="Das Netz hat noch immer zwei Löcher.")


def test_without_rewards_a_quest_is_completed_and_nothing_is_booked_later_either(db, settings):
    open_accounts()
    settings.QUEST_FLAGS = settings.QUEST_FLAGS | {flags.REWARDS: "false"}
    quest = submitted()
    lifecycle.attest(CREATOR, quest.id)
    page = sign_in(Client(), "other-member").get(f"/quests/{quest.id}/").content.decode()
    assert "Rewards are switched off." in page

    assert lifecycle.attest(PERFORMER, quest.id).status == COMPLETE

    settings.QUEST_FLAGS = settings.QUEST_FLAGS | {flags.REWARDS: "true"}
    assert rewards.reprocess().processed == 0
    assert figures(PERFORMER) == (10, 0, 0)
    assert ledger_agrees(PERFORMER)


def test_rewards_by_share_ask_who_did_the_quest(settings):
    settings.QUEST_FLAGS = settings.QUEST_FLAGS | {flags.REWARDS: "25%"}

    assert 200 < sum(flags.earns_rewards(person.sub) for person in CROWD) < 300
