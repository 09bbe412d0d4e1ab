"""Repositories of SAMS data. Only syncs write it, so it has the log of the syncs instead of a history."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, TypeVar, Unpack

from cms.sams.models import RUN_KEPT_FOR, SamsClub, SamsLeague, SamsTeam, SyncRun
from core.dynamo import changeset, side_items, transactions
from core.dynamo.attributes import now
from core.dynamo.items import Item
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions, every
from core.dynamo.repository import Repository
from core.dynamo.transactions import Transaction, absent

T = TypeVar("T", bound=Item)


class SyncedRepository(Repository[T]):
    """Records that a sync writes, without history entries; their TTL removes those that no sync renews."""

    natural_key = True

    def store(self, key: str, fields: Mapping[str, Any], *, kept_for: timedelta, stored: T | None) -> T:
        """Create or update a record and its side items in one transaction; `stored` is the current record.

        Each call sets its TTL to `kept_for` from now.
        """
        moment = now()
        values = {**fields, "ttl": moment + kept_for}
        transaction = Transaction()
        if stored is None:
            new = self.model(
                **{self.model._hash_keyname: key}, **values, created_at=moment, updated_at=moment, version=1
            )
            after: T = changeset.with_derived(self.model, new.serialize())
            transaction.add(
                transactions.put_raw(
                    self.model, dict(after.stored), condition=absent(self.model), refused=self._already_exists
                )
            )
        else:
            changed = changeset.differences(stored, values)
            after = changeset.edited(stored, changed, changeset.timestamp_after(stored.updated_at))
            transaction.add(self._update_operation(stored, after))
        side_items.sync(transaction, self, before=stored, after=after)
        transaction.commit()
        return after

    def remove(self, item: T) -> None:
        unchanged = self.unchanged_condition(item)
        transaction = Transaction()
        transaction.add(
            transactions.delete(self.model, item.raw_key(), condition=unchanged, refused=self._refused(item))
        )
        side_items.sync(transaction, self, before=item, after=None)
        transaction.commit()


class SamsClubRepository(SyncedRepository[SamsClub]):
    model = SamsClub
    entity = "sams-club"
    scope = "cms"
    label = "name"
    searched = ("name",)
    list_index = "GSI-SamsClubQueries"

    def by_name(self, **options: Unpack[PageOptions]) -> Page[SamsClub]:
        return self.page("club", index="GSI-SamsClubQueries", **options)

    def at_slug(self, name_slug: str) -> SamsClub | None:
        found = self.page(
            "club", index="GSI-SamsClubQueries", at_least=name_slug, at_most=name_slug, limit=1
        ).items
        return found[0] if found else None


class SamsTeamRepository(SyncedRepository[SamsTeam]):
    model = SamsTeam
    entity = "sams-team"
    scope = "cms"
    label = "name"
    label_fields = ("name", "league_name")
    searched = ("name", "league_name")
    list_index = "GSI-SamsTeamQueries"

    def label_of(self, item: SamsTeam) -> str:
        """Name and league: teams of a club often have the same name."""
        return f"{item.name} ({item.league_name})" if item.league_name else item.name

    def by_name(self, **options: Unpack[PageOptions]) -> Page[SamsTeam]:
        return self.page("team", index="GSI-SamsTeamQueries", **options)

    def all(self) -> Sequence[SamsTeam]:
        """All stored teams, which are those of our club."""
        return every(self.by_name)


class SamsLeagueRepository(SyncedRepository[SamsLeague]):
    model = SamsLeague
    entity = "sams-league"
    scope = "cms"
    label = "name"


class SyncRunRepository(Repository[SyncRun]):
    model = SyncRun
    entity = "sams-run"
    scope = "cms"
    label = "kind"

    def begin(self, kind: str, *, started_by: str) -> SyncRun:
        moment = now()
        run = SyncRun(
            kind=kind, started_by=started_by, created_at=moment, updated_at=moment, ttl=moment + RUN_KEPT_FOR
        )
        transactions.send(transactions.put(run))
        return self.model.from_raw_data(run.serialize())

    def note(self, run: SyncRun, **fields: Any) -> SyncRun:
        """Update progress or result of a run."""
        after = changeset.edited(
            run, changeset.differences(run, fields), changeset.timestamp_after(run.updated_at)
        )
        transactions.send(self._update_operation(run, after))
        return after

    def latest(self, *, limit: int) -> Sequence[SyncRun]:
        return self.page("sams-run", index="GSI-List", newest_first=True, limit=limit).items


sams_clubs = SamsClubRepository()
sams_teams = SamsTeamRepository()
sams_leagues = SamsLeagueRepository()
sync_runs = SyncRunRepository()
