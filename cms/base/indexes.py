"""GSIs of the content tables. They project the columns that lists need, not the long texts."""

from typing import Any

from core.dynamo.indexes import ALWAYS, index


def by_age(*columns: str) -> Any:
    """GSI of all records, by creation time."""
    return _listing("GSI-List", "entity", "createdAt", *columns)


def by_name(*columns: str) -> Any:
    """GSI of all records, by `sort_name`: the name without accents and capitals."""
    return _listing("GSI-Name", "entity", "sortName", *columns)


def by_published_date(*columns: str) -> Any:
    """GSI of the records of a status, by publication date."""
    return _listing("GSI-PublishedDate", "status", "publishedDate", *columns)


def by_date(*columns: str) -> Any:
    """GSI of all records, by publication date."""
    return _listing("GSI-Date", "entity", "publishedDate", *columns)


def by_start_date(*columns: str) -> Any:
    """GSI of the records of a status, by start time; records without one are not in it."""
    return _listing("GSI-StartDate", "status", "startDate", *columns)


def by_status_and_age(*columns: str) -> Any:
    """GSI of the records of a status, by creation time."""
    return _listing("GSI-Status", "status", "createdAt", *columns)


def by_first_day(*columns: str) -> Any:
    """GSI of all records, by first day."""
    return _listing("GSI-From", "entity", "from", *columns)


def by_slug(*columns: str) -> Any:
    """GSI by slug."""
    return _listing("GSI-Slug", "slug", None, *columns)


def by_status(*columns: str) -> Any:
    """GSI of the records of a status, by name."""
    return _listing("GSI-Status", "status", "name", *columns)


def by_sams_team(*columns: str) -> Any:
    """GSI of teams by the uuid of their SAMS team."""
    return _listing("GSI-SamsTeam", "sbvvTeamId", None, *columns)


def by_name_slug(name: str, *columns: str) -> Any:
    """GSI of the records of a type, by the slug of their names."""
    return _listing(name, "type", "nameSlug", *columns)


def by_email(*columns: str) -> Any:
    """GSI by e-mail address."""
    return _listing("GSI-Email", "email", None, *columns)


def by_timestamp(*columns: str) -> Any:
    """GSI of all records, by their attribute `timestamp`."""
    return _listing("GSI-Timestamp", "entity", "timestamp", *columns)


def _listing(name: str, hash_key: str, range_key: str | None, *columns: str) -> Any:
    return index(name, hash_key, range_key, columns=[*ALWAYS, "createdAt", *columns])
