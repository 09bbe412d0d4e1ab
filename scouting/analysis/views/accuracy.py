"""The pages about scouts, and the lists of all stand forms and comments of an event."""

import re
from collections.abc import Callable
from functools import lru_cache

from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import small_number
from core.crud.sheets import Cell, Heading, Sheet, numbers, words
from core.dynamo.errors import Invalid
from scouting import keys
from scouting.analysis import pages, queries, statistics
from scouting.analysis.queries import Reading
from scouting.cells import answers, cells, moment, question_title, yes_no
from scouting.forms.models import StandForm
from scouting.forms.repository import comment_forms

MATCH = re.compile(r"match\s*(\d+)")


@requires("scouting.analysis.view")
@require_safe
@pages.at_event
def scouts(request: SignedInRequest, key: str) -> HttpResponseBase:
    """The scouts with their number of forms and their accuracy."""
    read = queries.at(key, with_pits=True)
    comments = comment_forms.at(read.event.key)
    judged = {each.scout.id: each for each in statistics.accuracy(read.event.matches, read.sightings)}
    rows = []
    for each in statistics.leaderboard([*read.forms, *read.pits.values(), *comments]):
        found = judged.get(each.scout.id)
        values = (found.judged, found.mean_error, found.bias) if found else (0, None, None)
        rows.append(cells(each.scout.name, each.forms, *values))
    titles = words(_("Scout")) + numbers(
        _("Forms"), _("Alliances judged"), _("Mean error"), _("Too much (+) or too little (-)")
    )
    remark = _(
        "The error compares three robots of an alliance together with its official score without fouls. "
        "A score that was typed cannot be told from its fouls, so it judges nobody."
    )
    return pages.sheet(
        request, "scouts", read, Sheet("scouts", _("Scouts"), titles, rows), remark=remark if rows else ""
    )


@requires("scouting.analysis.view")
@require_safe
@pages.at_event
def forms(request: SignedInRequest, key: str) -> HttpResponseBase:
    """All stand forms of the event, by team and match."""
    read = queries.at(key)
    text = request.GET.get("q", "").strip()
    fits = _search(read, text)
    found = [form for form in read.forms if fits(form)]
    rows = _rows(read)
    titles = [
        *pages.team_headings(),
        *numbers(_("Match"), _("Auto"), _("Tele"), _("Total"), _("RP")),
        *words(_("Won"), _("Incidents"), _("Scout")),
    ]
    return pages.sheet(
        request,
        "event-forms",
        read,
        Sheet("forms", _("Forms"), titles, [rows[form.sk] for form in found]),
        in_file=lambda: _answers(read, titles, found),
        searched=text,
    )


@requires("scouting.analysis.view")
@require_safe
@pages.at_event
def comments(request: SignedInRequest, key: str) -> HttpResponseBase:
    """All comments of the event, newest first."""
    read = queries.at(key, with_forms=False)
    rows = [
        [
            *pages.team_cells(read, comment.team),
            *cells(comment.comments, comment.scout_name, moment(comment.created_at)),
        ]
        for comment in comment_forms.at(read.event.key)
    ]
    titles = [*pages.team_headings(), *words(_("Comment"), _("Scout"), _("Sent"))]
    return pages.sheet(request, "comments", read, Sheet("comments", _("Comments"), titles, rows))


def _search(read: Reading, text: str) -> Callable[[StandForm], bool]:
    """A filter: a number is a team, "match 7" a match, other text a part of the name of a team or scout."""
    asked = MATCH.fullmatch(text.casefold().replace(_("match").casefold(), "match"))
    if asked:
        number = small_number(asked[1])
        return lambda form: form.match == number
    try:
        team = keys.team_key(text)
        return lambda form: form.team == team
    except Invalid:
        part = text.casefold()
        names = {team: read.event.team(team).name.casefold() for team in read.seen}
        return lambda form: part in names[form.team] or part in form.scout_name.casefold()


@lru_cache(maxsize=4)
def _rows(read: Reading) -> dict[str, list[Cell]]:
    """The row of each form, by its sort key. The language is part of the reading, so of the cache key."""
    return {form.sk: _row(read, form) for form in read.forms}


def _row(read: Reading, form: StandForm) -> list[Cell]:
    values = (
        int(form.match),
        form.auto_score,
        form.tele_score,
        form.total_score,
        form.rp_earned,
        yes_no(form.win),
        ", ".join(form.criticals),
        form.scout_name,
    )
    label = _("%(team)s in match %(match)d") % {"team": form.team, "match": form.match}
    return [*pages.team_cells(read, form.team, pages.form_address(form), label), *cells(*values)]


def _answers(read: Reading, titles: list[Heading], forms: list[StandForm]) -> Sheet:
    """The forms with all answers for the file: one column for each question, and the texts."""
    questions, rows = read.game.questions, _rows(read)
    more = words(
        *map(question_title, questions),
        _("Did not come"),
        _("Played defence"),
        _("Was defended against"),
        _("Overall strategy"),
        _("Extra comments"),
        _("Sent"),
        _("Id"),
    )
    lines = [
        [
            *rows[form.sk],
            *answers(questions, form.scores),
            *cells(
                yes_no(form.no_show),
                yes_no(form.defense),
                yes_no(form.defended_against),
                form.strategy,
                form.comments,
                moment(form.created_at),
                form.id,
            ),
        ]
        for form in forms
    ]
    return Sheet("forms", _("Forms"), [*titles, *more], lines)
