"""CSV reports of the quests: one line per category, or per quest of a category."""

from collections import Counter
from collections.abc import Iterator

from django.http import StreamingHttpResponse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud.export import MOST_ROWS, Line, csv_parts
from core.crud.http import csv_file
from core.dynamo.deadline import request_deadline
from core.dynamo.paging import MOST, StartKey
from quests import presenters, queries, repository, rules
from quests.models import COMPLETE, Quest


@requires("quests.quest.decide")
@require_safe
def report(request: SignedInRequest) -> StreamingHttpResponse:
    """One line for each category; with `?category=`, one line for each quest of that one."""
    category = request.GET.get("category", "")
    if category in rules.CATEGORIES:
        headings = [
            *(_("Category"), _("Title"), _("Status"), _("Offered by"), _("Claimed by"), _("XP")),
            *(_("Reputation"), _("Offered"), _("Completed")),
        ]
        return csv_file(f"quests-{category}", csv_parts(headings, _quest_lines(category)))
    headings = [
        _("Category"),
        *map(str, rules.STATUSES.values()),
        *(_("All"), _("Completed (%)"), _("XP of completed quests")),
    ]
    return csv_file("quests-categories", csv_parts(headings, _category_lines()))


def _category_lines() -> Iterator[Line]:
    counts: Counter[tuple[str, str]] = Counter()
    completed_xp: Counter[str] = Counter()
    for quests in _pages():
        for quest in quests:
            counts[quest.category, quest.current_status] += 1
            completed_xp[quest.category] += int(quest.reward_xp) if quest.status == COMPLETE else 0
    for category, title in rules.CATEGORIES.items():
        numbers = [counts[category, status] for status in rules.STATUSES]
        percentage = round(100 * counts[category, COMPLETE] / sum(numbers)) if sum(numbers) else None
        yield [str(title), *numbers, sum(numbers), percentage, completed_xp[category]]
    if counts.total() >= MOST_ROWS:
        yield [_truncation_note()]


def _quest_lines(category: str) -> Iterator[Line]:
    read_count = 0
    for quests in _pages():
        read_count += len(quests)
        of_category = [quest for quest in quests if quest.category == category]
        with request_deadline():
            people = queries.participants_of(of_category)
        for quest in of_category:
            yield [
                str(presenters.category_of(quest)),
                quest.title,
                str(presenters.badge_of(quest)),
                people.name(quest.creator_id),
                people.name(quest.performer_id) if quest.performer_id else None,
                int(quest.reward_xp),
                int(quest.reward_reputation),
                localtime(quest.created_at),
                localtime(quest.completed_at) if quest.completed_at else None,
            ]
    if read_count >= MOST_ROWS:
        yield [_truncation_note()]


def _truncation_note() -> str:
    return _("This file has only the first %(most)s quests.") % {"most": f"{MOST_ROWS:,}"}


def _pages() -> Iterator[list[Quest]]:
    """The quests of every status, page by page, up to MOST_ROWS; each page has its own request budget."""
    left = MOST_ROWS
    for status in rules.STATUSES:
        start: StartKey | None = None
        while left > 0:
            with request_deadline():
                page = repository.quests.with_status(status, limit=min(MOST, left), start=start)
            yield list(page.items)
            left -= len(page.items)
            start = page.next_key
            if start is None:
                break
