"""What the tracker contributes to the pages across domains: Home, search, a quick action, a profile."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import partial

from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.accounts.rights import may
from core.accounts.user import User
from core.crud import palette
from core.crud.cached_urls import address_of
from core.crud.home import ComingDate, Highlight, Task, home_source
from core.crud.listing import Badge
from core.crud.palette import Hit, Source, has_words
from core.crud.times import formatted
from core.dynamo.attributes import now
from core.dynamo.paging import MOST
from core.people.profile import ProfileLink, profile_link
from tracker import repository
from tracker.games.models import COMING, IN_PROGRESS, MAYBE, NOT_COMING, POSTPONED, SCHEDULED, Game
from tracker.games.presenters import AnswerCard, Card
from tracker.policy import Access
from tracker.roster.models import Player
from tracker.teams.models import Team
from tracker.teams.queries import questions_of
from tracker.teams.services import invitations
from tracker.teams.summary import glance

# The games of each team cost a request, and its search up to two.
MOST_ON_HOME, MOST_TEAMS = 6, 10
# Of each team, as dates on Home.
NEXT_GAMES = 2
# How many players without an answer are named.
MOST_NAMED = 3
# A game that began longer ago was not finished.
LONGEST_GAME = timedelta(hours=8)
INVITED = Badge("waiting", gettext_lazy("Invitation"))
UNFINISHED = {
    IN_PROGRESS: (Badge("active", gettext_lazy("Not finished")), gettext_lazy("Finish")),
    POSTPONED: (Badge("waiting", gettext_lazy("Postponed")), gettext_lazy("Reschedule")),
}
WITHOUT_RESULT = Badge("waiting", gettext_lazy("No result yet")), gettext_lazy("Enter result")
TO_ANSWER = Badge("waiting", gettext_lazy("Are you coming?"))


# --- Home ---------------------------------------------------------------------------------------------------


@home_source("tracker.team.view", requests=5, first=True)
def first_team(user: User) -> Iterator[Highlight | Task]:
    """The team that matters most to the person: its live and its next game, and what is to do.

    Requests: memberships, teams, the games of the team; the roster and the answers for its next game.
    """
    for access in _playing(user)[:1]:
        listed = _games_of(access.team)
        seen = glance(listed, [], now())
        if seen.live:
            yield _live(access, seen.live)
        if seen.next and not access.team.is_personal:
            players = [each for each in repository.teams.roster(access.team.id).players if each.plays]
            answers = {each.player_id: each.answer for each in repository.answers.of_game(seen.next.id)}
            yield _next(access, seen.next, players, answers)
            own = next((each for each in players if each.user_id == user.sub), None)
            if own and own.id not in answers:
                yield _question(access.team, AnswerCard(Card(seen.next), own.id))
        yield from _to_enter(access, listed)


@home_source("tracker.team.view", requests=2)
def invitations_to_answer(user: User) -> Iterator[Task]:
    """Open invitations to the user's address."""
    for each in invitations.waiting_for(user):
        yield Task(
            title=each.team.name,
            address=reverse("tracker:invitation-waiting", args=[each.team.id, each.invitation.id]),
            kind=gettext_lazy("softball team"),
            at=each.invitation.created_at,
            badge=INVITED,
            action=_("Answer"),
        )


@home_source("tracker.team.view", requests=4 + MOST_ON_HOME, at_once=False)
def all_teams(user: User) -> Iterator[Task | ComingDate]:
    """The dates of all teams, and what is to do in those after the first.

    Requests: memberships, teams, the games of each team that has games, the person's players, their answers.
    """
    coming: dict[str, tuple[Team, Game]] = {}
    for number, access in enumerate(_playing(user)[:MOST_ON_HOME]):
        listed, is_first = _games_of(access.team), number == 0
        yield from _dates(access.team, listed, with_live=not is_first)
        if is_first:
            continue
        yield from _to_enter(access, listed)
        next_game = glance(listed, [], now()).next
        if next_game and not access.team.is_personal:
            coming[access.team.id] = (access.team, next_game)
    players = repository.players.of_person(user.sub) if coming else []
    questions = questions_of((game for _team, game in coming.values()), players)
    for team_id, (team, _game) in coming.items():
        if team_id in questions and not questions[team_id].said:
            yield _question(team, questions[team_id])


