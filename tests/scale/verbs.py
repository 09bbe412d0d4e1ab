"""What people of a big club do most, each through its page, on data of the usual size."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.test import Client

from cms.members.resource import members
from cms.news.resource import news
from core.dynamo.items import new_id
from quests.services import lifecycle
from scouting.settings import services as season
from tests.cast import CAST
from tests.cms import filling, occasions
from tests.cms.club import make_member
from tests.core.accounts.issuer import PERSON, Issuer
from tests.core.accounts.signing_in import sign_in_through
from tests.core.crud.pages import OpenForm, open_form
from tests.quests.board import TEXT, offered
from tests.scale.crew import PICTURE, ROLE, Crew, Prepare, store_what_is_referred_to
from tests.scouting import field
from tests.scouting.forms.sent_forms import posted
from tests.tracker.scoring.scoring_page import address, signed_in, turn

ARTICLES, OPEN_QUESTS, TEAMS, MATCHES = 60, 40, 60, 120


def fill() -> None:
    """60 articles, 40 open quests, an event of 60 teams with all forms of its 120 matches."""
    Crew().arrive()
    store_what_is_referred_to()
    filling.fill(0, ARTICLES)
    for number in range(OPEN_QUESTS):
        # Everybody has ten points.
        offered(list(CAST.values())[number % 4], title=f"Netz {number} flicken")
    event = field.event(teams=[str(number) for number in range(1, TEAMS + 1)], matches=MATCHES)
    field.many(field.forms_of(event)[:-1])
    field.have_shards(event.key)


def verbs(issuer: Issuer) -> Mapping[str, Prepare]:
    """By the names of the documents, in an order in which each finds what it needs."""
    return {
        "sign in": partial(_sign_in, issuer),
        "list of news": _page(news.list_address),
        "search in news": _page(f"{news.list_address}?q=spielb"),
        "create news": _create,
        "save news": _save("save"),
        "autosave": _save("autosave"),
        "publish news": _save("publish"),
        "publish news with a picture": _save("publish", image_ids=[PICTURE]),
        "create a member": _create_member,
        "change one field of a member": _change_member,
        "quest board": _page("/quests/", "member"),
        "offer a quest": _offer,
        "claim a quest": _claim,
        "submit a quest": lambda crew: _act(crew, "submit", text=TEXT),
        "complete a quest": _complete,
        "scout a match": _page("/scouting/stand/", "scout"),
        "read the season": _read_season,
        "send a stand form": _send_stand_form,
        "send a pit form": _send_pit_form,
        "send a comment": _send_comment,
        "analysis": _page("/scouting/analysis/", "scout-lead"),
        "coverage": _page("/scouting/coverage/", "scout"),
        "write a play down": _play,
        "say who comes": _answer,
        "live page": _live,
        "Home": _home,
        "team selection": _page("/scouting/selection/", "scout-lead"),
        "public article": lambda _crew: partial(Client().get, "/news/spielbericht-00000007/"),
    }


def _page(place: str, role: str = "admin") -> Prepare:
    def prepare(crew: Crew) -> Callable[[], HttpResponse]:
        client = crew.browser(role)
        client.get(place)
        return lambda: client.get(place)  # type: ignore[return-value]

    return prepare


def _home(crew: Crew) -> Callable[[], HttpResponse]:
    """Of a member, with all that a browser loads after it."""
    client = crew.browser("member")

    def visit() -> HttpResponse:
        client.get(client.get("/desk/").context["later"])
        return client.get("/desk/activity")  # type: ignore[return-value]

    visit()
    return visit


def _sign_in(issuer: Issuer, crew: Crew) -> Callable[[], HttpResponse]:
    """Not the first time, so that nothing has to be opened."""
    sub = crew.pick(PERSON["sub"], PERSON["sub"][:-1] + "2")
    email = crew.pick(PERSON["email"], "otto@fieldhouse.example")
    issuer.person |= {"sub": sub, "cognito:username": sub, "email": email}
    sign_in_through(issuer, Client())
    return lambda: sign_in_through(issuer, Client())


# --- The website --------------------------------------------------------------------------------------------


def _create(crew: Crew) -> Callable[[], HttpResponse]:
    form = _written(open_form(crew.browser("admin"), news.new_address))
    form.fill(title=crew.pick("Nachbericht vom Derby gegen Freiburg", "Vorbericht zum Pokal in Offenburg"))
    return form.send


def _save(button: str, **fields: Any) -> Prepare:
    def prepare(crew: Crew) -> Callable[[], HttpResponse]:
        place = news.record_address(filling.key_of(crew.pick(1, 2)))
        # Each time another text.
        form = _written(open_form(crew.browser("admin"), place), opening=button).fill(**fields)
        if button == "autosave":
            return lambda: form.send(to="autosave", htmx=True)
        return lambda: form.send(button)

    return prepare


def _written(form: OpenForm, *, opening: str = "Viel besser.") -> OpenForm:
    """An article of the usual length, as the editor sends it."""
    del form.fields["content"]
    text = {"type": "text", "text": f"{opening} {'Five sets. ' * 200}".strip()}
    document: dict[str, Any] = {"type": "doc", "content": [{"type": "paragraph", "content": [text]}]}
    form.fields["content-document"] = json.dumps(document)
    return form


def _create_member(crew: Crew) -> Callable[[], HttpResponse]:
    form = open_form(crew.browser("admin"), members.new_address)
    name, email = crew.pick(("Svea Nordmann", "svea@a.example"), ("Jella Petersen", "jella@a.example"))
    return form.fill(name=name, email=email, phone="0151 555 0123", role_ids=[ROLE]).send


def _change_member(crew: Crew) -> Callable[[], HttpResponse]:
    name, email = crew.pick(("Ida Brinkmann", "ida@a.example"), ("Tom Wolters", "tom@a.example"))
    member = make_member(name, email=email, phone="0151 555 0123", role_ids=[ROLE])
    form = open_form(crew.browser("admin"), members.record_address(member.id))
    return form.fill(phone="0151 555 0124").send


# --- Quests -------------------------------------------------------------------------------------------------


def _offer(crew: Crew) -> Callable[[], HttpResponse]:
    client = crew.browser("other-member")
    typed = {
        "title": "Kuchen für das Heimspiel",
        "description": "Ein Kuchen, zwölf Stücke, eine halbe Stunde vorher an der Theke.",
        "category": "social",
        "reward_xp": "50",
        "reward_reputation": "8",
        "open_until": occasions.day(30).isoformat(),
        "once": new_id(),
    }
    return lambda: client.post("/quests/new/", typed)  # type: ignore[return-value]


def _claim(crew: Crew) -> Callable[[], HttpResponse]:
    crew.open_quest()
    return _act(crew, "claim")


def _complete(crew: Crew) -> Callable[[], HttpResponse]:
    lifecycle.attest(crew.user("member"), crew.quest.id)
    return _act(crew, "attest")


def _act(crew: Crew, action: str, **fields: str) -> Callable[[], HttpResponse]:
    """As who has taken the quest on."""
    client, place = crew.browser("other-member"), f"/quests/{crew.quest.id}/do/{action}"
    return lambda: client.post(place, {**fields, "once": new_id()})  # type: ignore[return-value]


# --- Scouting -----------------------------------------------------------------------------------------------


def _read_season(crew: Crew) -> Callable[[], HttpResponse]:
    """As a process that has not asked for it in the last half minute."""
    client = crew.browser("scout")
    season.forget()
    return lambda: client.get("/scouting/stand/")  # type: ignore[return-value]


def _send_stand_form(crew: Crew) -> Callable[[], HttpResponse]:
    client = crew.browser("scout")
    place = {"match": MATCHES, "team": str(TEAMS)} if not crew.before else {"match": MATCHES + 1, "team": "1"}
    return lambda: client.post("/scouting/stand/", posted(**place))  # type: ignore[return-value]


def _send_pit_form(crew: Crew) -> Callable[[], HttpResponse]:
    client = crew.browser("scout")
    fields = {"event": field.KEY, "team": crew.pick("7", "8"), "q_notDo": "Swim", "once": new_id()}
    return lambda: client.post("/scouting/pit/", fields)  # type: ignore[return-value]


def _send_comment(crew: Crew) -> Callable[[], HttpResponse]:
    client = crew.browser("scout")
    fields = {"event": field.KEY, "team": crew.pick("7", "8"), "comments": "Neuer Antrieb.", "once": new_id()}
    return lambda: client.post("/scouting/comment/", fields)  # type: ignore[return-value]


# --- Softball -----------------------------------------------------------------------------------------------


def _play(crew: Crew) -> Callable[[], HttpResponse]:
    client, fields = signed_in(crew.played.owner), turn(crew.played, "1B")
    return lambda: client.post(address(crew.played, "record"), fields)  # type: ignore[return-value]


def _answer(crew: Crew) -> Callable[[], HttpResponse]:
    """Of two people of one team for the same game."""
    client, player = signed_in(crew.coach), crew.club.batter(crew.pick(1, 2))
    fields = {"player": player.id, "answer": "yes", "once": new_id()}
    return lambda: client.post(address(crew.club, "answer"), fields)  # type: ignore[return-value]


def _live(crew: Crew) -> Callable[[], HttpResponse]:
    """Viewers of one game."""
    return partial(Client().get, crew.live_address)  # type: ignore[return-value]
