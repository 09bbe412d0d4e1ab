"""The tables of the document of the club's website, and items in them exactly as it shows them.

It is the other program, which knows nothing of our models: it has its own indexes and attributes.
"""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import botocore.session

Item = dict[str, dict[str, Any]]

# Table, then the keys of each index; the document projects everything.
TABLES: dict[str, dict[str, tuple[str, ...]]] = {
    "vcm-news": {"GSI-PublishedDate": ("status", "publishedDate"), "GSI-Slug": ("slug",)},
    "vcm-events": {"GSI-StartDate": ("status", "startDate")},
    "vcm-teams": {
        "GSI-Slug": ("slug",),
        "GSI-Status": ("status", "name"),
        "GSI-SamsTeam": ("sbvvTeamId",),
    },
    "vcm-members": {},
    "vcm-media": {},
    "vcm-sponsors": {},
    "vcm-roles": {},
}
COUNTS = {
    "vcm-news": 60,
    "vcm-events": 30,
    "vcm-teams": 20,
    "vcm-members": 30,
    "vcm-media": 30,
    "vcm-sponsors": 20,
    "vcm-roles": 10,
}
CREATED, CHANGED = "2025-11-22T10:30:00.000Z", "2025-11-23T08:15:30.250Z"
EXPIRES = 4102444800


class OtherProgram:
    """It reads and writes by the document's keys and indexes, with the AWS SDK alone."""

    def __init__(self, endpoint: str) -> None:
        self._client = botocore.session.get_session().create_client(
            "dynamodb",
            region_name="eu-central-1",
            endpoint_url=endpoint,
            aws_access_key_id="other",
            aws_secret_access_key="other",
        )

    def make_tables(self) -> None:
        for table, indexes in TABLES.items():
            names = dict.fromkeys(["id", *(key for keys in indexes.values() for key in keys)])
            made = [
                {
                    "IndexName": name,
                    "KeySchema": _schema(*keys),
                    "Projection": {"ProjectionType": "ALL"},
                }
                for name, keys in indexes.items()
            ]
            self._client.create_table(
                TableName=table,
                BillingMode="PAY_PER_REQUEST",
                AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in names],
                KeySchema=_schema("id"),
                **({"GlobalSecondaryIndexes": made} if made else {}),
            )

    def put(self, table: str, item: Item) -> None:
        self._client.put_item(TableName=table, Item=item)

    def change(self, table: str, key: str, **values: dict[str, Any]) -> None:
        """Some attributes and the time, as its form saves them."""
        names = {f"#{name}": name for name in values}
        setters = ", ".join(f"#{name} = :{name}" for name in values)
        self._client.update_item(
            TableName=table,
            Key={"id": {"S": key}},
            UpdateExpression=f"SET {setters}",
            ExpressionAttributeNames=names,
            ExpressionAttributeValues={f":{name}": value for name, value in values.items()},
        )

    def delete(self, table: str, key: str) -> None:
        self._client.delete_item(TableName=table, Key={"id": {"S": key}})

    def get(self, table: str, key: str) -> Item:
        answer = self._client.get_item(TableName=table, Key={"id": {"S": key}}, ConsistentRead=True)
        item: Item = answer.get("Item", {})
        return item

    def query(self, table: str, index: str, value: str, **options: Any) -> list[Item]:
        name = TABLES[table][index][0]
        pages = self._client.get_paginator("query").paginate(
            TableName=table,
            IndexName=index,
            KeyConditionExpression="#key = :value",
            ExpressionAttributeNames={"#key": name},
            ExpressionAttributeValues={":value": {"S": value}},
            **options,
        )
        return [item for page in pages for item in page["Items"]]

    def scan(self, table: str) -> list[Item]:
        pages = self._client.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
        return [item for page in pages for item in page["Items"]]


def _schema(*keys: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": key, "KeyType": kind} for key, kind in zip(keys, ("HASH", "RANGE"), strict=False)
    ]


def key_of(table: str, number: int) -> str:
    """The UUIDs of the other program, which say nothing about time."""
    return str(
        UUID(int=(list(TABLES).index(table) + 1) << 100 | 4 << 76 | 8 << 60 | (number * 7919), version=4)
    )


def everything() -> Iterator[tuple[str, Item]]:
    """200 items, each with the attributes that the document names, and no other."""
    for table, count in COUNTS.items():
        for number in range(count):
            yield table, MAKERS[table](number)


def same_text(item: Item) -> str:
    """An item as one text, for comparing byte for byte."""
    return json.dumps(item, sort_keys=True, ensure_ascii=False)


def article(number: int) -> Item:
    published = number % 3 != 0
    title = f"Spieltag {number:03}: Müllheim gegen Gäste {number:03}"
    return {
        "id": {"S": key_of("vcm-news", number)},
        "title": {"S": title},
        # Made by the other program's own rule, which keeps a colon.
        "slug": {"S": f"spieltag-{number:03}:-muellheim-gegen-gaeste-{number:03}"},
        "content": {"M": _document(f"Fünf Sätze, Bericht {number}.")},
        **({"excerpt": {"S": f"Fünf Sätze, Bericht {number}."}} if number % 4 else {}),
        "publishedDate": {"S": f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}T18:05:42.317Z"},
        "status": {"S": "published" if published else "draft"},
        "authorIds": _texts("9f3c0b7e-payload-user") if number % 5 else {"L": []},
        "imageIds": _texts(*(key_of("vcm-media", (number + each) % 30) for each in range(number % 4))),
        "createdAt": {"S": CREATED},
        "updatedAt": {"S": CHANGED},
    }


