"""A run over many records, each in a write of its own."""

from collections.abc import Callable
from dataclasses import dataclass, field

from core.dynamo.errors import Conflict, DataError, NotFound, Unavailable


@dataclass
class Outcomes:
    """Names of records by what was (or would be) done; subclasses add the lists of what they do."""

    # Somebody changed them meanwhile: they are left to the next run.
    overtaken: list[str] = field(default_factory=list)
    # They could not be changed; with the reason.
    refused: list[str] = field(default_factory=list)

    def carry_out(self, step: Callable[[], None], name: str, done: list[str], *, is_dry_run: bool) -> None:
        """Take a step for one record and list its name in `done`; its failure does not stop the others."""
        if not is_dry_run:
            try:
                step()
            except Unavailable:
                raise
            except (Conflict, NotFound):
                done = self.overtaken
            except DataError as error:
                self.refused.append(f"{name}: {error}")
                return
        done.append(name)
