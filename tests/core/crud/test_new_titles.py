"""What a new record is called on buttons and as a title: a whole text of each resource."""

from core.crud import registry
from core.crud.registry import resources
from tests.cast import CAST


def test_every_kind_of_record_that_people_create_has_one() -> None:
    creatable = [each for each in resources() if each.may(CAST["admin"], "create")]
    assert {each.entity for each in creatable if not each.new_title} == set()
    assert str(registry.resource_for("news").new_title) == "New article"
