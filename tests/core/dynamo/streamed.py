"""A small made-up domain whose records expire: notices, each pinned to boards."""

from django.core.management import call_command
from pynamodb.attributes import TTLAttribute, UnicodeAttribute

from core.dynamo.attributes import JSONListAttribute
from core.dynamo.guards import Unique
from core.dynamo.items import Item, table_name
from core.dynamo.references import Reference
from core.dynamo.repository import Repository
from core.dynamo.streams import failures, source


class Board(Item):
    id = UnicodeAttribute(hash_key=True)

    class Meta:
        table_name = table_name("test-boards", variable="TEST_BOARDS_TABLE")


class Notice(Item):
    """Its key is natural: after a notice is gone another one may have the same."""

    id = UnicodeAttribute(hash_key=True)
    title = UnicodeAttribute()
    slug = UnicodeAttribute(null=True)
    board_ids = JSONListAttribute(attr_name="boardIds", default_for_new=list)
    expires = TTLAttribute(null=True)

    class Meta:
        table_name = table_name("test-notices", variable="TEST_NOTICES_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"


class BoardRepository(Repository[Board]):
    model = Board
    entity = "board"
    scope = "cms"
    label = "id"


class NoticeRepository(Repository[Notice]):
    model = Notice
    entity = "notice"
    natural_key = True
    scope = "cms"
    label = "title"
    searched = ("title",)
    unique = (Unique("slug"),)
    references = (Reference("board_ids", to="board"),)


boards = BoardRepository()
notices = NoticeRepository()


def run() -> None:
    """Handle all changes that wait; none may fail."""
    call_command("streams", "--once")
    assert list(failures.failed(source.streamed_tables())) == []
