"""The screens of user administration."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.accounts.cognito import Account, AccountList, ListPosition
from core.accounts.rights import SignedInRequest, may, requires
from core.common.http import is_htmx
from core.crud.confirm_page import ConfirmPage, Question
from core.crud.form_page import F, FormPage
from core.crud.forms import RefusableForm
from core.crud.http import page_or_partial
from core.crud.listing import ListBar, searched
from core.dynamo.errors import Conflict, DataError, InvalidToken, Text
from core.dynamo.paging import read_token, sign
from core.people import services
from core.people.forms import GROUP_TITLES, GroupsForm, InviteForm
from core.people.profile import groups_of, links_of
from core.people.services import Done
from core.stores.idempotency import idempotent
from core.stores.lock import AlreadyLocked

STATES: dict[str, Text] = {
    "active": _("Active"),
    "invited": _("Invited"),
    "disabled": _("Disabled"),
    "reset": _("Must reset password"),
}
VERBS: dict[str, Text] = {
    "invite": _("invited this person"),
    "invite_again": _("resent the invitation"),
    "groups": _("changed the groups"),
    "make_member": _("made this guest a member"),
    "disable": _("disabled the account"),
    "enable": _("enabled the account"),
    "reset_password": _("reset the password"),
    "sign_out_everywhere": _("signed this person out everywhere"),
}


@requires("home.page.view")
@require_safe
def profile(request: SignedInRequest) -> HttpResponse:
    """The user's own page: who they are here, and where each of it is changed."""
    links = links_of(request.user)
    context = {
        "links": links,
        "name_link": next((link for link in links if link.has_name), None),
        "groups": list(groups_of(request.user)),
        "is_administrator": may(request.user, "accounts.user.update"),
    }
    return render(request, "core/people/profile.html", context)


@requires("accounts.user.view")
@require_safe
def people(request: SignedInRequest) -> HttpResponse:
    text = searched(request.GET.get("q", ""))
    bound_to = (request.user.sub, "accounts:people", text)
    place = _place(request.GET.get("after"), bound_to)
    found = services.find(request.user, text, place)
    context: dict[str, Any] = {
        "people": [_shown(account, request) for account in found.accounts],
        "next_token": _token(found, bound_to),
        "is_first_page": place is None,
    }
    note = SafeString()
    if not (text or place or is_htmx(request)):
        guests = services.guests(request.user)
        context["guests"] = [each._asdict() | {"state": STATES[each.account.state]} for each in guests.listed]
        context["guests_found"] = told = _how_many_guests(guests)
        if guests.listed:
            note = format_html('<a id="to-guests" href="#guests">{}</a>', told)
    context["bar"] = ListBar(
        address=reverse("accounts:people"),
        found=_how_many(found, is_first_page=place is None),
        text=text,
        search_label=_("Name or e-mail address"),
        note=note,
    )
    return page_or_partial(request, "core/people/people.html", "more" if place else "results", context)


@requires("accounts.user.view")
@require_safe
def person(request: SignedInRequest, sub: str) -> HttpResponse:
    account = services.read(request.user, sub)
    return _person_page(request, account, _groups_form(request, account))


class AccountPage(FormPage[F]):
    """Leads to the person, and names the follow-ups that failed."""

    saved: Done

    def done(self) -> HttpResponse:
        if not self.saved.problems:
            messages.success(self.request, str(self.success_message))
        for problem in self.saved.problems:
            messages.warning(self.request, str(problem))
        return redirect("accounts:person", sub=self.saved.sub)


@requires("accounts.user.update")
@method_decorator(idempotent, name="dispatch")
class ChangeGroups(AccountPage[GroupsForm]):
    http_method_names = ["post"]
    form_class = GroupsForm
    success_message = _("Groups saved.")

    def load(self) -> None:
        self.account = services.read(self.request.user, self.kwargs["sub"])

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"is_own": self.account.sub == self.request.user.sub}

    def save(self) -> None:
        self.saved = services.change_groups(self.request.user, self.account.sub, **self.form.cleaned_data)

    def refuse(self, error: DataError) -> HttpResponse:
        if isinstance(error, AlreadyLocked) or not isinstance(error, Conflict):
            return super().refuse(error)
        # The form shows the current groups, which become `seen` of the next save.
        self.load()
        self.form = _groups_form(self.request, self.account)
        messages.error(self.request, str(error))
        return self.show_error(error)

    def show(self, status: int = 200) -> HttpResponse:
        return _person_page(self.request, self.account, self.form, status=status)


@requires("accounts.user.invite")
@method_decorator(idempotent, name="dispatch")
class Invite(AccountPage[InviteForm]):
    form_class = InviteForm
    template = "core/people/invite.html"
    success_message = _("Invitation sent.")

    def save(self) -> None:
        site = _site(self.request)
        self.saved = services.invite(self.request.user, **self.form.cleaned_data, site=site)


@method_decorator(idempotent, name="dispatch")
class PersonAction(AccountPage[RefusableForm], ConfirmPage):
    """Confirms and runs one action on an account."""

    # Lists of actions for templates have the classes themselves.
    do_not_call_in_templates = True
    verb: ClassVar[str]
    change: ClassVar[Callable[..., Done]]
    sends_mail = False

    def save(self) -> None:
        site = {"site": _site(self.request)} if self.sends_mail else {}
        self.saved = self.change(self.request.user, self.kwargs["sub"], **site)

    def question(self) -> Question:
        account = services.read(self.request.user, self.kwargs["sub"])
        trail = [(_("People"), reverse("accounts:people"))]
        subject, detail = account.name, account.email
        return self.declared_question(subject=subject, detail=detail, back_title=subject, trail=trail)

    def success_url(self) -> str:
        return reverse("accounts:person", args=[self.kwargs["sub"]])


