"""What programs do: by the API, told by webhooks, and other programs in the same tables."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any
from unittest.mock import patch

from cms.news.models import News
from cms.news.repository import news
from core.accounts import cognito
from core.accounts.cognito import Account
from core.accounts.personal_tokens import repository as tokens
from core.accounts.personal_tokens import services
from core.accounts.personal_tokens.models import PersonalToken
from core.content.richtext import from_plain_text
from core.dynamo import adoption, transactions
from core.dynamo.attributes import now, to_iso
from core.dynamo.items import RawItem, new_id
from core.dynamo.repository import Repository
from core.dynamo.streams import handlers
from core.dynamo.streams.changes import Change
from core.webhooks import repository as webhooks
from core.webhooks import services as webhook_services
from core.webhooks.dispatcher import Dispatcher
from core.webhooks.models import Webhook
from core.webhooks.outcomes import Outcome
from core.webhooks.registry import kinds
from core.webhooks.rules import MOST_WEBHOOKS
from scouting.forms import services as forms
from scouting.forms.models import StandForm
from scouting.forms.repository import stand_forms
from tests import other_programs
from tests.api.programs import Program
from tests.scale.crew import PICTURE, Crew, Prepare
from tests.scale.verbs import MATCHES
from tests.scouting import field
from tests.scouting.forms.sent_forms import fields

TEXT = from_plain_text("Five sets. " * 200)
FORM_SENT = "scouting.stand-form.sent"
LONG_AGO = timedelta(days=365)


def writes() -> Mapping[str, Prepare]:
    """By the names of the documents, in an order in which each finds what it needs."""
    return {
        "send a stand form by the API": _send,
        "correct a stand form by the API": _correct,
        "claim a quest by the API": _claim,
        "create news by the API": _create,
        "make a token": lambda crew: partial(services.make, crew.user("member"), "Sheet", ["cms:read"], 30),
        "renew a token": _renew,
        "register a webhook": _register,
        "tell thirty webhooks of a form": _tell,
        "deliver to a webhook": _deliver,
        "adopt an article": lambda crew: _adopt(news, _article(crew)),
        "adopt a stand form": lambda crew: _adopt(stand_forms, _form(crew)),
        "follow a change of another program": _follow,
    }


# --- By the API ---------------------------------------------------------------------------------------------


def _program(crew: Crew, role: str) -> Program:
    """With a personal token that was renewed just now."""
    text = services.make(crew.user(role), "Sheet", sorted(services.SCOPES), 30).text
    token = tokens.get(services._digest(text))
    assert token is not None
    tokens.change(token, PersonalToken.renew_at.set(now() + timedelta(hours=1)))
    return Program(token=text)


def _send(crew: Crew) -> Callable[[], Any]:
    form = {"event": field.KEY, "teamNumber": crew.pick("1", "2"), "matchNumber": MATCHES + 3, "autoFuel": 4}
    return partial(_program(crew, "scout").post, "stand-forms", form, idempotency_key=new_id())


def _correct(crew: Crew) -> Callable[[], Any]:
    form = forms.submit_stand(crew.user("scout"), fields(crew.pick("1", "2"), MATCHES + 4))
    change = partial(_program(crew, "scout").patch, f"stand-forms/{form.id}", {"autoFuel": 5})
    return partial(change, if_match=f'"{form.seen_version}"', idempotency_key=new_id())


def _claim(crew: Crew) -> Callable[[], Any]:
    quest, program = crew.open_quest(), _program(crew, "official")
    return partial(program.post, f"/api/v1/quests/{quest.id}/claim", {}, idempotency_key=new_id())


def _create(crew: Crew) -> Callable[[], Any]:
    title = crew.pick("Bericht vom Spiel gegen Achern", "Karten zum Pokal in Lahr")
    body = {"title": title, "content": TEXT, "imageIds": [PICTURE]}
    return partial(_program(crew, "admin").post, "/api/v1/cms/news", body, idempotency_key=new_id())


def _renew(crew: Crew) -> Callable[[], Any]:
    user = crew.user("scout")
    text = services.make(user, "Sheet", ["scouting:read"], 30).text
    groups = tuple(sorted(user.groups))
    account = Account(user.sub, user.name, user.email, True, "CONFIRMED", now(), now(), groups)

    def renew() -> None:
        with patch.object(cognito, "get", lambda _sub: account):
            services.user_of(text)

    return renew


# --- Webhooks -----------------------------------------------------------------------------------------------


def _register(crew: Crew) -> Callable[[], Any]:
    about = {"label": "App", "address": "https://app.example/hook", "kinds": list(kinds())}

    def register() -> None:
        crew.webhook = webhook_services.create(crew.user("admin"), about).webhook

    return register


def _tell(crew: Crew) -> Callable[[], Any]:
    for number in range(len(webhooks.every_webhook()), MOST_WEBHOOKS):
        other = {**crew.webhook.serialize(), "SK": {"S": f"HOOK#{new_id()}"}, "label": {"S": f"App {number}"}}
        transactions.send(transactions.put_raw(Webhook, other))
    form = forms.submit_stand(crew.user("scout"), fields(crew.pick("1", "2"), MATCHES + 5))
    stored = dict(stand_forms.get(stand_forms.key_of(form), strong=True).stored)
    change = Change(StandForm.Meta.table_name, "INSERT", new_id(), now(), None, stored)
    return partial(webhook_services.queue, kinds()[FORM_SENT], change)


def _deliver(crew: Crew) -> Callable[[], Any]:
    """So long ago that nothing else was due by then."""
    due = now() - LONG_AGO
    delivery = webhooks.new_delivery(crew.webhook, FORM_SENT, "key", due, "{}", due=due, change=new_id())
    webhooks.add([delivery])

    def deliver() -> None:
        dispatcher = Dispatcher(clock=lambda: due + timedelta(seconds=1))
        with patch.object(Dispatcher, "_send", lambda *_arguments: Outcome(code=204)):
            assert dispatcher._start_due() == 1
            dispatcher.close()

    return deliver


# --- Other programs in the same tables ----------------------------------------------------------------------


def _article(crew: Crew) -> RawItem:
    at = to_iso(now())
    return other_programs.item(
        {
            "id": new_id(),
            "title": crew.pick("Heimsieg in fünf Sätzen", "Niederlage ohne Libero"),
            "slug": crew.pick("heimsieg", "auswaerts"),
            "content": TEXT,
            "excerpt": "Five sets.",
            "status": "published",
            "publishedDate": at,
            "authorIds": ["9f3c0b7e-payload-user"],
            "imageIds": [PICTURE],
            "createdAt": at,
            "updatedAt": at,
        }
    )


def _form(crew: Crew) -> RawItem:
    team, match = crew.pick("1", "2"), MATCHES + 6
    return other_programs.item(
        {
            "PK": f"EVENT#{field.KEY}",
            "SK": f"TEAM#{team}#MATCH#{match}",
            "GSI1PK": f"TEAM#{team}",
            "GSI1SK": f"EVENT#{field.KEY}#MATCH#{match}",
            "id": new_id(),
            "event": field.KEY,
            "teamNumber": team,
            "matchNumber": match,
            "usersName": "Someone",
            "autoFuel": 4,
            "totalScore": 4,
            "createdAt": to_iso(now()),
        }
    )


def _stored(repository: Repository[Any], raw: RawItem) -> Any:
    model = repository.model
    transactions.send(transactions.put_raw(model, raw))
    return model.from_raw_data(raw)


def _adopt(repository: Repository[Any], raw: RawItem) -> Callable[[], Any]:
    return partial(adoption.adopt, repository, _stored(repository, raw))


def _follow(crew: Crew) -> Callable[[], Any]:
    """Another title of an article that was adopted."""
    raw = _article(crew) | {"slug": {"S": crew.pick("nachlese", "vorschau")}}
    before = dict(adoption.adopt(news, _stored(news, raw)).item.stored)
    after = before | {"title": {"S": "Derby"}, "updatedAt": {"S": to_iso(now())}}
    transactions.send(transactions.put_raw(News, after))
    return partial(handlers.handle, Change(News.Meta.table_name, "MODIFY", new_id(), now(), before, after))
