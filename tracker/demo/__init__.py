"""Demo data: two softball teams in mid-season, a deleted team, and a personal team with games."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any

from django.utils.timezone import localdate

from core.accounts import demo as accounts
from core.accounts.user import User
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists
from core.dynamo.example_data import moment, read
from tracker import policy, repository
from tracker.demo import played
from tracker.demo.played import id_of
from tracker.games.models import FINAL, POSTPONED, SCHEDULED, Game
from tracker.games.services import availability, games, seasons
from tracker.people import services as people
from tracker.roster import services as roster
from tracker.roster.models import Player
from tracker.rules import season_rules
from tracker.scoring import rules
from tracker.scoring.services import lineup, scoring
from tracker.teams.models import MANAGED, PENDING, Team
from tracker.teams.services import invitations, teams

# First and last day of the two seasons, from today.
DAYS = {"last": (-460, -260), "this": (-100, 80)}
LIVE_SINCE = timedelta(minutes=50)
AWAY = "Sportpark Hochfeld"
DELETED_TEAM, DELETED_BY = "Freitagsrunde", "Maya"
OWN_FIGURES = "Milan"
# The fields of a player that are stored as they stand in the file.
STORED = ("first_name", "last_name", "number", "positions", "is_private", "status")

Entry = dict[str, Any]
People = Mapping[str, User]


def load() -> None:
    """Idempotent: after an interrupted load, the next one creates only what is missing."""
    members = accounts.people()
    if not members:
        return
    for person in members.values():
        people.open_profile(person)
    for entry in read(__file__, "teams"):
        _ExampleTeam(entry, members).load()
    _delete_a_team(members[DELETED_BY])
    _write_own_figures(members[OWN_FIGURES])


class _ExampleTeam:
    """Loads one team of `teams.json` with its roster, seasons, games and invitations."""

    def __init__(self, entry: Entry, people: People) -> None:
        self.entry, self.people = entry, people
        self.owner, self.scorer = people[entry["owner"]], people[entry["scorekeeper"]]
        self.team_id = id_of("team", entry["key"])

    def id_of(self, kind: str, name: object) -> str:
        return id_of(kind, self.entry["key"], name)

    def load(self) -> None:
        _team(self.owner, self.team_id, self.entry["name"], self.entry["description"])
        self._fill_the_roster()
        self._join()
        for season in DAYS:
            self._plan(season)
        for game in read(__file__, f"games_{self.entry['key']}"):
            self._load_game(game)
        for invitation in self.entry["invitations"]:
            self._invite(invitation)

    # --- The team ------------------------------------------------------------------------------------------

    def _fill_the_roster(self) -> None:
        access = policy.allowed(self.owner, self.team_id, "manage_roster")
        (own,) = [place for place in self.entry["roster"] if place.get("person") == self.entry["owner"]]
        others = [
            {name: place[name] for name in STORED if name in place}
            | {"id": self.id_of("player", place["number"])}
            for place in self.entry["roster"]
            if place is not own
        ]
        with suppress(AlreadyExists):
            roster.add_all(access, others)
        player = repository.teams.roster(self.team_id, strong=True).of_person(self.owner.sub)
        if player is not None and player.number is None:
            fields = {"number": own["number"], "positions": own["positions"]}
            opened = roster.allowed(self.owner, self.team_id, player.id)
            roster.edit(opened, fields, seen_version=player.seen_version)

    def _join(self) -> None:
        """Invite every person with an account, and accept for them."""
        joining = [each for each in self.entry["roster"] if "role" in each] + self.entry["coaches"]
        subs = [self.people[each["person"]].sub for each in joining]
        members = repository.memberships.of_people(subs, self.team_id)
        for each in joining:
            person = self.people[each["person"]]
            if person.sub not in members:
                player_id = self.id_of("player", each["number"]) if "number" in each else ""
                made = invitations.invite(
                    self.owner, self.team_id, player_id=player_id, email=person.email, role=each["role"]
                )
                invitations.accept(person, made.invitation)

    def _remove_who_left(self) -> None:
        """Remove the players who have left; the roster keeps them as inactive, because games name them."""
        for place in self.entry["roster"]:
            if place.get("has_left"):
                roster.remove(self.owner, self.team_id, self.id_of("player", place["number"]))

    def _plan(self, season: str) -> None:
        first, last = (localdate() + timedelta(days=days) for days in DAYS[season])
        fields = {
            "name": _season_name(first, last),
            "starts_on": first,
            "ends_on": last,
            "rules": season_rules.stored(season_rules.PRESETS[self.entry["preset"]][1]),
        }
        with suppress(AlreadyExists):
            seasons.create(self.owner, self.team_id, fields, season_id=self.id_of("season", season))

    # --- Games ---------------------------------------------------------------------------------------------

    def _load_game(self, entry: Entry) -> None:
        if entry["season"] == "this":
            self._remove_who_left()
        game = self._planned(entry)
        on_roster = repository.teams.roster(self.team_id, strong=True).players
        players = {int(player.number): player for player in on_roster if player.number is not None}
        batters = [players[number] for number in entry.get("lineup", ())]
        match entry["status"]:
            case "final" if game.status != FINAL:
                self._play(game, entry, players, batters)
                played.end(self.scorer, game.id, **entry.get("scores", {}))
            case "in_progress":
                self._play(game, entry, players, batters)
                games.share(self.scorer, game.id, shared=True)
            case "postponed" if game.status == SCHEDULED:
                games.move(self.scorer, game.id, POSTPONED)
            case "scheduled":
                self._answer(game, entry, players)
                if batters and not game.lineup:
                    lineup.save(self.owner, game.id, played.order_of(batters))
        if "corrected_to" in entry:
            self._correct(game.id, entry)

    def _planned(self, entry: Entry) -> Game:
        return played.planned(
            self.scorer,
            self.team_id,
            id_of("game", entry["key"]),
            opponent_name=entry["opponent"],
            scheduled_start=_begun() if entry["status"] == "in_progress" else _start(entry),
            location=self.entry["ground"] if entry["is_home"] else AWAY,
            season_id=self.id_of("season", entry["season"]),
            is_home=entry["is_home"],
        )

    def _play(
        self, game: Game, entry: Entry, players: Mapping[int, Player], batters: Sequence[Player]
    ) -> None:
        """Record the plays of a game; without a line-up only its score is entered."""
        if batters:
            change = entry.get("substitution")
            if change:
                change["player_id"] = players[change["number"]].id
            turns = played.turns([player.id for player in batters], entry["plays"], change)
            played.begin(self.scorer, game, played.order_of(batters))
            played.write_down(self.scorer, game.id, turns, entry["opponent_by_inning"], change=change)

    def _correct(self, game_id: str, entry: Entry) -> None:
        """Correct the first play, so that the stored moves of the next one no longer fit: a problem."""
        first = repository.games.story(game_id, strong=True).at_bats[0]
        if first.result != entry["corrected_to"]:
            fields = {name: getattr(first, name) for name in rules.ENTERED}
            fields["result"] = entry["corrected_to"]
            scoring.correct(self.scorer, game_id, first.id, fields, seen_version=first.seen_version)

    def _answer(self, game: Game, entry: Entry, players: Mapping[int, Player]) -> None:
        """Answer as the person of the player if there is an account, else as the owner."""
        answered = {each.player_id for each in repository.games.story(game.id, strong=True).answers}
        by_number = {place["number"]: place for place in self.entry["roster"]}
        for each in entry.get("answers", ()):
            player, place = players[each["number"]], by_number[each["number"]]
            if player.id not in answered:
                person = self.people[place.get("person", self.entry["owner"])]
                note = each.get("note", "")
                availability.answer(person, game.id, player.id, each["answer"], note=note)

    # --- Invitations ----------------------------------------------------------------------------------------

    def _invite(self, entry: Entry) -> None:
        person = self.people.get(entry.get("person", ""))
        player_id = self.id_of("player", entry["number"]) if "number" in entry else ""
        email = person.email if person else entry.get("email", "")
        made = {
            (each.player_id or "", each.email or ""): each
            for each in repository.invitations.of_team(self.team_id)
        }
        invited = (
            made.get((player_id, email))
            or invitations.invite(
                self.owner, self.team_id, player_id=player_id, email=email, role=entry.get("role", "player")
            ).invitation
        )
        if "is_declined" in entry and person and invited.status == PENDING:
            invitations.decline(person, invited)
        if "is_expired" in entry and invited.expires_at > now():
            past = {"expires_at": now() - timedelta(days=3)}
            repository.invitations.update(invited, past, actor=SYSTEM)


def _team(owner: User, team_id: str, name: str, description: str) -> Team:
    fields = {"name": name, "description": description, "team_type": MANAGED}
    with suppress(AlreadyExists):
        return teams.create(owner, people.own_profile(owner), fields, team_id=team_id)
    return repository.teams.of(team_id, strong=True)


def _season_name(first: date, last: date) -> str:
    return f"Saison {first:%Y}" if first.year == last.year else f"Saison {first:%Y}/{last:%y}"


def _start(entry: Entry) -> datetime | None:
    return moment(entry["start"]["days"], entry["start"]["time"]) if "start" in entry else None


def _begun() -> datetime:
    begun = now() - LIVE_SINCE
    return begun.replace(minute=begun.minute // 5 * 5, second=0, microsecond=0)


def _delete_a_team(owner: User) -> None:
    """Create a team and delete it; its owner can still restore it."""
    team = _team(owner, id_of("team", "friday"), DELETED_TEAM, "")
    if not team.is_deleted:
        teams.delete(owner, team.id, seen_version=team.seen_version)


def _write_own_figures(person: User) -> None:
    """Games of a personal team, in which only the person's own plate appearances are recorded."""
    team_id = people.own_id(person.sub, "team")
    player = repository.teams.roster(team_id, strong=True).of_person(person.sub)
    if player is None:
        return
    for number, entry in enumerate(read(__file__, "games_own"), start=1):
        game_id = id_of("own", person.sub, number)
        game = played.planned(
            person, team_id, game_id, opponent_name=entry["opponent"], scheduled_start=_start(entry)
        )
        if game.status != FINAL:
            played.begin(person, game, ())
            played.write_down(person, game_id, played.turns([player.id], entry["plays"]), [])
            played.end(person, game_id, **entry["scores"])
