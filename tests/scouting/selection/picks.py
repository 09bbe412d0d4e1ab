"""The pick list of a lead: its order as it is made, sent and stored."""

from scouting.selection import pick_list
from scouting.selection import services as selection
from scouting.selection.pick_list import Pick
from tests.cast import CAST
from tests.scouting import field

ADDRESS = "/scouting/selection/"
LEAD, ADMIN = CAST["scout-lead"], CAST["admin"]


def picks(**columns):
    return tuple(
        Pick(number, column=column) for column, numbers in columns.items() for number in numbers.split()
    )


def numbers(some, column):
    return [pick.number for pick in pick_list.in_column(some, column)]


def shown(response):
    return {column.key: [pick.number for pick in column.picks] for column in response.context["columns"]}


def sent(response, **more):
    """What the page's form sends."""
    board = response.context["board"]
    return {
        "event": field.KEY,
        "base": board.written_base,
        "sort": board.sort,
        "once": response.context["once"],
        "pick": [pick.as_sent for pick in board.picks],
        "settled": response.context.get("settled", ""),
    } | more


def step(client, response, do, **more):
    return client.post(f"{ADDRESS}change", sent(response, do=do, **more))


def save(user, event, order, *, base=None):
    """Save an order that was made of `base`, or of what is saved now."""
    _event, before = selection.read(event.key, strong=True)
    return selection.save(user, event, order, base=before.order if base is None else base, over=before)


def saved_now(event, **columns):
    return save(LEAD, event, pick_list.refreshed(picks(**columns), event))


def take(user, event, number, **options):
    return selection.take(user, event, number, over=selection.read(event.key, strong=True)[1], **options)


def stored_order(event):
    """What is saved, without the columns in which there is nobody."""
    order = selection.read(event.key, strong=True)[1].order
    return {column: list(teams) for column, teams in order.items() if teams}


def taken_now(event):
    return [pick.number for pick in selection.read(event.key, strong=True)[1].picks if pick.taken]
