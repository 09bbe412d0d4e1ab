"""Report of an import: counts of outcomes, problems and notes."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from cms.payload.document import Document

Outcome = Literal["imported", "there already", "left out", "refused", "missing"]
OUTCOMES: tuple[Outcome, ...] = ("imported", "there already", "left out", "refused", "missing")
BAD: tuple[Outcome, ...] = ("refused", "missing")


@dataclass
class Report:
    """`problems` need action, `notes` do not. For a dry run the counts say what would be done."""

    is_dry_run: bool = False
    outcomes: dict[str, Counter[Outcome]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    verified: list[str] = field(default_factory=list)

    def count(self, document: Document, outcome: Outcome, why: str = "") -> None:
        """Count the outcome of a document and take over its notes."""
        self.outcomes.setdefault(document.collection, Counter())[outcome] += 1
        if outcome in BAD:
            self.problems.append(line_about(document, f"{outcome}{f': {why}' if why else ''}"))
        elif why:
            self.notes.append(line_about(document, f"{outcome}: {why}"))
        for note in document.notes:
            self.notes.append(line_about(document, note))

    def lines(self) -> Iterator[str]:
        if self.is_dry_run:
            yield "Dry run: nothing was written. “imported” is what would be."
        yield from self._table()
        for title, entries in (
            ("Verification", self.verified),
            (f"Problems ({len(self.problems)})", self.problems),
            (f"Notes ({len(self.notes)})", self.notes),
        ):
            if entries:
                yield from ("", title, *(f"- {entry}" for entry in entries))

    def _table(self) -> Iterator[str]:
        width = max((len(name) for name in self.outcomes), default=0) + 2
        yield "".ljust(width) + "".join(outcome.rjust(15) for outcome in OUTCOMES)
        for collection, counts in self.outcomes.items():
            yield collection.ljust(width) + "".join(str(counts[outcome]).rjust(15) for outcome in OUTCOMES)


def line_about(document: Document, text: str) -> str:
    label = f" “{document.label}”" if document.label else ""
    return f"{document.collection} {document.key}{label}: {text}"
