"""iCalendar files: what all feeds have in common."""

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from django.utils.timezone import get_current_timezone, localdate, localtime

if TYPE_CHECKING:
    import icalendar

# The refresh interval that a feed suggests to calendar programs.
ASK_AGAIN = timedelta(hours=4)
# How many years of daylight saving changes a feed contains; subscribers fetch it again long before.
YEARS_AHEAD = 10
# Characters that some programs read as a line end, or that are not allowed in a feed.
UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff\ud800-\udfff]+")


def calendar_file(
    product: str, name: str, parts: "Iterable[icalendar.Event]", *, years: Iterable[int], logo: str = ""
) -> bytes:
    """An iCalendar file; `years` are those in which its parts, or series of them, begin."""
    import icalendar  # 15 ms that no other page needs

    file = icalendar.Calendar()
    file.add("prodid", f"-//Fieldhouse//{product}//EN")
    file.add("version", "2.0")
    file.add("method", "PUBLISH")
    file.add("name", one_line(name))
    file.add("x-wr-calname", one_line(name))
    if logo:
        file.add("image", logo, parameters={"VALUE": "URI", "DISPLAY": "BADGE"})
    file.add("x-wr-timezone", str(get_current_timezone()))
    file.add("refresh-interval", ASK_AGAIN, parameters={"VALUE": "DURATION"})
    file.add("x-published-ttl", icalendar.vDuration(ASK_AGAIN))
    for part in parts:
        file.add_component(part)
    this_year = localdate().year
    first_year = min([this_year, *years])
    file.add_missing_timezones(
        first_date=date(first_year - 1, 1, 1), last_date=date(this_year + YEARS_AHEAD, 1, 1)
    )
    written: bytes = file.to_ical()
    return written


def calendar_part(uid: str, title: str, changed: datetime, place: str | None) -> "icalendar.Event":
    import icalendar

    part = icalendar.Event()
    part.add("uid", f"{uid}@fieldhouse")
    # Stable until the record changes, so that the file is the same in each request.
    part.add("dtstamp", changed)
    part.add("last-modified", changed)
    part.add("summary", one_line(title))
    if place:
        part.add("location", one_line(place))
    return part


def in_local_time(moment: datetime) -> datetime:
    return localtime(moment)


def one_line(text: str) -> str:
    """A text without characters that would make the feed invalid."""
    return UNFIT.sub(" ", text).strip()
