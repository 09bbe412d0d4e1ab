"""Lists of forms: by event, team or scout; whole, in pages, or only some fields."""

import pytest

from core.dynamo import metering
from scouting.forms import services as forms
from tests.api.programs import pointers
from tests.scouting import field
from tests.scouting.field import KEY, LEAD, SCOUT

OTHER = "2025fhother"


@pytest.fixture
def lead(program):
    field.event()
    field.exist(OTHER)
    return program("scout-lead")


def places(answer):
    forms = answer.json()
    forms = forms["items"] if isinstance(forms, dict) else forms
    return [(form["event"], form["teamNumber"], form.get("matchNumber")) for form in forms]


def test_forms_of_an_event_come_by_team_and_match(lead):
    for team, match in (("2053", 10), ("20", 2), ("2053", 9)):
        field.stand(team, match)
    field.stand("20", 1, key=OTHER)
    assert places(lead.get(f"stand-forms?event={KEY}")) == [
        (KEY, "20", 2),
        (KEY, "2053", 9),
        (KEY, "2053", 10),
    ]


def test_forms_of_a_team_at_an_event_are_not_those_of_a_longer_number(lead):
    field.stand("20", 1), field.stand("2053", 1), field.pit("20"), field.pit("2053")
    assert places(lead.get(f"stand-forms?event={KEY}&team=20")) == [(KEY, "20", 1)]
    assert places(lead.get(f"pit-forms?event={KEY}&team=20")) == [(KEY, "20", None)]


@pytest.mark.parametrize("kind", ["stand", "pit", "comment"])
def test_forms_of_a_team_at_all_events_are_whole_and_newest_first(lead, kind):
    field.be_at(None)
    for event in (OTHER, KEY):
        send(kind, event, "20", 1)
    found = lead.get(f"{kind}-forms?team=20").json()
    assert [form["event"] for form in found] == [KEY, OTHER]
    assert [lead.get(f"{kind}-forms/{form['key'].replace('#', '%23')}").json() for form in found] == found


@pytest.mark.parametrize("kind", ["stand", "pit", "comment"])
def test_people_list_their_own_forms(lead, program, kind):
    send(kind, KEY, "20", 1), send(kind, KEY, "101", 2, user=LEAD)
    scout = program("scout")
    assert [form["scoutId"] for form in scout.get(f"{kind}-forms?scout=me").json()] == [SCOUT.sub]
    assert [form["scoutId"] for form in lead.get(f"{kind}-forms?scout=me").json()] == [LEAD.sub]
    assert scout.get(f"{kind}-forms?event={KEY}").status_code == 403
    assert scout.get(f"{kind}-forms?team=20").status_code == 403


def test_comments_of_an_event_are_whole_and_newest_first(lead):
    for team in ("20", "101"):
        send("comment", KEY, team, 1)
    found = lead.get(f"comment-forms?event={KEY}").json()
    assert [form["teamNumber"] for form in found] == ["101", "20"]
    assert [form["comments"] for form in found] == ["Fast", "Fast"]
    assert lead.get(f"comment-forms?event={KEY}&team=20").json() == found[1:]


@pytest.mark.parametrize("query", ["", "scout=me&event=" + KEY, "scout=me&team=20"])
def test_a_list_says_which_forms(lead, query):
    assert lead.get(f"stand-forms?{query}").status_code == 400


def test_pages_follow_each_other_to_the_last(lead):
    field.many(field.form("20", match) for match in range(1, 46))
    pages, token = [], ""
    while token is not None:
        page = lead.get(f"stand-forms?event={KEY}&limit=20&nextToken={token}").json()
        pages.append([form["matchNumber"] for form in page["items"]])
        token = page["nextToken"]
    assert pages == [[*range(1, 21)], [*range(21, 41)], [*range(41, 46)]]


def test_a_page_has_twenty_unless_told_otherwise(lead):
    field.many(field.form("20", match) for match in range(1, 46))
    token = lead.get(f"stand-forms?event={KEY}&limit=1").json()["nextToken"]
    page = lead.get(f"stand-forms?event={KEY}&nextToken={token}").json()
    assert [form["matchNumber"] for form in page["items"]] == [*range(2, 22)]


@pytest.mark.parametrize("limit", ["0", "101", "-1", "many", "1.5", ""])
def test_a_page_has_one_to_a_hundred(lead, limit):
    answer = lead.get(f"stand-forms?event={KEY}&limit={limit}")
    assert (answer.status_code, pointers(answer)) == (400, ["/query/limit"])


