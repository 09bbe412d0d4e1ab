"""What form fields show of the records that they refer to."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.dynamo.errors import Text


class Option(NamedTuple):
    """One record as a picker shows it; `detail` helps to tell two of the same name apart."""

    key: str
    label: str
    detail: str = ""
    picture: str = ""


@dataclass(frozen=True)
class Shown:
    """What a picker needs to know beyond its value; `load_labels` finds it out.

    `create` and `new` are the addresses of the form for a new record, in a dialog and as a page; empty for
    those who may not create one. `found` is what the button "Find" found.
    """

    labels: dict[str, str] = field(default_factory=dict)
    # The addresses of small pictures, of the records that have one.
    pictures: dict[str, str] = field(default_factory=dict)
    may_search: bool = True
    pick: str = ""
    create: str = ""
    new: str = ""
    singular: Text = ""
    text: str = ""
    found: Sequence[Option] | None = None
