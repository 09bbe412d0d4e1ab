"""The demo accounts in the directory, as if each had signed in once."""

from django.conf import settings

from accounts import cognito, directory
from config.engines.cast import CAST
from dynamo.actors import SYSTEM


def load() -> None:
    # The demo accounts exist in a local user pool only.
    if settings.COGNITO_ENDPOINT is None:
        return
    for person in CAST:
        for account in cognito.find(person.email).accounts:
            directory.enter(account.sub, name=account.name, email=account.email, actor=SYSTEM)
