"""The keys and indexes of tables, as the proxy needs them to tell which item a request touches."""

from core.dynamo.faults.messages import Call, Json, Part
from core.dynamo.items import Target, target_of
from core.dynamo.tables import TableSpec, from_schema


class Schemas:
    """What the engine tells of each table, asked once: a table made anew with other keys is not noticed."""

    def __init__(self) -> None:
        self._known: dict[str, TableSpec] = {}

    def of(self, call: Call, table: str) -> TableSpec | None:
        """The table, or None if there is none."""
        if table not in self._known:
            description = call("DescribeTable", {"TableName": table}).payload.get("Table")
            if description is None:
                return None
            self._known[table] = from_schema(description)
        return self._known[table]

    def key_of(self, call: Call, part: Part) -> Json | None:
        """The key of the item that is read or written; None if the engine will refuse the request."""
        if (key := part.body.get("Key")) is not None:
            return dict(key)
        spec, item = self.of(call, part.table), part.body.get("Item", {})
        names = [key.name for key in spec.keys] if spec else []
        return {name: item[name] for name in names} if names and item.keys() >= set(names) else None

    def target_of(self, call: Call, part: Part) -> Target | None:
        """What tells the item from all others."""
        key = self.key_of(call, part)
        return None if key is None else target_of(part.table, key)
