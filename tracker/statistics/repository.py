"""The repository of box scores."""

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from core.dynamo import queries, transactions
from core.dynamo.errors import Conflict, Text
from core.dynamo.items import RawItem, same
from core.dynamo.queries import every
from core.dynamo.transactions import Operation, absent
from tracker import keys
from tracker.statistics.models import StoredBox

OVERTAKEN: Text = _("Someone else has recorded something in the meantime.")


class BoxRepository:
    def of_season(self, team_id: str, season_id: str | None) -> list[StoredBox]:
        """Box scores of a season, in one Query; None stands for games without a season."""
        return self._all(team_id, keys.boxes_of(season_id))

    def of_team(self, team_id: str) -> list[StoredBox]:
        return self._all(team_id, "BOX#")

    def get(
        self, team_id: str, season_id: str | None, game_id: str, *, strong: bool = False
    ) -> StoredBox | None:
        key = {"PK": {"S": keys.of_team(team_id)}, "SK": {"S": keys.of_box(season_id, game_id)}}
        return queries.get(StoredBox, key, strong=strong)

    def replace(self, box: StoredBox, *, seen: StoredBox | None) -> list[Operation]:
        """Conflict if the box score was written since `seen` was read; a change of season moves it."""
        if seen is not None and seen.sk != box.sk:
            return [self.remove(seen), *self.replace(box, seen=None)]
        return [transactions.put(box, condition=_as_seen(seen), refused=_overtaken)]

    def remove(self, seen: StoredBox) -> Operation:
        return transactions.delete(StoredBox, seen.raw_key(), condition=_as_seen(seen), refused=_overtaken)

    def _all(self, team_id: str, prefix: str) -> list[StoredBox]:
        return every(
            lambda **options: queries.query(StoredBox, keys.of_team(team_id), prefix=prefix, **options)
        )


def differing(right: StoredBox, box: StoredBox) -> list[str]:
    """The stored names of the attributes that differ."""
    wanted, stored = right.serialize(), box.stored
    return [name for name in {**wanted, **stored} if not same(wanted.get(name), stored.get(name))]


def _as_seen(seen: StoredBox | None) -> Condition:
    if seen is None:
        return absent(StoredBox)
    # The count alone would not detect a correction, which does not change it.
    unchanged: Condition = (StoredBox.pa_count == seen.pa_count) & (StoredBox.revision == seen.revision)
    return unchanged


def _overtaken(stored: RawItem | None) -> Exception:
    return Conflict(OVERTAKEN, current=StoredBox.from_raw_data(stored) if stored else None)


boxes = BoxRepository()