def _playing(user: User) -> list[Access]:
    """The person's teams that have games: managed ones before personal ones, and own tasks before others'."""
    active = repository.profiles.belonging(user.sub).active
    teams = repository.teams.with_ids(active).values()
    found = [Access(user, team, active[team.id]) for team in teams if team.has_games and not team.is_deleted]

    def order(access: Access) -> tuple[bool, bool, str, str]:
        team = access.team
        return team.is_personal, not access.may("manage_games"), team.name.lower(), team.id

    return sorted(found, key=order)


def _games_of(team: Team) -> list[Game]:
    return list(repository.games.listed(team.id, newest_first=True, limit=MOST).items)


def _live(access: Access, game: Game) -> Highlight:
    card, may_score = Card(game), access.may("manage_atbats")
    sides = {"team": access.team.name, "score": card.score, "opponent": game.opponent_name or card.opponent}
    return Highlight(
        label=_("Live now"),
        title=_("%(team)s %(score)s %(opponent)s") % sides,
        address=address_of("tracker:score", game.id) if may_score else card.address,
        action=_("Record plays") if may_score else _("Follow the game"),
        icon="ball",
        is_live=True,
    )


def _next(access: Access, game: Game, players: Sequence[Player], answers: Mapping[str, str]) -> Highlight:
    """The next game; for those who manage games also who comes, and who has not answered."""
    card, manages = Card(game), access.may("manage_games")
    when = f"{card.day}, {card.clock}" if game.scheduled_start else ""
    when_and_where = " · ".join(filter(None, (when, game.location)))
    details = [when_and_where, *(_attendance(players, answers) if manages else ())]
    return Highlight(
        label=_("Next game of %(team)s") % {"team": access.team.name},
        title=card.opponent,
        address=f"{card.address}#coming",
        action=_("See who is coming") if manages else _("Open game"),
        icon="ball",
        details=list(filter(None, details)),
    )


def _attendance(players: Sequence[Player], answers: Mapping[str, str]) -> Iterator[str]:
    said = Counter(answers.get(player.id, "") for player in players)
    counts = {"yes": said[COMING], "maybe": said[MAYBE], "no": said[NOT_COMING]}
    yield _("%(yes)d coming, %(maybe)d maybe, %(no)d not coming") % counts
    silent = [player.name for player in players if player.id not in answers]
    names, others = ", ".join(silent[:MOST_NAMED]), len(silent[MOST_NAMED:])
    if others:
        yield ngettext(
            "No answer from %(names)s and %(count)d other",
            "No answer from %(names)s and %(count)d others",
            others,
        ) % {"names": names, "count": others}
    elif silent:
        yield _("No answer from %(names)s") % {"names": names}


def _to_enter(access: Access, games: Iterable[Game]) -> Iterator[Task]:
    """Games to finish, to enter or to reschedule, for those who may."""
    for game in games if access.may("manage_games") else ():
        found, start = UNFINISHED.get(game.status), game.scheduled_start
        begun = start if start and start < now() else game.created_at
        if game.status == SCHEDULED and start and localdate(start) < localdate():
            found = WITHOUT_RESULT
        if game.status == IN_PROGRESS and begun > now() - LONGEST_GAME:
            # It is live.
            continue
        if found is not None:
            badge, action = found
            yield Task(_title(game), Card(game).address, access.team.name, begun, badge, action)


def _question(team: Team, question: AnswerCard) -> Task:
    game = question.card.game
    return Task(
        title=_title(game),
        address=question.card.address,
        kind=team.name,
        at=game.created_at,
        badge=TO_ANSWER,
        template="tracker/games/answer_task.html",
        data=question,
    )


def _dates(team: Team, games: Sequence[Game], *, with_live: bool) -> Iterator[ComingDate]:
    """The live game and the next ones; `games` are by start, the newest first."""
    today = localdate()
    live = [game for game in games if game.status == IN_PROGRESS] if with_live else []
    coming = [
        game
        for game in reversed(games)
        if game.status == SCHEDULED and game.scheduled_start and localdate(game.scheduled_start) >= today
    ]
    for game in (*live, *coming[:NEXT_GAMES]):
        card, is_live = Card(game), game.status == IN_PROGRESS
        yield ComingDate(
            title=_("%(team)s: %(opponent)s") % {"team": team.name, "opponent": card.opponent},
            address=card.address,
            kind=_("Softball game"),
            starts=game.scheduled_start or now(),
            details=card.score if is_live else game.location or "",
            is_live=is_live,
        )


