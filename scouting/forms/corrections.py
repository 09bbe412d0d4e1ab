"""Until when scouts correct their own forms; leads always can."""

from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.timezone import get_default_timezone
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import ensure, may
from core.accounts.user import User
from core.dynamo.attributes import now
from core.dynamo.errors import DataError
from scouting.events.event import NoSuchEvent, ScoutedEvent
from scouting.events.repository import event_infos
from scouting.forms.models import CommentForm, PitForm, StandForm

Form = StandForm | PitForm | CommentForm
# Whoever sends a form on the last evening finds a mistake on the next morning.
SHORTEST = timedelta(hours=24)


class TooLate(DataError):
    status_code = 403
    message = _("The time for corrections is over: only a scout lead can change this form now.")


def event_of(form: Form) -> ScoutedEvent | None:
    """The event of a form, in one request."""
    try:
        return event_infos.read(form.event)
    except NoSuchEvent:
        return None


def until(form: Form, event: ScoutedEvent | None) -> datetime:
    """The end of the event, but no earlier than a day after the form was sent."""
    shortest: datetime = form.created_at + SHORTEST
    return max(shortest, event.ends_at) if event and event.ends_at else shortest


def until_in_words(form: Form, event: ScoutedEvent | None) -> str:
    """In the time zone of the event, which people there read from their watches; else in that of the club."""
    zone: tzinfo = ZoneInfo(event.time_zone) if event and event.time_zone else get_default_timezone()
    return f"{date_format(until(form, event).astimezone(zone), 'SHORT_DATETIME_FORMAT')} ({zone})"


def may_correct(user: User, form: Form, event: ScoutedEvent | None) -> bool:
    """Whether this person may correct the form now; a lead needs no event for that."""
    is_lead = may(user, "scouting.form.update")
    if not may(user, "scouting.form.update", form):
        return False
    return is_lead or now() <= until(form, event)


def ensure_may_correct(user: User, form: Form) -> None:
    """The same for services. The event is read only where it decides."""
    ensure(user, "scouting.form.update", form)
    if not may_correct(user, form, None) and not may_correct(user, form, event_of(form)):
        raise TooLate
