"""What pickers show of the records that they refer to."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.dynamo.errors import Text


class Option(NamedTuple):
    """One record in a picker; `detail` distinguishes two of the same name."""

    key: str
    label: str
    detail: str = ""
    picture: str = ""


@dataclass(frozen=True)
class PickerState:
    """What a picker needs besides its value; filled by `load_labels`.

    `create` and `new` are the URLs of the form for a new record, in a dialog and as a page; empty for those
    who may not create one. `found` is the result of the button "Find".
    """

    labels: dict[str, str] = field(default_factory=dict)
    # The addresses of small pictures, of the records that have one.
    pictures: dict[str, str] = field(default_factory=dict)
    may_search: bool = True
    pick: str = ""
    create: str = ""
    new: str = ""
    new_title: Text = ""
    text: str = ""
    found: Sequence[Option] | None = None
