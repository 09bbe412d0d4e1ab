"""A resource is a declaration; its list, forms, trash, history, bulk actions and export are made from it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from django import forms
from django.core.exceptions import PermissionDenied
from django.urls import URLPattern, path
from django.utils.translation import gettext as _

from core.accounts.rights import RIGHTS, may, requires
from core.accounts.user import User
from core.crud import registry
from core.crud.addresses import address_of, address_of_record, addresses_of_record
from core.crud.forms import RecordForm
from core.crud.listing import Badge, Column, Filter, Link, Listing, Sort
from core.dynamo.errors import AlreadyExists, Text
from core.dynamo.history import HistoryEntry
from core.dynamo.items import Item, new_id
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.record_type import LONGEST_LABEL
from core.dynamo.repository import Repository
from core.dynamo.search_index import words_in

if TYPE_CHECKING:
    from core.crud.bulk import BulkAction
    from core.crud.screens import Screen


class Resource:
    """The screens of one entity. Subclasses declare; a method is overridden only where a rule is special."""

    app: ClassVar[str]
    repository: ClassVar[Repository[Any]]
    form: ClassVar[type[RecordForm]]
    # The part of the address, such as "news" in /cms/news/.
    slug: ClassVar[str]
    icon: ClassVar[str] = "list"
    # The palette offers lower ones first.
    position: ClassVar[int] = 1
    singular: ClassVar[Text]
    plural: ClassVar[Text]
    lead: ClassVar[Text] = ""
    # What an empty list says to do next.
    empty: ClassVar[Text] = ""
    columns: ClassVar[Sequence[Column]]
    filters: ClassVar[Sequence[Filter]] = ()
    # What can be done to selected rows, beside what `core.crud.bulk` gives every list.
    bulk: ClassVar[Sequence["BulkAction"]] = ()
    # What attributes that are in no form are called where a history shows them.
    titles: ClassVar[Mapping[str, Text]] = {}
    # How a history shows attributes that are in no form and are more than a text.
    shown: ClassVar[Mapping[str, forms.Field]] = {}
    # Attributes that only follow from others, so that a history does not show them.
    internal: ClassVar[frozenset[str]] = frozenset()
    # Edits are kept in a working copy until they are applied: see `core.crud.publication`.
    has_copies: ClassVar[bool] = False
    # Its list has pictures and can be shown as a grid of them, as each person prefers.
    has_grid: ClassVar[bool] = False
    # A record that is used can be deleted all the same: see `remove_with_uses`.
    can_remove_uses: ClassVar[bool] = False

    def __init__(self) -> None:
        registry.register(self)

    @property
    def entity(self) -> str:
        return self.repository.entity

    # --- Rights and addresses --------------------------------------------------------------------------

    def right(self, verb: str) -> str:
        return f"{self.app}.{self.entity}.{verb}"

    def concealed(self, user: User, record: Any = None) -> frozenset[str]:
        """The attributes that a person does not read of this record or, without one, of records in general.

        Lists and exports have no such columns and forms no such fields, so a save leaves them as they are.
        """
        return frozenset()

    def hidden(self, user: User, record: Any, entry: HistoryEntry) -> frozenset[str]:
        """The attributes that a person does not read in an entry of the history."""
        return self.concealed(user, record)

    def may(self, user: User, verb: str, record: Any = None) -> bool:
        return may(user, self.right(verb), record)

    def ensure(self, user: User, verb: str, record: Any = None) -> None:
        if not self.may(user, verb, record):
            raise PermissionDenied

    def is_shown_to(self, user: User) -> bool:
        """Whether there can be records that the person may open: where searches look."""
        return RIGHTS[self.right("view")].possible_for(user)

    def address(self, screen: str, key: str | None = None) -> str:
        name = f"{self.app}:{self.entity}-{screen}"
        return address_of(name) if key is None else address_of_record(name, key)

    @property
    def list_address(self) -> str:
        return self.address("list")

    @property
    def new_address(self) -> str:
        return self.address("new")

    @property
    def new_title(self) -> str:
        """What the button says that begins a new record."""
        return _("New %(what)s") % {"what": self.singular}

    def record_address(self, key: str) -> str:
        return self.address("record", key)

    def record_addresses(self, key: str) -> dict[str, str]:
        """Where everything that can be done to one record is done, by the name of the screen."""
        addresses = addresses_of_record(tuple(self._record_screens.values()), key)
        return dict(zip(self._record_screens, addresses, strict=True))

    @cached_property
    def _record_screens(self) -> dict[str, str]:
        """The screens of one record, with the names of their routes."""
        return {
            name: f"{self.app}:{self.entity}-{name}"
            for route, name, _verb, _view in self.screens()
            if route.startswith("<str:key>/")
        }

    def public_address(self, record: Any) -> str:
        """Where readers find the record, if they do."""
        return ""

    def state(self, record: Any) -> Badge | None:
        """What the head of its form says about it, such as its status."""
        return None

    def links(self, user: User, record: Any) -> Sequence[Link]:
        """Where else something can be done to the record, for those who may."""
        return ()

    def screens(self) -> Iterable["Screen"]:
        from core.crud import screens

        return screens.of(self)

    def urls(self) -> list[URLPattern]:
        """Every screen with its right; the middleware refuses those who lack it."""
        return [self.screen(*screen) for screen in self.screens()]

    def screen(self, route: str, name: str, verb: str, view: Callable[..., Any]) -> URLPattern:
        """A screen needs its right, and every screen the right to see such records at all."""
        rights = dict.fromkeys([self.right("view"), self.right(verb)])
        guarded = requires(*rights)(partial(view, resource=self))
        if hasattr(view, "reads"):
            guarded.reads = partial(view.reads, resource=self)  # type: ignore[attr-defined]
        return path(f"{self.slug}/{route}", guarded, name=f"{self.entity}-{name}")

    # --- Lists -----------------------------------------------------------------------------------------

    def alternate_views(self) -> Sequence[Link]:
        """Other ways to look at the same records, such as a calendar; links beside the list lead there."""
        return ()

    def sorts(self, filters: Mapping[str, str]) -> Sequence[Sort]:
        """The orders that an index gives under these filters, the usual one first."""
        return ()

    def page(self, listing: Listing, **options: Unpack[PageOptions]) -> Page[Any]:
        """One page of the list, by the index that serves the chosen filters and order."""
        raise NotImplementedError

    def keeps(self, filter_name: str) -> Callable[[Any, str], bool]:
        """How a filter that an index serves is asked of a single record, for lists found by words."""
        return lambda record, value: getattr(record, filter_name) == value

    def columns_for(self, user: User) -> list[Column]:
        concealed = self.concealed(user)
        return [column for column in self.columns if column.name not in concealed]

    def is_found(self, user: User, record: Any, text: str) -> bool:
        """Whether a search may find the record: not by words that only stand in what is concealed."""
        concealed = self.concealed(user, record) & set(self.repository.searched)
        if not concealed:
            return True
        own = self.repository.words_of(record, without=concealed)
        return all(any(word.startswith(wanted) for word in own) for wanted in words_in([text]))

    def title_of(self, record: Any) -> str:
        """What the first column of the list says; the others need not repeat it."""
        return self.repository.label_of(record)

    def detail_of(self, user: User, record: Any) -> str:
        """What a picker shows beside the name, to tell two records of the same name apart."""
        return ""

    def picture_of(self, record: Any) -> str:
        """The address of a small picture of the record, where it has one."""
        return ""

    def is_live(self, record: Any) -> bool:
        """Whether readers see it, so that changes wait in a working copy until somebody publishes."""
        return False

    # --- Records -----------------------------------------------------------------------------------------

    def about(self, user: User, record: Any) -> tuple[str, dict[str, Any]] | None:
        """A template with what its page shows `above` and `below` the form, and the context of both."""
        return None

    def remove_with_uses(self, user: User, record: Any, *, seen_version: int) -> int:
        """Take the record out of all that use it and delete it, in one step; answers how many they were."""
        raise NotImplementedError

    def new_key(self) -> str:
        return new_id()

    def initial(self, user: User) -> dict[str, Any]:
        """What a new record's form starts with."""
        return {}

    def build(self, key: str, fields: Mapping[str, Any]) -> Item:
        model = self.repository.model
        record: Item = model(**{model._hash_keyname: key}, **fields)
        return record

    def restrict(self, form: RecordForm, user: User) -> None:
        """Disable the fields that this person may not change; what is sent in them is not looked at."""

    def prepare(self, user: User, record: Any, values: Mapping[str, Any]) -> dict[str, Any]:
        """The fields to store for valid values; `record` is None for a new one.

        Where some follow from others, this calls the rule of the entity, which an import obeys as well.
        """
        return dict(values)

    def on_duplicate(self, fields: Mapping[str, Any], refused: AlreadyExists) -> Mapping[str, Any] | None:
        """What to write when a unique value is taken and nobody chose it; None lets the person choose."""
        return None

    def copied(self, record: Item) -> dict[str, Any]:
        """What the form of a duplicate starts with; what must be unique is to be chosen anew."""
        label, ending = self.repository.label, _(" (copy)")
        unique = {each.field for each in self.repository.unique}
        copied = {name: value for name, value in self.form.initial_of(record).items() if name not in unique}
        longest = getattr(self.form.base_fields[label], "max_length", None) or LONGEST_LABEL
        copied[label] = self.repository.label_of(record)[: longest - len(ending)] + ending
        return copied
