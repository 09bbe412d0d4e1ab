"""What a write makes of an item, as far as its size and its index entries need."""

import re

from core.dynamo.faults.messages import Json, Part

CLAUSE = re.compile(r"\b(SET|REMOVE|ADD|DELETE)\b", re.IGNORECASE)
ASSIGNMENT = re.compile(r"(#?\w+)((?:\.#?\w+|\[\d+\])*)\s*=\s*")
PATH = re.compile(r"(#?\w+)((?:\.#?\w+|\[\d+\])*)\s*(:\w+)?")
VALUE = re.compile(r":\w+")
EQUALITY = re.compile(r"(#?\w+)\s*=\s*(:\w+)")


class _Names:
    """The placeholders of an expression."""

    def __init__(self, body: Json) -> None:
        self._names = body.get("ExpressionAttributeNames", {})
        self._values = body.get("ExpressionAttributeValues", {})

    def name(self, written: str) -> str:
        return str(self._names.get(written, written))

    def value(self, written: str) -> Json | None:
        found: Json | None = self._values.get(written)
        return found


def after(part: Part, before: Json | None) -> tuple[Json | None, set[str]]:
    """The item as the write leaves it, and the attributes whose new value only the engine knows.

    Such a value, a sum or a part of a map, counts as large as it was; in an item that had none, as the first
    value that the expression names.
    """
    match part.kind:
        case "Put":
            return part.body["Item"], set()
        case "Delete":
            return None, set()
        case "Update":
            return _updated(part.body, before)
        case _:
            return before, set()


def _updated(body: Json, before: Json | None) -> tuple[Json, set[str]]:
    item, names, computed = {**body["Key"], **(before or {})}, _Names(body), set[str]()

    def compute(name: str, values: list[str]) -> None:
        computed.add(name)
        if name not in item and values and (value := names.value(values[0])):
            item[name] = value

    pieces = CLAUSE.split(body.get("UpdateExpression", ""))
    for clause, text in zip(pieces[1::2], pieces[2::2], strict=True):
        if clause.upper() == "SET":
            found = list(ASSIGNMENT.finditer(text))
            ends = [each.start() for each in found[1:]] + [len(text)]
            for each, end in zip(found, ends, strict=True):
                name, assigned = names.name(each[1]), text[each.end() : end].strip(" ,\n\t")
                value = names.value(assigned)
                if value is None or each[2]:
                    compute(name, VALUE.findall(assigned))
                else:
                    item[name] = value
        else:
            for each in PATH.finditer(text):
                name = names.name(each[1])
                if clause.upper() == "REMOVE" and not each[2]:
                    item.pop(name, None)
                else:
                    compute(name, [each[3]] if each[3] and clause.upper() == "ADD" else [])
    return item, computed


def asked_partition(query: Json, key_name: str) -> Json | None:
    """The value of the partition key that a Query asks for."""
    names = _Names(query)
    for name, value in EQUALITY.findall(query.get("KeyConditionExpression", "")):
        if names.name(name) == key_name:
            return names.value(value)
    return None
