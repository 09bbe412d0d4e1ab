"""The declaration of an entity's screens: list, forms, trash, history, bulk actions and export."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from django import forms
from django.core.exceptions import PermissionDenied
from django.urls import URLPattern, URLResolver, include, path
from django.utils.translation import gettext as _

from core.accounts.rights import may, may_to_some, reads_domain, requires
from core.accounts.user import User
from core.crud import registry, screens
from core.crud.cached_urls import address_of, address_of_record
from core.crud.forms import RecordForm
from core.crud.listing import Badge, Column, Filter, Link, Listing, Sort
from core.crud.screens import Screen
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


class Resource:
    """The screens of one entity. Subclasses set the attributes and override methods for special rules."""

    app: ClassVar[str]
    repository: ClassVar[Repository[Any]]
    form: ClassVar[type[RecordForm]]
    # The part of the URL, such as "news" in /cms/news/.
    slug: ClassVar[str]
    icon: ClassVar[str] = "list"
    singular: ClassVar[Text]
    plural: ClassVar[Text]
    # The button for a new record, and the title of its form; empty if people create none.
    new_title: ClassVar[Text] = ""
    lead: ClassVar[Text] = ""
    # The text of an empty list, which says what to do next.
    empty: ClassVar[Text] = ""
    columns: ClassVar[Sequence[Column]]
    filters: ClassVar[Sequence[Filter]] = ()
    # The orders that a GSI provides, the default first.
    orders: ClassVar[Sequence[Sort]] = ()
    # Bulk actions besides those that `core.crud.bulk` adds to every list.
    bulk: ClassVar[Sequence["BulkAction"]] = ()
    # Titles for the history, of attributes that are in no form.
    titles: ClassVar[Mapping[str, Text]] = {}
    # Form fields with which the history displays attributes that are in no form and not plain text.
    history_fields: ClassVar[Mapping[str, forms.Field]] = {}
    # Derived attributes, which the history does not show.
    internal: ClassVar[frozenset[str]] = frozenset()
    # Edits are stored in a working copy until they are published: see `core.crud.publication`.
    has_copies: ClassVar[bool] = False
    # The list has pictures, and each user can choose a grid of them.
    has_grid: ClassVar[bool] = False
    # A record can be deleted although others use it: see `remove_with_uses`.
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
        """The attributes that the user may not read of this record or, without one, of records in general.

        Lists and exports omit these columns and forms these fields, so a save does not change them.
        """
        return frozenset()

    def hidden(self, user: User, record: Any, entry: HistoryEntry) -> frozenset[str]:
        """The attributes that the user may not read in an entry of the history."""
        return self.concealed(user, record)

    def may(self, user: User, verb: str, record: Any = None) -> bool:
        return may(user, self.right(verb), record)

    def ensure(self, user: User, verb: str, record: Any = None) -> None:
        if not self.may(user, verb, record):
            raise PermissionDenied

    def is_shown_to(self, user: User) -> bool:
        """Whether the user may view some records, so that searches include the entity."""
        return may_to_some(user, self.right("view")) and reads_domain(user, self.app)

    def address(self, screen: str, key: str | None = None) -> str:
        name = f"{self.app}:{self.entity}-{screen}"
        return address_of(name) if key is None else address_of_record(name, key)

    @property
    def list_address(self) -> str:
        return self.address("list")

    @property
    def new_address(self) -> str:
        return self.address("new")

    def record_address(self, key: str) -> str:
        return self.address("record", key)

    def record_addresses(self, key: str) -> dict[str, str]:
        """The URLs of all screens of one record, by the name of the screen."""
        return {name: self.address(name, key) for name in self._record_screens}

    @cached_property
    def _record_screens(self) -> list[str]:
        return [name for route, name, *_view in self.screens() if route.startswith("<str:key>/")]

    def public_address(self, record: Any) -> str:
        """The URL on the public website; empty if there is none."""
        return ""

    def state(self, record: Any) -> Badge | None:
        """The badge at the top of its page, such as its status."""
        return None

    def links(self, user: User, record: Any) -> Sequence[Link]:
        """Links to other screens of the record that the user may open."""
        return ()

    def screens(self) -> Iterable[Screen]:
        return screens.of(self)

    def urls(self) -> URLResolver:
        """The URL patterns of all screens, each with its rights; other URLs compare one prefix, not each."""
        return path(f"{self.slug}/", include([self.screen(*screen) for screen in self.screens()]))

    def screen(self, route: str, name: str, verb: str, view: Callable[..., Any]) -> URLPattern:
        """The URL pattern of a screen. It requires the right of the screen, and the right to view."""
        rights = dict.fromkeys([self.right("view"), self.right(verb)])
        guarded = requires(*rights)(partial(view, resource=self))
        if hasattr(view, "reads"):
            guarded.reads = partial(view.reads, resource=self)  # type: ignore[attr-defined]
        return path(route, guarded, name=f"{self.entity}-{name}")

    # --- Lists -----------------------------------------------------------------------------------------

    def alternate_views(self) -> Sequence[Link]:
        """Links next to the list to other views of the same records, such as a calendar."""
        return ()

    def sorts(self, filters: Mapping[str, str]) -> Sequence[Sort]:
        """The `orders` with these filters."""
        return self.orders

    def page(self, listing: Listing, **options: Unpack[PageOptions]) -> Page[Any]:
        """One page of the list, from the GSI for the chosen filters and order; by default of all records."""
        return self.repository.page(self.entity, index=self.repository.list_index, **options)

    def keeps(self, filter_name: str) -> Callable[[Any, str], bool]:
        """A predicate for one record that matches a filter of a GSI, for results of a search."""
        return lambda record, value: getattr(record, filter_name) == value

    def columns_for(self, user: User) -> list[Column]:
        concealed = self.concealed(user)
        return [column for column in self.columns if column.name not in concealed]

    def is_found(self, user: User, record: Any, text: str) -> bool:
        """Whether a search may find the record: words only in concealed attributes do not count."""
        concealed = self.concealed(user, record) & set(self.repository.searched)
        if not concealed:
            return True
        own = self.repository.words_of(record, without=concealed)
        return all(any(word.startswith(wanted) for word in own) for wanted in words_in([text]))

    def title_of(self, record: Any) -> str:
        """The text of the first column of the list."""
        return self.repository.label_of(record)

    def detail_of(self, user: User, record: Any) -> str:
        """What a picker shows next to the label, to distinguish records with the same label."""
        return ""

    def picture_of(self, record: Any) -> str:
        """The URL of a small picture of the record; empty if it has none."""
        return ""

    def is_live(self, record: Any) -> bool:
        """Whether it is public, so that edits go to a working copy until somebody publishes."""
        return False

    # --- Records -----------------------------------------------------------------------------------------

    def about(self, user: User, record: Any) -> tuple[str, dict[str, Any]] | None:
        """A template with the partials `above` and `below` the form of its page, and their context."""
        return None

    def remove_with_uses(self, user: User, record: Any, *, seen_version: int) -> int:
        """Delete the record and all references to it in one transaction; returns the number of references."""
        raise NotImplementedError

    def new_key(self) -> str:
        return new_id()

    def initial(self, user: User) -> dict[str, Any]:
        """The initial values of a new record's form."""
        return {}

    def build(self, key: str, fields: Mapping[str, Any]) -> Item:
        model = self.repository.model
        record: Item = model(**{model._hash_keyname: key}, **fields)
        return record

    def restrict(self, form: RecordForm, user: User) -> None:
        """Disable the fields that this user may not change; their posted values are ignored."""

    def prepare(self, user: User, record: Any, values: Mapping[str, Any]) -> dict[str, Any]:
        """The fields to store for valid values; `record` is None for a new one.

        Derived fields, such as a slug, come from the `rules.py` of the entity.
        """
        return dict(values)

    def on_duplicate(self, fields: Mapping[str, Any], refused: AlreadyExists) -> Mapping[str, Any] | None:
        """Other fields to write if a generated unique value is taken; None shows the error to the user."""
        return None

    def copied(self, record: Item) -> dict[str, Any]:
        """The initial values of a duplicate's form, without unique fields."""
        label, ending = self.repository.label, _(" (copy)")
        unique = {each.field for each in self.repository.unique}
        copied = {name: value for name, value in self.form.initial_of(record).items() if name not in unique}
        longest = getattr(self.form.base_fields[label], "max_length", None) or LONGEST_LABEL
        copied[label] = self.repository.label_of(record)[: longest - len(ending)] + ending
        return copied
