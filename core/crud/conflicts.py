"""Write conflicts: compares the posted values with the version that was stored since the form was loaded.

`contested_fields` compares the fields of a plain form, which is then saved again as it is. `Comparison` also
knows the common base of both versions of a record, and the user chooses for each field.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any

from django import forms
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.timezone import localtime

from core.accounts.rights import SignedInRequest
from core.accounts.user import User
from core.common.http import is_htmx
from core.crud import scheduling, services
from core.crud.diff import Piece, is_long, is_same, words
from core.crud.display import (
    Names,
    display_value,
    facts_of,
    initial_values,
    names_in,
    part_of,
    title_of,
    typed_values,
)
from core.crud.edit_session import Opened, RecordDeleted, Seen, pass_for
from core.crud.forms import CHOICE_PREFIX, RecordForm, Typed, as_posted, belongs, typed_in
from core.crud.pristine import pristine_values
from core.crud.resource import Resource
from core.crud.versions import STAYS
from core.dynamo import history, trash
from core.dynamo.errors import DataError, Text
from core.dynamo.history import HistoryEntry
from core.dynamo.items import new_id
from core.dynamo.working_copies import WorkingCopy

MINE, THEIRS = "mine", "theirs"
# No field's name has a dash, so that none can be mistaken for these.
ALL_FIELDS = f"{CHOICE_PREFIX}all-fields"
THEIRS_FROM = f"{CHOICE_PREFIX}theirs-from"
PUT_BACK = f"{CHOICE_PREFIX}put-back"
COPY, RECORD = "copy", "record"
# After more changes than this the common base is not looked up.
MOST_CHANGES = 100
# The verbs of a restoration from the trash.
TAKES_BACK = {"restore", "leave_out"}


@dataclass(frozen=True)
class Contested:
    """A field of a plain form whose stored value differs from the posted one."""

    title: str
    mine: str
    theirs: str


def contested_fields(form: forms.Form, theirs: Mapping[str, Any]) -> list[Contested]:
    """What `core/crud/contested.html` shows; `theirs` is what the form would begin with now."""
    both = {
        name: (_in_short(field, form.cleaned_data[name]), _in_short(field, theirs[name]))
        for name, field in form.fields.items()
    }
    return [
        Contested(str(form.fields[name].label), mine, stored)
        for name, (mine, stored) in both.items()
        if mine != stored
    ]


def _in_short(field: forms.Field, value: Any) -> str:
    """As `display_value`, but with short dates, the label of an empty choice, and a line for each row."""
    if isinstance(field, forms.MultipleChoiceField):
        titles: dict[str, Any] = dict(field.choices)  # type: ignore[arg-type]
        return ", ".join(str(title) for chosen, title in titles.items() if chosen in (value or ()))
    if isinstance(field, forms.ChoiceField):
        chosen = value or ""
        return str(dict(field.choices).get(chosen, chosen))  # type: ignore[arg-type]
    if isinstance(value, datetime):
        return date_format(localtime(value), "SHORT_DATETIME_FORMAT")
    if isinstance(value, date):
        return date_format(value, "SHORT_DATE_FORMAT")
    if isinstance(value, list):
        return "\n".join(", ".join(str(part) for part in row.values()) for row in value)
    return display_value(field, value)


@dataclass(frozen=True)
class Side:
    """One version of one field, with its differences from the common base if that is known."""

    text: str
    pieces: list[Piece]

    @property
    def is_marked(self) -> bool:
        return any(piece.kind != "same" for piece in self.pieces)


@dataclass(frozen=True)
class ComparedField:
    """One field that differs between the two versions; `chosen` is the preselected version."""

    name: str
    title: Text
    mine: Side
    theirs: Side
    # The common base; None if it is unknown.
    base: str | None
    both_changed: bool
    chosen: str


class Comparison:
    """The posted values and the version in conflict with them: the record, or its newer working copy."""

    def __init__(self, user: User, opened: Opened, posted: QueryDict, seen: Seen) -> None:
        self.user, self.opened, self.posted, self.seen = user, opened, posted, seen
        self.resource = opened.resource
        self.met_copy = opened.copy is not None and not _is_seen(opened.copy, seen)
        self.copy_is_gone = opened.copy is None and bool(seen.copy_version)
        self._changes = self._changes_since()
        self._mine = self._form(posted)
        self._theirs = self._form(as_posted(opened.typed or {})) if self.met_copy else None

    @property
    def now_seen(self) -> Seen:
        """The versions that a save after this comparison is based on."""
        record, copy = self.opened.record, self.opened.copy
        return Seen(record.seen_version if record else 0, int(copy.version) if copy else 0, self.seen.form_id)

    @property
    def their_source(self) -> str:
        return COPY if self.met_copy else RECORD

    @property
    def last_change(self) -> Any:
        """Who made the other version, and when: an entry of the history, or the working copy."""
        return self.opened.copy if self.met_copy else next(iter(self._changes or ()), None)

    @property
    def needs_choice(self) -> bool:
        """Whether the other version changed a field of the form to another value than the posted one.

        The earlier version of a working copy is unknown, so there every difference counts.
        """
        if self.opened.record is None and self.opened.copy is None:
            return False
        if self.met_copy or self.copy_is_gone:
            return not self.follows.issuperset(self._differing)
        return any(self._theirs_changed(name) for name in self._differing if name not in self.follows)

    @cached_property
    def follows(self) -> set[str]:
        """The fields that only publishing has set, such as the date: the stored values are kept."""
        if self.met_copy or self.opened.record is None:
            return set()
        return {name for name in STAYS if name in self._differing and not self._mine_changed(name)}

    @cached_property
    def fields(self) -> list[ComparedField]:
        values = [self._mine_values, self._theirs_values, self._base_values or {}]
        fields = self._mine.fields
        differing = [name for name in self._differing if name not in self.follows]
        pairs = [(fields[name], each[name]) for name in differing for each in values if name in each]
        names = names_in(pairs, self.user)
        return [self._contested(name, names) for name in differing]

    def _contested(self, name: str, names: Names) -> ComparedField:
        field = self._mine.fields[name]
        mine, theirs = (
            display_value(field, each[name], names) for each in (self._mine_values, self._theirs_values)
        )
        base = display_value(field, self._base_values[name], names) if self._base_values else None
        mine_changed, theirs_changed = self._mine_changed(name), self._theirs_changed(name)
        only_theirs = theirs_changed and not mine_changed
        chosen_before = name in chosen_theirs(self.posted, self._mine)
        return ComparedField(
            name=name,
            title=title_of(field),
            mine=_side(base, mine),
            theirs=_side(base, theirs),
            base=base,
            both_changed=mine_changed and theirs_changed,
            chosen=THEIRS if only_theirs or chosen_before else MINE,
        )

    @cached_property
    def _differing(self) -> list[str]:
        if self._theirs is None:
            return self._mine.changed_data
        return [name for name in self._mine.fields if self._differs_from_copy(name)]

    def _differs_from_copy(self, name: str) -> bool:
        theirs, mine = part_of(self.opened.typed or {}, name), part_of(typed_in(self.posted), name)
        return theirs != mine and not is_same(self._mine_values[name], self._theirs_values[name])

    def _mine_changed(self, name: str) -> bool:
        return self._changed(self._mine, name)

    def _theirs_changed(self, name: str) -> bool:
        if self._theirs is not None:
            return self._changed(self._theirs, name)
        return self._base_values is None or not is_same(self._base_values[name], self._theirs_values[name])

    def _changed(self, form: RecordForm, name: str) -> bool:
        if self._base_values is None:
            return True
        return form.fields[name].has_changed(self._base_values[name], form[name].data)

    @cached_property
    def _mine_values(self) -> dict[str, Any]:
        return typed_values(self._mine)

    @cached_property
    def _theirs_values(self) -> dict[str, Any]:
        if self._theirs is not None:
            return typed_values(self._theirs)
        return initial_values(self._mine)

    @cached_property
    def _base_values(self) -> dict[str, Any] | None:
        """The record as it was when the form was loaded: the stored one with the later changes undone."""
        if self._changes is None or self.opened.record is None:
            return None
        state = history.undo(reversed(self._changes), self.opened.record.stored)
        then = self.resource.repository.model.from_raw_data(state)
        return initial_values(self.resource.form(initial=self.resource.form.initial_of(then)))

    def _changes_since(self) -> list[HistoryEntry] | None:
        """The history entries since; None if they are too many, or if the record was deleted in between."""
        record = self.opened.record
        count = record.seen_version - self.seen.version if record else 0
        if count == 0:
            return []
        if not 0 < count <= MOST_CHANGES:
            return None
        newest = history.entries(self.resource.entity, self.opened.key, limit=count, strong=True).items
        is_known = len(newest) == count and all(entry.verb not in TAKES_BACK for entry in newest)
        return list(newest) if is_known else None

    def _form(self, posted: QueryDict) -> RecordForm:
        return self.opened.posted_form(posted, None, self.user, is_draft=True)


def _is_seen(copy: WorkingCopy | None, seen: Seen) -> bool:
    """Whether the form was loaded from this working copy, or has saved it itself."""
    if copy is None:
        return not seen.copy_version
    return int(copy.version) == seen.copy_version or bool(seen.form_id and copy.form_id == seen.form_id)


def _side(base: str | None, text: str) -> Side:
    pieces = words(base, text) if base and is_long(text) and base != text else [Piece("same", text)]
    return Side(text, pieces)


def is_answer(posted: QueryDict) -> bool:
    """Whether this comes from the page that shows both versions, not from the record's form."""
    return any(name.startswith(CHOICE_PREFIX) for name in posted)


