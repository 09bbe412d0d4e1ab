"""How each access pattern of docs/tracker.md is called, and what must be there for it."""

from datetime import timedelta

from core.dynamo.attributes import now
from tests.tracker.club import batting_order, join, nine, person, team_of
from tracker import policy, repository
from tracker.games.models import FINAL, IN_PROGRESS
from tracker.games.services import availability, calendar_feed, game_removal, games, seasons
from tracker.people import services as people
from tracker.roster import services as roster
from tracker.rules.game_states import OWN
from tracker.scoring.services import lineup, scoring
from tracker.teams.models import MANAGER, PLAYER
from tracker.teams.services import invitations, members, teams


class Club:
    """A team with nine players, a season and a game of it; more of it as a pattern needs it."""

    def __init__(self):
        self.owner = person("Olga")
        self.team = team_of(self.owner)
        self.players = nine(self.team, actor=self.owner)
        self.season = seasons.create(self.owner, self.team.id, {"name": "2026"})
        fields = {"season_id": self.season.id, "scheduled_start": now() + timedelta(hours=1)}
        self.game = games.create(self.owner, self.team.id, fields)

    @property
    def order(self):
        return batting_order(self.players)

    def turn(self, number=0):
        return {"result": "1B", "player_id": self.players[number].id}

    def live(self):
        lineup.save(self.owner, self.game.id, self.order)
        self.game = games.move(self.owner, self.game.id, IN_PROGRESS)
        return self.game

    def played(self):
        """One plate appearance."""
        self.live()
        return scoring.record(self.owner, self.game.id, self.turn(), seen=0).at_bat

    def taken_out(self):
        at_bat = self.played()
        scoring.undo(self.owner, self.game.id, at_bat.id)
        return at_bat

    def substituted(self):
        self.live()
        extra = roster.add(self.owner, self.team.id, {"first_name": "Jo"})
        return lineup.substitute(self.owner, self.game.id, 1, extra.id)

    def extra(self):
        self.live()
        return roster.add(self.owner, self.team.id, {"first_name": "Jo"})

    def shared(self):
        return games.share(self.owner, self.game.id, shared=True)

    def member(self, role=PLAYER):
        user = person("Mila")
        join(user, self.team, role, actor=self.owner)
        return user

    def invite(self):
        ghost = self.players[0].id
        return invitations.invite(self.owner, self.team.id, player_id=ghost, email="", role=PLAYER)

    def invited(self):
        user = person("Nora")
        made = invitations.invite(
            self.owner, self.team.id, player_id=self.players[0].id, email=user.email, role=PLAYER
        )
        return user, made

    def linked(self):
        user, made = self.invited()
        invitations.accept(user, made.invitation)
        return roster.linked(self.owner, self.team.id, self.players[0].id)

    def deleted(self):
        return teams.delete(self.owner, self.team.id, seen_version=self.seen_team())

    def seen_team(self):
        return repository.teams.of(self.team.id, strong=True).seen_version

    def profile(self):
        return people.own_profile(self.owner)

    def access(self):
        return policy.allowed(self.owner, self.team.id, "manage_roster")

    def place(self):
        return roster.allowed(self.owner, self.team.id, self.players[0].id)

    def removed(self):
        return game_removal.delete(self.owner, self.game.id)

    def lost_season(self):
        season = seasons.create(self.owner, self.team.id, {"name": "2027"})
        return seasons.delete(self.owner, self.team.id, season.id)

    def lost_player(self):
        return roster.remove(self.owner, self.team.id, self.players[0].id)


def newcomer():
    """Somebody who owns no team that others belong to, with the profile."""
    user = person("Vera")
    return user, people.own_profile(user)


def asked_to_go():
    user, profile = newcomer()
    people.ask_to_delete(user, user.sub, seen_version=profile.seen_version)
    return user


