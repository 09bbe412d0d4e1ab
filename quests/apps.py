"""The quest board as a Django app."""

from django.apps import AppConfig


class QuestsConfig(AppConfig):
    name = "quests"
    verbose_name = "Quests"

    def ready(self) -> None:
        # Whoever signs in has an account on the board, and `manage.py media check` knows its photos.
        from quests import photos  # noqa: F401
        from quests.services import accounts  # noqa: F401
