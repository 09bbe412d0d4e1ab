"""Form fields that records need: pickers of other records, rows, groups, tags and times of the club."""

from crud.fields.forms import HelpedForm, RowForm
from crud.fields.group import GroupField
from crud.fields.labels import load_labels
from crud.fields.picker import PickerField
from crud.fields.rows import RowsField
from crud.fields.suggestions import SuggestionsInput
from crud.fields.tags import TagsField
from crud.fields.times import ClubDateTimeField

__all__ = [
    "ClubDateTimeField",
    "GroupField",
    "HelpedForm",
    "PickerField",
    "RowForm",
    "RowsField",
    "SuggestionsInput",
    "TagsField",
    "load_labels",
]
