"""User administration. Each verb checks the right and its rules, changes Cognito, and writes the history.

Cognito is changed first, because it alone decides who can sign in. A failure after that (mail, sessions,
history) does not undo the change: it is returned as a problem that says what to do about it.
"""

import re
import secrets
import string
from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables

from core.accounts import cognito, directory, repository
from core.accounts.cognito import Account, AccountList, ListPosition
from core.accounts.languages import language_of
from core.accounts.personal_tokens import services as personal_tokens
from core.accounts.rights import ensure
from core.accounts.user import GUEST, KNOWN_GROUPS, User
from core.club import mail
from core.common.logs import events
from core.dynamo import history, transactions
from core.dynamo.attributes import now, unwrap, wrap
from core.dynamo.errors import AlreadyExists, Conflict, DataError, NotFound, Text
from core.dynamo.support_table import unpack
from core.stores.lock import lock
from core.stores.sessions import end_all_of

ENTITY = "user"
SCOPE = "admin"
SHOWN_CHANGES = 20
SUB = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Without letters and digits that look alike: people type the password from a mail.
PASSWORD_LETTERS = "".join(c for c in string.ascii_letters + string.digits if c not in "0O1lI")

BUSY = _("Another administrator is changing permissions right now. Try again.")
# Each problem says what was done and what failed, because it replaces the success message.
NOT_RECORDED = _("Saved, but the change is missing from the history.")
NOT_MAILED = _("Saved, but the e-mail could not be sent. Check the address, then resend the invitation.")
NOT_ALL_GROUPS = _("Saved, but not all groups could be set. Check them and save again.")
STILL_SIGNED_IN = _("Saved, but open sessions could not be ended. They end within 15 minutes.")


class NotYourself(DataError):
    status_code = 403


@dataclass(frozen=True)
class Done:
    """The change was made; `problems` lists the follow-ups that failed."""

    sub: str
    problems: tuple[Text, ...] = ()


class Change(NamedTuple):
    """One line of a person's history."""

    verb: str
    actor_name: str
    at: datetime
    given: list[str]
    taken: list[str]


class GuestAccount(NamedTuple):
    account: Account
    # The inviter's name; empty if it is unknown.
    invited_by: str


class Guests(NamedTuple):
    listed: list[GuestAccount]
    has_more: bool

    @property
    def not_signed_in(self) -> int:
        return sum(each.account.state == "invited" for each in self.listed)


def find(actor: User, text: str, place: ListPosition | None) -> AccountList:
    ensure(actor, "accounts.user.view")
    return cognito.find(text, place)


def read(actor: User, sub: str) -> Account:
    ensure(actor, "accounts.user.view")
    # Cognito would also accept an e-mail address here.
    if not SUB.fullmatch(sub):
        raise NotFound
    return cognito.get(sub)


def changes(actor: User, account: Account) -> list[Change]:
    """The latest changes of a person, newest first, with the groups that each added and removed."""
    ensure(actor, "accounts.user.view")
    lines = []
    after = set(account.groups)
    for entry in history.entries(ENTITY, account.sub, limit=SHOWN_CHANGES).items:
        before = after
        if "groups" in entry.fields:
            stored = unpack(entry.before).get("groups")
            before = set(unwrap(stored)) if stored else set()
        lines.append(
            Change(entry.verb, entry.actor_name, entry.at, _ordered(after - before), _ordered(before - after))
        )
        after = before
    return lines


@sensitive_variables("password")
def invite(
    actor: User, *, email: str, given_name: str, family_name: str, groups: Collection[str], site: str
) -> Done:
    ensure(actor, "accounts.user.invite")
    _ensure_still_admin(actor)
    password = new_password()
    sub = cognito.create(email=email, given_name=given_name, family_name=family_name, password=password)
    problems: list[Text] = []
    try:
        for group in groups:
            cognito.administer("admin_add_user_to_group", Username=sub, GroupName=group)
    except DataError:
        problems.append(NOT_ALL_GROUPS)
    name = f"{given_name} {family_name}".strip()
    problems += _mail("invitation", actor, name=name, email=email, password=password, site=site)
    problems += _record(actor, sub, name, "invite", {"email": None, "groups": None, "name": None})
    _enter_in_directory(actor, sub, name, email)
    return Done(sub, tuple(problems))


