"""Tasks of administrators on Home: guests who are not members yet."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.accounts.user import GUEST, User
from core.crud.home import Task, home_source
from core.crud.listing import Badge

GUESTS = gettext_lazy("guest")
TO_MAKE_MEMBER = Badge("waiting", gettext_lazy("Waiting to become a member"))


@home_source("accounts.user.update", requests=0, at_once=False)
def guests(_user: User) -> Iterator[Task]:
    """One task: a single guest by name, or the number of guests, because some stay guests for long."""
    # Imported here, because it loads boto3.
    from core.accounts import cognito

    try:
        accounts, _has_more = cognito.in_group(GUEST)
    except cognito.AccountsUnavailable:
        # Already logged; the other tasks are shown without this one.
        return
    found = [account for account in accounts if account.enabled]
    match found:
        case []:
            return
        case [account]:
            title, address = account.name, reverse("accounts:person", args=[account.sub])
        case _:
            title = ngettext("%d guest", "%d guests", len(found)) % len(found)
            address = reverse("accounts:people")
    yield Task(title, address, GUESTS, found[0].created_at, TO_MAKE_MEMBER, _("Decide"))
