"""Every operation of the API, also one that is added, against ids of nobody and of others.

Each test walks openapi.json.
"""

from collections import Counter
from itertools import product
from typing import Any
from urllib.parse import quote

import pytest

from core.accounts.user import User
from quests.services import accounts, lifecycle
from tests.api.operations import body_for, items, operations, personal, sent
from tests.cast import CAST
from tests.cms.articles import article
from tests.quests.board import CREATOR, PERFORMER, submitted
from tests.scouting import field
from tests.scouting.field import KEY
from tests.tracker.club import ghost, team_of
from tracker import repository
from tracker.games.models import Season
from tracker.games.services import games
from tracker.scoring.models import AtBat
from tracker.teams.services import invitations

pytestmark = pytest.mark.usefixtures("db", "unlimited")
OPERATIONS = operations()
STRANGE = User.of(sub="passer-by-sub", name="Pia Anders", email="pia@fieldhouse.example", groups=[])
NOTHING: list[Any] = [[], {"items": [], "nextToken": None}]


@pytest.mark.parametrize(
    "strange",
    [
        "no-such-record",
        "01950000-0000-7000-8000-000000000000",
        "%00",
        "..%2F..%2Fadmin",
        "x" * 3000,
        "%F0%9F%8F%90",
    ],
)
def test_what_is_not_there_is_not_found_by_any_operation(strange: str) -> None:
    token = personal()
    before = items()
    with_ids = [operation for operation in OPERATIONS if operation.parameters]
    wrong = {}
    for operation in with_ids:
        ids = dict.fromkeys(operation.parameters, strange)
        answer = sent(operation, ids, token, body_for(operation), **{"If-Match": '"1"'})
        is_refused = 400 <= answer.status_code < 500
        is_problem = answer["Content-Type"] == "application/problem+json"
        # What belongs to nobody may be an empty list.
        is_empty = answer.status_code == 200 and answer.json() in NOTHING
        if not (is_refused and is_problem) and not is_empty:
            wrong[operation.name] = answer.status_code
    assert wrong == {}
    assert items() == before
    assert len(with_ids) >= 64


def test_a_body_refers_to_nothing_that_is_not_there() -> None:
    token, before = personal(), items()
    named = [
        (operation, name, schema)
        for operation in OPERATIONS
        for name, schema in (operation.body or {}).get("properties", {}).items()
        if name.endswith(("Id", "Ids"))
    ]
    taken = {}
    for operation, name, _schema in named:
        for value in ("no-such-record", ["no-such-record"]):
            ids = dict.fromkeys(operation.parameters, "no-such-record")
            body = body_for(operation) | {name: value}
            answer = sent(operation, ids, token, body, **{"If-Match": '"1"'})
            if not 400 <= answer.status_code < 500:
                taken[operation.name, name] = answer.status_code
    assert taken == {}
    assert len(named) >= 4
    assert items() == before


SECRET = "nobodys-business"


@pytest.fixture
def others() -> dict[str, list[str]]:
    """The ids of records of others, by the names that parameters have; each record holds a secret."""
    field.event()
    stand = field.stand("254", 7, comments=SECRET)
    pit = field.pit("1678", answers={"notes": SECRET})
    for person in (CREATOR, PERFORMER, STRANGE):
        accounts.open_account(person)
    one, other = submitted(), submitted()
    lifecycle.dispute(CREATOR, one.id, reason=f"It is {SECRET} why.")
    owner = CAST["member"]
    team = team_of(owner, SECRET)
    player = ghost(team, SECRET, actor=owner)
    game = games.create(owner, team.id, {"opponent_name": SECRET})
    season = repository.seasons.create(Season.about(team.id, name=SECRET), actor=owner.actor)
    played = AtBat.in_game(game, player_id=player.id, number=1, result="1B")
    at_bat = repository.at_bats.create(played, actor=owner.actor)
    invited = invitations.invite(owner, team.id, player_id=player.id, email="", role="player")
    return {
        "key": [f"{stand.pk}|{stand.sk}", f"{pit.pk}|{pit.sk}", one.id, other.id, CREATOR.sub],
        "id": [article(SECRET, by="moderator").id],
        "event": [KEY],
        "year": ["2026"],
        "name": ["photo.jpg"],
        "slug": [SECRET],
        "team": [team.id, "254"],
        "player": [player.id],
        "game": [game.id],
        "user": [owner.sub],
        "season": [season.id],
        "at_bat": [at_bat.id],
        "invitation": [invited.invitation.id],
        "inning": ["1"],
    }


def test_nobody_reads_or_changes_what_is_of_others(others: dict[str, list[str]]) -> None:
    """A member who has no part in any of it sends every operation to every record."""
    token, before = personal(user=STRANGE), items()
    asked, wrong = Counter[int](), []
    for operation in OPERATIONS:
        known = [others.get(name, ["no-such-record"]) for name in operation.parameters]
        for ids in product(*known):
            named = dict(zip(operation.parameters, (quote(each, safe="") for each in ids), strict=True))
            answer = sent(operation, named, token, body_for(operation), **{"If-Match": '"1"'})
            asked[answer.status_code] += 1
            if answer.status_code >= 500 or SECRET in answer.content.decode():
                wrong.append((operation.name, ids, answer.status_code))
    assert {name for operation in OPERATIONS for name in operation.parameters} == others.keys()
    assert wrong == []
    assert sum(asked.values()) >= 150
    assert asked[403] >= 50
    assert asked[200] >= 10
    assert asked[412] <= 5
    after = items()
    changed = {name for name, stored in before.items() if after.get(name) != stored}
    assert changed <= {name for name in before if STRANGE.sub in name}


def test_administrators_do_find_it(others: dict[str, list[str]]) -> None:
    """So that the test above has something to hide."""
    token = personal()
    shown = {
        operation.name
        for operation in OPERATIONS
        if operation.method == "GET"
        for ids in product(*(others.get(name, ["no-such-record"]) for name in operation.parameters))
        for named in [dict(zip(operation.parameters, (quote(each, safe="") for each in ids), strict=True))]
        if SECRET in sent(operation, named, token).content.decode()
    }
    assert {"GET /scouting/stand-forms/{key}", "GET /scouting/pit-forms/{key}", "GET /cms/news/{id}"} <= shown
    assert {"GET /quests/{key}", "GET /quests/mine"} & shown == {"GET /quests/{key}"}
