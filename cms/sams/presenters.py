"""The runs of the syncs in words."""

from django.utils.translation import gettext_lazy

from cms.sams import services
from cms.sams.models import SyncRun
from core.crud.listing import Badge

TITLES = {
    services.CLUBS: gettext_lazy("Clubs"),
    services.TEAMS: gettext_lazy("Teams"),
    services.RESULTS: gettext_lazy("Results"),
}
STATES = {
    services.RUNNING: Badge("scheduled", gettext_lazy("Running")),
    services.DONE: Badge("published", gettext_lazy("Done")),
    services.EMPTY: Badge("waiting", gettext_lazy("Nothing found")),
    services.FAILED: Badge("failed", gettext_lazy("Failed")),
    services.STOPPED: Badge("failed", gettext_lazy("Stopped")),
}
COUNTS = {
    "found": gettext_lazy("found"),
    "created": gettext_lazy("new"),
    "changed": gettext_lazy("changed"),
    "deleted": gettext_lazy("removed"),
    "logos": gettext_lazy("logos copied"),
}


def line_of(run: SyncRun) -> dict[str, object]:
    """A line of the log, with what was counted."""
    counts = run.counts or {}
    return {
        "run": run,
        "title": TITLES.get(run.kind, run.kind),
        "badge": STATES.get(run.state, STATES[services.STOPPED]),
        "counts": [(title, counts[name]) for name, title in COUNTS.items() if counts.get(name)],
    }
