"""What the first page says about softball: the invitations that somebody has not answered."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.user import User
from crud import waiting
from crud.listing import Badge
from crud.waiting import Task
from tracker.services import invitations


# One request, and another for the names of the teams; so the first page asks for it right after itself.
@waiting.waiting(requests=2)
def to_answer(user: User) -> Iterator[Task]:
    for each in invitations.waiting_for(user):
        yield Task(
            title=_("Join “%(team)s”, or say no") % {"team": each.team.name},
            address=reverse("tracker:invitation-waiting", args=[each.team.id, each.invitation.id]),
            kind=gettext_lazy("invitation"),
            at=each.invitation.created_at,
            badge=Badge("waiting", gettext_lazy("Waits for you")),
        )
