"""Shared by all iCalendar feeds."""

import re
from datetime import timedelta

# How often programs should ask for it anew.
ASK_AGAIN = timedelta(hours=4)
# For so long a file knows when the clocks change; who subscribes asks again long before.
YEARS_AHEAD = 10
# What ends a line in some program, or may not be in a file at all.
UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff\ud800-\udfff]+")


def one_line(text: str) -> str:
    """A text without characters that would make the feed invalid."""
    return UNFIT.sub(" ", text).strip()
