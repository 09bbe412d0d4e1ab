"""Views: a team's games in a month, the iCalendar feed, and the renewal of its URL."""

from datetime import date, datetime, time, timedelta

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.timezone import localdate, make_aware
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, public, requires
from core.crud.confirm_page import ConfirmPage, Question
from core.crud.http import page_or_partial
from core.crud.months import Month
from tracker import policy, repository
from tracker.games.presenters import Card
from tracker.games.services import calendar_feed
from tracker.games.views.games import feed_address
from tracker.navigation import TeamPage, team_context

# The range of months that can be requested.
FIRST_MONTH, LAST_MONTH = "2000-01", "2099-12"


@requires("tracker.team.view")
@require_safe
def month(request: SignedInRequest, team: str) -> HttpResponse:
    access = policy.access(request.user, team)
    chosen = Month.asked(request.GET.get("month", ""), localdate())
    first, dates = chosen.first, chosen.dates
    games = repository.games.between(team, _midnight(dates[0][0]), _midnight(dates[-1][-1] + timedelta(1)))
    cards = [(localdate(game.scheduled_start), Card(game)) for game in games]
    context = team_context(access, "games") | {
        "month": first,
        "weeks": chosen.weeks(
            lambda day: [Card(game) for game in games if localdate(game.scheduled_start) == day]
        ),
        "before": max(f"{first - timedelta(days=1):%Y-%m}", FIRST_MONTH),
        "after": min(f"{first + timedelta(days=31):%Y-%m}", LAST_MONTH),
        "this_month": f"{chosen.today:%Y-%m}",
        "has_games": any(start.month == first.month for start, _card in cards),
        "address": reverse("tracker:games-calendar", args=[team]),
        "may_manage": access.may("manage_games"),
        "feed": feed_address(request, access),
    }
    return page_or_partial(request, "tracker/games/calendar.html", "month", context)


@public
@require_safe
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """The iCalendar feed. Public: the signed token in the URL authorises it, until the membership ends."""
    site = request.build_absolute_uri("/").rstrip("/")
    file = calendar_feed.calendar_for(token, site=site)
    response = HttpResponse(file, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'inline; filename="games.ics"'
    response["Cache-Control"] = "private, no-store"
    return response


@requires("tracker.team.view")
class RenewFeed(TeamPage, ConfirmPage):
    """Give the person's own feed a new URL, for example if somebody else got the old one."""

    leads_to = "tracker:games"
    success_message = gettext_lazy("Calendar address changed.")

    def question(self) -> Question:
        return Question(
            title=_("Change your calendar address?"),
            text=_("The old address stops working. Subscribe to the new one in your calendar app."),
            button=_("New address"),
            back=self.success_url(),
            seen_version=calendar_feed.renewable(self.request.user, self.kwargs["team"]).seen_version,
        )

    def save(self) -> None:
        user, team = self.request.user, self.kwargs["team"]
        calendar_feed.renew(user, team, seen_version=self.seen_version, once=self.once)


def _midnight(day: date) -> datetime:
    return make_aware(datetime.combine(day, time.min))
