"""What other apps do when somebody signs in: create the quest account, the tracker profile."""

import logging
from collections.abc import Callable

from accounts.user import User

log = logging.getLogger(__name__)
Hook = Callable[[User], None]
_hooks: list[Hook] = []


def on_sign_in(hook: Hook) -> Hook:
    """Register a function that is called at every sign-in; it must do nothing the second time."""
    _hooks.append(hook)
    return hook


def signed_in(user: User) -> None:
    """A hook that fails must not keep the person out: it is tried again at the next sign-in."""
    for hook in _hooks:
        try:
            hook(user)
        except Exception:
            log.exception("A sign-in hook failed: %s", hook.__qualname__)
