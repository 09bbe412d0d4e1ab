"""What administrators do to people. Each verb checks the right and the rule, changes Cognito, is recorded.

Cognito comes first, because it alone decides who gets in. What fails after it (mail, sessions, history) does
not undo the change: it is told as a problem, together with what to do about it.
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
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables

from core.accounts import cognito, directory, repository
from core.accounts.cognito import Account, Found, Place
from core.accounts.rights import ensure
from core.accounts.user import GUEST, KNOWN_GROUPS, User
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
# No letters or digits that look alike: people copy it from a mail by hand.
PASSWORD_LETTERS = "".join(c for c in string.ascii_letters + string.digits if c not in "0O1lI")

BUSY = _("Another administrator is changing rights at this very moment. Please try again.")
# Each says what was done and what was not, for it is told instead of the good news.
NOT_RECORDED = _("The change was made, but it could not be written to the history.")
NOT_MAILED = _(
    "The change was made, but the mail could not be sent. Check the address, then send the invitation again."
)
NOT_ALL_GROUPS = _("The change was made, but not all groups could be set. Check them and save again.")
STILL_SIGNED_IN = _(
    "The change was made, but open sessions could not be ended. They end by themselves within 15 minutes."
)


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
    # Their name; empty where nobody knows.
    invited_by: str


class Guests(NamedTuple):
    listed: list[GuestAccount]
    has_more: bool

    @property
    def not_signed_in(self) -> int:
        return sum(each.account.state == "invited" for each in self.listed)


def find(actor: User, text: str, place: Place | None) -> Found:
    ensure(actor, "accounts.user.view")
    return cognito.find(text, place)


def read(actor: User, sub: str) -> Account:
    ensure(actor, "accounts.user.view")
    # Cognito would also answer to an e-mail address.
    if not SUB.fullmatch(sub):
        raise NotFound
    return cognito.get(sub)


def changes(actor: User, account: Account) -> list[Change]:
    """The latest changes of a person, newest first, with the groups each of them gave and took."""
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
    """A guest account for somebody whom a team invites; answers the temporary password for the mail.

    None where there is an account with this address: its password is not for a team to replace, used or not,
    and administrators send a new one. Whoever calls it has checked that the actor may invite, and tells
    everybody the same, for nobody is to find out who has an account.
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
        # Without the group it would be a member's account. Nobody knows its password yet.
        events.error("guest_not_made", sub=sub, by=actor.sub)
        cognito.administer("admin_delete_user", Username=sub)
        raise
    _record(actor, sub, name, "invite", {"email": None, "groups": None, "name": None})
    _enter_in_directory(actor, sub, name, email, invited_by=actor.sub)
    return password


def invite_again(actor: User, sub: str, *, site: str) -> Done:
    """A new temporary password for somebody who has not used the first."""
    ensure(actor, "accounts.user.invite")
    account = _changeable(actor, sub)
    if account.state != "invited":
        raise Conflict(_("This person has signed in already, so there is nothing to invite them to."))
    problems = _send_new_password(actor, account, "invitation", site)
    return Done(sub, (*problems, *_record(actor, sub, account.name, "invite_again", {})))


def reset_password(actor: User, sub: str, *, site: str) -> Done:
    """A temporary password by mail instead of theirs, and an end to every session that used the old one."""
    ensure(actor, "accounts.user.update")
    account = _changeable(actor, sub)
    if account.state not in {"active", "reset"}:
        raise Conflict(_("Only an active account has a password that can be reset."))
    problems = [*_send_new_password(actor, account, "new_password", site), *_sign_out(sub)]
    return Done(sub, (*problems, *_record(actor, sub, account.name, "reset_password", {})))


