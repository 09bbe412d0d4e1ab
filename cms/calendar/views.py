"""The calendar page: one month as a grid or as a list."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone, localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from cms.bus.resource import bookings
from cms.calendar.queries import SOURCES, CalendarEntry, Period, entries_in, published_teams
from cms.events.resource import events
from cms.teams.models import Team
from core.accounts.rights import SignedInRequest, requires
from core.crud.cached_urls import address_of
from core.crud.html import icon
from core.crud.http import page_or_partial
from core.crud.months import Month
from core.crud.times import formatted
from core.dynamo.errors import Text

MONTH, LIST = "month", "list"


class Kind(NamedTuple):
    """Display of one kind of entries: title, icon, and `name` as the CSS class for its colour."""

    name: str
    title: Text
    icon: str

    def head(self) -> str:
        """HTML of the start of an entry, up to its time."""
        label = f'{icon(self.icon, "small")}<span class="entry-kind">{escape(self.title)}</span>'
        return f'<li class="entry kind kind-{self.name}">{label} <span class="entry-time">'


KINDS = {
    kind.name: kind
    for kind in (
        Kind("event", gettext_lazy("Event"), "calendar"),
        Kind("training", gettext_lazy("Training"), "clock"),
        Kind("match", gettext_lazy("Match"), "ball"),
        Kind("bus", gettext_lazy("Bus"), "bus"),
    )
}


@dataclass(frozen=True)
class Selection:
    """The parameters of the page; an empty kind or team stands for all. `month` is its first day."""

    month: date
    look: str = MONTH
    kind: str = ""
    team: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str], today: date) -> "Selection":
        """Parse the query string; invalid values count as not given."""
        return cls(
            month=Month.asked(given.get("month", ""), today).first,
            look=LIST if given.get("view") == LIST else MONTH,
            kind=given.get("kind", "") if given.get("kind") in SOURCES else "",
            team=given.get("team", "")[:100],
        )

    @property
    def query(self) -> dict[str, str]:
        chosen = {"month": f"{self.month:%Y-%m}", "view": self.look, "kind": self.kind, "team": self.team}
        return {name: value for name, value in chosen.items() if value and value != MONTH}

    def address_with(self, **changes: Any) -> str:
        """The address of the page with other parameters."""
        return f"{address_of('cms:calendar')}?{urlencode(replace(self, **changes).query)}"


class Choice(NamedTuple):
    """A link of a navigation or menu; `is_here` marks the current one."""

    name: str
    title: Text
    address: str
    is_here: bool = False
    icon: str = ""


class Dated(NamedTuple):
    """An entry with its times in the current time zone, and the displayed days that it touches."""

    entry: CalendarEntry
    start: datetime
    end: datetime
    days: Sequence[date]

    def when(self, day: date) -> str:
        """The text for the time on this day."""
        if self.entry.all_day or (self.start.date() < day < self.end.date()):
            return _("all day")
        if self.start.date() == day:
            return formatted(self.start.time(), "TIME_FORMAT")
        return _("until %(time)s") % {"time": formatted(self.end.time(), "TIME_FORMAT")}


@requires("cms.calendar.view")
@require_safe
def calendar(request: SignedInRequest) -> HttpResponse:
    today = localdate()
    teams = published_teams()
    selection = Selection.read(request.GET, today)
    if selection.team not in {team.id for team in teams}:
        selection = replace(selection, team="")
    month = Month(selection.month, today)
    dates = month.dates
    kinds = [selection.kind] if selection.kind else SOURCES
    period = Period(dates[0][0], dates[-1][-1], request.user, teams, kinds)
    entries = _on_their_days(period, entries_in(period, selection.team))
    lines = _by_day(entries)
    weeks = month.weeks(lambda day: lines.get(day, ""))
    in_month = [day for week in weeks for day in week if not day.is_outside and day.entries]
    context = {
        "selection": selection,
        "weeks": weeks,
        "days": in_month,
        "has_earlier": any(day.is_earlier for day in in_month),
        "found": _how_many(month, entries),
        "months": _months(selection, today),
        "looks": _looks(selection),
        "kinds": _kinds(selection),
        "teams": teams,
        "feed": _feed(selection, teams),
        "new": _new(request),
    }
    return page_or_partial(request, "cms/calendar/page.html", "calendar", context)


def _on_their_days(period: Period, entries: Iterable[CalendarEntry]) -> list[Dated]:
    """The entries with their days, limited to the period."""
    zone = get_current_timezone()
    found = []
    for entry in entries:
        start, end = entry.start.astimezone(zone), entry.end.astimezone(zone)
        # An entry that ends at midnight does not touch the next day.
        last = max(entry.start, entry.end - timedelta(microseconds=1)).astimezone(zone).date()
        first, last = max(start.date(), period.first), min(last, period.last)
        days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        found.append(Dated(entry, start, end, days))
    return found


def _by_day(entries: Iterable[Dated]) -> dict[date, SafeString]:
    """HTML of the entries of each day. Built without a template, which takes four times as long: a month
    has hundreds of entries."""
    heads = {kind.name: kind.head() for kind in KINDS.values()}
    lines: dict[date, list[str]] = {}
    for dated in entries:
        head, body = heads[dated.entry.kind], _body(dated.entry)
        for day in dated.days:
            lines.setdefault(day, []).append(f"{head}{escape(dated.when(day))}</span> {body}</li>")
    return {day: mark_safe("\n".join(found)) for day, found in lines.items()}  # noqa: S308


def _body(entry: CalendarEntry) -> str:
    title, place = escape(entry.title), escape(entry.place)
    link = f'<a class="entry-title" href="{escape(entry.address)}">{title}</a>'
    name = link if entry.address else f'<span class="entry-title">{title}</span>'
    return f'{name} <span class="entry-place">{place}</span>' if place else name


def _how_many(month: Month, entries: Iterable[Dated]) -> str:
    count = sum(any(day.month == month.first.month for day in dated.days) for dated in entries)
    name = formatted(month.first, "YEAR_MONTH_FORMAT")
    if not count:
        return _("%(month)s: no entries") % {"month": name}
    return ngettext("%(month)s: %(count)d entry", "%(month)s: %(count)d entries", count) % {
        "month": name,
        "count": count,
    }


# --- Navigation and filters ---------------------------------------------------------------------------------


def _months(selection: Selection, today: date) -> dict[str, Choice]:
    before = (selection.month - timedelta(days=1)).replace(day=1)
    after = (selection.month + timedelta(days=31)).replace(day=1)
    return {
        "before": _month(selection, before, "earlier"),
        "now": _month(selection, today.replace(day=1), "this-month", _("Today")),
        "after": _month(selection, after, "later"),
    }


def _month(selection: Selection, month: date, name: str, title: str = "") -> Choice:
    title = title or formatted(month, "YEAR_MONTH_FORMAT")
    return Choice(name, title, selection.address_with(month=month), is_here=month == selection.month)


def _looks(selection: Selection) -> list[Choice]:
    looks = ((MONTH, _("Month"), "calendar"), (LIST, _("List"), "menu"))
    return [
        Choice(
            f"as-{look}", title, selection.address_with(look=look), is_here=look == selection.look, icon=icon
        )
        for look, title, icon in looks
    ]


def _kinds(selection: Selection) -> list[Choice]:
    choices = [Choice("every-kind", _("Everything"), selection.address_with(kind=""), not selection.kind)]
    for kind in KINDS.values():
        address, is_here = selection.address_with(kind=kind.name), kind.name == selection.kind
        choices.append(Choice(kind.name, kind.title, address, is_here, kind.icon))
    return choices


def _feed(selection: Selection, teams: Iterable[Team]) -> str:
    """Address of the iCalendar feed: of the chosen team, or of all."""
    slug = next((team.slug for team in teams if team.id == selection.team), None)
    return address_of("public:team-feed", slug) if slug else address_of("public:feed")


def _new(request: SignedInRequest) -> list[Choice]:
    """Links to the create forms that the user may open."""
    return [
        Choice(f"new-{each.entity}", each.new_title, each.new_address)
        for each in (events, bookings)
        if each.may(request.user, "create")
    ]
