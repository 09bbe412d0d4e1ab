"""Who may correct a form, and until when: scouts their own until the event is over, leads always."""

from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import ensure, may
from core.accounts.user import User
from core.dynamo.attributes import now
from core.dynamo.errors import DataError
from scouting.events.event import NoSuchEvent, ScoutedEvent
from scouting.events.repository import event_infos
from scouting.forms.models import ScoutForm

# A form sent on the last evening can still be corrected on the next morning.
SHORTEST = timedelta(hours=24)


class TooLate(DataError):
    status_code = 403
    message = _("The time for corrections is over. Only a scout lead can change this form now.")


def event_of(form: ScoutForm) -> ScoutedEvent | None:
    """The event of a form, in one request; None if there is none."""
    try:
        return event_infos.read(form.event)
    except NoSuchEvent:
        return None


def until(form: ScoutForm, event: ScoutedEvent | None) -> datetime:
    """The end of the event, but at least a day after the form was sent."""
    shortest: datetime = form.created_at + SHORTEST
    return max(shortest, event.ends_at) if event and event.ends_at else shortest


def until_in_words(form: ScoutForm, event: ScoutedEvent | None) -> str:
    """The deadline as text, in the time zone of the event, or of the club if that is unknown."""
    zone: tzinfo = ZoneInfo(event.time_zone) if event and event.time_zone else get_current_timezone()
    return f"{date_format(until(form, event).astimezone(zone), 'SHORT_DATETIME_FORMAT')} ({zone})"


def may_correct(user: User, form: ScoutForm, event: ScoutedEvent | None) -> bool:
    """Whether this user may correct the form now. Leads may without an `event`."""
    is_lead = may(user, "scouting.form.update")
    if not may(user, "scouting.form.update", form):
        return False
    return is_lead or now() <= until(form, event)


def ensure_may_correct(user: User, form: ScoutForm) -> None:
    """Refuse those who may not correct the form. Reads the event only if the answer depends on it."""
    ensure(user, "scouting.form.update", form)
    if not may_correct(user, form, None) and not may_correct(user, form, event_of(form)):
        raise TooLate