# What each pattern needs to be there, and how it is called with it.
CALLS = {
    # People and teams.
    "profiles.of": (None, lambda club, _: repository.profiles.of(club.owner.sub)),
    "profiles.with_login": (None, lambda club, _: repository.profiles.with_login(club.owner.sub)),
    "profiles.all": (None, lambda _club, _: repository.profiles.all().items),
    "profiles.with_ids": (None, lambda club, _: repository.profiles.with_ids([club.owner.sub])),
    "profiles.belonging": (None, lambda club, _: repository.profiles.belonging(club.owner.sub)),
    "memberships.of": (None, lambda club, _: repository.memberships.of(club.owner.sub, club.team.id)),
    "memberships.of_people": (
        None,
        lambda club, _: repository.memberships.of_people([club.owner.sub], club.team.id),
    ),
    "memberships.of_team": (None, lambda club, _: repository.memberships.of_team(club.team.id)),
    "teams.of": (None, lambda club, _: repository.teams.of(club.team.id)),
    "teams.all": (None, lambda _club, _: repository.teams.all().items),
    "teams.with_ids": (None, lambda club, _: repository.teams.with_ids([club.team.id])),
    "teams.with_seasons": (
        None,
        lambda club, _: repository.teams.with_seasons([(club.team.id, club.season.id)]),
    ),
    "teams.with_membership": (
        None,
        lambda club, _: repository.teams.with_membership(club.team.id, club.owner.sub),
    ),
    "teams.roster": (None, lambda club, _: repository.teams.roster(club.team.id).players),
    "seasons.of": (None, lambda club, _: repository.seasons.of(club.team.id, club.season.id)),
    "players.of": (None, lambda club, _: repository.players.of(club.team.id, club.players[0].id)),
    "players.of_person": (None, lambda club, _: repository.players.of_person(club.owner.sub)),
    "people.services.open_profile": (None, lambda _club, _: person("Neu")),
    "people.services.edit_profile": (
        Club.profile,
        lambda club, profile: people.edit_profile(
            club.owner, club.owner.sub, {"last_name": "Neu"}, seen_version=profile.seen_version
        ),
    ),
    "people.services.ask_to_delete": (
        lambda _club: newcomer(),
        lambda _club, found: people.ask_to_delete(found[0], found[0].sub, seen_version=found[1].seen_version),
    ),
    "people.services.keep": (
        lambda _club: asked_to_go(),
        lambda _club, user: people.keep(user, user.sub),
    ),
    "services.teams.create": (
        Club.profile,
        lambda club, profile: teams.create(club.owner, profile, {"name": "Neue"}),
    ),
    "services.teams.edit": (
        Club.seen_team,
        lambda club, seen: teams.edit(club.owner, club.team.id, {"name": "Andere"}, seen_version=seen),
    ),
    "services.teams.delete": (
        Club.seen_team,
        lambda club, seen: teams.delete(club.owner, club.team.id, seen_version=seen),
    ),
    "services.teams.restore": (Club.deleted, lambda club, _: teams.restore(club.owner, club.team.id)),
    "services.teams.transfer": (
        lambda club: (club.member(), club.seen_team()),
        lambda club, found: teams.transfer(club.owner, club.team.id, found[0].sub, seen_version=found[1]),
    ),
    "services.members.change_role": (
        lambda club: repository.memberships.of(club.member().sub, club.team.id),
        lambda club, found: members.change_role(
            club.owner, club.team.id, found.user_id, MANAGER, seen_version=found.seen_version
        ),
    ),
    "services.members.remove": (
        Club.member,
        lambda club, user: members.remove(club.owner, club.team.id, user.sub),
    ),
    "services.members.leave": (Club.member, lambda club, user: members.leave(user, club.team.id)),
    # Roster and invitations.
    "roster.services.add": (
        None,
        lambda club, _: roster.add(club.owner, club.team.id, {"first_name": "Jo"}),
    ),
    "roster.services.add_all": (
        Club.access,
        lambda _club, access: roster.add_all(access, [{"first_name": "Jo"}]),
    ),
    "roster.services.allowed": (None, lambda club, _: club.place()),
    "roster.services.edit": (
        Club.place,
        lambda _club, place: roster.edit(place, {"number": 77}, seen_version=place.player.seen_version),
    ),
    "roster.services.remove": (None, lambda club, _: club.lost_player()),
    "roster.services.restore": (
        Club.lost_player,
        lambda club, player: roster.restore(club.owner, club.team.id, player.id),
    ),
    "roster.services.linked": (
        Club.linked,
        lambda club, found: roster.linked(club.owner, club.team.id, found.player.id),
    ),
    "roster.services.unlink": (
        Club.linked,
        lambda club, found: roster.unlink(club.owner, club.team.id, found.player.id, leaves=True),
    ),
    "invitations.of": (
        Club.invited,
        lambda club, found: repository.invitations.of(club.team.id, found[1].invitation.id),
    ),
    "invitations.of_team": (Club.invited, lambda club, _: repository.invitations.of_team(club.team.id)),
    "invitations.with_token": (
        Club.invited,
        lambda _club, found: repository.invitations.with_token(found[1].token),
    ),
    "invitations.to_address": (
        Club.invited,
        lambda _club, found: repository.invitations.to_address(found[0].email),
    ),
    "invitations.offer": (
        Club.invited,
        lambda _club, found: repository.invitations.offer(found[1].invitation, found[0].sub),
    ),
    "services.invitations.waiting_for": (
        Club.invited,
        lambda _club, found: invitations.waiting_for(found[0]),
    ),
    "services.invitations.invite": (None, lambda club, _: club.invite()),
    "services.invitations.revoke": (
        Club.invited,
        lambda club, found: invitations.revoke(club.owner, club.team.id, found[1].invitation.id),
    ),
    "services.invitations.accept": (
        Club.invited,
        lambda _club, found: invitations.accept(found[0], found[1].invitation),
    ),
    "services.invitations.decline": (
        Club.invited,
        lambda _club, found: invitations.decline(found[0], found[1].invitation),
    ),
    # Seasons and games.
    "services.seasons.create": (
        None,
        lambda club, _: seasons.create(club.owner, club.team.id, {"name": "2027"}),
    ),
    "services.seasons.edit": (
        None,
        lambda club, _: seasons.edit(
            club.owner,
            club.team.id,
            club.season.id,
            {"name": "Sommer"},
            seen_version=club.season.seen_version,
        ),
    ),
    "services.seasons.delete": (
        lambda club: seasons.create(club.owner, club.team.id, {"name": "2027"}),
        lambda club, season: seasons.delete(club.owner, club.team.id, season.id),
    ),
    "services.seasons.restore": (
        Club.lost_season,
        lambda club, season: seasons.restore(club.owner, club.team.id, season.id),
    ),
    "games.of": (None, lambda club, _: repository.games.of(club.game.id)),
    "games.story": (None, lambda club, _: repository.games.story(club.game.id)),
    "games.surroundings": (None, lambda club, _: repository.games.surroundings(club.game, club.owner.sub)),
    "games.all": (None, lambda _club, _: repository.games.all().items),
    "games.listed": (None, lambda club, _: repository.games.listed(club.team.id).items),
    "games.of_team": (None, lambda club, _: repository.games.of_team(club.team.id).items),
    "games.between": (
        None,
        lambda club, _: repository.games.between(club.team.id, now(), now() + timedelta(days=1)),
    ),
    "games.shared_as": (Club.shared, lambda _club, game: repository.games.shared_as(games.live_token(game))),
    "services.calendar_feed.calendar_for": (
        lambda club: repository.memberships.of(club.owner.sub, club.team.id),
        lambda _club, found: calendar_feed.calendar_for(
            calendar_feed.token_for(found), site="https://club.example"
        ),
    ),
    "services.calendar_feed.renew": (
        lambda club: repository.memberships.of(club.owner.sub, club.team.id),
        lambda club, found: calendar_feed.renew(club.owner, club.team.id, seen_version=found.seen_version),
    ),
    "services.games.create": (None, lambda club, _: games.create(club.owner, club.team.id, {})),
    "services.games.edit": (
        None,
        lambda club, _: games.edit(club.owner, club.game.id, {"opponent_name": "Owls"}),
    ),
    "services.games.move": (Club.live, lambda club, game: games.move(club.owner, game.id, FINAL)),
    "services.games.forfeit": (
        Club.live,
        lambda club, game: games.forfeit(club.owner, game.id, winner=OWN),
    ),
    "services.games.share": (None, lambda club, _: club.shared()),
    "services.game_removal.delete": (None, lambda club, _: club.removed()),
    "services.game_removal.restore": (
        Club.removed,
        lambda club, trash_id: game_removal.restore(club.owner, club.game.id, trash_id),
    ),
    "answers.of_players": (
        lambda club: availability.answer(club.owner, club.game.id, club.players[0].id, "yes"),
        lambda club, _: repository.answers.of_players({club.game.id: club.players[0].id}),
    ),
    "answers.of_game": (
        lambda club: availability.answer(club.owner, club.game.id, club.players[0].id, "yes"),
        lambda club, _: repository.answers.of_game(club.game.id),
    ),
    "services.availability.answer": (
        None,
        lambda club, _: availability.answer(club.owner, club.game.id, club.players[0].id, "yes"),
    ),
    "services.lineup.save": (None, lambda club, _: lineup.save(club.owner, club.game.id, club.order)),
    "services.lineup.substitute": (
        Club.extra,
        lambda club, player: lineup.substitute(club.owner, club.game.id, 1, player.id),
    ),
    "services.lineup.leave": (Club.live, lambda club, game: lineup.leave(club.owner, game.id, 1)),
    "services.lineup.take_back": (
        Club.substituted,
        lambda club, _: lineup.take_back(club.owner, club.game.id),
    ),
    # Plate appearances and what they come to.
    "services.scoring.record": (
        Club.live,
        lambda club, _: scoring.record(club.owner, club.game.id, club.turn(), seen=0),
    ),
    "services.scoring.insert": (
        Club.played,
        lambda club, at_bat: scoring.insert(club.owner, club.game.id, at_bat.id, club.turn(8)),
    ),
    "services.scoring.correct": (
        Club.played,
        lambda club, at_bat: scoring.correct(
            club.owner,
            club.game.id,
            at_bat.id,
            club.turn() | {"result": "2B"},
            seen_version=at_bat.seen_version,
        ),
    ),
    "services.scoring.remove": (
        Club.played,
        lambda club, at_bat: scoring.remove(
            club.owner, club.game.id, at_bat.id, seen_version=at_bat.seen_version
        ),
    ),
    "services.scoring.undo": (
        Club.played,
        lambda club, at_bat: scoring.undo(club.owner, club.game.id, at_bat.id),
    ),
    "services.scoring.redo": (
        Club.taken_out,
        lambda club, at_bat: scoring.redo(club.owner, club.game.id, at_bat.id),
    ),
    "services.scoring.restore": (
        Club.taken_out,
        lambda club, at_bat: scoring.restore(club.owner, club.game.id, at_bat.id),
    ),
    "services.scoring.set_opponent_runs": (
        Club.live,
        lambda club, game: scoring.set_opponent_runs(club.owner, game.id, 1, 3, seen_runs=None),
    ),
    "at_bats.of_player": (
        Club.played,
        lambda _club, at_bat: repository.at_bats.of_player(at_bat.player_id).items,
    ),
    "boxes.get": (None, lambda club, _: repository.boxes.get(club.team.id, club.season.id, club.game.id)),
    "boxes.of_season": (None, lambda club, _: repository.boxes.of_season(club.team.id, club.season.id)),
    "boxes.of_team": (None, lambda club, _: repository.boxes.of_team(club.team.id)),
}
