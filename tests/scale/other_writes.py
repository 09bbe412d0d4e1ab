"""What is written more rarely, once each and by the function that writes it: for the keys that it touches."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any
from unittest.mock import patch

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings

from cms.locations.repository import locations
from cms.media.repository import media
from cms.members.repository import members
from cms.pages.models import Page
from cms.pages.repository import pages
from cms.posts.models import Post
from cms.posts.repository import posts
from cms.roles.models import Role
from cms.roles.repository import roles
from cms.sams.repository import sams_clubs, sams_leagues, sams_teams, sync_runs
from cms.sponsors.repository import sponsors
from cms.teams.repository import teams
from core.accounts import directory
from core.club.repository import club_settings, put_logo
from core.dynamo import preferences, working_copies
from core.dynamo import repository as stored
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.streams import positions
from core.dynamo.streams.source import Shard, Stream
from core.dynamo.transactions import Transaction
from core.media import storage
from core.stores.cache import CacheStore
from core.stores.dedupe import DedupeStore
from core.stores.table import now_ms
from quests.models import PENDING
from quests.repository import failed_rewards
from quests.services import lifecycle
from scouting.events import services as events
from scouting.events.repository import event_infos
from scouting.forms import services as forms
from scouting.games import services as definitions
from scouting.selection.models import TeamSelection
from scouting.selection.repository import selections
from scouting.settings import services as settings
from scouting.tba.parsing import TbaEvent
from tests.cast import CAST
from tests.cms import occasions
from tests.cms.club import make_location, make_member, make_sponsor, make_team
from tests.cms.public import make_picture
from tests.media_bucket import photo
from tests.quests.accounts import remove_account
from tests.scale.crew import PICTURE, PLACE, TEAM, Crew, Prepare
from tests.scale.verbs import MATCHES
from tests.scouting import field
from tests.scouting.forms.sent_forms import SCORES, edited, fields
from tests.tracker.club import ghost, person, team_of
from tests.tracker.teams.invited import invite
from tracker.games.services import games
from tracker.teams.services import invitations

ADMIN = CAST["admin"]


def writes() -> Mapping[str, Prepare]:
    """By the names of the documents; of a record that is changed, what orders its lists changes too."""
    return {
        "change a member": lambda crew: _changed(
            members,
            make_member(
                crew.pick("Maya Rosenthal", "Mia Rosenberg"), email=crew.pick("a@b.example", "c@d.example")
            ),
            name=crew.pick("Anna", "Berta"),
        ),
        "change a team": _team,
        "change a place": lambda crew: _changed(
            locations, make_location(crew.pick("Mühlenhalle", "Rheinhalle")), name=crew.pick("Aula", "Bad")
        ),
        "change a sponsor": lambda crew: _changed(
            sponsors,
            make_sponsor(crew.pick("Bäckerei Kornblum", "Brauerei Mühlbach")),
            name=crew.pick("Apotheke", "Autohaus"),
            logo_id=PICTURE,
        ),
        "change a role": lambda crew: _changed(
            roles, _role(crew.pick("Trainer", "Betreuer")), name=crew.pick("Arzt", "Beirat")
        ),
        "change a page": _changed_page,
        "change a post": lambda crew: _changed(
            posts, _post(crew), timestamp=now() + timedelta(days=1), image_id=PICTURE
        ),
        "change a picture": lambda crew: _changed(
            media, make_picture(crew.pick("team.jpg", "fans.jpg")), alt="Die Halle"
        ),
        "upload a picture": _upload,
        "publish an event": lambda crew: partial(
            occasions.event,
            crew.pick("Sommerfest", "Winterfest"),
            by=crew.pick("official", "moderator"),
            published=True,
            team_ids=[TEAM],
        ),
        "book the bus": lambda crew: partial(
            occasions.booking, occasions.day(crew.pick(3, 9)), by=crew.pick("member", "other-member")
        ),
        "delete a record": lambda crew: partial(roles.delete, _role(crew.pick("Wart", "Gast")), actor=SYSTEM),
        "schedule a change": lambda crew: partial(_scheduled, crew.pick("some", "other")),
        "name a person": lambda crew: partial(
            directory.enter,
            crew.pick("new-sub", "newer-sub"),
            name=crew.pick("Nele", "Nora"),
            email=crew.pick("n@b.example", "o@b.example"),
            actor=SYSTEM,
        ),
        "sync a club": lambda crew: partial(
            sams_clubs.store,
            crew.pick("uuid-1", "uuid-3"),
            {"name": "VC Auenfeld"},
            kept_for=timedelta(days=30),
            stored=None,
        ),
        "sync a team": lambda crew: partial(
            sams_teams.store,
            crew.pick("uuid-2", "uuid-4"),
            {"name": "VC Auenfeld 2"},
            kept_for=timedelta(days=30),
            stored=None,
        ),
        "sync a league": lambda crew: partial(
            sams_leagues.store,
            crew.pick("uuid-5", "uuid-6"),
            {"name": "Oberliga"},
            kept_for=timedelta(days=30),
            stored=None,
        ),
        "tell of a sync": lambda _crew: partial(
            sync_runs.note, sync_runs.begin("clubs", started_by="x"), done=10
        ),
        "renew a cached value": lambda crew: _cached(crew.pick("some", "other")),
        "finish a job": lambda crew: _job(crew.pick("some", "other")),
        "keep a stream's place": lambda crew: _kept_place(crew.pick("vcm-bus", "vcm-news")),
        "correct a stand form": _corrected,
        "refresh an event": _refreshed,
        "choose an event": _chosen,
        "change a game": _game,
        "save the pick list": _selection,
        "fail a reward": _failed,
        "lease a failed reward": _leased,
        "sign in for the first time": lambda crew: partial(person, crew.pick("Nora", "Nino")),
        "make a softball team": lambda crew: partial(
            team_of, person(crew.pick("Nils", "Nele")), crew.pick("Feldkamp Finches", "Feldkamp Ferns")
        ),
        "join a softball team": _join,
        "plan a game": lambda crew: partial(
            games.create, crew.coach, crew.club.team.id, {"season_id": crew.season.id}
        ),
        "add a player": lambda crew: partial(
            ghost, crew.club.team, crew.pick("Jo", "Kim"), crew.pick(10, 11), actor=crew.coach
        ),
        "read the club": lambda _crew: club_settings.stored,
        "change the club": _club,
        "keep a preference": lambda crew: partial(
            preferences.save, crew.user("member").sub, "theme", crew.pick("dark", "light")
        ),
    }


def _changed(repository: stored.Repository[Any], record: Any, **fields: Any) -> Callable[[], Any]:
    return lambda: repository.update(record, fields, actor=ADMIN.actor)


def _club(crew: Crew) -> Callable[[], Any]:
    """Its name and its logo."""
    seen, name = club_settings.stored(strong=True), crew.pick("A", "B")

    def change() -> None:
        transaction = Transaction()
        transaction.add(put_logo(f"{name}.svg", b"<svg/>"))
        club_settings.save(seen, {"name": name}, actor=SYSTEM, transaction=transaction)
        transaction.commit()

    return change


def _role(name: str) -> Role:
    return roles.create(Role(name=name), actor=SYSTEM)


def _team(crew: Crew) -> Callable[[], Any]:
    """Which also trains at another place from now on."""
    number = crew.pick("u1", "u2")
    team = make_team(crew.pick("Herren 1", "Herren 2"), sbvv_team_id=number, status="draft")
    name = crew.pick("Damen", "Jugend")
    schedules = [{"day": ["monday"], "startTime": "18:00", "endTime": "20:00", "locationId": PLACE}]
    fields = {"name": name, "slug": name.lower(), "status": "published"}
    return _changed(teams, team, schedules=schedules, image_ids=[PICTURE], **fields)


def _changed_page(crew: Crew) -> Callable[[], Any]:
    title = crew.pick("Impressum", "Anfahrten")
    page = pages.create(Page(title=title, slug=title.lower()), actor=SYSTEM)
    return _changed(pages, page, title=crew.pick("Imprint", "Arrival"))


def _post(crew: Crew) -> Post:
    url = crew.pick("https://a.example", "https://b.example")
    return posts.create(Post(url=url, caption="Derby", timestamp=now()), actor=SYSTEM)


def _upload(crew: Crew) -> Callable[[], Any]:
    """Through the page without JavaScript, without the bucket."""
    client, data = crew.browser("official"), photo(90, 60, colour=crew.pick("navy", "teal"))

    def upload() -> Any:
        file = SimpleUploadedFile(crew.pick("Finale.jpg", "Pokale.jpg"), data)
        with patch.object(storage, "write"), override_settings(MEDIA_BUCKET="bucket"):
            return client.post("/cms/media/new", {"files": [file]})

    return upload


def _scheduled(key: str) -> None:
    at = now() + timedelta(days=1)
    schedule = working_copies.Schedule(at=at, actor=ADMIN.actor, changed={}, before={}, typed="")
    working_copies.save(
        entity="news",
        key=key,
        label="Derby",
        values={"title": "Derby"},
        seen_version=0,
        based_on=1,
        actor=ADMIN.actor,
        schedule=schedule,
    )


def _cached(name: str) -> Callable[[], Any]:
    cache = CacheStore()
    cache.set(name, 1, 60)
    # Its end moves to another second.
    return lambda: cache.set(name, 2, 90)


def _job(name: str) -> Callable[[], Any]:
    five_seconds_ago = DedupeStore(clock=lambda: now_ms() - 5000)
    job_id = five_seconds_ago.register(name)
    return lambda: DedupeStore().complete(name, 1, job_id=job_id)


def _kept_place(table: str) -> Callable[[], Any]:
    place = positions.position_of(Shard(Stream(table, "arn/label"), "shard", None))
    positions.take_lease(place, "me")
    return lambda: positions.save_checkpoint(place, "me", "1000", finished=False)


def _corrected(crew: Crew) -> Callable[[], Any]:
    scout, team = crew.user("scout"), crew.pick("1", "2")
    form = forms.submit_stand(scout, fields(team, MATCHES + 2))
    return partial(edited, scout, form, scores={**SCORES, "autoFuel": 5})


def _refreshed(crew: Crew) -> Callable[[], Any]:
    """Two leads refresh the same event, in which a team has got another name."""
    parts = event_infos.parts(field.KEY, strong=True)
    told = TbaEvent(
        key=field.KEY,
        name="Fieldhouse Test",
        place=crew.pick("Basel", "Lahr"),
        starts_on=None,
        ends_on=None,
        time_zone=None,
        teams=tuple(replace(team, name=crew.pick("Robots", "Bots")) for team in parts.event.teams),
        matches=tuple(parts.event.matches),
        playoffs=(),
        as_of=now() + timedelta(minutes=1),
    )
    return partial(events.store, ADMIN.actor, told)


def _chosen(crew: Crew) -> Callable[[], Any]:
    seen = settings.of_year(2026, strong=True).seen_version
    lead, locked = crew.user("scout-lead"), crew.pick(True, False)
    return partial(
        settings.choose, lead, 2026, event=field.KEY, locked=locked, game_year=None, seen_version=seen
    )


def _game(crew: Crew) -> Callable[[], Any]:
    stored = settings.stored_game(2026, strong=True)
    game = replace(field.REBUILT, name=crew.pick("Rebuilt!", "Rebuilt?"))
    seen = stored.seen_version if stored else 0
    return partial(definitions.save, crew.user("scout-lead"), game, seen_version=seen)


def _selection(crew: Crew) -> Callable[[], Any]:
    """Two leads change the list of the same event."""
    teams = [
        {"teamNumber": str(number), "teamName": f"Robots {number}", "columnId": "r1"}
        for number in range(1, 61)
    ]
    selection = TeamSelection.about(field.KEY, teams=teams)
    listed = selections.find(selection, strong=True) or selections.create(selection, actor=ADMIN.actor)
    return lambda: selections.update(listed, {"teams": listed.teams[::-1]}, actor=ADMIN.actor)


def _join(crew: Crew) -> Callable[[], Any]:
    """Two people of those whom its owner has invited."""
    club = crew.club
    invited = invite(club.owner, club.team, email="")
    return partial(invitations.accept, person(crew.pick("Rosa", "Rolf")), invited.invitation)


def _failed(crew: Crew) -> Callable[[], Any]:
    """The performer has no account any more when the second side confirms."""
    quest, performer = crew.half_confirmed_quest(), crew.user("other-member")
    remove_account(performer)
    return partial(lifecycle.attest, performer, quest.id)


def _leased(crew: Crew) -> Callable[[], Any]:
    sub = crew.user("other-member").sub
    failed = next(each for each in failed_rewards.with_status(PENDING).items if each.user_id == sub)
    return partial(failed_rewards.lease, failed, "me")
