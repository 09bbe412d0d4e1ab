"""A program that gives up, loses answers and sends again makes each form exactly once."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from api.limits import WRITES
from core.dynamo import connection
from core.dynamo.faults import Faults
from scouting.forms.repository import stand_forms
from tests.cast import CAST
from tests.scouting import field
from tests.scouting.field import KEY

FORMS, PROGRAMS, MOST_TRIES = 500, 8, 60
BAD_LUCK = Faults(error=0.1, reset=0.1, lost_answer=0.2, conflict=0.1, throttle=0.05)


@pytest.mark.slow
def test_five_hundred_forms_are_five_hundred(proxy, program, monkeypatch):
    field.event(matches=FORMS)
    monkeypatch.setattr(WRITES, "ensure", lambda _sub: None)
    programs = [program("scout") for _number in range(PROGRAMS)]
    programs[0].get("config")
    proxy.faults = BAD_LUCK
    connection.warm()

    def send(number: int) -> set[int]:
        """The statuses of one form until it is there."""
        sent = {"event": KEY, "teamNumber": "254", "matchNumber": number + 1, "teleFuel": number}
        statuses = set()
        for attempt in count(1):
            answer = programs[number % PROGRAMS].post("stand-forms", sent, idempotency_key=f"form-{number}")
            statuses.add(answer.status_code)
            # One in ten loses the answer on its way, and asks again.
            is_lost = (number + attempt) % 10 == 0
            if (answer.status_code in (200, 201) and not is_lost) or attempt == MOST_TRIES:
                return statuses
        raise AssertionError

    with ThreadPoolExecutor(PROGRAMS) as pool:
        statuses = set().union(*pool.map(send, range(FORMS)))
    proxy.faults = Faults()
    stored = stand_forms.at(KEY)
    assert statuses <= {200, 201, 503}
    assert {200, 201} <= statuses
    assert sorted((int(form.match), form.scores["teleFuel"]) for form in stored) == [
        (number + 1, number) for number in range(FORMS)
    ]
    assert {form.scout_id for form in stored} == {CAST["scout"].sub}
    assert proxy.injected["lost_answer"] > 50
