"""All content, for those who write it: drafts and what is scheduled too, as the tables hold it."""

from api.cms.operations import ContentOperations
from api.cms.records import ContentDocument
from api.operations import Operations
from cms.bus.resource import bookings
from cms.events.resource import events
from cms.locations.resource import locations
from cms.members.resource import members
from cms.news.resource import news
from cms.pages.resource import pages
from cms.posts.resource import posts
from cms.roles.resource import roles
from cms.sponsors.resource import sponsors
from cms.teams.resource import teams

part = Operations("Content")
BY_NAME, NEWEST_FIRST = "by name", "the newest first"
# Whether the person may read their address and telephone number depends on the address.
MEMBER = ContentDocument(members, needed=["email"])

for document, name, order in (
    (ContentDocument(news), "article", NEWEST_FIRST),
    (
        ContentDocument(events),
        "club_event",
        "upcoming ones the earliest first, past ones the latest, others the newest",
    ),
    (ContentDocument(teams), "club_team", BY_NAME),
    (MEMBER, "club_member", BY_NAME),
    (ContentDocument(roles), "club_role", BY_NAME),
    (ContentDocument(sponsors), "sponsor", "by name, also those that have expired"),
    (ContentDocument(locations), "location", BY_NAME),
    (ContentDocument(posts), "social_post", NEWEST_FIRST),
    (ContentDocument(pages), "page", NEWEST_FIRST),
    (ContentDocument(bookings, hidden=["ttl"]), "bus_booking", "upcoming ones, the earliest first"),
):
    ContentOperations(part, document, name, order=order).declare_all()
