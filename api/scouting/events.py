"""Events with their teams and matches, and what is computed from the forms and the official scores."""

from typing import Any

from django.http import HttpResponse
from ninja import Query

from api import answers
from api.forms import valid
from api.lists import ItemQuery, ListQuery, PageOf, listing
from api.operations import PREFIX, Operations
from api.scouting import schemas
from core.accounts.rights import SignedInRequest
from core.dynamo.attributes import now
from core.dynamo.errors import Replayed
from core.stores import idempotency
from scouting import keys
from scouting.analysis import queries, ratings
from scouting.events import services
from scouting.events.event import Alliance, Match, Playoff
from scouting.events.forms import EventForm, NewEventForm
from scouting.events.models import EventInfo
from scouting.events.repository import event_infos

part = Operations("Scouting events")
# The fields of an event by their names in the document.
NAMES = {
    "entity": "entity",
    "event": "event",
    "name": "name",
    "place": "place",
    "startsOn": "starts_on",
    "endsOn": "ends_on",
    "timeZone": "time_zone",
    "isOwn": "is_own",
    "createdAt": "created_at",
    "updatedAt": "updated_at",
    "version": "version",
}


@part.get(
    "/events",
    right="scouting.form.create",
    answer=list[schemas.ScoutingEvent] | PageOf[schemas.ScoutingEvent],
)
def list_events(request: SignedInRequest, query: Query[ListQuery]) -> HttpResponse:
    """The events, the newest year first."""
    fields = tuple(dict.fromkeys(NAMES[name] for name in query.only if name in NAMES))

    def read(**page: Any) -> Any:
        return event_infos.page("EVENTS", newest_first=True, fields=fields, strong=query.strong, **page)

    return listing(request, query, read, lambda info: answers.chosen(_event(info), query.only))


@part.post("/events", right="scouting.event.update", answer=schemas.ScoutingEvent)
def make_event(request: SignedInRequest, body: schemas.EventBody) -> HttpResponse:
    """Make an event. Its teams and matches come with /refresh, or are typed on its page."""
    began, fields = now(), valid(NewEventForm(_posted(body)), NAMES).fields_of()
    try:
        info = services.create(request.user, body.event, fields, once=idempotency.once(request))
    except Replayed:
        info = event_infos.parts(body.event, strong=True).info
    status = 201 if info.created_at and info.created_at >= began else 200
    return _answer(info, status=status, location=f"{PREFIX}/scouting/events/{info.event}")


@part.get("/events/{event}", right="scouting.form.create", answer=schemas.ScoutingEvent, etag=True)
def get_event(request: SignedInRequest, event: str, query: Query[ItemQuery]) -> HttpResponse:
    """An event; its teams and matches have addresses of their own."""
    info = event_infos.parts(_key(event), strong=query.strong).info
    return answers.answer(answers.chosen(_event(info), query.only), version=info.seen_version)


@part.change("PATCH", "/events/{event}", right="scouting.event.update", answer=schemas.ScoutingEvent)
def change_event(request: SignedInRequest, event: str, body: schemas.EventChange) -> HttpResponse:
    """Change an event; what is left out stays."""
    key, version = _key(event), answers.seen_version(request)
    info = event_infos.parts(key, strong=True).info
    fields = valid(EventForm(EventForm.initial_of(info) | _posted(body)), NAMES).fields_of()
    try:
        with answers.precondition():
            once = idempotency.once(request)
            info = services.edit(request.user, key, fields, seen_version=version, once=once)
    except Replayed:
        info = event_infos.parts(key, strong=True).info
    return _answer(info)


@part.delete("/events/{event}", right="scouting.event.update")
def delete_event(request: SignedInRequest, event: str) -> HttpResponse:
    """Delete an event of which there are no forms and no pick list; it stays in the trash for 30 days."""
    key = _key(event)
    version = answers.version_to_delete(request, lambda: event_infos.parts(key, strong=True).info)
    with answers.precondition():
        services.delete(request.user, key, seen_version=version)
    return answers.no_content()


@part.act("POST", "/events/{event}/refresh", right="scouting.event.update", answer=schemas.Refreshed)
def refresh_event(request: SignedInRequest, event: str) -> HttpResponse:
    """Fetch teams, ranking and matches from The Blue Alliance; what was typed stays."""
    done = services.refresh(request.user, _key(event))
    return answers.answer({"teams": done.teams, "matches": done.matches, "playoffs": done.playoffs})


