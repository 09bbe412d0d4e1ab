"""The stand form sent again after a lead has deleted or moved it."""

import pytest

from scouting.forms import services as forms
from scouting.forms.repository import stand_forms
from tests.scouting.field import KEY, event, stand
from tests.scouting.forms.sent_forms import ADDRESS, LEAD, SCOUT, posted, stored


def key_of(form):
    return stand_forms.key_of(form)


@pytest.mark.parametrize(
    ("form", "more"),
    [
        ("stand", {"match": 3, "q_autoFuel": 4, "comments": "Typed"}),
        ("pit", {"q_notDo": "Typed"}),
        ("comment", {"comments": "Typed"}),
    ],
)
def test_a_retry_of_a_form_that_a_lead_deleted_is_told_and_sent_anew_only_by_choice(as_role, form, more):
    event()
    scout, told = as_role("scout"), {"event": KEY, "team": "20", "once": "first", **more}
    address = f"/scouting/{form}/"
    scout.post(address, told)

    def mine():
        found = forms.KINDS[form]
        return list(found.get_many([found.key_of(each) for each in found.by_scout(SCOUT.sub).items]).values())

    (sent,) = mine()
    forms.delete(LEAD, form, forms.KINDS[form].key_of(sent), seen_version=sent.seen_version)

    page = scout.post(address, told)
    assert page.status_code == 409
    text = page.content.decode()
    assert "A scout lead deleted or moved your form after it was received" in text
    assert "Typed" in text
    assert mine() == []
    # Pressing “Send” once more is the same retry; only the other button means a new form.
    assert 'name="once" value="first"' in text
    assert scout.post(address, told).status_code == 409
    anew = told | {"anew": page.context["new_key"]}
    for _tap in range(2):
        assert scout.post(address, anew).status_code == 302
    (again,) = mine()
    assert again.id != sent.id


def test_a_retry_of_a_form_that_a_lead_moved_is_told_where_it_is(as_role):
    event()
    scout = as_role("scout")
    scout.post(ADDRESS, posted(once="first"))
    (sent,) = stored()
    forms.move(LEAD, "stand", key_of(sent), {"team": "2053", "match": 4}, seen_version=sent.seen_version)
    answer = scout.post(ADDRESS, posted(once="first"), follow=True)
    assert "Sent: 2053 in match 4" in answer.content.decode()
    assert len(stored()) == 1


def test_a_retry_never_takes_the_form_of_somebody_else_for_the_deleted_one(as_role):
    event()
    scout = as_role("scout")
    scout.post(ADDRESS, posted(once="first"))
    (sent,) = stored()
    forms.delete(LEAD, "stand", key_of(sent), seen_version=sent.seen_version)
    stand(sent.team, int(sent.match), scout_id=LEAD.sub)
    page = scout.post(ADDRESS, posted(once="first"))
    assert "A scout lead deleted or moved your form after it was received" in page.content.decode()
    taken = scout.post(ADDRESS, posted(once="first", anew=page.context["new_key"]))
    assert taken.context["taken"].scout_id == LEAD.sub