def chosen_theirs(posted: Mapping[str, Any], form: RecordForm | type[RecordForm]) -> set[str]:
    """The fields for which the user chose the other version."""
    if posted.get(ALL_FIELDS) == MINE:
        return set()
    return {name for name in form.base_fields if posted.get(CHOICE_PREFIX + name) == THEIRS}


def merged(posted: QueryDict, opened: Opened, seen: Seen, follows: Set[str] = frozenset()) -> QueryDict:
    """The posted values, with those of the other version for the fields that were chosen or follow it.

    Unchanged if there is a version that the user has not seen: then the choice is offered again.
    """
    resource, record = opened.resource, opened.record
    taken = chosen_theirs(posted, resource.form) | follows
    is_record_seen = record is not None and record.seen_version == seen.version
    if not taken or not is_record_seen or not _is_seen(opened.copy, seen):
        return posted
    theirs = opened.typed if posted.get(THEIRS_FROM) == COPY else None
    if theirs is None:
        theirs = pristine_values(resource.form(initial=resource.form.initial_of(record)))
    together = posted.copy()
    for name in taken:
        for posted_name in [each for each in together if belongs(each, name)]:
            del together[posted_name]
        for posted_name, values in part_of(theirs, name).items():
            together.setlist(posted_name, values)
    return together