@sensitive_variables("password")
def open_guest_account(actor: User, *, email: str, given_name: str, family_name: str) -> str | None:
    """Create a guest account for a team's invitation; returns the temporary password for the mail.

    Returns None if an account with this address exists: only administrators may replace its password, even if
    it was never used. The caller has checked that the actor may invite, and must show the same message in
    both cases, so that nobody learns who has an account.
    """
    password = new_password()
    name = f"{given_name} {family_name}".strip()
    try:
        sub = cognito.create(email=email, given_name=given_name, family_name=family_name, password=password)
    except AlreadyExists:
        return None
    try:
        cognito.administer("admin_add_user_to_group", Username=sub, GroupName=GUEST)
    except DataError:
        # Without the group it would be a member's account. Its password was not sent yet.
        events.error("guest_not_made", sub=sub, by=actor.sub)
        cognito.administer("admin_delete_user", Username=sub)
        raise
    _record(actor, sub, name, "invite", {"email": None, "groups": None, "name": None})
    _enter_in_directory(actor, sub, name, email, invited_by=actor.sub)
    return password


def invite_again(actor: User, sub: str, *, site: str) -> Done:
    """Send a new temporary password to somebody who has not signed in yet."""
    ensure(actor, "accounts.user.invite")
    account = _changeable(actor, sub)
    if account.state != "invited":
        raise Conflict(_("This person has already signed in and needs no invitation."))
    problems = _send_new_password(actor, account, "invitation", site)
    return Done(sub, (*problems, *_record(actor, sub, account.name, "invite_again", {})))


def reset_password(actor: User, sub: str, *, site: str) -> Done:
    """Replace the password by a temporary one, sent by mail, and end all sessions of the account."""
    ensure(actor, "accounts.user.update")
    account = _changeable(actor, sub)
    if account.state not in {"active", "reset"}:
        raise Conflict(_("Only active accounts have a password to reset."))
    problems = [*_send_new_password(actor, account, "new_password", site), *_sign_out(sub)]
    return Done(sub, (*problems, *_record(actor, sub, account.name, "reset_password", {})))


def change_groups(actor: User, sub: str, *, groups: Collection[str], seen: Collection[str]) -> Done:
    """Put a person into exactly these groups; Conflict unless `seen`, the groups of the form, are current."""
    ensure(actor, "accounts.user.update")
    if sub == actor.sub and "admin" not in groups:
        raise NotYourself(_("You cannot remove your own admin permission."), field="groups")
    with changing_rights():
        account = _changeable(actor, sub)
        if set(account.groups) != set(seen):
            raise Conflict(_("Someone else changed these groups in the meantime. Check them, then save."))
        wanted = _ordered(set(groups) - {GUEST})
        if account.is_guest and not wanted:
            # Only `make_member` ends being a guest.
            wanted = [GUEST]
        problems = _move(account, wanted)
    if set(wanted) != set(account.groups):
        problems += _end_sessions(sub)
        problems += _record(actor, sub, account.name, "groups", {"groups": list(account.groups)})
    return Done(sub, tuple(problems))


def make_member(actor: User, sub: str) -> Done:
    """Make a guest a member of the club. Their sessions are ended, so it takes effect at the next sign-in."""
    ensure(actor, "accounts.user.update")
    with changing_rights():
        account = _changeable(actor, sub)
        if not account.is_guest:
            raise Conflict(_("This person is already a member."))
        cognito.administer("admin_remove_user_from_group", Username=sub, GroupName=GUEST)
    problems = _end_sessions(sub)
    return Done(sub, (*problems, *_record(actor, sub, account.name, "make_member", {"groups": [GUEST]})))


def guests(actor: User) -> Guests:
    """The guests and who invited them: one request to Cognito and two to DynamoDB."""
    ensure(actor, "accounts.user.view")
    accounts, has_more = cognito.in_group(GUEST)
    people = repository.people.get_many([account.sub for account in accounts])
    invited_by = {sub: str(person.invited_by) for sub, person in people.items() if person.invited_by}
    inviters = repository.people.get_many(sorted(set(invited_by.values())))
    listed = [
        GuestAccount(
            account, inviter.name if (inviter := inviters.get(invited_by.get(account.sub, ""))) else ""
        )
        for account in accounts
    ]
    return Guests(listed, has_more)


def disable(actor: User, sub: str) -> Done:
    ensure(actor, "accounts.user.update")
    if sub == actor.sub:
        raise NotYourself(_("You cannot disable your own account."))
    with changing_rights():
        account = _changeable(actor, sub)
        cognito.administer("admin_disable_user", Username=sub)
    problems = _end_sessions(sub, with_tokens=True)
    return Done(sub, (*problems, *_record(actor, sub, account.name, "disable", {"enabled": account.enabled})))


def enable(actor: User, sub: str) -> Done:
    ensure(actor, "accounts.user.update")
    account = _changeable(actor, sub)
    cognito.administer("admin_enable_user", Username=sub)
    return Done(sub, tuple(_record(actor, sub, account.name, "enable", {"enabled": account.enabled})))


def sign_out_everywhere(actor: User, sub: str) -> Done:
    ensure(actor, "accounts.user.update")
    account = _changeable(actor, sub)
    problems = _sign_out(sub)
    return Done(sub, (*problems, *_record(actor, sub, account.name, "sign_out_everywhere", {})))


