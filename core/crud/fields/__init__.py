"""Form fields for records: pickers of other records, rows, groups, tags and times in the club's time zone."""

from core.crud.fields.forms import HelpedForm, RowForm
from core.crud.fields.group import GroupField
from core.crud.fields.picker import PickerField
from core.crud.fields.rows import RowsField
from core.crud.fields.tags import TagsField
from core.crud.fields.times import ClubDateTimeField
from core.crud.fields.widgets import SuggestionsInput

__all__ = [
    "ClubDateTimeField",
    "GroupField",
    "HelpedForm",
    "PickerField",
    "RowForm",
    "RowsField",
    "SuggestionsInput",
    "TagsField",
]