def event(number: int) -> Item:
    return {
        "id": {"S": key_of("vcm-events", number)},
        "title": {"S": f"Vereinstermin {number:03}"},
        "slug": {"S": f"vereinstermin-{number:03}"},
        "description": {"NULL": True} if number % 3 == 0 else {"M": _document(f"Termin {number}.")},
        "startDate": {"S": f"20{20 + number}-06-{number % 28 + 1:02}T17:00:30.000Z"},
        **(
            {"endDate": {"S": f"20{20 + number}-06-{number % 28 + 1:02}T20:00:00.000Z"}} if number % 2 else {}
        ),
        "address": {
            "M": {
                "name": {"S": "Sporthalle II"},
                "street": {"S": "Schwarzwaldstr. 12"},
                "postalCode": {"S": "79379"} if number % 2 else {"N": "79379"},
                "city": {"S": "Müllheim"},
            }
        },
        "imageIds": _texts(key_of("vcm-media", number % 30)),
        "authorIds": _texts("9f3c0b7e-payload-user"),
        "status": {"S": "published" if number % 4 else "draft"},
        "createdAt": {"S": CREATED},
        "updatedAt": {"S": CHANGED},
    }


def team(number: int) -> Item:
    return {
        "id": {"S": key_of("vcm-teams", number)},
        "name": {"S": f"Mannschaft {number:03}"},
        "slug": {"S": f"mannschaft{number:03}"},
        "gender": {"S": ("men", "woman", "mixed")[number % 3]},
        "age": {"N": "14"} if number % 2 else {"NULL": True},
        "league": {"S": "Kreisliga Süd"} if number % 2 else {"NULL": True},
        **({"sbvvTeamId": {"S": f"sams-{number}"}} if number % 2 else {}),
        "description": {"S": f"Wir sind Nummer {number}.\nKommt vorbei."},
        "coachIds": _texts(key_of("vcm-members", number % 30)),
        "contactPersonIds": _texts(key_of("vcm-members", (number + 1) % 30)),
        "schedules": {
            "L": [
                {
                    "M": {
                        "day": _texts("montags", "mittwochs"),
                        "startTime": {"S": "18:00"},
                        "endTime": {"S": "20:00"},
                        # The document names no table of locations.
                        "locationId": {"S": "11111111-1111-4111-8111-111111111111"},
                    }
                }
            ]
        },
        "imageIds": {"L": []},
        "instagram": {"S": "vcmuellheim"} if number % 2 else {"NULL": True},
        "status": {"S": "published" if number % 5 else "draft"},
        "createdAt": {"S": CREATED},
        "updatedAt": {"S": CHANGED},
    }


def member(number: int) -> Item:
    return {
        "id": {"S": key_of("vcm-members", number)},
        "name": {"S": f"Änne Mitglied {number:03}"},
        **({"email": {"S": f"mitglied{number:03}@example.org"}} if number % 2 else {}),
        "phone": {"S": f"07631 {number:04}"} if number % 2 else {"NULL": True},
        "roleIds": _texts(key_of("vcm-roles", number % 10)),
        "avatarId": {"S": key_of("vcm-media", number)} if number % 3 else {"NULL": True},
        "createdAt": {"S": CREATED},
        "updatedAt": {"S": CHANGED},
    }


def media(number: int) -> Item:
    filename = f"{key_of('vcm-roles', number)}.jpg"
    return {
        "id": {"S": key_of("vcm-media", number)},
        "filename": {"S": filename},
        "s3Key": {"S": f"news/{filename}"},
        "s3Bucket": {"S": "vcm-media-prod"},
        "url": {"S": f"https://d111.cloudfront.example/news/{filename}"},
        "alt": {"S": f"Ballwechsel {number:03}"} if number % 2 else {"NULL": True},
        "createdAt": {"S": CREATED},
        "updatedAt": {"S": CHANGED},
    }


def sponsor(number: int) -> Item:
    return {
        "id": {"S": key_of("vcm-sponsors", number)},
        "name": {"S": f"Bäckerei {number:03}"},
        "website": {"S": f"https://baeckerei-{number}.example"} if number % 2 else {"NULL": True},
        "logoId": {"S": key_of("vcm-media", number)} if number % 3 else {"NULL": True},
        "expiryTimestamp": {"N": str(EXPIRES + number)},
        "createdAt": {"S": CREATED},
        "updatedAt": {"S": CHANGED},
    }


def role(number: int) -> Item:
    return {
        "id": {"S": key_of("vcm-roles", number)},
        "name": {"S": f"Trainerin {number:03}"},
        "createdAt": {"S": CREATED},
    }


MAKERS = {
    "vcm-news": article,
    "vcm-events": event,
    "vcm-teams": team,
    "vcm-members": member,
    "vcm-media": media,
    "vcm-sponsors": sponsor,
    "vcm-roles": role,
}


def _texts(*values: str) -> dict[str, Any]:
    return {"L": [{"S": value} for value in values]}


def _document(text: str) -> dict[str, Any]:
    return {
        "type": {"S": "doc"},
        "content": {
            "L": [
                {
                    "M": {
                        "type": {"S": "paragraph"},
                        "content": {"L": [{"M": {"type": {"S": "text"}, "text": {"S": text}}}]},
                    }
                }
            ]
        },
    }
