"""In English: no order of day and month that could be misread, and 24 hours as the club's clocks show."""
