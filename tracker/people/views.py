"""Views of a profile: edit, request the deletion, cancel it. Administrators may open every profile."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts import sessions
from core.accounts.rights import SignedInRequest, requires
from core.crud.confirm_page import ConfirmPage, Question
from core.crud.form_page import ActionPage, FormPage
from tracker.people import services
from tracker.people.forms import ProfileForm
from tracker.people.models import Profile


@requires("tracker.team.view")
class EditProfile(FormPage[ProfileForm]):
    """Edit a profile: the user's own, unless the URL names a person."""

    form_class = ProfileForm
    template = "tracker/people/profile.html"
    success_message = gettext_lazy("Saved.")

    def load(self) -> None:
        self.user_id: str = self.kwargs.get("person") or self.request.user.sub
        self.is_own = self.user_id == self.request.user.sub

    def get_object(self) -> Profile:
        return services.profile_of(self.request.user, self.user_id)

    def initial(self) -> Mapping[str, Any]:
        return ProfileForm.initial_of(self.object)

    def save(self) -> None:
        user, values, seen = self.request.user, self.form.cleaned_data, self.seen_version
        saved = services.edit_profile(user, self.user_id, values, seen_version=seen, once=self.once)
        if self.is_own and saved.name != user.name:
            sessions.rename(self.request, saved.name)

    def context(self) -> Mapping[str, Any]:
        return {"profile": self.object, "is_own": self.is_own}

    def success_url(self) -> str:
        return _address(self.request, self.user_id)


@requires("tracker.team.view")
class DeleteProfile(ConfirmPage):
    success_message = gettext_lazy("The profile will be deleted in 30 days.")

    def question(self) -> Question:
        found = services.profile_of(self.request.user, self.kwargs["person"])
        return Question(
            title=_("Delete the softball profile of %(person)s?") % {"person": found.name},
            text=_(
                "After 30 days the name, address and phone number are removed, also from rosters. "
                "Stats stay there without a name. You can undo this until then. The login to this "
                "site stays."
            ),
            button=_("Delete profile"),
            back=self.success_url(),
            seen_version=found.seen_version,
        )

    def save(self) -> None:
        user, person = self.request.user, self.kwargs["person"]
        services.ask_to_delete(user, person, seen_version=self.seen_version, once=self.once)

    def success_url(self) -> str:
        return _address(self.request, self.kwargs["person"])


@requires("tracker.team.view")
class KeepProfile(ActionPage):
    success_message = gettext_lazy("Profile kept.")

    def save(self) -> None:
        services.keep(self.request.user, self.kwargs["person"], once=self.once)

    def success_url(self) -> str:
        return _address(self.request, self.kwargs["person"])


def _address(request: SignedInRequest, user_id: str) -> str:
    is_own = user_id == request.user.sub
    return reverse("tracker:profile") if is_own else reverse("tracker:person", args=[user_id])
