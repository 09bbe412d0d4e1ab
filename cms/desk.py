"""What the website and the club contribute to Home, and the entry of a member to their profile."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localdate, localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cms.bus.repository import bookings as bookings_repository
from cms.bus.resource import bookings
from cms.calendar.queries import Period, events_in, matches_in, midnight, published_teams, training_in
from cms.events.repository import events as events_repository
from cms.events.resource import events
from cms.media.repository import media as media_repository
from cms.media.resource import MISSING, media
from cms.members.resource import members
from cms.news.repository import news as news_repository
from cms.news.resource import news
from cms.sams import services
from cms.sams.presenters import STATES, TITLES
from cms.sponsors.repository import sponsors as sponsors_repository
from cms.sponsors.resource import ENDING, NOTICE_PERIOD, sponsors, state_of
from core.accounts.rights import is_author, may
from core.accounts.user import User
from core.content.status import DRAFT
from core.crud import registry
from core.crud.home import ComingDate, Task, home_source
from core.crud.listing import Badge
from core.crud.publication import CHANGED, PublishedResource
from core.crud.record_search import may_view
from core.dynamo import paging, working_copies
from core.dynamo.attributes import now
from core.dynamo.errors import Text
from core.dynamo.registry import records_at
from core.people.profile import ProfileLink, profile_link

NOT_SAVED = Badge("waiting", gettext_lazy("Not saved yet"))
MOST_COPIES = 12
# How far ahead Home looks: training is every week.
DAYS_AHEAD, TRAINING_AHEAD = timedelta(days=21), timedelta(days=7)
KINDS: dict[str, Text] = {
    "event": gettext_lazy("Event"),
    "training": gettext_lazy("Training"),
    "match": gettext_lazy("Match"),
}


# --- Tasks --------------------------------------------------------------------------------------------------


@home_source("cms.news.create", "cms.event.create", "cms.team.update", requests=4)
def unfinished(user: User) -> Iterator[Task]:
    """Working copies that the user was the last to edit, and drafts with the user as an author, newest first.

    Requests: the copies and their records, drafts of news and of events.
    """
    found = {task.address: task for task in (*_drafts(user), *_unsaved_copies(user))}
    return iter(sorted(found.values(), key=lambda task: task.at, reverse=True))


def _unsaved_copies(user: User) -> Iterator[Task]:
    copies = working_copies.last_edited_by(user.sub, limit=MOST_COPIES).items
    kept = [copy for copy in copies if registry.has_resource(copy.entity)]
    records = records_at((copy.entity, copy.key) for copy in kept)
    for copy in kept:
        resource, record = registry.resource_for(copy.entity), records.get((copy.entity, copy.key))
        if record is None:
            is_editable = copy.is_of_new and resource.may(user, "create")
        else:
            is_editable = may_view(user, copy.entity, record) and resource.may(user, "update", record)
        if is_editable:
            is_live = isinstance(resource, PublishedResource) and resource.is_live(record)
            yield Task(
                title=copy.label or _("Untitled"),
                address=resource.record_address(copy.key),
                kind=resource.singular,
                at=copy.at,
                badge=CHANGED if is_live else NOT_SAVED,
                action=_("Continue"),
            )


def _drafts(user: User) -> Iterator[Task]:
    written: tuple[tuple[PublishedResource, Callable[..., paging.Page[Any]]], ...] = (
        (news, news_repository.with_status),
        (events, events_repository.with_status),
    )
    for resource, with_status in written:
        if not resource.may(user, "create"):
            continue
        for draft in with_status(DRAFT, newest_first=True, keep=partial(is_author, user)).items:
            yield Task(
                title=resource.repository.label_of(draft),
                address=resource.record_address(draft.id),
                kind=resource.singular,
                at=draft.updated_at,
                badge=resource.state(draft),
                action=_("Continue"),
            )


@home_source("cms.sponsor.update", requests=1)
def ending_sponsors(user: User) -> Iterator[Task]:
    """Sponsors that expire within NOTICE_PERIOD."""
    for sponsor in sponsors_repository.by_name(keep=lambda each: state_of(each) == ENDING).items:
        day = date_format(localtime(sponsor.expiry_timestamp), "SHORT_DATE_FORMAT")
        badge = Badge("waiting", _("Shown until %(day)s") % {"day": day})
        since = sponsor.expiry_timestamp - NOTICE_PERIOD
        address = sponsors.record_address(sponsor.id)
        yield Task(sponsor.name, address, sponsors.singular, since, badge, _("Extend"))


@home_source("cms.media.update", requests=1)
def pictures_to_describe(user: User) -> Iterator[Task]:
    """One task for all pictures without alternative text that the user may change."""
    found = media_repository.by_age(
        newest_first=True,
        limit=paging.MOST,
        keep=lambda each: each.lacks_description and media.may(user, "update", each),
    ).items
    if len(found) == 1:
        title, address = found[0].original_name, media.record_address(found[0].id)
    else:
        title = _("Multiple pictures")
        own = "" if may(user, "cms.media.update") else "&by=me"
        address = f"{reverse('cms:media-list')}?description=missing{own}"
    if found:
        yield Task(title, address, media.singular, found[0].created_at, MISSING, _("Describe"))


@home_source("cms.sams.update", requests=1)
def failed_syncs(user: User) -> Iterator[Task]:
    """Kinds of SAMS syncs whose latest run failed or was stopped."""
    checked: set[str] = set()
    for run in services.latest_runs(limit=paging.MOST):
        if run.kind not in checked and run.state in (services.FAILED, services.STOPPED):
            title = _("SAMS: %(what)s") % {"what": TITLES.get(run.kind, run.kind)}
            yield Task(title, reverse("cms:sams"), _("sync"), run.updated_at, STATES[run.state], _("Check"))
        checked.add(run.kind)


# --- Dates --------------------------------------------------------------------------------------------------


@home_source("cms.calendar.view", requests=5, at_once=False)
def club_dates(user: User) -> Iterator[ComingDate]:
    """The events of the club; training and matches of the teams that the user looks after; own bookings.

    Requests: events, bookings; for those who are named in the CMS the teams, the records of their own, and
    leagues that have changed.
    """
    today, moment = localdate(), now()
    own = [team for team in published_teams() if team.staff_ids & user.member_ids] if user.member_ids else []
    period = Period(today, today + DAYS_AHEAD, user, own, ("training", "match") if own else ())
    training = [each for each in training_in(period) if each.start < moment + TRAINING_AHEAD] if own else []
    for entry in (*events_in(period), *training, *(matches_in(period) if own else ())):
        if entry.end > moment:
            yield ComingDate(
                title=entry.title,
                address=entry.address,
                kind=KINDS[entry.kind],
                starts=entry.start,
                # The name of the place without its address.
                details=entry.place.partition(",")[0],
                is_all_day=entry.all_day,
                is_live=entry.start <= moment and not entry.all_day,
            )
    for booking in bookings_repository.between(period.first, period.last):
        if booking.booker_id == user.sub:
            yield ComingDate(
                title=_("Bus"),
                address=bookings.record_address(booking.id),
                kind=_("Your booking"),
                starts=midnight(booking.from_day),
                is_all_day=True,
                is_live=booking.from_day <= today,
            )


# --- Profile ------------------------------------------------------------------------------------------------


@profile_link
def member_entry(user: User) -> ProfileLink | None:
    """The member in the CMS with the user's address; the first one if there are several."""
    if not user.member_ids:
        return None
    return ProfileLink(
        "member",
        gettext_lazy("Your entry as a member"),
        gettext_lazy("What the website says about you, and how the club reaches you."),
        "people",
        members.record_address(min(user.member_ids)),
    )
