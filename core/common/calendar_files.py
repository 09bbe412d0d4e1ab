"""Constants and text cleaning for all iCalendar feeds."""

import re
from datetime import timedelta

# The refresh interval that a feed suggests to calendar programs.
ASK_AGAIN = timedelta(hours=4)
# How many years of daylight saving changes a feed contains; subscribers fetch it again long before.
YEARS_AHEAD = 10
# Characters that some programs read as a line end, or that are not allowed in a feed.
UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff\ud800-\udfff]+")


def one_line(text: str) -> str:
    """A text without characters that would make the feed invalid."""
    return UNFIT.sub(" ", text).strip()
