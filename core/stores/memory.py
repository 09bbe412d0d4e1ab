"""The store table in the memory of one process: for a site of one process, and for tests.

It carries out the requests that the stores send to DynamoDB, with the parts of its expressions that they use.
"""

import operator
import re
from collections import deque
from collections.abc import Callable
from typing import Any

from core.dynamo.items import AttributeValue, RawItem
from core.stores.config import StoreConfig
from core.stores.table import NEVER, ConditionFailed, StoreTable, int_of, now_ms, number

CLEAN_UP_INTERVAL_MS = 300_000
TOKEN = re.compile(r"[#:][\w.#]+|\w+|<=|>=|<>|[<>=(),+]")
COMPARISONS = {"=": operator.eq, "<>": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt}


def open_table(config: StoreConfig | None, *, store: str, clock: Callable[[], int] = now_ms) -> StoreTable:
    """The table of a store: in DynamoDB, or with `in_memory` a new one in this process."""
    table = MemoryTable if config is not None and config.in_memory else StoreTable
    return table(config, store=store, clock=clock)


class MemoryTable(StoreTable):
    def __init__(self, config: StoreConfig | None, *, store: str, clock: Callable[[], int] = now_ms) -> None:
        super().__init__(config, store=store, clock=clock)
        self.name = "memory"
        self._items: dict[tuple[str, str], RawItem] = {}
        self._cleaned_at = clock()

    def _send(self, operation: str, arguments: dict[str, Any]) -> dict[str, Any]:
        now = self.now()
        with self._lock:
            if now >= self._cleaned_at + CLEAN_UP_INTERVAL_MS:
                self._cleaned_at = now
                self._items = {
                    key: item for key, item in self._items.items() if int_of(item, "TTL", NEVER) * 1000 > now
                }
            return self._carry_out(operation, arguments)

    def _carry_out(self, operation: str, arguments: dict[str, Any]) -> dict[str, Any]:
        values = arguments.get("ExpressionAttributeValues", {})
        match operation:
            case "TransactWriteItems" | "BatchWriteItem":
                writes = arguments.get("TransactItems") or arguments["RequestItems"][self.name]
                for kind, write in (part for each in writes for part in each.items()):
                    self._carry_out(f"{kind.removesuffix('Request')}Item", write)
                return {}
            case "BatchGetItem":
                keys = map(_key, arguments["RequestItems"][self.name]["Keys"])
                return {"Responses": {self.name: [self._items[key] for key in keys if key in self._items]}}
            case "Query":
                condition, items = arguments["KeyConditionExpression"], self._items.values()
                return {"Items": [item for item in items if Expression(condition, item, values).holds()]}
        key = _key(arguments.get("Item") or arguments["Key"])
        stored = self._items.get(key, {})
        if operation == "GetItem":
            return {"Item": stored}
        condition = arguments.get("ConditionExpression")
        if condition and not Expression(condition, stored, values).holds():
            raise ConditionFailed(stored)
        if operation == "DeleteItem":
            return {"Attributes": self._items.pop(key, {})}
        if operation == "PutItem":
            self._items[key] = arguments["Item"]
        else:
            update = Expression(arguments["UpdateExpression"], stored or arguments["Key"], values)
            self._items[key] = update.applied()
        return {"Attributes": self._items[key]}


class Expression:
    """An expression of DynamoDB, evaluated for one item from left to right."""

    def __init__(self, text: str, item: RawItem, values: RawItem) -> None:
        self._tokens = deque(TOKEN.findall(text))
        self._item = item
        self._values = values

    def holds(self) -> bool:
        """Whether the item fulfils this condition."""
        result = self._all_hold()
        while self._skip("OR"):
            # Not `result or …`: the tokens must be read in any case.
            result = self._all_hold() or result
        return result

    def applied(self) -> RawItem:
        """The item after this update, whose operands are the values before it."""
        changed, clause = dict(self._item), ""
        while self._tokens:
            path = self._tokens.popleft()
            if not path.startswith("#"):
                clause = clause if path == "," else path
                continue
            *maps, name = _names(path)
            parent = changed
            for each in maps:
                parent[each] = {"M": dict(parent[each]["M"])}
                parent = parent[each]["M"]
            if clause == "REMOVE":
                parent.pop(name, None)
            elif clause == "ADD":
                parent[name] = _sum(self._value(path), self._operand())
            else:
                self._skip("=")
                value = self._operand()
                parent[name] = _sum(value, self._operand()) if self._skip("+") else value
        return changed

    def _all_hold(self) -> bool:
        result = self._comparison()
        while self._skip("AND"):
            result = self._comparison() and result
        return result

    def _comparison(self) -> bool:
        if self._skip("("):
            result = self.holds()
            self._skip(")")
            return result
        if (function := self._tokens[0]).startswith("attribute_"):
            value, *kind = self._arguments()
            if function == "attribute_type":
                return bool(value and kind[0]["S"] in value)
            return bool((value is None) == (function == "attribute_not_exists"))
        left, compare, right = self._operand(), self._tokens.popleft(), self._operand()
        return bool(left and COMPARISONS[compare](_comparable(left), _comparable(right)))

    def _operand(self) -> Any:
        if self._tokens[0] == "if_not_exists":
            value, default = self._arguments()
            return default if value is None else value
        return self._value(self._tokens.popleft())

    def _arguments(self) -> list[Any]:
        """The values of the arguments of a function."""
        self._tokens.popleft()
        arguments = []
        while not self._skip(")"):
            # An opening bracket or a comma stands before each.
            self._tokens.popleft()
            arguments.append(self._operand())
        return arguments

    def _value(self, token: str) -> Any:
        """The value that a placeholder or a path stands for, None if the item has none."""
        if token.startswith(":"):
            return self._values[token]
        *maps, name = _names(token)
        parent = self._item
        for each in maps:
            parent = parent.get(each, {}).get("M", {})
        return parent.get(name)

    def _skip(self, token: str) -> bool:
        """Whether this token is the next one, which is then read."""
        is_next = bool(self._tokens) and self._tokens[0] == token
        if is_next:
            self._tokens.popleft()
        return is_next


def _key(item: RawItem) -> tuple[str, str]:
    return item["PK"]["S"], item["SK"]["S"]


def _names(path: str) -> list[str]:
    return path.replace("#", "").split(".")


def _sum(one: AttributeValue | None, other: AttributeValue) -> AttributeValue:
    return number(int(one["N"]) + int(other["N"])) if one else other


def _comparable(value: AttributeValue) -> tuple[str, Any]:
    ((kind, plain),) = value.items()
    return kind, int(plain) if kind == "N" else plain
