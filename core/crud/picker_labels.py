"""What the pickers of a form show of other records: labels by one BatchGet, and the options of a search."""

from dataclasses import replace

from django import forms
from django.http import QueryDict

from core.accounts.user import User
from core.crud.fields.picker_state import Option, PickerState
from core.crud.fields.pickers import Picker, pickers_of, records_of
from core.crud.registry import resource_for
from core.crud.resource import Resource
from core.crud.rows import find, listing_from
from core.dynamo.search_index import words_in

MOST_SUGGESTIONS = 10
# The search index is shared by all entities of a scope: a page may contain none of this one.
MOST_READS = 3


def load_labels(form: forms.Form, user: User) -> None:
    """Set the pickers' labels, search URLs, and the options that "Find" returned."""
    pickers = list(pickers_of(form))
    records = records_of(
        [(each.field.to, key) for each in pickers for key in each.field.keys_of(each.bound.value())]
    )
    for each in pickers:
        resource = resource_for(each.field.to)
        visible = {
            key: record
            for (entity, key), record in records.items()
            # A posted key must not reveal the label of a record that the user may not view.
            if entity == each.field.to and (key in each.known or resource.may(user, "view", record))
        }
        pictures = {key: resource.picture_of(record) for key, record in visible.items()}
        may_create = resource.may(user, "create")
        text, found = _looked_for(each, user)
        each.field.widget.state = PickerState(
            labels={key: resource.repository.label_of(record) for key, record in visible.items()},
            pictures={key: address for key, address in pictures.items() if address},
            may_search=resource.is_shown_to(user),
            pick=resource.address("pick"),
            create=resource.address("create") if may_create else "",
            new=resource.new_address if may_create else "",
            new_title=str(resource.new_title),
            text=text,
            found=found,
        )


def options_for(user: User, resource: Resource, text: str) -> list[Option]:
    """The records with words that begin with those of the text; without a text the first of the list."""
    listing = replace(listing_from(resource, QueryDict()), text=text if words_in([text]) else "")
    options: list[Option] = []
    start = None
    for _read in range(MOST_READS):
        page = find(user, resource, listing, limit=MOST_SUGGESTIONS, start=start)
        options += [
            Option(
                resource.repository.key_of(record),
                resource.repository.label_of(record),
                resource.detail_of(user, record),
                resource.picture_of(record),
            )
            for record in page.items
        ]
        start = page.next_key
        if start is None or len(options) >= MOST_SUGGESTIONS:
            break
    return options[:MOST_SUGGESTIONS]


def _looked_for(picker: Picker, user: User) -> tuple[str, list[Option] | None]:
    """The text of the search box, and the options found if its button was pressed."""
    data, name = picker.bound.form.data, picker.bound.html_name
    text = str(data.get(f"{name}-q", ""))
    if f"{name}-find" not in data:
        return text, None
    return text, options_for(user, resource_for(picker.field.to), text)
