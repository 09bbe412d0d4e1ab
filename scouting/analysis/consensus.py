"""Merges several reports of one robot in one match into one sighting.

`sightings(forms, game)` returns all robots of the forms, each once per match; `sighting(reports, game)`
returns one of them, for a page that compares its reports.

- Numbers: the mean if a report says exactly that; else the most common number if two reports agree (of
  equally common ones the first); else the mean with the weights 1/z². z is the distance of a report from the
  mean in standard deviations. It is never 0 there, because a report equal to the mean has already decided;
  and as all reports have the same deviation, it cancels out of the weights. Two reports that differ give
  their plain mean.
- Yes or no, and each choice of several: the majority; a tie is a no.
- One choice: the most common one, of equally common ones the first.
- Critical incidents: the union, since a scout can see one, but cannot rule one out.
- Texts: all of them.
- Points: computed from the merged answers. If the points of the game were changed since the reports were
  sent, the stored points count.
- Whether the robot came is decided by majority; the reports of the minority then count only for critical
  incidents.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, TypeVar

from scouting.forms.models import StandForm
from scouting.games.definition import Game, Question, Scores
from scouting.keys import team_order

T = TypeVar("T")


@dataclass(frozen=True)
class Sighting:
    """One robot in one match, merged from all reports about it."""

    team: str
    match: int
    values: dict[str, Any]
    scores: Scores
    rp_earned: float
    win: bool
    defense: bool
    defended_against: bool
    no_show: bool
    criticals: tuple[str, ...]
    reports: tuple[StandForm, ...]


def sightings(forms: Iterable[StandForm], game: Game) -> list[Sighting]:
    """Each robot once per match, sorted by team and match."""
    ordered = sorted(forms, key=lambda form: (team_order(form.team), form.match))
    robots = groupby(ordered, key=lambda form: (form.team, form.match))
    return [sighting(list(reports), game) for _, reports in robots]


def sighting(reports: Sequence[StandForm], game: Game) -> Sighting:
    """The merged reports of one robot in one match; `reports` begins with the main one."""
    ordered = sorted(reports, key=lambda form: form.sk)
    no_show = majority([form.no_show for form in ordered])
    counted = [form for form in ordered if bool(form.no_show) == no_show]
    values = {question.key: agreed(question, counted) for question in game.questions}
    return Sighting(
        team=ordered[0].team,
        match=int(ordered[0].match),
        values=values,
        scores=_scores(counted, values, game),
        rp_earned=agreed_number([form.rp_earned for form in counted]),
        win=majority([form.win for form in counted]),
        defense=majority([form.defense for form in counted]),
        defended_against=majority([form.defended_against for form in counted]),
        no_show=no_show,
        criticals=tuple(dict.fromkeys(critical for form in ordered for critical in form.criticals)),
        reports=tuple(ordered),
    )


def agreed(question: Question, reports: Sequence[StandForm]) -> Any:
    """The merged answer to a question."""
    answers = [_answer(question, form) for form in reports]
    if question.is_number:
        return agreed_number(answers)
    match question.kind:
        case "yes_no":
            return majority(answers)
        case "choice":
            return most_common(answers)
        case "multi":
            return [
                choice.key
                for choice in question.choices
                if majority([choice.key in answer for answer in answers])
            ]
    return "\n".join(dict.fromkeys(filter(None, answers)))


def agreed_number(numbers: Sequence[float]) -> float:
    # A shortcut: nearly every robot has one report, and fractions are slow.
    if len(numbers) == 1:
        return numbers[0]
    exact = [Fraction(number) for number in numbers]
    mean = sum(exact, Fraction()) / len(exact)
    if mean in exact:
        return _plain(mean)
    if len(set(exact)) < len(exact):
        return _plain(most_common(exact))
    weights = [1 / (number - mean) ** 2 for number in exact]
    weighted = sum((weight * number for weight, number in zip(weights, exact, strict=True)), Fraction())
    return _plain(weighted / sum(weights))


def majority(answers: Sequence[Any]) -> bool:
    return 2 * sum(bool(answer) for answer in answers) > len(answers)


def most_common(answers: Sequence[T]) -> T:
    """The most common answer; of equally common ones the first."""
    return Counter(answers).most_common(1)[0][0]


def _answer(question: Question, form: StandForm) -> Any:
    """The answer of a form; empty if it has another type, as when the question had another kind."""
    answer = form.scores.get(question.key)
    fitting = (int, float) if question.is_number else type(question.empty)
    return answer if isinstance(answer, fitting) else question.empty


def _plain(number: Fraction) -> float:
    return int(number) if number.denominator == 1 else float(number)


def _scores(reports: Sequence[StandForm], values: dict[str, Any], game: Game) -> Scores:
    """A single report has its stored points. Those of several are computed from the merged answers,
    or merged like numbers if the points of the game were changed since."""
    sent = [Scores(auto=form.auto_score, tele=form.tele_score) for form in reports]
    if len(sent) == 1:
        return sent[0]
    answers = [{each.key: _answer(each, form) for each in game.questions} for form in reports]
    if sent == [game.score(each) for each in answers]:
        return game.score(values)
    return Scores(
        auto=agreed_number([scores.auto for scores in sent]),
        tele=agreed_number([scores.tele for scores in sent]),
    )
