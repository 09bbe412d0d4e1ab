"""What others than the screens read of forms: pages of whole forms, by event, team or scout."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.accounts.rights import ensure, may
from core.accounts.user import User
from core.dynamo.errors import Invalid, NotFound
from core.dynamo.paging import Page, StartKey
from scouting import keys
from scouting.forms.services import KINDS


@dataclass(frozen=True)
class FormFilter:
    """Which forms: those of an event or of a team or both, else those that the user sent."""

    event: str = ""
    team: str = ""
    is_own: bool = False

    def __post_init__(self) -> None:
        if self.is_own == bool(self.event or self.team):
            raise Invalid(_("Say which forms: of an event, of a team, or your own."))


def forms_page(
    user: User,
    kind: str,
    wanted: FormFilter,
    *,
    limit: int,
    start: StartKey | None = None,
    fields: tuple[str, ...] = (),
    strong: bool = False,
) -> Page[Any]:
    """A page of whole forms, or of these attributes: one request, or two where only an index lists them.

    Forms of an event are sorted by team and match, all others newest first. Only leads see those of others.
    """
    if not wanted.is_own:
        ensure(user, "scouting.form.view")
    read = _in_table(kind, wanted)
    if read is not None:
        return read(limit=limit, start=start, fields=fields, strong=strong)
    page = _in_index(user, kind, wanted)(limit=limit, start=start, newest_first=True)
    reread: Page[Any] = KINDS[kind].reread(page, strong=strong, fields=fields)
    return reread


def form_at(user: User, kind: str, key: str, *, fields: tuple[str, ...] = (), strong: bool = False) -> Any:
    """A form, or these attributes of it; NotFound also if the user may not view it."""
    needed = ("pk", "sk", *fields, "scout_id", "version") if fields else ()
    form = KINDS[kind].get(key, fields=needed, strong=strong)
    if not may(user, "scouting.form.view", form):
        raise NotFound
    return form


def _in_table(kind: str, wanted: FormFilter) -> Callable[..., Page[Any]] | None:
    """The access pattern of the table itself, if it serves the filter."""
    page = KINDS[kind].page
    if not wanted.event or (kind == "comment" and not wanted.team):
        return None
    event, team = keys.of_event(wanted.event), keys.of_team(wanted.team)
    if kind == "comment":
        return partial(page, f"{event}#{team}", newest_first=True)
    if not wanted.team:
        return partial(page, event)
    # The prefix of stand forms ends with #, so that team 20 does not match 2053; a pit form has no more key.
    return (
        partial(page, event, prefix=f"{team}#")
        if kind == "stand"
        else partial(page, event, at_least=team, at_most=team)
    )


def _in_index(user: User, kind: str, wanted: FormFilter) -> Callable[..., Page[Any]]:
    page = KINDS[kind].page
    if wanted.is_own:
        return partial(page, user.sub, index="ScoutIndex")
    if wanted.event:
        return partial(page, wanted.event, index="EventIndex")
    return partial(page, keys.of_team(wanted.team), index="GSI1")
