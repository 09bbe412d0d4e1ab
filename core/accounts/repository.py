"""The repository of the directory of people."""

from typing import Unpack

from core.accounts.models import KIND, Person
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.repository import Repository


class PeopleRepository(Repository[Person]):
    model = Person
    entity = "person"
    # A deleted person is created again under the same sub at the next sign-in.
    natural_key = True
    scope = "people"
    label = "name"
    searched = ("name",)

    def by_name(self, **options: Unpack[PageOptions]) -> Page[Person]:
        return self.page(KIND, index="GSI-List", **options)


people = PeopleRepository()
