"""The page of a team: the record with everything its template shows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from cms.base.queries import public_at
from cms.locations.models import Location
from cms.media.models import MediaFile
from cms.media.queries import media_refs, select_pictures
from cms.members.models import Member
from cms.sams.models import SamsTeam
from cms.sams.queries import TeamResults, results_of
from cms.teams.models import Team
from cms.teams.repository import teams
from cms.teams.rules import DAYS
from core.crud.fields.picker import is_possible
from core.dynamo.errors import Text
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef, records_at


@dataclass(frozen=True)
class Training:
    days: Sequence[Text]
    start: str
    end: str
    location: Location | None


@dataclass(frozen=True)
class TeamPage:
    """A team with its people, times of training, pictures and results."""

    team: Team
    coaches: list[Member] = field(default_factory=list)
    contacts: list[Member] = field(default_factory=list)
    trainings: list[Training] = field(default_factory=list)
    pictures: Sequence[MediaFile] = ()
    results: TeamResults | None = None

    @property
    def week(self) -> list[tuple[Text, Training]]:
        """Each day of training with its times, in the order of the week."""
        pairs = [(day, training) for training in self.trainings for day in training.days]
        order: list[Text] = [title for _name, title in DAYS]
        return sorted(pairs, key=lambda pair: (order.index(pair[0]), pair[1].start))


def public_team(slug: str) -> TeamPage:
    """The public page at a slug; at a former slug only the record, for the redirect."""
    return _assemble(*public_at(teams, slug, _related))


def team_page(team: Team) -> TeamPage:
    """The page of a record that may be unpublished, for a preview."""
    return _assemble(team, records_at(_related(team)))


def _assemble(team: Team, records: Mapping[RecordRef, Item]) -> TeamPage:
    def members(keys: Iterable[str] | None) -> list[Member]:
        return [cast(Member, records["member", key]) for key in keys or () if ("member", key) in records]

    return TeamPage(
        team,
        members(team.coach_ids),
        members(team.contact_person_ids),
        list(_trainings(team, records)),
        select_pictures(team.image_ids, records),
        results_of(cast(SamsTeam | None, records.get(("sams-team", team.sbvv_team_id or "")))),
    )


def _trainings(team: Team, records: Mapping[RecordRef, Item]) -> Iterator[Training]:
    titles = dict(DAYS)
    for row in team.schedules or ():
        location = cast(Location | None, records.get(("location", row.get("locationId") or "")))
        days = [titles[day] for day in row.get("day") or () if day in titles]
        yield Training(days, row.get("startTime") or "", row.get("endTime") or "", location)


def _related(team: Team) -> list[RecordRef]:
    """References to its staff, locations, pictures and SAMS team."""
    places = [("member", key) for key in team.staff_ids]
    places += [("sams-team", team.sbvv_team_id or "")]
    places += [("location", row.get("locationId") or "") for row in team.schedules or ()]
    named = [place for place in dict.fromkeys(places) if place[1] and is_possible(*place)]
    return [*named, *media_refs(team.image_ids)]
