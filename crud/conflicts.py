"""Two people changed the same record: both versions are shown, and nothing typed is lost."""

from django.http import HttpResponse, QueryDict
from django.shortcuts import render

from accounts.rights import SignedInRequest
from crud.forms import CHOICE_PREFIX, RecordForm, typed_in
from crud.opening import Opened, Seen
from crud.resource import Resource
from dynamo.errors import Conflict

THEIRS = "theirs"


def chosen_theirs(posted: QueryDict) -> set[str]:
    """The fields for which the writer chose the other version."""
    return {
        name.removeprefix(CHOICE_PREFIX)
        for name, value in posted.items()
        if name.startswith(CHOICE_PREFIX) and value == THEIRS
    }


def page(
    request: SignedInRequest, opened: Opened, form: RecordForm, seen: Seen, error: Conflict
) -> HttpResponse:
    context = {"resource": opened.resource, "opened": opened, "error": error, "typed": typed_in(request.POST)}
    return render(request, "crud/conflict.html", context, status=409)


def deleted_page(request: SignedInRequest, resource: Resource, key: str) -> HttpResponse:
    """The record was deleted while somebody was editing it."""
    context = {"resource": resource, "key": key, "typed": typed_in(request.POST)}
    return render(request, "crud/conflict.html", context, status=409)
