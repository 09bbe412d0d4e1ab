"""Bodies of plays as the form of the scoring screen takes them."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from api.tracker import play_schemas as schemas
from api.tracker.bodies import wrong
from tracker.rules.runners import BATTER, HOME
from tracker.scoring.forms.plays import OUT, PlayForm, TurnForm, form_for
from tracker.scoring.models import AtBat
from tracker.scoring.presenters import Situation

# The fields of the form by their names in the body.
NAMES = {
    "result": "result",
    "playerId": "player",
    "rbis": "rbis",
    "hitType": "hit_type",
    "hitLocation/x": "hit_x",
    "hitLocation/y": "hit_y",
    "chargedTo": "charged_to",
}
OF_RUNNERS = ("runner_", "ran_")
NOBODY_THERE = _("Nobody is on this base, or they are named twice.")
WHERE_TO = _("Say to which base, or that they are out.")
ONLY_SCORED = _("Of your own plays it is only known whether you scored: from 0 to 4.")
NOT_HERE_BEFORE = _("This player did not bat in this place before.")


def entered(
    body: schemas.AtBatChange, situation: Situation, stored: AtBat | None = None
) -> tuple[TurnForm, dict[str, str]]:
    """The form of a play, or of a correction of a `stored` one; its fields by their names in the body."""
    sent = body.model_dump(exclude_unset=True, by_alias=True)
    data = _initial(stored, situation, sent) if stored else {}
    data |= {NAMES[name]: _text(value) for name, value in sent.items() if name in NAMES}
    if "hitLocation" in sent:
        place = sent["hitLocation"] or {}
        data |= {f"hit_{axis}": _text(place.get(axis)) for axis in "xy"}
    if "runners" in sent:
        data = _without_runners(data)
    data["player"] = data.get("player") or _batter(situation)
    runners = sent.get("runners") or ()
    if not situation.has_lineup:
        data, runners = data | _scored(runners), ()
    form = form_for(situation, data | dict(_moves(runners)))
    _refuse_unknown(form, sent, runners)
    return form, NAMES | {
        name: field
        for place, runner in enumerate(runners)
        for name, field in (
            (f"runners/{place}", f"runner_{runner['from']}"),
            (f"runners/{place}/playerId", f"ran_{runner['from']}"),
        )
    }


def _initial(stored: AtBat, situation: Situation, sent: Mapping[str, Any]) -> dict[str, Any]:
    """What the form of a correction begins with; the usual moves are those of the new result."""
    initial = PlayForm.initial_of(stored, situation)
    is_usual = stored.runners is None and sent.get("result") not in (None, stored.result)
    return _without_runners(initial) if is_usual else initial


def _without_runners(data: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in data.items() if name != "scored" and not name.startswith(OF_RUNNERS)
    }


def _batter(situation: Situation) -> str:
    """Whose turn it is; without a line-up the owner of the team, who is its only player."""
    if situation.has_lineup:
        return situation.batter or ""
    return situation.players[0].id if situation.players else ""


def _moves(runners: Any) -> Iterator[tuple[str, str]]:
    for place, runner in enumerate(runners):
        to, is_out, ran = (runner.get(name) for name in ("to", "out", "playerId"))
        if (to is not None and is_out) or (to is None and not is_out and not ran):
            raise wrong(f"runners/{place}", WHERE_TO)
        yield f"runner_{runner['from']}", OUT if is_out else _text(to)
        yield f"ran_{runner['from']}", ran or ""


def _scored(runners: Any) -> dict[str, Any]:
    for place, runner in enumerate(runners):
        if runner != {"from": BATTER, "to": HOME}:
            raise wrong(f"runners/{place}", ONLY_SCORED)
    return {"scored": True} if runners else {}


def _refuse_unknown(form: TurnForm, sent: Mapping[str, Any], runners: Any) -> None:
    """Refuse what the form of this situation has no field for, and would ignore."""
    named: set[int] = set()
    for place, runner in enumerate(runners):
        start = runner["from"]
        if f"runner_{start}" not in form.fields or start in named:
            raise wrong(f"runners/{place}", NOBODY_THERE)
        if runner.get("playerId") and f"ran_{start}" not in form.fields:
            raise wrong(f"runners/{place}/playerId", NOBODY_THERE)
        named.add(start)
    if sent.get("chargedTo") and "charged_to" not in form.fields:
        raise wrong("chargedTo", NOT_HERE_BEFORE)


def _text(value: Any) -> str:
    return "" if value is None else str(value)
