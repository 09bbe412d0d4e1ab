"""The API with all its parts."""

from api import search
from api.cms import content, media, website
from api.operations import API
from api.quests import people, quests, rewards
from api.scouting import events, forms, photos, season, selection
from api.tracker import games, invitations, lineups, plays, roster, seasons, statistics, teams
from api.tracker import people as tracker_people

DESCRIPTION = """\
JSON over the same services as the screens: what a person may do there, their programs may do here.

What the website shows is for everybody. For all else, send an access token as `Authorization: Bearer …`, or
from a page of this site its session with `X-CSRFToken`.

A list with `limit` or `nextToken` is `{items, nextToken}`; with neither it is a bare array of at most 1,000.
`fields=` answers only these fields, `strong=true` also what was written just now. Every GET has a HEAD.

A POST with an `Idempotency-Key` may be repeated: what was made already is answered with 200 instead of 201.
A change sends the `ETag` of the version that it is based on in `If-Match`: 428 without one, 412 if it is not
the current one. Times are ISO 8601 in UTC. Errors are problem details (RFC 9457), and `errors` names the
fields."""

api = API(title="API", version="1", description=DESCRIPTION, urls_namespace="api")
for part in (forms.part, photos.part, selection.part, season.part, events.part):
    api.add_router("/scouting", part.router)
# The key of a quest stands where the others have their name, so these come first.
for part in (people.part, rewards.part, quests.part):
    api.add_router("/quests", part.router)
api.add_router("/search", search.part.router)
# What stands for one's own, such as /users/me, comes before the key of somebody.
for part in (
    statistics.part,
    tracker_people.part,
    teams.part,
    roster.part,
    seasons.part,
    invitations.part,
    games.part,
    lineups.part,
    plays.part,
):
    api.add_router("/tracker", part.router)
api.add_router("/website", website.part.router)
for part in (media.part, content.part):
    api.add_router("/cms", part.router)
