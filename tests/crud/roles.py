"""Roles, the smallest resource, as tests make them, and what a page says about them."""

import re
from typing import Any

from cms.models import Role
from cms.repository import roles
from dynamo.actors import Actor

MAKER = Actor(sub="maker-sub", name="Maren Maker")
LIST = "/cms/roles/"


def make(name: str, **fields: Any) -> Role:
    return roles.create(Role(name=name, **fields), actor=MAKER)


def names_in(page: str) -> list[str]:
    """The rows of a list, from the top."""
    return re.findall(r'<a class="row-link"[^>]*>([^<]*)</a>', page)