def put_back(user: User, resource: Resource, key: str) -> None:
    """Restore the record from the trash, unless somebody else already did."""
    trashed = trash.of_record(resource.entity, key)
    if trashed is None:
        return
    try:
        services.restore(user, resource, trashed.trash_id)
    except DataError as error:
        raise RecordDeleted(error) from error


def page(request: SignedInRequest, comparison: Comparison) -> HttpResponse:
    """Both versions field by field; hidden fields keep the posted values."""
    opened = comparison.opened
    context = {
        **_common(request, opened.resource, opened.key, comparison.now_seen),
        "opened": opened,
        "comparison": comparison,
        "last_change": comparison.last_change,
        "scheduled_for": scheduling.scheduled_for(opened.copy if comparison.met_copy else None),
        "is_own_copy": opened.copy is not None and not comparison.met_copy,
    }
    return _answer(request, "both", context)


def deleted_page(
    request: SignedInRequest, resource: Resource, key: str, *, problem: DataError | None = None
) -> HttpResponse:
    """The answer to a form whose record was deleted since it was loaded."""
    user = request.user
    trashed = trash.of_record(resource.entity, key)
    image = resource.repository.model.from_raw_data(trashed.record) if trashed else None
    may_see = image is not None and resource.may(user, "view", image)
    new_key = resource.new_key()
    form = resource.form(request.POST, is_draft=True)
    context = {
        **_common(request, resource, key, Seen.posted(request.POST)),
        "problem": problem,
        "trashed": trashed if may_see else None,
        "may_put_back": may_see
        and resource.may(user, "delete", image)
        and resource.may(user, "update", image),
        "new_address": resource.record_address(new_key) if resource.may(user, "create") else "",
        "new_key_pass": pass_for(user, resource, new_key),
        "facts": facts_of(form.fields, typed_values(form), user),
    }
    return _answer(request, "deleted", context)


def _common(request: SignedInRequest, resource: Resource, key: str, seen: Seen) -> dict[str, Any]:
    typed: Typed = typed_in(request.POST)
    return {
        "resource": resource,
        "to": resource.record_addresses(key),
        "seen": seen,
        "once": new_id(),
        "typed": [(name, value) for name, values in typed.items() for value in values],
        "then": request.POST.get("then", ""),
    }


def _answer(request: SignedInRequest, partial: str, context: dict[str, Any]) -> HttpResponse:
    template = "core/crud/conflict.html" + (f"#{partial}" if is_htmx(request) else "")
    return render(request, template, {**context, "shows": partial}, status=409)
