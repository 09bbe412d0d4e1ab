"""The screens of analysis, and what is read from them."""

import csv
import io

from scouting.forms.models import CommentForm
from scouting.forms.repository import comment_forms
from tests.scouting import field

ANALYSIS = "/scouting/analysis/"
COVERAGE = "/scouting/coverage/"


def table(response):
    """The rows of a page's table by their headings, without the names of teams; a rank comes first."""
    sheet = response.context["sheet"]
    head = int(sheet.is_ranked)
    rest = head + (2 if sheet.headings[head + 1].title == "Name" else 1)
    return {
        row[head].value.split()[0]: [cell.value for cell in (*row[:head], *row[rest:])] for row in sheet.rows
    }


def comment(team, text, *, key=field.KEY):
    form = CommentForm.about(key, team, comments=text, scout_id=field.SCOUT.sub, scout_name=field.SCOUT.name)
    return comment_forms.create(form, actor=field.SCOUT.actor)


def lines_of(response):
    return list(csv.reader(io.StringIO(b"".join(response.streaming_content).decode().removeprefix("\ufeff"))))
