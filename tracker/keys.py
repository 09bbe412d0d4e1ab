"""Functions that build the partition keys of the single table, and the sort keys of box scores."""

import hashlib


def of_user(user_id: str) -> str:
    return f"USER#{user_id}"


def of_team(team_id: str) -> str:
    return f"TEAM#{team_id}"


def of_player(player_id: str) -> str:
    return f"PLAYER#{player_id}"


def of_game(game_id: str) -> str:
    return f"GAME#{game_id}"


def of_box(season_id: str | None, game_id: str) -> str:
    """Prefixed with the season, so that one Query reads the box scores of a season."""
    return f"{boxes_of(season_id)}{game_id}"


def boxes_of(season_id: str | None) -> str:
    return f"BOX#{season_id or '-'}#"


def hashed(secret: str) -> str:
    """A SHA-256 to look up by, so that tokens and e-mail addresses are not in keys. Ignores case."""
    return hashlib.sha256(secret.strip().lower().encode()).hexdigest()
