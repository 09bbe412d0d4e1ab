"""Items of SAMS data: clubs, the club's teams, their leagues, and the log of the syncs."""

from datetime import timedelta
from typing import Any

from pynamodb.attributes import NumberAttribute, TTLAttribute, UnicodeAttribute

from cms.base.indexes import by_age, listing
from core.content.slugs import slugify
from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute, TimestampAttribute
from core.dynamo.items import Item, new_id, table_name

CLUB_COLUMNS = ("name", "associationName", "logoImageLink", "logoS3Key", "ttl")
TEAM_COLUMNS = ("name", "sportsclubUuid", "leagueUuid", "leagueName", "seasonName", "ttl")
RUN_COLUMNS = ("kind", "state", "endedAt", "startedBy", "done", "total", "counts", "message")
CLUB_KEPT_FOR = timedelta(days=30)
TEAM_KEPT_FOR = timedelta(days=365)
RUN_KEPT_FOR = timedelta(days=90)


class NamedSamsItem(Item):
    """A record that SAMS names; DynamoDB deletes it by TTL if no sync renews it."""

    name = UnicodeAttribute()
    name_slug = UnicodeAttribute(attr_name="nameSlug", null=True)
    ttl = TTLAttribute(null=True)

    def derived(self) -> dict[str, Any]:
        return {"name_slug": slugify(self.name)}


class SamsClub(NamedSamsItem):
    """A club of the association. Its logo is copied to `logoS3Key`."""

    sportsclub_uuid = UnicodeAttribute(hash_key=True, attr_name="sportsclubUuid")
    type = UnicodeAttribute(default="club")
    association_uuid = UnicodeAttribute(attr_name="associationUuid", null=True)
    association_name = UnicodeAttribute(attr_name="associationName", null=True)
    logo_image_link = UnicodeAttribute(attr_name="logoImageLink", null=True)
    logo_s3_key = UnicodeAttribute(attr_name="logoS3Key", null=True)
    by_name = listing("GSI-SamsClubQueries", "type", "nameSlug", *CLUB_COLUMNS)

    class Meta:
        table_name = table_name("vcm-sams-clubs", variable="CMS_SAMS_CLUBS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"


class SamsTeam(NamedSamsItem):
    """A team of our club in a league of the current season."""

    uuid = UnicodeAttribute(hash_key=True)
    type = UnicodeAttribute(default="team")
    sportsclub_uuid = UnicodeAttribute(attr_name="sportsclubUuid", null=True)
    association_uuid = UnicodeAttribute(attr_name="associationUuid", null=True)
    league_uuid = UnicodeAttribute(attr_name="leagueUuid", null=True)
    league_name = UnicodeAttribute(attr_name="leagueName", null=True)
    season_uuid = UnicodeAttribute(attr_name="seasonUuid", null=True)
    season_name = UnicodeAttribute(attr_name="seasonName", null=True)
    by_name = listing("GSI-SamsTeamQueries", "type", "nameSlug", *TEAM_COLUMNS)

    class Meta:
        table_name = table_name("vcm-sams-teams", variable="CMS_SAMS_TEAMS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"


class SamsLeague(Item):
    """Table and matches of a league that one of our teams plays in, as of `results_at`.

    Pages show the stored results, so they do not depend on SAMS being up or fast.
    """

    league_uuid = UnicodeAttribute(hash_key=True, attr_name="leagueUuid")
    type = UnicodeAttribute(default="league")
    name = UnicodeAttribute()
    season_name = UnicodeAttribute(attr_name="seasonName", null=True)
    # The level in the league hierarchy; the highest league has the lowest number.
    level = NumberAttribute(null=True)
    rankings = JSONListAttribute(default_for_new=list)
    matches = JSONListAttribute(default_for_new=list)
    results_at = TimestampAttribute(attr_name="resultsAt", null=True)
    ttl = TTLAttribute(null=True)

    class Meta:
        table_name = table_name("vcm-sams-leagues", variable="CMS_SAMS_LEAGUES_TABLE")


class SyncRun(Item):
    """One run of a sync: times, who started it, progress and result."""

    id = UnicodeAttribute(hash_key=True, default_for_new=new_id)
    entity = UnicodeAttribute(default="sams-run")
    kind = UnicodeAttribute()
    state = UnicodeAttribute(default="running")
    ended_at = TimestampAttribute(attr_name="endedAt", null=True)
    started_by = UnicodeAttribute(attr_name="startedBy", null=True)
    done = NumberAttribute(default=0)
    total = NumberAttribute(default=0)
    counts = JSONMapAttribute(null=True)
    message = UnicodeAttribute(null=True)
    ttl = TTLAttribute(null=True)
    by_age = by_age(*RUN_COLUMNS)

    class Meta:
        table_name = table_name("vcm-sams-runs", variable="CMS_SAMS_RUNS_TABLE")
