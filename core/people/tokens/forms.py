"""The form of a new access token."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.accounts.personal_tokens.services import DAYS, READ, WRITE
from core.club import queries as club
from core.crud.forms import RefusableForm

LONGEST_NAME = 60
NOTHING = "none"
ACCESS = ((NOTHING, _("Nothing")), (READ, _("Read")), (WRITE, _("Read and write")))


class TokenForm(RefusableForm):
    name = forms.CharField(
        label=_("Purpose"),
        max_length=LONGEST_NAME,
        help_text=_("For example the name of the app or spreadsheet."),
    )
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        coerce=int,
        choices=lambda: [(days, gettext("%(days)d days") % {"days": days}) for days in DAYS],
        initial=DAYS[1],
    )

    def __init__(self, *data: Any, **options: Any) -> None:
        super().__init__(*data, **options)
        self.domains = club.current().domains
        for domain, title in self.domains.items():
            self.fields[domain] = forms.ChoiceField(label=str(title), choices=ACCESS, initial=NOTHING)
        self.order_fields(["name", *self.domains, "days"])

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if all(cleaned.get(domain) == NOTHING for domain in self.domains):
            self.add_error(next(iter(self.domains), None), _("Choose at least one permission."))
        return cleaned

    @property
    def scopes(self) -> set[str]:
        """Whoever may write may read as well."""
        chosen = {domain: self.cleaned_data[domain] for domain in self.domains}
        reads = {f"{domain}:{READ}" for domain, access in chosen.items() if access != NOTHING}
        return reads | {f"{domain}:{WRITE}" for domain, access in chosen.items() if access == WRITE}