def _title(game: Game) -> str:
    card = Card(game)
    if not game.scheduled_start:
        return card.opponent
    return _("%(opponent)s, %(day)s") % {"opponent": card.opponent, "day": card.day}


# --- Profile ------------------------------------------------------------------------------------------------


@profile_link
def softball_profile(_user: User) -> ProfileLink:
    return ProfileLink(
        "softball",
        gettext_lazy("Softball profile"),
        gettext_lazy("The name and the phone number that your teammates see."),
        "ball",
        address_of("tracker:profile"),
        has_name=True,
    )


# --- Search -------------------------------------------------------------------------------------------------


palette.ACTIONS.append(("tracker:team-new", gettext_lazy("New softball team"), "ball"))


@palette.register_finder("tracker")
def find_in_teams(user: User) -> Source | None:
    """The search source for teams, players and games.

    Two requests, one per roster of a team that is not personal, and one per word and team with games.
    Administrators also find every team by its name and the games of the newest other teams, because they may
    open them; that costs one request more.
    """
    if not may(user, "tracker.team.view"):
        return None
    memberships = repository.profiles.belonging(user.sub).active
    found = repository.teams.with_ids(memberships)
    # The newest first: beyond `MOST_TEAMS` the oldest teams are not searched.
    teams = sorted(
        (team for team in found.values() if not team.is_deleted),
        # Teams that another program wrote may have no `created_at`.
        key=lambda team: (str(team.created_at or ""), team.id),
        reverse=True,
    )
    others = _newest_of_others(memberships) if may(user, "tracker.all.view") else []
    played = {team.id: team for team in [team for team in (*teams, *others) if team.has_games][:MOST_TEAMS]}
    scopes = [repository.teams.scope_of(team) for team in played.values()]
    if may(user, "tracker.all.view"):
        scopes.append(repository.teams.scope)
    return Source(
        partial(_teams_and_players, teams),
        scopes,
        {repository.games.entity: partial(_game, played), repository.teams.entity: partial(_team, user)},
    )


def _newest_of_others(own: Collection[str]) -> list[Team]:
    """The newest teams with games that the person is no member of; personal teams are private."""
    return list(
        repository.teams.all(
            newest_first=True,
            limit=MOST_TEAMS,
            keep=lambda team: (
                team.has_games and not team.is_personal and not team.is_deleted and team.id not in own
            ),
        ).items
    )


def _teams_and_players(teams: Sequence[Team], wanted: Sequence[str]) -> Iterator[Hit]:
    for team in teams:
        if has_words(team.name, wanted):
            yield _team_hit(team)
    for team in [each for each in teams[:MOST_TEAMS] if not each.is_personal]:
        for player in repository.teams.roster(team.id).players:
            if has_words(player.name, wanted):
                address = address_of("tracker:player", team.id, player.id)
                players = repository.players
                yield Hit(
                    player.name,
                    "person",
                    address,
                    kind=team.name,
                    entity=players.entity,
                    key=players.key_of(player),
                )


def _game(teams: dict[str, Team], game: Game) -> Hit | None:
    team = teams.get(game.team_id)
    if team is None:
        return None
    card = Card(game)
    day = formatted(game.scheduled_start, _("j M Y")) if game.scheduled_start else ""
    kind = " · ".join(filter(None, (team.name, day, game.location, card.score)))
    return Hit(card.opponent, "ball", card.address, kind=kind)


def _team(user: User, team: Team) -> Hit | None:
    return _team_hit(team) if not team.is_deleted and Access(user, team, None).role else None


def _team_hit(team: Team) -> Hit:
    teams, address = repository.teams, address_of("tracker:team", team.id)
    return Hit(
        team.name, "ball", address, kind=_("Softball team"), entity=teams.entity, key=teams.key_of(team)
    )
