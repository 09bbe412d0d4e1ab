"""What is written more rarely, once each and by the function that writes it: for the keys that it touches."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import cache, partial
from typing import Any

from cms.locations.repository import locations
from cms.media.repository import media
from cms.members.repository import members
from cms.pages.models import Page
from cms.pages.repository import pages
from cms.posts.models import Post
from cms.posts.repository import posts
from cms.roles.models import Role
from cms.roles.repository import roles
from cms.sams.repository import sams_clubs, sams_teams, sync_runs
from cms.sponsors.repository import sponsors
from cms.teams.repository import teams
from core.accounts import directory
from core.dynamo import repository as stored
from core.dynamo import working_copies
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.streams import positions
from core.dynamo.streams.source import Shard, Stream
from core.stores.cache import CacheStore
from core.stores.dedupe import DedupeStore
from core.stores.table import now_ms
from quests.models import PENDING
from quests.repository import failed_rewards
from quests.services import lifecycle
from scouting.forms import services as forms
from scouting.selection.models import TeamSelection
from scouting.selection.repository import selections
from tests.cast import CAST
from tests.cms import occasions
from tests.cms.club import make_location, make_member, make_sponsor, make_team, training
from tests.cms.public import make_picture
from tests.quests.accounts import remove_account
from tests.quests.board import CREATOR, PERFORMER, submitted
from tests.scouting import field
from tests.tracker.club import person, team_of
from tracker.games.services import games
from tracker.teams.services import teams as softball_teams

ADMIN, SCOUT = CAST["admin"], CAST["scout"]
# It prepares, and answers what is measured.
Prepare = Callable[[], Callable[[], Any]]


def writes() -> Mapping[str, Prepare]:
    """By the names of the documents; of a record that is changed, what orders its lists changes too.

    What records refer to is the same for all of them.
    """
    picture, place = cache(make_picture), cache(make_location)
    role = cache(lambda: roles.create(Role(name="Trainer"), actor=SYSTEM))
    squad = cache(lambda: team_of(person("Nele"), "Auenfeld Amsels"))
    return {
        "change a member": lambda: _changed(
            members, make_member(email="a@b.example"), name="Anna", role_ids=[role().id]
        ),
        "change a team": lambda: _changed(
            teams,
            make_team(sbvv_team_id="u1", status="draft"),
            name="Damen",
            slug="damen",
            status="published",
            image_ids=[picture().id],
            schedules=[training(place(), "montags")],
        ),
        "change a place": lambda: _changed(locations, place(), name="Aula"),
        "change a sponsor": lambda: _changed(sponsors, make_sponsor(), name="Apotheke", logo_id=picture().id),
        "change a role": lambda: _changed(roles, role(), name="Arzt"),
        "change a page": lambda: _changed(
            pages, pages.create(Page(title="Impressum", slug="impressum"), actor=SYSTEM), title="Imprint"
        ),
        "change a post": lambda: _changed(posts, _post(), timestamp=now() + timedelta(days=1)),
        "change a picture": lambda: _changed(media, picture(), alt="Die Halle"),
        "publish an event": lambda: partial(occasions.event, "Sommerfest", published=True),
        "book the bus": lambda: partial(occasions.booking, occasions.day(3)),
        "delete a record": lambda: partial(
            roles.delete, roles.create(Role(name="Wart"), actor=SYSTEM), actor=SYSTEM
        ),
        "schedule a change": lambda: _scheduled,
        "name a person": lambda: partial(
            directory.enter, "new-sub", name="Nele", email="n@b.example", actor=SYSTEM
        ),
        "sync a club": lambda: partial(
            sams_clubs.store, "uuid-1", {"name": "VC Auenfeld"}, kept_for=timedelta(days=30), stored=None
        ),
        "sync a team": lambda: partial(
            sams_teams.store, "uuid-2", {"name": "VC Auenfeld 2"}, kept_for=timedelta(days=30), stored=None
        ),
        "tell of a sync": lambda: partial(sync_runs.tell, sync_runs.begin("clubs", started_by="x"), done=10),
        "renew a cached value": _cached,
        "finish a job": _job,
        "keep a stream's place": _kept_place,
        "send a pit form": lambda: partial(forms.submit_pit, SCOUT, {"event": field.KEY, "team": "7"}),
        "send a comment": lambda: partial(
            forms.submit_comment, SCOUT, {"event": field.KEY, "team": "7", "comments": "Neuer Antrieb."}
        ),
        "save the pick list": _selection,
        "complete a quest": _completed,
        "fail a reward": _failed,
        "lease a failed reward": lambda: partial(
            failed_rewards.lease, failed_rewards.with_status(PENDING).items[0], "me"
        ),
        "sign in for the first time": lambda: partial(person, "Nora"),
        "plan a game": lambda: partial(games.create, person("Nele"), squad().id, {"is_home": True}),
        "change a softball team": lambda: partial(
            softball_teams.edit,
            person("Nele"),
            squad().id,
            {"name": "Amsels", "description": "Donnerstags"},
            seen_version=squad().seen_version,
        ),
        "make a softball team": lambda: partial(team_of, person("Nils"), "Feldkamp Finches"),
    }


def _changed(repository: stored.Repository[Any], record: Any, **fields: Any) -> Callable[[], Any]:
    return lambda: repository.update(record, fields, actor=ADMIN.actor)


def _post() -> Post:
    return posts.create(Post(url="https://a.example", caption="Derby", timestamp=now()), actor=SYSTEM)


def _scheduled() -> None:
    at = now() + timedelta(days=1)
    schedule = working_copies.Schedule(at=at, actor=ADMIN.actor, changed={}, before={}, typed="")
    working_copies.save(
        entity="news",
        key="some",
        label="Derby",
        values={"title": "Derby"},
        seen_version=0,
        based_on=1,
        actor=ADMIN.actor,
        schedule=schedule,
    )


def _cached() -> Callable[[], Any]:
    cache = CacheStore()
    cache.set("some", 1, 60)
    # Its end moves to another second.
    return lambda: cache.set("some", 2, 90)


def _job() -> Callable[[], Any]:
    five_seconds_ago = DedupeStore(clock=lambda: now_ms() - 5000)
    job_id = five_seconds_ago.register("some")
    return lambda: DedupeStore().complete("some", 1, job_id=job_id)


def _kept_place() -> Callable[[], Any]:
    place = positions.position_of(Shard(Stream("vcm-bus", "arn/label"), "shard", None))
    positions.take_lease(place, "me")
    return lambda: positions.save_checkpoint(place, "me", "1000", finished=False)


def _selection() -> Callable[[], Any]:
    teams = [
        {"teamNumber": str(number), "teamName": f"Robots {number}", "columnId": "r1"}
        for number in range(1, 61)
    ]
    listed = selections.create(TeamSelection.about(field.KEY, teams=teams), actor=ADMIN.actor)
    return lambda: selections.update(listed, {"teams": teams[::-1]}, actor=ADMIN.actor)


def _completed() -> Callable[[], Any]:
    quest = submitted()
    lifecycle.attest(CREATOR, quest.id)
    return lambda: lifecycle.attest(PERFORMER, quest.id)


def _failed() -> Callable[[], Any]:
    attest = _completed()
    remove_account(PERFORMER)
    return attest
