"""What people of a big club do most, each once and through its page, on data of the usual size."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpResponse
from django.test import Client

from cms.news.resource import news
from core.accounts import directory
from core.dynamo.actors import SYSTEM
from scouting.settings import services as season
from tests.cast import CAST, sign_in
from tests.cms import filling
from tests.core.accounts.issuer import Issuer
from tests.core.accounts.signing_in import sign_in_through, start
from tests.core.crud.pages import OpenForm, open_form
from tests.quests.board import offered, open_accounts
from tests.scouting import field
from tests.scouting.forms.sent_forms import posted
from tests.tracker.scorebook import Played
from tests.tracker.scoring.scoring_page import address, signed_in, turn
from tracker.games.services import games

ARTICLES, OPEN_QUESTS, TEAMS, MATCHES, PLAYS = 60, 40, 60, 120, 40

# It prepares, which is not measured, and answers the one request that is.
Prepare = Callable[[], Callable[[], HttpResponse]]


def fill() -> None:
    """60 articles, 40 open quests, an event of 60 teams with all forms of its 120 matches."""
    for user in CAST.values():
        directory.enter(user.sub, name=user.name, email=user.email, actor=SYSTEM)
    filling.fill(0, ARTICLES)
    open_accounts()
    for number in range(OPEN_QUESTS):
        # Everybody has ten points.
        offered(list(CAST.values())[number % 4], title=f"Netz {number} flicken")
    event = field.event(teams=[str(number) for number in range(1, TEAMS + 1)], matches=MATCHES)
    field.many(field.forms_of(event)[:-1])
    field.have_shards(event.key)


def verbs(issuer: Issuer) -> Mapping[str, Prepare]:
    """By the names of the documents."""
    played = Played()
    for number in range(PLAYS):
        played.record("1B" if number % 3 else "K")
    live = f"/tracker/live/{games.live_token(games.share(played.owner, played.id, shared=True))}/"
    return {
        "sign in": lambda: _sign_in(issuer),
        "list of news": _page(news.list_address),
        "search in news": _page(f"{news.list_address}?q=spielb"),
        "create news": _create,
        "publish news": lambda: _save("publish"),
        "autosave": lambda: _save("autosave"),
        "quest board": _page("/quests/", "member"),
        "claim a quest": _claim,
        "scout a match": _page("/scouting/stand/", "scout"),
        "read the season": _read_season,
        "send a stand form": _send_form,
        "analysis": _page("/scouting/analysis/", "scout-lead"),
        "coverage": _page("/scouting/coverage/", "scout"),
        "write a play down": lambda: _play(played),
        "live page": lambda: _anonymous(live),
        "Home": _page("/desk/"),
        "team selection": _page("/scouting/selection/", "scout-lead"),
        "public article": lambda: _anonymous("/news/spielbericht-00000007/"),
    }


def _page(place: str, role: str = "admin") -> Prepare:
    def prepare() -> Callable[[], HttpResponse]:
        client = sign_in(Client(), role)
        client.get(place)
        return lambda: client.get(place)  # type: ignore[return-value]

    return prepare


def _anonymous(place: str) -> Callable[[], HttpResponse]:
    return lambda: Client().get(place)  # type: ignore[return-value]


def _sign_in(issuer: Issuer) -> Callable[[], HttpResponse]:
    """Not the first time, so that nothing has to be opened."""
    sign_in_through(issuer, Client())
    client = Client()
    callback = issuer.authorize(start(client))
    return lambda: client.get(callback)  # type: ignore[return-value]


def _create() -> Callable[[], HttpResponse]:
    form = _written(open_form(sign_in(Client(), "admin"), news.new_address))
    form.fill(title="Nachbericht vom Derby gegen Freiburg")
    return form.send


def _save(button: str) -> Callable[[], HttpResponse]:
    place = news.record_address(filling.key_of(1))
    form = _written(open_form(sign_in(Client(), "admin"), place))
    if button == "autosave":
        form.fill(title="Spielbericht, noch nicht fertig")
        return lambda: form.send(to="autosave", htmx=True)
    return lambda: form.send(button)


def _written(form: OpenForm) -> OpenForm:
    """An article of the usual length, as the editor sends it."""
    del form.fields["content"]
    text = {"type": "text", "text": f"Viel besser. {'Five sets. ' * 200}".strip()}
    document: dict[str, Any] = {"type": "doc", "content": [{"type": "paragraph", "content": [text]}]}
    form.fields["content-document"] = json.dumps(document)
    return form


def _claim() -> Callable[[], HttpResponse]:
    quest, client = offered(), sign_in(Client(), "other-member")
    return lambda: client.post(f"/quests/{quest.id}/do/claim")  # type: ignore[return-value]


def _read_season() -> Callable[[], HttpResponse]:
    """As a process that has not asked for it in the last half minute."""
    client = sign_in(Client(), "scout")
    season.forget()
    return lambda: client.get("/scouting/stand/")  # type: ignore[return-value]


def _send_form() -> Callable[[], HttpResponse]:
    client = sign_in(Client(), "scout")
    fields = posted(match=MATCHES, team=str(TEAMS), event=field.KEY)
    return lambda: client.post("/scouting/stand/", fields)  # type: ignore[return-value]


def _play(played: Played) -> Callable[[], HttpResponse]:
    client, fields = signed_in(played.owner), turn(played, "1B")
    return lambda: client.post(address(played, "record"), fields)  # type: ignore[return-value]
