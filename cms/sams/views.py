"""Views of SAMS data: our teams, the clubs of the association, and the log of the syncs."""

from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from cms.sams import client, queries, services
from cms.sams.models import SamsTeam
from cms.sams.presenters import TITLES, line_of
from core.accounts.rights import SignedInRequest, may, requires
from core.crud.cells import CellRenderer
from core.crud.form_page import ActionPage
from core.crud.http import page_or_partial
from core.crud.listing import ListBar, how_many
from core.crud.resource import Resource
from core.crud.rows import find, listing_from, rows_of
from core.dynamo.paging import read_token, sign
from core.media.file_urls import public_address

PER_PAGE = 50


@requires("cms.sams.view")
@require_safe
def overview(request: SignedInRequest) -> HttpResponse:
    """The log of the syncs; the partial reloads itself while a sync runs."""
    runs = services.latest_runs()
    running = {run.kind for run in runs if run.state == services.RUNNING}
    context = {
        "is_set_up": client.is_set_up(),
        "may_run": may(request.user, "cms.sams.update"),
        "kinds": [(kind, title, kind in running) for kind, title in TITLES.items()],
        "runs": [line_of(run) for run in runs],
        "is_running": bool(running),
    }
    return page_or_partial(request, "cms/sams/overview.html", "log", context)


@requires("cms.sams.update")
class Run(ActionPage):
    success_message = gettext_lazy("Sync started. The log shows its progress.")
    # The page of the log says why.
    toast_errors = (services.AlreadyRunning, client.NotSetUp)

    def load(self) -> None:
        if self.request.POST.get("kind") not in TITLES:
            raise Http404

    def save(self) -> None:
        services.start(self.request.user, self.request.POST["kind"])

    def success_url(self) -> str:
        return reverse("cms:sams")


@require_safe
def records(request: SignedInRequest, resource: Resource) -> HttpResponse:
    listing = listing_from(resource, request.GET)
    bound_to = (request.user.sub, resource.entity, sorted(listing.query.items()))
    start = read_token(request.GET.get("after"), *bound_to)
    page = find(request.user, resource, listing, limit=PER_PAGE, start=start)
    renderer = CellRenderer(resource.columns)
    rows = [(row, renderer.cells(row)) for row in rows_of(request.user, resource, page.items)]
    after = sign(page.next_key, *bound_to) if page.next_key else ""
    context = {
        "resource": resource,
        "bar": ListBar(
            address=resource.list_address,
            found=how_many(len(rows), has_more=bool(after), is_first_page=start is None),
            text=listing.text,
        ),
        "rows": rows,
        "next_address": f"?{urlencode({**listing.query, 'after': after})}" if after else "",
        "is_first_page": start is None,
    }
    return page_or_partial(request, "cms/sams/list.html", "results" if start is None else "more", context)


@require_safe
def record(request: SignedInRequest, resource: Resource, key: str) -> HttpResponse:
    found = resource.repository.get(key)
    context = {"resource": resource, "record": found, "key": key}
    if isinstance(found, SamsTeam):
        context["results"] = queries.results_of(found)
    elif found.logo_s3_key:
        context["logo"] = public_address(found.logo_s3_key)
    return render(request, f"cms/sams/{found.type}.html", context)