@requires("accounts.user.update")
class MakeMember(PersonAction):
    verb = "make_member"
    title = button = _("Make a member")
    text = _(
        "They can then see the calendar, the bus and the quest board, and take part in quests. They "
        "are signed out now and become a member when they sign in again."
    )
    success_message = _("The guest is a member now.")
    change = staticmethod(services.make_member)


@requires("accounts.user.invite")
class InviteAgain(PersonAction):
    verb = "invite_again"
    title = _("Resend the invitation")
    text = _("They get a new temporary password by e-mail. The old one stops working.")
    button = _("Send invitation")
    success_message = _("Invitation resent.")
    change = staticmethod(services.invite_again)
    sends_mail = True


@requires("accounts.user.update")
class ResetPassword(PersonAction):
    verb = "reset_password"
    title = _("Reset the password")
    text = _(
        "Their password stops working immediately and they are signed out everywhere. They get a "
        "temporary password by e-mail and appear as invited until they use it."
    )
    button = _("Reset password")
    success_message = _("Password reset. A temporary password is on its way by e-mail.")
    change = staticmethod(services.reset_password)
    sends_mail = True


@requires("accounts.user.update")
class SignOutEverywhere(PersonAction):
    verb = "sign_out_everywhere"
    title = button = _("Sign out everywhere")
    text = _(
        "They have to sign in again on every device. Anything they were typing is kept until then. "
        "Their personal access tokens are revoked."
    )
    success_message = _("Signed out everywhere.")
    change = staticmethod(services.sign_out_everywhere)


@requires("accounts.user.update")
class Disable(PersonAction):
    verb = "disable"
    title = _("Disable the account")
    text = _(
        "They are signed out everywhere and cannot sign in until you enable the account. Nothing is deleted."
    )
    button = _("Disable account")
    is_dangerous = True
    success_message = _("Account disabled and signed out everywhere.")
    change = staticmethod(services.disable)


@requires("accounts.user.update")
class Enable(PersonAction):
    verb = "enable"
    title = _("Enable the account")
    text = _("They can sign in again with their own password and have the same groups as before.")
    button = _("Enable account")
    success_message = _("Account enabled.")
    change = staticmethod(services.enable)


# The actions by state of the account, in the order of their buttons.
ACTIONS: dict[str, list[type[PersonAction]]] = {
    "active": [ResetPassword, SignOutEverywhere, Disable],
    "invited": [InviteAgain, Disable],
    "disabled": [Enable],
    "reset": [ResetPassword, SignOutEverywhere, Disable],
}


def _person_page(
    request: SignedInRequest, account: Account, form: GroupsForm, *, status: int = 200
) -> HttpResponse:
    is_own = account.sub == request.user.sub
    offered = [MakeMember] * account.is_guest + ACTIONS[account.state]
    changes = services.changes(request.user, account)
    context = {
        "shown": _shown(account, request),
        "form": form,
        "actions": [action for action in offered if not (is_own and action is Disable)],
        "changes": [
            change._replace(
                verb=str(VERBS.get(change.verb, change.verb)),
                given=[str(GROUP_TITLES[group]) for group in change.given],
                taken=[str(GROUP_TITLES[group]) for group in change.taken],
            )
            for change in changes
        ],
        "shown_changes": services.SHOWN_CHANGES,
    }
    return render(request, "core/people/person.html", context, status=status)


def _groups_form(request: SignedInRequest, account: Account) -> GroupsForm:
    initial = {"groups": list(account.groups), "seen": ",".join(account.groups)}
    return GroupsForm(initial=initial, is_own=account.sub == request.user.sub)


def _shown(account: Account, request: SignedInRequest) -> dict[str, Any]:
    return {
        "account": account,
        "state": STATES[account.state],
        "groups": [GROUP_TITLES[group] for group in account.groups],
        "is_own": account.sub == request.user.sub,
    }


def _place(token: str | None, bound_to: tuple[object, ...]) -> ListPosition | None:
    start = read_token(token, *bound_to)
    if start is None:
        return None
    try:
        return ListPosition(**start["place"])
    except (KeyError, TypeError) as error:
        raise InvalidToken from error


def _token(found: AccountList, bound_to: tuple[object, ...]) -> str | None:
    if found.next_place is None:
        return None
    return sign({"place": found.next_place._asdict()}, *bound_to)


def _how_many(found: AccountList, *, is_first_page: bool) -> str:
    """The number of people on this page; Cognito has no total."""
    count = len(found.accounts)
    if not count:
        return gettext("No people found")
    if found.next_place or not is_first_page:
        return ngettext("%d person shown", "%d people shown", count) % count
    return ngettext("%d person", "%d people", count) % count


def _how_many_guests(guests: services.Guests) -> str:
    count, waiting = len(guests.listed), guests.not_signed_in
    if guests.has_more:
        text = gettext("More than %d guests") % count
    else:
        text = ngettext("%d guest", "%d guests", count) % count
    if not waiting:
        return text
    of_them = ngettext("%d has not signed in yet", "%d have not signed in yet", waiting)
    return f"{text}, {of_them % waiting}"


def _site(request: SignedInRequest) -> str:
    return request.build_absolute_uri(reverse("home"))
