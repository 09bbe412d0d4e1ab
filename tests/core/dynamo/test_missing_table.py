"""A table that is missing: visitors read one plain sentence, operators what to do."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from cms.news.models import News
from core.dynamo import maintenance
from quests.models import FailedReward, Quest
from tests.cast import sign_in

pytestmark = pytest.mark.usefixtures("own_engine")
SENTENCE = "This part of the site is not set up yet. Tell whoever runs the site."


@pytest.mark.parametrize(
    ("model", "role", "address"),
    [(News, None, "/news/"), (Quest, "other-member", "/quests/"), (Quest, "admin", "/quests/")],
)
def test_visitors_read_that_it_is_not_set_up_and_operators_what_to_do(
    model, role, address, caplog: pytest.LogCaptureFixture
):
    client = sign_in(Client(), role) if role else Client()
    name = model.Meta.table_name
    maintenance.request("DeleteTable", TableName=name)
    response = client.get(address)
    page = response.content.decode()

    assert response.status_code == 500
    assert "Retry-After" not in response
    assert SENTENCE in page
    for inner in (name, "manage.py", "DynamoDB", "Just a moment", "right now"):
        assert inner not in page
    assert f"of {name}. `manage.py tables create` makes it." in caplog.text


def test_a_command_says_what_to_do():
    maintenance.request("DeleteTable", TableName=FailedReward.Meta.table_name)
    with pytest.raises(CommandError, match=r"^A table is missing: `manage\.py tables create` makes it\.$"):
        call_command("reprocess_rewards")
