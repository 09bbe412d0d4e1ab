"""The declarations of the dashboard's two lists: cached values and jobs."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Text
from core.stores import metrics
from desk.stores import inspection
from desk.stores.display import Figure, ends_in
from desk.stores.inspection import Count, ShownJob, Value

# The kind and text of the badge for each status.
STATES: dict[str, tuple[str, Text]] = {
    "pending": ("waiting", _("Under way")),
    "abandoned": ("disabled", _("Abandoned")),
    "completed": ("done", _("Completed")),
    "failed": ("failed", _("Failed")),
}


class Column(NamedTuple):
    title: Text
    is_number: bool = False


class Listing(NamedTuple):
    """The texts and columns of a list; `row_template` renders the values of `row`."""

    screen: str
    title: Text
    lead: Text
    label: Text
    columns: tuple[Column, ...]
    row_template: str
    row: Callable[[Any], tuple[Any, ...]]
    figures: Callable[[Count, Sequence[Any]], list[Figure]]
    icon: str
    empty_title: Text
    empty_text: Text
    help: Text = ""


def _value_row(value: Value) -> tuple[Value, str]:
    return value, ends_in(value.expires_at)


def _value_figures(count: Count, _shown: Sequence[Value]) -> list[Figure]:
    more = "+" if count.is_more else ""
    expired = inspection.expired_values()
    return [
        Figure(_("Values"), f"{count.number}{more}", _("that can be used now")),
        Figure(_("Size"), f"{filesizeformat(count.size)}{more}", _("of these values with their keys")),
        Figure(_("Expired"), str(expired), _("are used no more and will be removed by themselves")),
    ]


def _job_row(job: ShownJob) -> tuple[ShownJob, str, Text]:
    return job, *STATES[job.state]


def _job_figures(count: Count, shown: Sequence[ShownJob]) -> list[Figure]:
    states = [job.state for job in shown]
    finished = metrics.total("dedupe", "Completed") + metrics.total("dedupe", "Failed")
    failed = _("of those on this page; the next one who asks tries again")
    return [
        Figure(_("Jobs"), f"{count.number}{'+' if count.is_more else ''}", _("under way or remembered")),
        Figure(_("Under way"), str(states.count("pending")), _("of those on this page")),
        Figure(_("Failed"), str(states.count("failed")), failed),
        Figure(_("Finished"), str(finished), _("by this process of the server since it started")),
    ]


VALUES = Listing(
    screen="cache",
    title=_("Cache"),
    lead=_(
        "Values that were costly to get are kept until their time is over. Removing one is harmless: it is "
        "computed anew."
    ),
    label=_("Cached values, those that end first first"),
    columns=(Column(_("Key")), Column(_("Ends in")), Column(_("Size"), is_number=True)),
    row_template="desk/stores/value_row.html",
    row=_value_row,
    figures=_value_figures,
    icon="archive",
    empty_title=_("The cache is empty"),
    empty_text=_(
        "As soon as the site keeps a value, such as an answer of another service, it is listed here until "
        "its time is over."
    ),
)
JOBS = Listing(
    screen="dedupe",
    title=_("Jobs"),
    lead=_(
        "Work that several ask for at once is done once: one does it, the others wait for its result. A "
        "finished job is remembered for a while."
    ),
    label=_("Jobs"),
    columns=(
        Column(_("Key")),
        Column(_("Job")),
        Column(_("State")),
        Column(_("Begun")),
        Column(_("Attempt"), is_number=True),
    ),
    row_template="desk/stores/job_row.html",
    row=_job_row,
    figures=_job_figures,
    icon="check",
    empty_title=_("No job is under way"),
    empty_text=_(
        "When the site fetches or computes something that several people ask for, it is listed here while it "
        "is done and some minutes longer."
    ),
    help=_(
        "Abandoned means that whoever began it did not finish in time; the next one who asks takes it over. "
        "Results belong to those who asked and are not shown."
    ),
)
