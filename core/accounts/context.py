"""Template context processor for the user."""

from django.http import HttpRequest

from core.accounts.user import User


def person(request: HttpRequest) -> dict[str, User | None]:
    user = getattr(request, "user", None)
    return {"person": user if isinstance(user, User) else None}
