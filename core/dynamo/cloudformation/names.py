"""Names of resources in a template."""

import re
from typing import Any

Json = dict[str, Any]

DIRECTIONS = ("Read", "Write")


def logical_id(name: str) -> str:
    """`stand-forms` becomes StandFormsTable: CloudFormation takes letters and digits only."""
    return f"{joined(name)}Table"


def joined(name: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", name))
