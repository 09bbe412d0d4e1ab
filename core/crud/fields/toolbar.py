"""The buttons of the editor; `static/core/richtext.js` knows their commands by name."""

from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Text


class Button(NamedTuple):
    """`icon` is an SVG path on a square of 24; `letters` replace it where an icon would be less clear.

    A menu shows it only `within` a node of this type, if there is one.
    """

    command: str
    title: Text
    keys: str = ""
    icon: str = ""
    letters: str = ""
    is_switch: bool = True
    within: str = ""


class Menu(NamedTuple):
    """A button that opens a list of buttons."""

    name: str
    title: Text
    items: list[Button]


INSERT = Menu(
    "insert",
    _("Insert"),
    [
        Button("insertTable", _("Table"), is_switch=False),
        Button("rule", _("Dividing line"), is_switch=False),
        Button("heading4", _("Heading 4"), "Ctrl+Alt+4"),
        Button("blockquote", _("Quote"), "Ctrl+Shift+B"),
        Button("taskList", _("Task list")),
        Button("codeBlock", _("Code block"), "Ctrl+Alt+C"),
        Button("code", _("Code within a line"), "Ctrl+E"),
        Button("addRowBefore", _("Row above"), is_switch=False, within="table"),
        Button("addRowAfter", _("Row below"), is_switch=False, within="table"),
        Button("addColumnBefore", _("Column before"), is_switch=False, within="table"),
        Button("addColumnAfter", _("Column after"), is_switch=False, within="table"),
        Button("toggleHeaderRow", _("Header row on or off"), is_switch=False, within="table"),
        Button("deleteRow", _("Delete the row"), is_switch=False, within="table"),
        Button("deleteColumn", _("Delete the column"), is_switch=False, within="table"),
        Button("deleteTable", _("Delete the table"), is_switch=False, within="table"),
    ],
)
MENUS = [INSERT]
GROUPS: list[list[Button | Menu]] = [
    [
        Button("bold", _("Bold"), "Ctrl+B", "M7 5h5.5a3.5 3.5 0 0 1 0 7H7zM7 12h6.5a3.5 3.5 0 0 1 0 7H7z"),
        Button("italic", _("Italic"), "Ctrl+I", "M11 5h6M7 19h6M14 5l-4 14"),
        Button("underline", _("Underline"), "Ctrl+U", "M7 4v7a5 5 0 0 0 10 0V4M6 20h12"),
        Button(
            "strike",
            _("Strikethrough"),
            "Ctrl+Shift+S",
            "M5 12h14M16 8c-.4-1.8-1.8-3-4-3s-4 1.2-4 3c0 1.9 1.6 3 4 4s4 2 4 4-1.7 3-4 3-3.7-1.2-4-3",
        ),
        Button(
            "link",
            _("Link"),
            "Ctrl+Shift+K",
            "M10 14a4 4 0 0 0 6 .4l2.6-2.6a4 4 0 0 0-5.7-5.7l-1.4 1.4"
            "M14 10a4 4 0 0 0-6-.4l-2.6 2.6a4 4 0 0 0 5.7 5.7l1.4-1.4",
        ),
    ],
    [
        Button("heading2", _("Heading 2"), "Ctrl+Alt+2", letters="H2"),
        Button("heading3", _("Heading 3"), "Ctrl+Alt+3", letters="H3"),
    ],
    [
        Button(
            "bulletList",
            _("Bulleted list"),
            "Ctrl+Shift+8",
            "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
        ),
        Button(
            "orderedList",
            _("Numbered list"),
            "Ctrl+Shift+7",
            "M11 6h9M11 12h9M11 18h9M4 5l1.5-1v5M4 15.2c.3-1.6 3-1.5 2.9.2C6.8 16.8 4 18 4 19.5h3",
        ),
        Button(
            "image",
            _("Picture"),
            icon="M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01",
            is_switch=False,
        ),
        INSERT,
    ],
    [
        Button("undo", _("Undo"), "Ctrl+Z", "M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-3", is_switch=False),
        Button(
            "redo", _("Redo"), "Ctrl+Shift+Z", "M16 5l4 4-4 4M20 9H10a5.5 5.5 0 0 0 0 11h3", is_switch=False
        ),
    ],
]
