"""The page of a team: the records that it shows, and the values of its template."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from cms.locations.models import Location
from cms.media.queries import media_refs, select_pictures
from cms.members.models import Member
from cms.sams.models import SamsTeam
from cms.sams.queries import results_of
from cms.teams.models import Team
from cms.teams.rules import DAYS, GENDERS
from core.crud.fields.picker import is_possible
from core.dynamo.errors import Text
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef


class Training(NamedTuple):
    days: Sequence[Text]
    start: str
    end: str
    location: Location | None


def related(team: Team) -> list[RecordRef]:
    """References to its staff, locations, pictures and SAMS team."""
    refs = [("member", key) for key in team.staff_ids]
    refs += [("sams-team", team.sbvv_team_id or "")]
    refs += [("location", row.get("locationId") or "") for row in team.schedules or ()]
    named = [ref for ref in dict.fromkeys(refs) if ref[1] and is_possible(*ref)]
    return [*named, *media_refs(team.image_ids)]


def team_context(
    team: Team, records: Mapping[RecordRef, Item], *, without_email: Collection[str] = ()
) -> dict[str, Any]:
    """The context of the team's template, for the public page and the preview; starts a refresh of old
    results."""
    found = list(trainings(team, records))
    return {
        "team": team,
        "gender": dict(GENDERS).get(team.gender, ""),
        "coaches": members_at(team.coach_ids, records),
        "contacts": members_at(team.contact_person_ids, records),
        "without_email": without_email,
        "trainings": found,
        "week": _week(found),
        "pictures": select_pictures(team.image_ids, records),
        "results": results_of(cast(SamsTeam | None, records.get(("sams-team", team.sbvv_team_id or "")))),
    }


def members_at(keys: Iterable[str] | None, records: Mapping[RecordRef, Item]) -> list[Member]:
    return [cast(Member, records["member", key]) for key in keys or () if ("member", key) in records]


def trainings(team: Team, records: Mapping[RecordRef, Item]) -> Iterator[Training]:
    titles = dict(DAYS)
    for row in team.schedules or ():
        location = cast(Location | None, records.get(("location", row.get("locationId") or "")))
        days = [titles[day] for day in row.get("day") or () if day in titles]
        yield Training(days, row.get("startTime") or "", row.get("endTime") or "", location)


def _week(trainings: Iterable[Training]) -> list[tuple[Text, Training]]:
    """Each day of training with its times, in the order of the week."""
    pairs = [(day, training) for training in trainings for day in training.days]
    order: list[Text] = [title for _name, title in DAYS]
    return sorted(pairs, key=lambda pair: (order.index(pair[0]), pair[1].start))
