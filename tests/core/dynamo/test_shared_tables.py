"""Tables that several models declare: they agree, or it is said where they do not."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from pynamodb.attributes import NumberAttribute, TTLAttribute, UnicodeAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, KeysOnlyProjection
from pynamodb.models import Model

from core.dynamo import items, tables
from core.dynamo.indexes import index
from core.dynamo.tables import Index, Key, TableSpec


class _ByName(GlobalSecondaryIndex["First"]):
    name = UnicodeAttribute(hash_key=True)

    class Meta:
        index_name = "by-name"
        projection = AllProjection()


class _ByNameKeysOnly(GlobalSecondaryIndex["First"]):
    name = UnicodeAttribute(hash_key=True)

    class Meta:
        index_name = "by-name"
        projection = KeysOnlyProjection()


# Not StoredModels: those would be declared tables for every other test.
class First(Model):
    id = UnicodeAttribute(hash_key=True)
    name = UnicodeAttribute(null=True)
    by_name = _ByName()

    class Meta:
        table_name = "shared"


class OtherKey(Model):
    id = NumberAttribute(hash_key=True)

    class Meta:
        table_name = "shared"


class OtherProjection(Model):
    id = UnicodeAttribute(hash_key=True)
    name = UnicodeAttribute(null=True)
    by_name = _ByNameKeysOnly()

    class Meta:
        table_name = "shared"


class TTLHere(Model):
    id = UnicodeAttribute(hash_key=True)
    ttl = TTLAttribute(null=True, attr_name="TTL")

    class Meta:
        table_name = "shared"
        stream_view_type = "NEW_IMAGE"
        deletion_protection = False


class TTLThere(Model):
    id = UnicodeAttribute(hash_key=True)
    ttl = TTLAttribute(null=True, attr_name="expires")

    class Meta:
        table_name = "shared"


class OtherStream(Model):
    id = UnicodeAttribute(hash_key=True)

    class Meta:
        table_name = "shared"
        stream_view_type = "KEYS_ONLY"


class WithIndexes(Model):
    id = UnicodeAttribute(hash_key=True)
    whole = index("whole", "kind", "at")
    listing = index("listing", "kind", "score", columns=["score", "title"], is_number=True)
    keys = index("keys", "token", columns=[])

    class Meta:
        table_name = "shared"


class TestTablesSharedByModels:
    @pytest.fixture
    def declare(self, monkeypatch: pytest.MonkeyPatch) -> Any:
        def declare(*models: type[Model]) -> TableSpec:
            for module in (tables, items):
                monkeypatch.setattr(module, "models_of", lambda name: list(models))
            return tables.spec_of("shared")

        return declare

    def test_an_index_holds_whole_records_some_columns_beside_its_keys_or_keys_only(
        self, declare: Any
    ) -> None:
        assert declare(WithIndexes).indexes == (
            Index("keys", (Key("token", "S"),), "KEYS_ONLY"),
            Index("listing", (Key("kind", "S"), Key("score", "N")), "INCLUDE", ("title",)),
            Index("whole", (Key("kind", "S"), Key("at", "S")), "ALL"),
        )

    def test_indexes_ttl_and_options_are_joined(self, declare: Any) -> None:
        assert declare(First, TTLHere) == TableSpec(
            name="shared",
            keys=(Key("id", "S"),),
            indexes=(Index("by-name", (Key("name", "S"),), "ALL"),),
            ttl="TTL",
            stream="NEW_IMAGE",
            point_in_time_recovery=True,
            deletion_protection=False,
        )

    @pytest.mark.parametrize(
        ("other", "sentence"),
        [
            (OtherKey, "Table shared: its models declare different keys; see First."),
            (OtherProjection, "Table shared: its models declare index by-name differently; see First."),
        ],
    )
    def test_contradicting_keys_and_indexes_are_refused(
        self, declare: Any, other: type[Model], sentence: str
    ) -> None:
        with pytest.raises(ImproperlyConfigured) as refusal:
            declare(First, other)
        assert str(refusal.value) == sentence

    @pytest.mark.parametrize(
        ("other", "sentence"),
        [
            (TTLThere, "Table shared: its models declare more than one TTL attribute: TTL, expires."),
            (
                OtherStream,
                "Table shared: its models declare more than one stream view type: KEYS_ONLY, NEW_IMAGE.",
            ),
        ],
    )
    def test_contradicting_options_are_refused(self, declare: Any, other: type[Model], sentence: str) -> None:
        with pytest.raises(ImproperlyConfigured) as refusal:
            declare(TTLHere, other)
        assert str(refusal.value) == sentence
