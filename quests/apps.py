"""The quest board as a Django app."""

from django.apps import AppConfig


class QuestsConfig(AppConfig):
    name = "quests"
    verbose_name = "Quests"

    def ready(self) -> None:
        # Whoever signs in has an account on the board.
        from quests.services import accounts  # noqa: F401
