"""The style guide: every component on one page, for template authors. Only with DEBUG."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.accounts.rights import requires
from core.crud import toasts
from core.crud.cells import link_items
from core.crud.listing import Filter, Link, ListBar, Sort
from core.crud.toasts import Undo

STATES = ("draft", "published", "scheduled", "changed", "archived", "active", "invited", "disabled", "failed")
ARTICLES = (
    ("Derby ends in a tie-break", "published", "Odile Brandt", "14 November 2026"),
    ("Beach season: how to book a court", "changed", "Moritz Feldkamp", "12 November 2026"),
    ("General meeting with a very long title that has to wrap on a phone", "scheduled", "Maya Rosenthal", ""),
    ("New trainers for the youngest", "draft", "Odile Brandt", ""),
)


@requires("home.page.view")
@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    toasts.add(request, "“Derby” was deleted.", undo=Undo("/", {"trash": "42"}))
    toasts.add(
        request, "Saved, but nobody could be told: the mail server does not answer.", level=messages.WARNING
    )
    status = Filter("status", "Status", [("draft", "Draft")], usual="Any")
    bar = ListBar(
        address="#tables",
        found="4 articles",
        text="",
        filters=[(status, "draft")],
        sorts=[Sort("title", "Title")],
        menu=link_items([Link("to-trash", "Trash", "#tables", "trash")]),
    )
    return render(request, "desk/styleguide.html", {"states": STATES, "articles": ARTICLES, "bar": bar})