def changing_rights() -> AbstractContextManager[None]:
    """The lock around changes of groups: Cognito has no conditional writes."""
    return lock("people", busy=BUSY)


def new_password() -> str:
    """A temporary password of four groups of four: about 90 bits, with every required kind of character."""
    while True:
        parts = ["".join(secrets.choice(PASSWORD_LETTERS) for _letter in range(4)) for _part in range(4)]
        password = "-".join(parts)
        if all(any(map(kind, password)) for kind in (str.islower, str.isupper, str.isdigit)):
            return password


def _changeable(actor: User, sub: str) -> Account:
    """The account to change, after a check in Cognito that the actor still is an administrator.

    Inside `changing_rights` this also protects the last administrator: the actor remains one.
    """
    _ensure_still_admin(actor)
    return read(actor, sub)


def _ensure_still_admin(actor: User) -> None:
    """Check the actor's groups in Cognito: those of the session may be minutes old."""
    try:
        account = cognito.get(actor.sub)
    except NotFound as error:
        raise PermissionDenied from error
    if not (account.enabled and account.is_admin):
        events.warning("refused", sub=actor.sub, right="accounts.user.update")
        raise PermissionDenied


def _move(account: Account, wanted: Collection[str]) -> list[Text]:
    """Remove groups before adding others, so that a failure halfway leaves too few rights, not too many.

    The guest group is removed last, because without it an account has more rights.
    """
    held = set(account.groups)
    try:
        for group in _ordered(held - set(wanted) - {GUEST}):
            cognito.administer("admin_remove_user_from_group", Username=account.sub, GroupName=group)
            held.remove(group)
        for group in _ordered(set(wanted) - held):
            cognito.administer("admin_add_user_to_group", Username=account.sub, GroupName=group)
            held.add(group)
        if GUEST in held - set(wanted):
            cognito.administer("admin_remove_user_from_group", Username=account.sub, GroupName=GUEST)
    except DataError:
        if held == set(account.groups):
            raise
        return [NOT_ALL_GROUPS]
    return []


@sensitive_variables("password")
def _send_new_password(actor: User, account: Account, template: str, site: str) -> list[Text]:
    password = new_password()
    cognito.administer("admin_set_user_password", Username=account.sub, Password=password, Permanent=False)
    return _mail(
        template, actor, sub=account.sub, name=account.name, email=account.email, password=password, site=site
    )


@sensitive_variables("context", "context_of_mail")
def _mail(template: str, actor: User, *, email: str, sub: str = "", **context: str) -> list[Text]:
    """A mail in the language of its receiver; somebody new gets that of the club."""
    context_of_mail = {"actor": actor, "email": email, **context}
    try:
        mail.send(f"core/people/mail/{template}.txt", context_of_mail, to=email, language=language_of(sub))
    except (OSError, ValueError) as error:
        events.error("mail_failed", reason=type(error).__name__)
        return [NOT_MAILED]
    return []


def _sign_out(sub: str) -> list[Text]:
    cognito.administer("admin_user_global_sign_out", Username=sub)
    return _end_sessions(sub, with_tokens=True)


def _end_sessions(sub: str, *, with_tokens: bool = False) -> list[Text]:
    """Access tokens stay, unless they are to end as well, but ask Cognito for the account of now."""
    try:
        end_all_of(sub)
        if with_tokens:
            personal_tokens.revoke_all_of(sub)
        else:
            personal_tokens.renew_all_of(sub)
    except DataError:
        return [STILL_SIGNED_IN]
    return []


def _record(actor: User, sub: str, name: str, verb: str, before: Mapping[str, Any]) -> list[Text]:
    """Write the change to the log and the history, without the person's e-mail address."""
    events.info("user_changed", verb=verb, sub=sub, by=actor.sub)
    try:
        transactions.send(
            history.entry(
                entity=ENTITY,
                key=sub,
                scope=SCOPE,
                label=name,
                verb=verb,
                actor=actor.actor,
                at=now(),
                fields=list(before),
                before={field: wrap(value) for field, value in before.items() if value is not None},
            )
        )
    except DataError:
        events.error("history_not_written", verb=verb, sub=sub, by=actor.sub)
        return [NOT_RECORDED]
    return []


def _enter_in_directory(
    actor: User, sub: str, name: str, email: str, *, invited_by: str | None = None
) -> None:
    """Enter an invited person. An error is only logged: the first sign-in repeats it."""
    try:
        directory.enter(sub, name=name, email=email, actor=actor.actor, invited_by=invited_by)
    except DataError:
        events.error("directory_not_written", sub=sub, by=actor.sub)


def _ordered(groups: Collection[str]) -> list[str]:
    return [group for group in KNOWN_GROUPS if group in groups]
