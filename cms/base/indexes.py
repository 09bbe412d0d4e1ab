"""The indexes that every table of content has. They hold the columns of the lists, not the long texts."""

from typing import Any

from core.dynamo.indexes import ALWAYS, index


def by_age(*columns: str) -> Any:
    """All records of a table, by the time they were created."""
    return _listing("GSI-List", "entity", "createdAt", *columns)


def by_name(*columns: str) -> Any:
    """All records of a table in the order of the alphabet, accents and capitals apart."""
    return _listing("GSI-Name", "entity", "sortName", *columns)


def by_published_date(*columns: str) -> Any:
    """The records of one status, by the date from which readers see them."""
    return _listing("GSI-PublishedDate", "status", "publishedDate", *columns)


def by_date(*columns: str) -> Any:
    """All records of a table, by the date that they have for readers."""
    return _listing("GSI-Date", "entity", "publishedDate", *columns)


def by_start_date(*columns: str) -> Any:
    """The records of one status, by the time when they begin."""
    return _listing("GSI-StartDate", "status", "startDate", *columns)


def by_status_and_age(*columns: str) -> Any:
    """The records of one status, also those that have no date yet."""
    return _listing("GSI-Status", "status", "createdAt", *columns)


def by_first_day(*columns: str) -> Any:
    """All records of a table, by the day on which they begin."""
    return _listing("GSI-From", "entity", "from", *columns)


def by_slug(*columns: str) -> Any:
    """The record at an address."""
    return _listing("GSI-Slug", "slug", None, *columns)


def by_status(*columns: str) -> Any:
    """The records of one status, by name."""
    return _listing("GSI-Status", "status", "name", *columns)


def by_sams_team(*columns: str) -> Any:
    """The team that plays under an id of SAMS."""
    return _listing("GSI-SamsTeam", "sbvvTeamId", None, *columns)


def by_name_slug(name: str, *columns: str) -> Any:
    """The records of one type, by the slug of their names."""
    return _listing(name, "type", "nameSlug", *columns)


def by_email(*columns: str) -> Any:
    """The records of an e-mail address."""
    return _listing("GSI-Email", "email", None, *columns)


def by_timestamp(*columns: str) -> Any:
    """All records of a table, by their own timestamp."""
    return _listing("GSI-Timestamp", "entity", "timestamp", *columns)


def _listing(name: str, hash_key: str, range_key: str | None, *columns: str) -> Any:
    return index(name, hash_key, range_key, columns=[*ALWAYS, "createdAt", *columns])