def change_groups(actor: User, sub: str, *, groups: Collection[str], seen: Collection[str]) -> Done:
    """Put a person into exactly these groups; `seen` are those that the administrator saw before."""
    ensure(actor, "accounts.user.update")
    if sub == actor.sub and "admin" not in groups:
        raise NotYourself(_("You cannot remove your own admin right."), field="groups")
    with changing_rights():
        account = _changeable(actor, sub)
        if set(account.groups) != set(seen):
            raise Conflict(_("Somebody else changed these groups in the meantime. Look again, then save."))
        wanted = _ordered(set(groups) - {GUEST})
        if account.is_guest and not wanted:
            # To make somebody a member is a decision of its own.
            wanted = [GUEST]
        problems = _move(account, wanted)
    if set(wanted) != set(account.groups):
        problems += _end_sessions(sub)
        problems += _record(actor, sub, account.name, "groups", {"groups": list(account.groups)})
    return Done(sub, tuple(problems))


def make_member(actor: User, sub: str) -> Done:
    """A guest becomes a member of the club: at their next sign-in, for which their sessions are ended."""
    ensure(actor, "accounts.user.update")
    with changing_rights():
        account = _changeable(actor, sub)
        if not account.is_guest:
            raise Conflict(_("This person is a member already."))
        cognito.administer("admin_remove_user_from_group", Username=sub, GroupName=GUEST)
    problems = _end_sessions(sub)
    return Done(sub, (*problems, *_record(actor, sub, account.name, "make_member", {"groups": [GUEST]})))


def guests(actor: User) -> Guests:
    """The guests with who invited them: one request to Cognito and two to the directory."""
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
    problems = _end_sessions(sub)
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
    """Cognito cannot check and change in one step, so such changes take turns."""
    return lock("people", busy=BUSY)


def new_password() -> str:
    """A temporary password of four groups of four: about 90 bits, with every required kind of character."""
    while True:
        parts = ["".join(secrets.choice(PASSWORD_LETTERS) for _letter in range(4)) for _part in range(4)]
        password = "-".join(parts)
        if all(any(map(kind, password)) for kind in (str.islower, str.isupper, str.isdigit)):
            return password


def _changeable(actor: User, sub: str) -> Account:
    """The account to be changed, once it is certain that the actor still is an administrator.

    Inside a turn this also keeps the last administrator: whoever changes somebody else stays one.
    """
    _ensure_still_admin(actor)
    return read(actor, sub)


def _ensure_still_admin(actor: User) -> None:
    """The groups of a session may be minutes old: too old to hand out rights with."""
    try:
        account = cognito.get(actor.sub)
    except NotFound as error:
        raise PermissionDenied from error
    if not (account.enabled and account.is_admin):
        events.warning("refused", sub=actor.sub, right="accounts.user.update")
        raise PermissionDenied


def _move(account: Account, wanted: Collection[str]) -> list[Text]:
    """Take before giving, so that a failure halfway leaves too few rights rather than too many.

    To be no guest any more is a gain, so that comes last.
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
    return _mail(template, actor, name=account.name, email=account.email, password=password, site=site)


@sensitive_variables("context", "body")
def _mail(template: str, actor: User, *, email: str, **context: str) -> list[Text]:
    body = render_to_string(f"core/people/mail/{template}.txt", {"actor": actor, "email": email, **context})
    subject, _blank, text = body.partition("\n")
    try:
        send_mail(subject, text.lstrip(), None, [email])
    except (OSError, ValueError) as error:
        events.error("mail_failed", reason=type(error).__name__)
        return [NOT_MAILED]
    return []


def _sign_out(sub: str) -> list[Text]:
    cognito.administer("admin_user_global_sign_out", Username=sub)
    return _end_sessions(sub)


def _end_sessions(sub: str) -> list[Text]:
    try:
        end_all_of(sub)
    except DataError:
        return [STILL_SIGNED_IN]
    return []


def _record(actor: User, sub: str, name: str, verb: str, before: Mapping[str, Any]) -> list[Text]:
    """Into log and history: who did what to whom, without their e-mail address."""
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
    """What fails here needs no word: the first sign-in does it again."""
    try:
        directory.enter(sub, name=name, email=email, actor=actor.actor, invited_by=invited_by)
    except DataError:
        events.error("directory_not_written", sub=sub, by=actor.sub)


def _ordered(groups: Collection[str]) -> list[str]:
    return [group for group in KNOWN_GROUPS if group in groups]
