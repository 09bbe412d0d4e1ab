"""Tasks on Home for editors of the website, and the entry of a member."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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
from core.crud.listing import Badge
from core.crud.publication import PublishedResource
from core.crud.todo import Task, task_source
from core.dynamo import paging
from core.people.profile import ProfileLink, profile_link


# Registered first, to fit into the request budget of Home itself: only there are drafts left out that it also
# lists as last saved by the user.
@task_source(requests=1, right="cms.news.create")
def drafts_of_news(user: User) -> Iterator[Task]:
    """Drafts of news with the user as an author."""
    return _drafts(user, news, news_repository.with_status)


@task_source(requests=1, right="cms.event.create")
def drafts_of_events(user: User) -> Iterator[Task]:
    """Drafts of events with the user as an author."""
    return _drafts(user, events, events_repository.with_status)


def _drafts(
    user: User, resource: PublishedResource, with_status: Callable[..., paging.Page[Any]]
) -> Iterator[Task]:
    for draft in with_status(DRAFT, newest_first=True, keep=partial(is_author, user)).items:
        title, address = resource.repository.label_of(draft), resource.record_address(draft.id)
        yield Task(title, address, resource.singular, draft.updated_at, resource.state(draft))


@task_source(requests=1, right="cms.sponsor.update")
def ending_sponsors(user: User) -> Iterator[Task]:
    """Sponsors that expire within NOTICE_PERIOD."""
    for sponsor in sponsors_repository.by_name(keep=lambda each: state_of(each) == ENDING).items:
        day = date_format(localtime(sponsor.expiry_timestamp), "SHORT_DATE_FORMAT")
        badge = Badge("waiting", _("Shown until %(day)s") % {"day": day})
        since = sponsor.expiry_timestamp - NOTICE_PERIOD
        yield Task(sponsor.name, sponsors.record_address(sponsor.id), sponsors.singular, since, badge)


@task_source(requests=1, right="cms.media.update")
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
        yield Task(title, address, media.singular, found[0].created_at, MISSING)


@task_source(requests=1, right="cms.sams.update")
def failed_syncs(user: User) -> Iterator[Task]:
    """Kinds of SAMS syncs whose latest run failed or was stopped."""
    checked: set[str] = set()
    for run in services.latest_runs(limit=paging.MOST):
        if run.kind not in checked and run.state in (services.FAILED, services.STOPPED):
            title = _("SAMS: %(what)s") % {"what": TITLES.get(run.kind, run.kind)}
            yield Task(title, reverse("cms:sams"), _("sync"), run.updated_at, STATES[run.state])
        checked.add(run.kind)


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
