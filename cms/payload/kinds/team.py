"""Teams from Payload."""

import re
from typing import Any

from django.utils.timezone import localtime

from cms.payload.document import Document, key_in, moment_in, quoted
from cms.payload.kinds.kind import SluggedKind, status_of
from cms.payload.relations import Relations
from cms.teams.forms import MOST_SCHEDULES, TeamForm
from cms.teams.models import Team
from cms.teams.repository import teams
from cms.teams.rules import DAYS, team_slug


def team(document: Document, relations: Relations) -> Team:
    gender = document.wanted(TeamForm, "gender", document.get("gender"))
    return Team(
        name=document.needed_text(TeamForm, "name"),
        status=status_of(document, missing=[] if gender else ["a gender"]),
        gender=gender,
        age=document.wanted(TeamForm, "age", document.get("age")),
        league=document.wanted(TeamForm, "league", document.get("league")),
        sbvv_team_id=_sams_team(document, relations),
        coach_ids=relations.many(document, "people.coaches", "coaches", to="members"),
        contact_person_ids=relations.many(document, "people.contactPeople", "contactPeople", to="members"),
        schedules=_schedules(document, relations),
        image_ids=relations.many(document, "images", to="media"),
        **document.wanted_texts(TeamForm, "description", "instagram"),
    )


def _sams_team(document: Document, relations: Relations) -> str | None:
    """The team's uuid in SAMS, which is in the document that the relation `sbvvTeam` points to."""
    value = document.get("sbvvTeam")
    uuid = value.get("uuid") if isinstance(value, dict) else relations.sams_teams.get(key_in(value))
    if value and not isinstance(uuid, str):
        document.note(f"“sbvvTeam” names sams-teams {quoted(key_in(value))}, which is not in the export")
    return uuid if isinstance(uuid, str) and uuid else None


def _schedules(document: Document, relations: Relations) -> list[dict[str, Any]]:
    rows = document.listed("schedules")
    found = [row for row in (_schedule(document, row, relations) for row in rows) if row]
    if len(found) > MOST_SCHEDULES:
        document.note(f"only the first {MOST_SCHEDULES} of {len(found)} times of training were carried")
    return found[:MOST_SCHEDULES]


def _schedule(document: Document, row: Any, relations: Relations) -> dict[str, Any] | None:
    values: dict[str, Any] = row if isinstance(row, dict) else {}
    time, day = values.get("time", values), values.get("day")
    if not isinstance(time, dict):
        time = {}
    days = day if isinstance(day, list) else [day]
    start, end = clock_in(time.get("startTime")), clock_in(time.get("endTime"))
    place = relations.ids.get("locations", {}).get(key_in(values.get("location")))
    valid_days = [day for day, _title in DAYS if day in days]
    if len(valid_days) < len(days) or not start or not end or end <= start or not place:
        place_name = f"locations {key_in(values.get('location'))}"
        row_values = [*days, time.get("startTime"), time.get("endTime"), place_name]
        document.note(f"a time of training was left out: {', '.join(map(quoted, row_values))}")
        return None
    return {"day": valid_days, "startTime": start, "endTime": end, "locationId": place}


def clock_in(value: object) -> str | None:
    """A time of day (HH:MM) in the club's time zone; Payload stores a full time on an arbitrary day."""
    if isinstance(value, str) and re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value):
        return value
    moment = moment_in(value)
    return localtime(moment).strftime("%H:%M") if moment else None


def _number(slug: str, number: int) -> str:
    """Numbered slug of a team: team slugs have no dash, and `herren12` would be another team."""
    return f"{slug}nr{number}"


KIND = SluggedKind("teams", teams, team, named_by="name", make_slug=team_slug, number_slug=_number)
