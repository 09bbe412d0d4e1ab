"""Roles, the smallest resource, as tests make them, and what a page says about them."""

import re
from html import unescape
from typing import Any

from cms.roles.models import Role
from cms.roles.repository import roles
from core.dynamo import maintenance
from core.dynamo.actors import Actor

MAKER = Actor(sub="maker-sub", name="Maren Maker")
LIST = "/cms/roles/"


def make(name: str, **fields: Any) -> Role:
    return roles.create(Role(name=name, **fields), actor=MAKER)


def names_in(page: str) -> list[str]:
    """The rows of a list, from the top."""
    return re.findall(r'<td class="card-title"[^>]*><a [^>]*>([^<]*)</a>', page)


def fill(first: int, last: int) -> None:
    """Many roles, as the repository would write them but without words and history, in batches."""
    moment = "2026-01-01T00:00:00.000Z"
    puts = [
        {
            "PutRequest": {
                "Item": {
                    "id": {"S": f"{number:08}"},
                    "entity": {"S": "role"},
                    "name": {"S": f"Role {number:05}"},
                    "sortName": {"S": f"role {number:05}"},
                    "vorstand": {"BOOL": False},
                    "createdAt": {"S": moment},
                    "updatedAt": {"S": moment},
                    "version": {"N": "1"},
                }
            }
        }
        for number in range(first, last)
    ]
    for start in range(0, len(puts), 25):
        maintenance.request("BatchWriteItem", RequestItems={Role.Meta.table_name: puts[start : start + 25]})


def next_page(response: Any) -> str:
    """Where "Load more" leads."""
    found = re.search(r'id="load-more" href="([^"]*)"', response.content.decode())
    return unescape(found[1]) if found else ""
