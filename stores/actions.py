"""What administrators may change in the stores, and what they are asked before."""

from collections.abc import Callable
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from dynamo.errors import Text
from stores import inspection, services
from stores.services import Done


class Action(NamedTuple):
    """What is asked before a change, with the address's words for what is changed."""

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
        "cache",
        ("key",),
        lambda key: inspection.value(key).hash,
        _("Remove this value?"),
        _("Whoever needs it next computes or fetches it anew. Nothing that somebody wrote is lost."),
        _("Remove"),
        services.delete_value,
        is_dangerous=True,
    ),
    "clear_cache": Action(
        "cache",
        (),
        lambda: "",
        _("Clear the whole cache?"),
        _(
            "Every page that used a cached value computes it anew, so the site is slower for a moment and "
            "asks other services again. Nothing that somebody wrote is lost, and nobody is signed out."
        ),
        _("Clear the cache"),
        services.clear_cache,
        is_dangerous=True,
    ),
    "release_job": Action(
        "dedupe",
        ("key", "job"),
        lambda key, job: str(key),
        _("Release this job?"),
        _(
            "Those who wait for it are told that it failed, and the next one may begin it anew. Do this only "
            "when whoever does it hangs: otherwise it may be done twice."
        ),
        _("Release"),
        services.release_job,
        is_dangerous=True,
    ),
    "reset_limit": Action(
        "limits",
        ("limit", "key"),
        lambda limit, key: f"{services.limiter_of(limit).about}: {key}",
        _("Reset this limit?"),
        _(
            "All places are free again at once. Other processes of the server may still refuse until they "
            "would have stopped anyway."
        ),
        _("Reset"),
        services.reset_limit,
    ),
    "recalculate": Action(
        "adaptive",
        ("name",),
        lambda name: services.client_of(name).name,
        _("Calculate the shares anew?"),
        _("People and background jobs get their shares from what happened lately, without waiting 30 s."),
        _("Calculate"),
        services.recalculate,
    ),
    "reset_client": Action(
        "adaptive",
        ("name",),
        lambda name: services.client_of(name).name,
        _("Reset this limit?"),
        _(
            "All places are free again and what happened lately is forgotten. The other service still "
            "counts: it may refuse what goes beyond its own limit."
        ),
        _("Reset"),
        services.reset_client,
        is_dangerous=True,
    ),
}
