"""Parsers of the older SAMS XML interface; they map its elements to the JSON names of the REST API."""

from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from django.utils.translation import gettext_lazy as _

from cms.sams import parsing
from cms.sams.parsing import Club, Match, RankingRow
from core.dynamo.errors import DataError


class NotSamsXml(DataError):
    message = _("This is not a response from the SAMS XML interface.")


def matches(xml: bytes) -> list[Match]:
    """The matches of a <matches> document; it may be empty."""
    return parsing.each(parsing.match, map(_match, _root(xml, "matches").findall("{*}match")))


def rankings(xml: bytes) -> list[RankingRow]:
    """The table rows of a <rankings> document; those of a knock-out competition have no points."""
    return parsing.each(parsing.ranking_row, map(_ranking, _root(xml, "rankings").findall("{*}ranking")))


def club(xml: bytes) -> Club | None:
    """The club of a <sportsclub> document."""
    found = _root(xml, "sportsclub")
    return parsing.club(
        _identity(found) | {"logoImageLink": _text(found, "logo/url") or _text(found, "logo")}
    )


def _match(found: Element) -> dict[str, Any]:
    teams = [_identity(team) for team in found.findall("{*}team")[:2]]
    results = found.find("{*}results")
    place = {"name": _text(found, "location/name"), "address": {"city": _text(found, "location/city")}}
    return _identity(found) | {
        "date": _text(found, "date"),
        "time": _text(found, "time"),
        "matchNumber": _text(found, "number"),
        "host": _text(found, "host/club"),
        "location": place,
        "indefinitelyRescheduled": _text(found, "indefinitelyRescheduled") == "true",
        "_embedded": {f"team{number}": team for number, team in enumerate(teams, start=1)},
        "results": None if results is None else _results(results),
    }


def _results(found: Element) -> dict[str, Any]:
    return {
        "winner": _text(found, "winner"),
        "setPoints": _text(found, "setPoints"),
        "ballPoints": _text(found, "ballPoints"),
        "sets": [{"ballPoints": _text(each, "points")} for each in found.findall("{*}sets/{*}set")],
    }


def _ranking(found: Element) -> dict[str, Any]:
    return {
        "uuid": _text(found, "team/uuid") or _text(found, "team/id"),
        "teamName": _text(found, "team/name"),
        "rank": _text(found, "place"),
        "matchesPlayed": _text(found, "matchesPlayed"),
        "points": _text(found, "points"),
        "wins": _text(found, "wins"),
        "losses": _text(found, "losses"),
        "setWins": _text(found, "setWinScore"),
        "setLosses": _text(found, "setLoseScore"),
        "setRatio": _text(found, "setQuotient"),
        "ballWins": _text(found, "ballWinScore"),
        "ballLosses": _text(found, "ballLoseScore"),
        "ballRatio": _text(found, "ballQuotient"),
    }


def _identity(found: Element) -> dict[str, Any]:
    return {"uuid": _text(found, "uuid") or _text(found, "id"), "name": _text(found, "name")}


def _root(xml: bytes, name: str) -> Element:
    try:
        # No DTD: entities could exhaust the memory or read local files.
        root: Element = fromstring(xml, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise NotSamsXml from error
    if root.tag.rpartition("}")[2] != name:
        raise NotSamsXml
    return root


def _text(element: Element, path: str) -> str | None:
    """The text at a path of tags; only some documents have a namespace."""
    return element.findtext("/".join(f"{{*}}{name}" for name in path.split("/")))
