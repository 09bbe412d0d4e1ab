"""Two softball teams in the middle of a season, a third that was deleted, and somebody's own figures."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random

from django.utils.timezone import get_default_timezone, localdate

from core.accounts import demo as accounts
from core.accounts.user import User
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists
from tracker import policy, repository, rules
from tracker.demo import innings, played, texts
from tracker.demo.innings import Batter, Change, Played, Setting, Turn
from tracker.demo.played import Substitution, id_of
from tracker.demo.texts import FOXES, LAST, MAVERICKS, THIS, Club, Meeting, Place
from tracker.models import (
    FINAL,
    MANAGED,
    PENDING,
    POSTPONED,
    SCHEDULED,
    Game,
    Invitation,
    Player,
    Team,
)
from tracker.replay import Appearance
from tracker.running import BATTER, HOME, Move
from tracker.services import availability, games, invitations, lineup, people, roster, scoring, seasons, teams

# First and last day of the two seasons, from today.
DAYS = {LAST: (-460, -260), THIS: (-100, 80)}
LIVE_INNING, LIVE_SINCE = 4, timedelta(minutes=50)
COMES_IN_AFTER = 22
OWN_FIGURES = "Milan"

People = Mapping[str, User]


def load() -> None:
    """A load that was interrupted is repeated: everything is done unless it is there."""
    known = accounts.people()
    if not known:
        return
    for person in known.values():
        people.open_profile(person)
    for club in (MAVERICKS, FOXES):
        _Told(club, known).tell()
    _delete_a_team(known[MAVERICKS.owner])
    _write_own_figures(known[OWN_FIGURES])


@dataclass(frozen=True)
class _Told:
    """A team on its way to where the demo leaves it."""

    club: Club
    people: People

    @property
    def owner(self) -> User:
        return self.people[self.club.owner]

    @property
    def scorer(self) -> User:
        return self.people[self.club.scorekeeper]

    @property
    def team_id(self) -> str:
        return id_of("team", self.club.key)

    def tell(self) -> None:
        _team(self.owner, self.team_id, self.club.name, self.club.description)
        self._fill_the_roster()
        self._join()
        for season in DAYS:
            self._plan(season)
        for meeting in texts.PLAYED[self.club.key]:
            if meeting.season == THIS:
                self._part()
            self._play(meeting)
        for number, meeting in enumerate(texts.COMING[self.club.key]):
            self._expect(meeting, is_next=number == 0, is_soon=number < 2)
        if self.club is MAVERICKS:
            self._invite()
            self._rain()
            self._play_now()
        else:
            self._enter_a_result()

    # --- The team ------------------------------------------------------------------------------------------

    def _fill_the_roster(self) -> None:
        others = [place for place in self.club.places if place.person != self.club.owner]
        access = policy.allowed(self.owner, self.team_id, "manage_roster")
        with suppress(AlreadyExists):
            roster.add_all(access, [_player_fields(self.club, place) for place in others])
        (own,) = [place for place in self.club.places if place.person == self.club.owner]
        player = repository.teams.roster(self.team_id, strong=True).of_person(self.owner.sub)
        if player is not None and player.number is None:
            fields = {"number": own.number, "positions": list(own.positions)}
            opened = roster.opened(self.owner, self.team_id, player.id)
            roster.edit(opened, fields, seen_version=player.seen_version)

    def _join(self) -> None:
        """Everybody with an account was invited and has accepted."""
        joining = [
            (self.people[place.person], place.role, _player_id(self.club, place))
            for place in self.club.places
            if place.role
        ]
        joining += [(self.people[name], role, "") for name, role in texts.COACHES[self.club.key]]
        members = repository.memberships.of_people([each[0].sub for each in joining], self.team_id)
        for person, role, player_id in joining:
            if person.sub not in members:
                self._accept(person, player_id=player_id, role=role)

    def _accept(self, person: User, *, player_id: str, role: str) -> None:
        made = invitations.invite(
            self.owner, self.team_id, player_id=player_id, email=person.email, role=role
        )
        invitations.accept(person, made.invitation)

    def _part(self) -> None:
        """Whoever has left keeps the figures, so the roster keeps the player."""
        for place in self.club.places:
            if place.has_left:
                roster.remove(self.owner, self.team_id, _player_id(self.club, place))

    def _plan(self, season: str) -> None:
        first, last = (localdate() + timedelta(days=days) for days in DAYS[season])
        league = rules.PRESETS[self.club.preset][1]
        fields = {
            "name": _season_name(first, last),
            "starts_on": first,
            "ends_on": last,
            "rules": rules.stored(league),
        }
        with suppress(AlreadyExists):
            seasons.create(self.owner, self.team_id, fields, season_id=self._season_id(season))

    def _season_id(self, season: str) -> str:
        return id_of("season", self.club.key, season)

    # --- Games that were played -----------------------------------------------------------------------------

    def _planned(self, meeting: Meeting, start: datetime | None = None) -> Game:
        return played.planned(
            self.scorer,
            self.team_id,
            id_of("game", meeting.key),
            opponent_name=meeting.opponent,
            scheduled_start=start or _moment(meeting),
            location=self.club.ground if meeting.is_home else texts.AWAY,
            season_id=self._season_id(meeting.season),
            is_home=meeting.is_home,
        )

    def _play(self, meeting: Meeting) -> None:
        game = self._planned(meeting)
        there = self._there(meeting)
        story, change = self._story(meeting, there)
        if game.status != FINAL:
            played.begin(self.scorer, game, played.order_of(there[: self.club.batters]))
            played.tell(self.scorer, game.id, story, change=change)
            played.end(self.scorer, game.id)
        if meeting.is_wrong:
            self._mistake(game.id)

    def _there(self, meeting: Meeting) -> list[Player]:
        """Those of the season who had time, in batting order, with one more to come in later."""
        chance = Random(f"there/{meeting.key}")
        by_number = {int(p.number): p for p in self._players() if p.number is not None}
        places = [place for place in self.club.places if place.has_left <= (meeting.season == LAST)]
        away = len(places) - self.club.batters - 1
        missing = chance.sample(range(1, len(places)), away)
        return [by_number[place.number] for index, place in enumerate(places) if index not in missing]

    def _players(self) -> list[Player]:
        return repository.teams.roster(self.team_id, strong=True).players

    def _story(self, meeting: Meeting, there: Sequence[Player]) -> tuple[Played, Substitution | None]:
        skills = {place.number: place.skill for place in self.club.places}
        *order, extra = (Batter(player.id, skills[int(player.number)]) for player in there)
        slot = Random(f"change/{meeting.key}").randint(self.club.batters - 3, self.club.batters)
        is_changed = meeting is not texts.LIVE
        setting = Setting(
            key=meeting.key,
            order=order,
            rules=rules.PRESETS[self.club.preset][1],
            likely=innings.LEAGUES[self.club.preset],
            is_home=meeting.is_home,
            change=Change(slot, extra, COMES_IN_AFTER) if is_changed else None,
            stops=LIVE_INNING if meeting is texts.LIVE else None,
            opening=innings.DOUBLED_IN if meeting.is_wrong else (),
        )
        change = Substitution(slot, extra.player, COMES_IN_AFTER) if is_changed else None
        return innings.play(setting), change

    def _mistake(self, game_id: str) -> None:
        """The double was a single, but the next play still says that the runner came from second base."""
        first = repository.games.story(game_id, strong=True).at_bats[0]
        if first.result == "2B":
            told = {name: getattr(first, name) for name in scoring.TOLD} | {"result": "1B"}
            scoring.correct(self.scorer, game_id, first.id, told, seen_version=first.seen_version)

    def _play_now(self) -> None:
        """Last of all: a team plays one game at a time."""
        moment = now() - LIVE_SINCE
        start = moment.replace(minute=moment.minute // 5 * 5, second=0, microsecond=0)
        game = self._planned(texts.LIVE, start)
        there = self._there(texts.LIVE)
        played.begin(self.scorer, game, played.order_of(there[: self.club.batters]))
        played.tell(self.scorer, game.id, self._story(texts.LIVE, there)[0])
        games.share(self.scorer, game.id, shared=True)

    def _enter_a_result(self) -> None:
        game = self._planned(texts.TOLD_LATER)
        own, other = texts.TOLD_SCORES
        played.end(self.scorer, game.id, team_score=own, opponent_score=other)

    # --- Games to come --------------------------------------------------------------------------------------

    def _expect(self, meeting: Meeting, *, is_next: bool, is_soon: bool) -> None:
        game = self._planned(meeting)
        if is_soon:
            self._answer(game, meeting)
        if is_next and not game.lineup:
            there = self._there(meeting)
            lineup.save(self.owner, game.id, played.order_of(there[: self.club.batters]))

    def _answer(self, game: Game, meeting: Meeting) -> None:
        answered = {each.player_id for each in repository.games.story(game.id, strong=True).answers}
        names = {person.sub: name for name, person in self.people.items()}
        for player in self._players():
            chance = Random(f"answer/{meeting.key}/{player.number}")
            (said,) = chance.choices(list(texts.ANSWERS), list(texts.ANSWERS.values()))
            if not player.plays or not said or player.id in answered:
                continue
            name = names.get(player.user_id or "", self.club.owner)
            note = texts.NOTES.get((name, said), "") if player.user_id else ""
            availability.answer(self.people[name], game.id, player.id, said, note=note)

    def _rain(self) -> None:
        game = self._planned(texts.RAINED_OUT)
        if game.status == SCHEDULED:
            games.move(self.scorer, game.id, POSTPONED)

    # --- Invitations ----------------------------------------------------------------------------------------

    def _invite(self) -> None:
        """One waits for an answer, one waits for nobody in particular, one was declined, one is too old."""
        self._invited(email=self.people["Leandro"].email, role="scorekeeper")
        self._invited(place=_place(self.club, "Ayla"))
        declined = self._invited(email=self.people["Stellan"].email)
        if declined.status == PENDING:
            invitations.decline(self.people["Stellan"], declined)
        old = self._invited(place=_place(self.club, "Theda"), email="theda.janssen@fieldhouse.example")
        if old.expires_at > now():
            past = {"expires_at": now() - timedelta(days=3)}
            repository.invitations.update(old, past, actor=SYSTEM)

    def _invited(self, *, place: Place | None = None, email: str = "", role: str = "player") -> Invitation:
        player_id = _player_id(self.club, place) if place else ""
        for made in repository.invitations.of_team(self.team_id):
            if (made.player_id or "", made.email or "") == (player_id, email):
                return made
        return invitations.invite(
            self.owner, self.team_id, player_id=player_id, email=email, role=role
        ).invitation


def _team(owner: User, team_id: str, name: str, description: str) -> Team:
    fields = {"name": name, "description": description, "team_type": MANAGED}
    with suppress(AlreadyExists):
        return teams.create(owner, people.own_profile(owner), fields, team_id=team_id)
    return repository.teams.of(team_id, strong=True)


def _player_id(club: Club, place: Place) -> str:
    return id_of("player", club.key, place.number)


def _place(club: Club, first_name: str) -> Place:
    return next(place for place in club.places if place.first_name == first_name)


def _player_fields(club: Club, place: Place) -> dict[str, object]:
    return {
        "player_id": _player_id(club, place),
        "first_name": place.first_name,
        "last_name": place.last_name,
        "number": place.number,
        "positions": list(place.positions),
        "is_private": place.is_private,
        "status": place.status,
    }


def _season_name(first: date, last: date) -> str:
    return f"Saison {first:%Y}" if first.year == last.year else f"Saison {first:%Y}/{last:%y}"


def _moment(meeting: Meeting) -> datetime | None:
    if meeting.days is None:
        return None
    day = localdate() + timedelta(days=meeting.days)
    return datetime.combine(day, time(meeting.hour), tzinfo=get_default_timezone())


def _delete_a_team(owner: User) -> None:
    """Its owner can still bring it back."""
    team = _team(owner, id_of("team", "friday"), texts.DELETED_TEAM, "")
    if not team.is_deleted:
        teams.delete(owner, team.id, seen_version=team.seen_version)


def _write_own_figures(person: User) -> None:
    """Games of which somebody has written down only the own turns."""
    team_id = people.own_id(person.sub, "team")
    player = repository.teams.roster(team_id, strong=True).of_person(person.sub)
    if player is None:
        return
    for number, (opponent, days, told, (own, other)) in enumerate(texts.OWN_GAMES, start=1):
        game_id = id_of("own", person.sub, number)
        start = _moment(Meeting("", opponent, days, hour=11))
        game = played.planned(person, team_id, game_id, opponent_name=opponent, scheduled_start=start)
        if game.status == FINAL:
            continue
        played.begin(person, game, ())
        turns = [_own_turn(player.id, place, result) for place, result in enumerate(told, start=1)]
        played.tell(person, game_id, Played(turns))
        played.end(person, game_id, team_score=own, opponent_score=other)


def _own_turn(player_id: str, number: int, result: str) -> Turn:
    """Whoever hits a double comes home afterwards."""
    scored = (Move(BATTER, HOME),) if result == "2B" else None
    return Turn(Appearance(number, 1, player_id, result, scored), inning=1, outs=0)
