"""The calendar page: one month as a grid or as a list."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import NamedTuple
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
from core.crud.addresses import address_of
from core.crud.http import page_or_partial
from core.crud.icons import icon
from core.crud.months import Month
from core.crud.times import formatted
from core.dynamo.errors import Text

MONTH, LIST = "month", "list"


@dataclass(frozen=True)
class Kind:
    """Display of one kind of entries: title, icon, and `name` as the CSS class for its colour."""

    name: str
    title: Text
    icon: str

    def head(self) -> str:
        """HTML of the start of an entry, up to its time."""
        shown = f'{icon(self.icon, "small")}<span class="entry-kind">{escape(self.title)}</span>'
        return f'<li class="entry kind kind-{self.name}">{shown} <span class="entry-time">'


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
class Asked:
    """The parameters of the page; an empty kind or team stands for all. `month` is its first day."""

    month: date
    look: str = MONTH
    kind: str = ""
    team: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str], today: date) -> "Asked":
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

    @property
    def address(self) -> str:
        return f"{address_of('cms:calendar')}?{urlencode(self.query)}"


@dataclass(frozen=True)
class Choice:
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
    asked = Asked.read(request.GET, today)
    if asked.team not in {team.id for team in teams}:
        asked = replace(asked, team="")
    month = Month(asked.month, today)
    dates = month.dates
    kinds = [asked.kind] if asked.kind else SOURCES
    period = Period(dates[0][0], dates[-1][-1], request.user, teams, kinds)
    entries = _on_their_days(period, entries_in(period, asked.team))
    lines = _by_day(entries)
    weeks = month.weeks(lambda day: lines.get(day, ""))
    in_month = [day for week in weeks for day in week if not day.is_outside and day.entries]
    context = {
        "asked": asked,
        "weeks": weeks,
        "days": in_month,
        "has_earlier": any(day.is_earlier for day in in_month),
        "found": _how_many(month, entries),
        "months": _months(asked, today),
        "looks": _looks(asked),
        "kinds": _kinds(asked),
        "teams": teams,
        "feed": _feed(asked, teams),
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
    shown = link if entry.address else f'<span class="entry-title">{title}</span>'
    return f'{shown} <span class="entry-place">{place}</span>' if place else shown


def _how_many(month: Month, entries: Iterable[Dated]) -> str:
    count = sum(any(day.month == month.first.month for day in dated.days) for dated in entries)
    name = formatted(month.first, "YEAR_MONTH_FORMAT")
    if not count:
        return _("%(month)s: nothing") % {"month": name}
    return ngettext("%(month)s: %(count)d entry", "%(month)s: %(count)d entries", count) % {
        "month": name,
        "count": count,
    }


# --- Navigation and filters ---------------------------------------------------------------------------------


def _months(asked: Asked, today: date) -> dict[str, Choice]:
    before = (asked.month - timedelta(days=1)).replace(day=1)
    after = (asked.month + timedelta(days=31)).replace(day=1)
    return {
        "before": _month(asked, before, "earlier"),
        "now": replace(_month(asked, today.replace(day=1), "this-month"), title=_("Today")),
        "after": _month(asked, after, "later"),
    }


def _month(asked: Asked, month: date, name: str) -> Choice:
    title = formatted(month, "YEAR_MONTH_FORMAT")
    return Choice(name, title, replace(asked, month=month).address, is_here=month == asked.month)


def _looks(asked: Asked) -> list[Choice]:
    looks = ((MONTH, _("Month"), "calendar"), (LIST, _("List"), "menu"))
    return [
        Choice(f"as-{look}", title, replace(asked, look=look).address, is_here=look == asked.look, icon=icon)
        for look, title, icon in looks
    ]


def _kinds(asked: Asked) -> list[Choice]:
    every = Choice("every-kind", _("Everything"), replace(asked, kind="").address, is_here=not asked.kind)
    return [every, *(_kind(asked, KINDS[name]) for name in SOURCES)]


def _kind(asked: Asked, kind: Kind) -> Choice:
    address = replace(asked, kind=kind.name).address
    return Choice(kind.name, kind.title, address, is_here=kind.name == asked.kind, icon=kind.icon)


def _feed(asked: Asked, teams: Iterable[Team]) -> str:
    """Address of the iCalendar feed: of the chosen team, or of all."""
    slug = next((team.slug for team in teams if team.id == asked.team), None)
    return address_of("public:team-feed", slug) if slug else address_of("public:feed")


def _new(request: SignedInRequest) -> list[Choice]:
    """Links to the create forms that the user may open."""
    return [
        Choice(f"new-{each.entity}", each.singular, each.new_address)
        for each in (events, bookings)
        if each.may(request.user, "create")
    ]
