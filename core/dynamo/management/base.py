"""Base class of operator commands: an error ends them with one sentence and an exit code."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from core.dynamo.errors import DataError, MissingTable

T = TypeVar("T")


class OperatorCommand(BaseCommand):
    """Raises `CommandError` with one sentence for errors that an operator can do something about."""

    # Tables must be repairable while a system check fails.
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

    def report_outcomes(self, done: object, outcomes: Mapping[str, str], *, name_as: str = "{}") -> None:
        """Print a line for each title in the lists of `done`; `outcomes` has the words for each list."""
        lines = [(title, words) for name, words in outcomes.items() for title in getattr(done, name)]
        for title, words in lines:
            self.stdout.write(f"{name_as.format(title)}: {words}.")
        if not lines:
            self.stdout.write("Nothing was due.")


class ActionsCommand(OperatorCommand):
    """A command with an argument `action`: the method of that name, such as `do_create`, gets the options."""

    def handle(self, *_args: Any, action: str, **options: Any) -> None:
        getattr(self, f"do_{action}")(**options)


def with_progress(items: Iterable[T], name: str, total: int | None = None) -> Iterable[T]:
    """A progress bar, on a terminal only."""
    return tqdm(items, desc=name, total=total, unit=" items", disable=None)
