"""Accounts as a Django app."""

from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "core.accounts"
    verbose_name = "Accounts"

    def ready(self) -> None:
        # It registers its sign-in hook.
        import_module("core.accounts.directory")
