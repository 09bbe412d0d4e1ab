"""The palette of every page."""

from django import template
from django.utils.crypto import salted_hmac

from accounts.user import User

register = template.Library()


@register.inclusion_tag("crud/palette.html")
def palette(user: User) -> dict[str, str]:
    """What the browser remembers is kept under `owner`: who else uses it sees nothing of it."""
    return {"owner": salted_hmac("crud.palette", user.sub, algorithm="sha256").hexdigest()[:32]}