@part.get("/events/{event}/teams", right="scouting.form.create", answer=list[schemas.ScoutingTeam])
def list_teams(request: SignedInRequest, event: str) -> HttpResponse:
    """The teams of an event, by number."""
    return answers.answer(
        [
            {
                "teamNumber": team.number,
                "teamName": team.name,
                "place": team.place,
                "rank": team.rank,
                "record": team.record,
            }
            for team in event_infos.read(_key(event)).teams
        ]
    )


@part.get("/events/{event}/matches", right="scouting.form.create", answer=list[schemas.Match])
def list_matches(request: SignedInRequest, event: str) -> HttpResponse:
    """The qualification matches of an event, then its playoffs."""
    found = event_infos.read(_key(event))
    return answers.answer([_match(match) for match in (*found.matches, *found.playoffs)])


# --- What is computed ---------------------------------------------------------------------------------------


@part.get("/events/{event}/aggregates", right="scouting.analysis.view", answer=list[schemas.Aggregate])
def list_aggregates(request: SignedInRequest, event: str) -> HttpResponse:
    """What the stand forms of an event say of each team: reports of the same robot count once."""
    read = queries.at(_key(event))
    return answers.answer(
        [
            {
                "teamNumber": team,
                "matches": figures.matches,
                "noShows": figures.no_shows,
                "figures": read.seen[team].values,
                "series": {key: measure.series for key, measure in figures.measures.items()},
                "criticals": figures.criticals,
                "comments": [
                    {
                        "matchNumber": remark.match,
                        "usersName": remark.scout,
                        "strategy": remark.strategy,
                        "comments": remark.comments,
                    }
                    for remark in figures.remarks
                ],
            }
            for team, figures in read.figures.items()
        ]
    )


@part.get("/events/{event}/ratings", right="scouting.analysis.view", answer=list[schemas.Rating])
def list_ratings(request: SignedInRequest, event: str) -> HttpResponse:
    """OPR, DPR, CCWM and EPA of each team from the official scores; null while too few were played."""
    read = queries.at(_key(event), with_forms=False)
    values = read.official.values
    return answers.answer(
        [
            {"teamNumber": team, **{name: values[name].get(team) for name in values}}
            for team in read.event.team_numbers
        ]
    )


@part.get("/events/{event}/ranking", right="scouting.analysis.view", answer=list[schemas.Ranked])
def list_ranking(request: SignedInRequest, event: str) -> HttpResponse:
    """The ranking: official if there is one, else computed from the played matches."""
    read = queries.at(_key(event), with_forms=False)
    by = ratings.ranked_by(read.event.matches, read.game.ranking)
    official = {team.number: team.rank for team in read.event.teams}
    return answers.answer(
        [
            {
                "rank": row.rank,
                "teamNumber": row.team,
                "matches": row.matches,
                "wins": row.record.wins,
                "losses": row.record.losses,
                "ties": row.record.ties,
                "figures": dict(zip(by, row.figures, strict=True)),
            }
            for row in ratings.ranking(read.event.matches, by, official)
        ]
    )


def _key(event: str) -> str:
    return keys.in_address(keys.event_key, event)


def _event(info: EventInfo) -> dict[str, Any]:
    return {name: info.attribute_values.get(attribute) for name, attribute in NAMES.items()}


def _answer(info: EventInfo, **options: Any) -> HttpResponse:
    return answers.answer(_event(info), version=info.seen_version, **options)


def _posted(body: schemas.EventChange) -> dict[str, Any]:
    return {NAMES[name]: value for name, value in body.model_dump(exclude_unset=True).items()}


def _match(match: Match) -> dict[str, Any]:
    return {
        "matchNumber": match.number,
        "level": match.level if isinstance(match, Playoff) else "qm",
        "set": match.set_number if isinstance(match, Playoff) else 1,
        "time": match.time,
        "videos": match.videos,
        "red": _alliance(match.red),
        "blue": _alliance(match.blue),
    }


def _alliance(alliance: Alliance) -> dict[str, Any]:
    return {
        "teams": alliance.teams,
        "score": alliance.score,
        "surrogates": alliance.surrogates,
        "disqualified": alliance.disqualified,
    }
