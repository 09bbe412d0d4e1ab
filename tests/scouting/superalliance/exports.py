"""Exports of SuperAlliance, and what became of them."""

import io
import json

from django.core.management import call_command

from scouting.forms.repository import stand_forms


def document(number, *, event="mndu", year=2026, team=2053, **fields):
    """A document as mongoexport writes it."""
    return {
        "_id": {"$oid": f"{number:024x}"},
        "event": event,
        "teamNumber": {"$numberInt": str(team)},
        "usersName": "Sina",
        "createdAt": {"$date": f"{year}-03-0{1 + number % 9}T10:00:00.123Z"},
        "__v": 0,
        **fields,
    }


def stand(number, match=1, **fields):
    return document(number, **{"matchNumber": match, **fields})


def save(folder, collection, *documents):
    lines = [json.dumps(each) for each in documents]
    (folder / f"{collection}.json").write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(folder, *options):
    out = io.StringIO()
    call_command("import_superalliance", str(folder), *options, stdout=out)
    return out.getvalue().splitlines()


def only_form(event):
    (form,) = stand_forms.at(event)
    return form
