"""What every operator command has in common: it succeeds, or it ends with one sentence."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from core.dynamo.errors import DataError, MissingTable

T = TypeVar("T")


class OperatorCommand(BaseCommand):
    """Turns the errors an operator can do something about into one sentence and a failing exit code."""

    # A table must be mendable while a page is broken.
    requires_system_checks = []

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except MissingTable as error:
            raise CommandError("A table is missing: `manage.py tables create` makes it.") from error
        except (DataError, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or 'A file'}: {error.strerror or error}.") from error
        except KeyboardInterrupt as error:
            raise CommandError("Stopped before the end; run it again.", returncode=130) from error

    def report_outcomes(self, done: object, told: Mapping[str, str], *, name_as: str = "{}") -> None:
        """What became of each thing; `told` says it for each list of names that `done` has."""
        found = [(title, words) for name, words in told.items() for title in getattr(done, name)]
        for title, words in found:
            self.stdout.write(f"{name_as.format(title)}: {words}.")
        if not found:
            self.stdout.write("Nothing was due.")


def with_progress(items: Iterable[T], name: str, total: int | None = None) -> Iterable[T]:
    """Show on a terminal how far it is."""
    return tqdm(items, desc=name, total=total, unit=" items", disable=None)
