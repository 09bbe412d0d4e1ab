"""Changes of the stores by administrators, with their confirmation texts."""

from collections.abc import Callable
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Text
from desk.stores import inspection, services
from desk.stores.services import Done


class Action(NamedTuple):
    """The texts of a confirmation; `words` are the query parameters that name what is changed."""

    screen: str
    words: tuple[str, ...]
    subject: Callable[..., str]
    title: Text
    question: Text
    button: Text
    change: Callable[..., Done]
    is_dangerous: bool = False


ACTIONS: dict[str, Action] = {
    "delete_value": Action(
        screen="cache",
        words=("key",),
        subject=lambda key: inspection.value(key).hash,
        title=_("Remove this value?"),
        question=_("Whoever needs it next computes or fetches it anew. Nothing that somebody wrote is lost."),
        button=_("Remove"),
        change=services.delete_value,
        is_dangerous=True,
    ),
    "clear_cache": Action(
        screen="cache",
        words=(),
        subject=lambda: "",
        title=_("Clear the whole cache?"),
        question=_(
            "Every page that used a cached value computes it anew, so the site is slower for a moment and "
            "asks other services again. Nothing that somebody wrote is lost, and nobody is signed out."
        ),
        button=_("Clear the cache"),
        change=services.clear_cache,
        is_dangerous=True,
    ),
    "release_job": Action(
        screen="dedupe",
        words=("key", "job"),
        subject=lambda key, job: str(key),
        title=_("Release this job?"),
        question=_(
            "Those who wait for it are told that it failed, and the next one may begin it anew. Do this only "
            "when whoever does it hangs: otherwise it may be done twice."
        ),
        button=_("Release"),
        change=services.release_job,
        is_dangerous=True,
    ),
    "reset_limit": Action(
        screen="limits",
        words=("limit", "key"),
        subject=lambda limit, key: f"{services.limiter_of(limit).about}: {key}",
        title=_("Reset this limit?"),
        question=_(
            "All places are free again at once. Other processes of the server may still refuse until they "
            "would have stopped anyway."
        ),
        button=_("Reset"),
        change=services.reset_limit,
    ),
    "recalculate": Action(
        screen="adaptive",
        words=("name",),
        subject=lambda name: services.client_of(name).name,
        title=_("Calculate the shares anew?"),
        question=_(
            "People and background jobs get their shares from what happened lately, without waiting 30 s."
        ),
        button=_("Calculate"),
        change=services.recalculate,
    ),
    "reset_client": Action(
        screen="adaptive",
        words=("name",),
        subject=lambda name: services.client_of(name).name,
        title=_("Reset this limit?"),
        question=_(
            "All places are free again and what happened lately is forgotten. The other service still "
            "counts: it may refuse what goes beyond its own limit."
        ),
        button=_("Reset"),
        change=services.reset_client,
        is_dangerous=True,
    ),
}
