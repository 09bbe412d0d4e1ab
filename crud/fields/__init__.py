"""Form fields that records need: pickers of other records, rows, tags and times of the club."""

from crud.fields.forms import HelpedForm, RowForm
from crud.fields.labels import load_labels
from crud.fields.picker import PickerField
from crud.fields.rows import RowsField
from crud.fields.tags import TagsField
from crud.fields.times import ClubDateTimeField

__all__ = [
    "ClubDateTimeField",
    "HelpedForm",
    "PickerField",
    "RowForm",
    "RowsField",
    "TagsField",
    "load_labels",
]