def test_a_token_is_for_the_same_list_of_the_same_person(lead, program):
    field.many(field.form("20", match) for match in range(1, 4))
    token = lead.get(f"stand-forms?event={KEY}&limit=1").json()["nextToken"]
    assert lead.get(f"stand-forms?event={KEY}&nextToken={token}&fields=id").status_code == 200
    assert lead.get(f"stand-forms?event={OTHER}&nextToken={token}").status_code == 400
    assert lead.get(f"stand-forms?event={KEY}&team=20&nextToken={token}").status_code == 400
    assert lead.get(f"pit-forms?event={KEY}&nextToken={token}").status_code == 400
    assert lead.get(f"stand-forms?event={KEY}&nextToken={token[:-1]}").status_code == 400
    assert program("admin").get(f"stand-forms?event={KEY}&nextToken={token}").status_code == 400


def test_a_bare_array_has_at_most_a_thousand(lead):
    field.many(field.form("20", match) for match in range(1, 1001))
    assert len(lead.get(f"stand-forms?event={KEY}").json()) == 1000
    field.stand("2053", 1)
    answer = lead.get(f"stand-forms?event={KEY}")
    assert answer.status_code == 400
    assert "limit" in answer.json()["detail"]


def test_only_the_fields_that_are_asked_for_are_answered_and_read(lead):
    field.stand("20", 1, autoFuel=4, comments="A long text " * 50)
    with metering.metered() as meter:
        answer = lead.get(f"stand-forms?event={KEY}&fields=teamNumber,autoFuel,totalScore,key")
    (form,) = answer.json()
    assert form == {"teamNumber": "20", "autoFuel": 4, "totalScore": 4, "key": form["key"]}
    assert meter.operations[-1] == "Query"
    whole = lead.get(f"stand-forms/{form['key'].replace('#', '%23')}?fields=comments")
    assert (whole.json(), whole["ETag"][0]) == ({"comments": "A long text " * 50}, '"')


def test_the_ranges_of_projection_reach_dynamodb(lead, monkeypatch):
    sent = []
    from core.dynamo.connection import SharedConnection

    send_on = SharedConnection._send
    monkeypatch.setattr(
        SharedConnection,
        "_send",
        lambda self, name, request: sent.append(request) or send_on(self, name, request),
    )
    lead.get(f"stand-forms?event={KEY}&fields=teamNumber,autoFuel&strong=true")
    query = sent[-1]
    assert set(query["ExpressionAttributeNames"].values()) >= {"teamNumber", "scores", "version"}
    assert "strategy" not in query["ExpressionAttributeNames"].values()
    assert query["ConsistentRead"] is True


@pytest.mark.parametrize(
    ("address", "requests"),
    [
        (f"stand-forms?event={KEY}", 1),
        (f"stand-forms?event={KEY}&limit=100", 1),
        ("stand-forms?team=20&limit=100", 2),
        ("stand-forms?scout=me&limit=100", 2),
        (f"comment-forms?event={KEY}&limit=100", 2),
        (f"pit-forms?event={KEY}", 1),
        (f"comment-forms?event={KEY}&team=20", 1),
        ("events", 1),
    ],
)
def test_a_list_of_a_hundred_costs_one_request_or_two_and_one_for_the_session(lead, address, requests):
    field.many(field.form("20", match, scout_id=LEAD.sub) for match in range(1, 101))
    for _number in range(3):
        send("comment", KEY, "20", 1)
    with metering.metered() as meter:
        assert lead.get(address).status_code == 200
    assert meter.requests == requests + 1


def test_a_list_with_a_token_needs_no_session(lead, program, token_of):
    field.many(field.form("20", match) for match in range(1, 101))
    program = type(lead)(token=token_of("scout-lead"))
    program.get("config")
    with metering.metered() as meter:
        assert len(program.get(f"stand-forms?event={KEY}").json()) == 100
    assert meter.requests == 1


def send(kind, event, team, number, user=SCOUT):
    told = {"event": event, "team": team}
    match kind:
        case "stand":
            return forms.submit_stand(user, told | {"match": number, "scores": {"autoFuel": 1}})
        case "pit":
            return forms.submit_pit(user, told | {"answers": {"notDo": "Climb"}})
    return forms.submit_comment(user, told | {"comments": "Fast"})
