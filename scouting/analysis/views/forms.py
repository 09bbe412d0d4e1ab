"""The pages about scouts and what they sent: all forms and comments of an event, and reports of one robot."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from core.accounts.rights import SignedInRequest, requires
from core.common.http import small_number
from core.crud.sheets import Cell, Heading, Sheet, numbers, text_columns
from core.dynamo.errors import Invalid, NotFound
from scouting import keys
from scouting.analysis import consensus, pages, queries
from scouting.analysis.consensus import Sighting
from scouting.analysis.queries import Reading
from scouting.analysis.statistics.scouts import accuracy, leaderboard
from scouting.cells import Value, answer, answers, cell, cells, compared, moment, question_title, yes_no
from scouting.events.repository import event_infos
from scouting.forms.models import StandForm
from scouting.forms.repository import comment_forms, stand_forms
from scouting.forms.services import game_of

MATCH = re.compile(r"match\s*(\d+)")


@requires("scouting.analysis.view")
@pages.at_event
def scouts(request: SignedInRequest, key: str) -> HttpResponseBase:
    """The scouts with their number of forms and their accuracy."""
    read = queries.at(key, with_pits=True)
    comments = comment_forms.at(read.event.key)
    judged = {each.scout.id: each for each in accuracy(read.event.matches, read.sightings)}
    rows = []
    for each in leaderboard([*read.forms, *read.pits.values(), *comments]):
        found = judged.get(each.scout.id)
        values = (found.judged, found.mean_error, found.bias) if found else (0, None, None)
        rows.append(cells(each.scout.name, each.forms, *values))
    titles = text_columns(_("Scout")) + numbers(
        _("Forms"), _("Alliances rated"), _("Mean error"), _("Too much (+) or too little (-)")
    )
    remark = _(
        "The error compares the three robots of an alliance with its official score without fouls. "
        "Manually entered scores include fouls, so they are not used."
    )
    return pages.sheet(
        request, "scouts", read, Sheet("scouts", _("Scouts"), titles, rows), remark=remark if rows else ""
    )


@requires("scouting.analysis.view")
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
        *numbers(pgettext("scouting", "Match"), _("Auto"), _("Teleop"), _("Total"), _("RP")),
        *text_columns(_("Won"), _("Incidents"), _("Scout")),
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
    titles = [*pages.team_headings(), *text_columns(_("Comment"), _("Scout"), _("Sent"))]
    return pages.sheet(request, "comments", read, Sheet("comments", _("Comments"), titles, rows))


def _search(read: Reading, text: str) -> Callable[[StandForm], bool]:
    """A filter: a number is a team, "match 7" a match, other text a part of the name of a team or scout."""
    named = MATCH.fullmatch(text.casefold().replace(_("match").casefold(), "match"))
    if named:
        number = small_number(named[1])
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
    more = text_columns(
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


@requires("scouting.analysis.view")
@pages.at_event
def reports(request: SignedInRequest, key: str, team: str, match: str) -> HttpResponseBase:
    """One column for each report; the last one is the merged result that the analysis uses."""
    team, number = keys.in_address(keys.team_key, team), small_number(match)
    sent = stand_forms.of_robot(key, team, number)
    if not sent:
        raise NotFound
    read = Reading(event_infos.read(key), game_of(key, sent))
    merged = consensus.sighting(sent, read.game)
    titles = text_columns(_("Question"), *(form.scout_name or "?" for form in merged.reports), _("Agreed"))
    rows = [
        [*compared(label, reported), cell(agreed)] for label, (*reported, agreed) in _compared(merged, read)
    ]
    heading = _("%(team)s in match %(match)d") % {"team": team, "match": number}
    return pages.sheet(
        request,
        "analysis",
        read,
        Sheet("reports", heading, titles, rows),
        heading=heading,
        links=[(form, pages.form_address(form)) for form in merged.reports],
    )


def _compared(merged: Sighting, read: Reading) -> Iterator[tuple[str, list[Value]]]:
    """The rows that every game has, and one for each question: what each report says, then the result."""
    each: tuple[StandForm | Sighting, ...] = (*merged.reports, merged)
    yield pgettext("scouting", "Score"), [*(form.total_score for form in merged.reports), merged.scores.total]
    yield _("Ranking points"), [one.rp_earned for one in each]
    yield _("The robot did not come"), [yes_no(one.no_show) for one in each]
    yield _("Its alliance won"), [yes_no(one.win) for one in each]
    yield _("It played defence"), [yes_no(one.defense) for one in each]
    yield _("It was defended against"), [yes_no(one.defended_against) for one in each]
    yield _("Incidents"), [", ".join(one.criticals) for one in each]
    for question in read.game.questions:
        answers = [*(form.scores or {} for form in merged.reports), merged.values]
        yield question_title(question), [answer(question, one.get(question.key)) for one in answers]
