"""Access tokens: the own ones, a new one that is shown once, and revoking."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables

from core.accounts.personal_tokens import services
from core.accounts.personal_tokens.services import WRITE, Made
from core.accounts.rights import requires
from core.club import queries as club
from core.crud.form_page import ActionPage, FormPage
from core.dynamo.errors import NotFound, Text
from core.people.tokens.forms import TokenForm


@requires("accounts.token.update")
class Tokens(FormPage[TokenForm]):
    """The page answers a new token in place: no other page may ever show it."""

    form_class = TokenForm
    template = "core/people/tokens.html"
    made: Made | None = None

    @sensitive_variables()
    def save(self) -> None:
        values = self.form.cleaned_data
        self.made = services.make(
            self.request.user, values["name"], self.form.scopes, values["days"], once=self.once
        )

    def context(self) -> Mapping[str, Any]:
        tokens = services.listed(self.request.user)
        if self.made and self.made.token.pk not in {token.pk for token in tokens}:
            # The index lags.
            tokens.insert(0, self.made.token)
        return {
            "tokens": [{"token": token, "may": _in_words(token.scopes)} for token in tokens],
            "made": self.made,
            "was_made_before": self.is_replay,
        }

    def done(self) -> HttpResponse:
        self.form = self.blank_form()
        return self.show()


@requires("accounts.token.update")
class RevokeToken(ActionPage):
    success_message = _("Token revoked.")
    toast_errors = (NotFound,)

    def save(self) -> None:
        services.revoke(self.request.user, self.kwargs["digest"])

    def success_url(self) -> str:
        return reverse("accounts:tokens")


def _in_words(scopes: list[str]) -> list[tuple[Text, Text]]:
    """What a token may do, by domain."""
    found: list[tuple[Text, Text]] = []
    for domain, title in club.current().domains.items():
        if any(scope.startswith(f"{domain}:") for scope in scopes):
            writes = f"{domain}:{WRITE}" in scopes
            found.append((title, _("read and write") if writes else _("read")))
    return found
