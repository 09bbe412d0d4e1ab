"""What a search finds, and the words it is found by."""

from core.dynamo import maintenance, queries, search, search_index
from tests.core.dynamo.library import everybody_may


def rows_of(scope: str, beginning: str) -> list[search_index.WordRow]:
    """The stored words of a scope with this prefix."""
    partition = search_index.partition(scope, beginning)
    return list(queries.query(search_index.WordRow, partition, prefix=beginning, limit=100).items)


def titles(text: str, *scopes: str) -> list[str]:
    return sorted(hit.label for hit in search.search(text, scopes or ["cms"], may_see=everybody_may).hits)


def put_word(word: str, key: str, *, entity: str = "article", scope: str = "cms") -> None:
    operation = search_index.put(scope, word, entity=entity, key=key)
    maintenance.request("PutItem", TableName="fieldhouse", Item=operation.item)
