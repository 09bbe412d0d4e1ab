"""A small made-up domain whose records are referred to by many at once: halls, and tickets for them."""

from pynamodb.attributes import TTLAttribute, UnicodeAttribute

from core.dynamo.guards import Unique
from core.dynamo.items import Item, table_name
from core.dynamo.references import Reference
from core.dynamo.repository import Repository

SHARDS = 4


class Hall(Item):
    id = UnicodeAttribute(hash_key=True)

    class Meta:
        table_name = table_name("test-halls", variable="TEST_HALLS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"


class Ticket(Item):
    id = UnicodeAttribute(hash_key=True)
    hall = UnicodeAttribute(null=True)
    seat = UnicodeAttribute(null=True)
    expires = TTLAttribute(null=True)

    class Meta:
        table_name = table_name("test-tickets", variable="TEST_TICKETS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"


class HallRepository(Repository[Hall]):
    model = Hall
    entity = "hall"
    scope = "cms"
    label = "id"
    natural_key = True
    use_shards = SHARDS


class TicketRepository(Repository[Ticket]):
    """Its references have no row, and a seat is the receipt of the request that took it."""

    model = Ticket
    entity = "ticket"
    scope = "cms"
    label = "id"
    natural_key = True
    unique = (Unique("seat", is_receipt=True),)
    references = (Reference("hall", to="hall", has_row=False),)


halls = HallRepository()
tickets = TicketRepository()
