"""The calendar: a month at a glance, or as a list."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localdate, localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, requires
from cms import resources
from cms.models import Team
from cms.services.calendar import SOURCES, CalendarEntry, Period, entries_in, published_teams
from crud.http import page_or_partial
from crud.months import Day, Month
from dynamo.errors import Text

MONTH, LIST = "month", "list"


@dataclass(frozen=True)
class Kind:
    """How a kind of entries looks: a word, an icon, and a colour by its name in the stylesheet."""

    name: str
    title: Text
    icon: str


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
    """What somebody wants to see; without a kind or team, all of them. `month` is its first day."""

    month: date
    look: str = MONTH
    kind: str = ""
    team: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str], today: date) -> "Asked":
        """What nobody can have chosen counts as not chosen."""
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
        return f"{reverse('cms:calendar')}?{urlencode(self.query)}"


@dataclass(frozen=True)
class Choice:
    """A choice beside others."""

    name: str
    title: Text
    address: str
    is_here: bool = False
    icon: str = ""


@dataclass(frozen=True)
class Line:
    """An entry on one of its days."""

    entry: CalendarEntry
    kind: Kind
    when: str


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
    period = Period(dates[0][0], dates[-1][-1], request.user, teams)
    entries = entries_in(period, [asked.kind] if asked.kind else SOURCES, asked.team)
    weeks = month.weeks(lambda day: _lines(day, entries))
    in_month = [day for week in weeks for day in week if not day.is_outside and day.entries]
    context = {
        "asked": asked,
        "weeks": weeks,
        "days": in_month,
        "has_earlier": any(day.is_earlier for day in in_month),
        "found": _how_many(asked.month, in_month),
        "months": _months(asked, today),
        "looks": _looks(asked),
        "kinds": _kinds(asked),
        "teams": teams,
        "feed": _feed(asked, teams),
        "new": _new(request),
    }
    return page_or_partial(request, "cms/calendar.html", "calendar", context)


def _lines(day: date, entries: Iterable[CalendarEntry]) -> list[Line]:
    shown = [entry for entry in entries if _is_on(entry, day)]
    return [Line(entry, KINDS[entry.kind], _when(entry, day)) for entry in shown]


def _is_on(entry: CalendarEntry, day: date) -> bool:
    # What ends at midnight does not touch the next day.
    last = localtime(max(entry.start, entry.end - timedelta(microseconds=1))).date()
    return localtime(entry.start).date() <= day <= last


def _when(entry: CalendarEntry, day: date) -> str:
    """The hours that it has on this day."""
    start, end = localtime(entry.start), localtime(entry.end)
    if entry.all_day or (start.date() < day < end.date()):
        return _("all day")
    if start.date() == day:
        return date_format(start, "TIME_FORMAT")
    return _("until %(time)s") % {"time": date_format(end, "TIME_FORMAT")}


def _how_many(month: date, days: Sequence[Day[Line]]) -> str:
    count = len({id(line.entry) for day in days for line in day.entries})
    name = date_format(month, "YEAR_MONTH_FORMAT")
    if not count:
        return _("%(month)s: nothing") % {"month": name}
    return ngettext("%(month)s: %(count)d entry", "%(month)s: %(count)d entries", count) % {
        "month": name,
        "count": count,
    }


# --- What can be chosen -------------------------------------------------------------------------------------


def _months(asked: Asked, today: date) -> dict[str, Choice]:
    before = (asked.month - timedelta(days=1)).replace(day=1)
    after = (asked.month + timedelta(days=31)).replace(day=1)
    return {
        "before": _month(asked, before, "earlier"),
        "now": replace(_month(asked, today.replace(day=1), "this-month"), title=_("Today")),
        "after": _month(asked, after, "later"),
    }


def _month(asked: Asked, month: date, name: str) -> Choice:
    title = date_format(month, "YEAR_MONTH_FORMAT")
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
    """What programs subscribe to: the chosen team's calendar, or that of all."""
    slug = next((team.slug for team in teams if team.id == asked.team), None)
    return reverse("public:team-feed", args=[slug]) if slug else reverse("public:feed")


def _new(request: SignedInRequest) -> list[Choice]:
    """What somebody may put into the calendar."""
    return [
        Choice(f"new-{each.entity}", each.singular, each.new_address)
        for each in (resources.events, resources.bookings)
        if each.may(request.user, "create")
    ]
