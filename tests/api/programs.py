"""A program that uses the API."""

import json
from typing import Any

from django.http import HttpResponse
from django.test import Client

from tests.cast import sign_in

SCOUTING = "/api/v1/scouting"


class Program:
    """It sends JSON with the session of a role, or with a token."""

    def __init__(self, role: str = "stranger", *, token: str = "") -> None:
        self.client = sign_in(Client(), role)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, address: str, **headers: str) -> HttpResponse:
        return self.send("GET", address, **headers)

    def post(self, address: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.send("POST", address, body, **headers)

    def put(self, address: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.send("PUT", address, body, **headers)

    def patch(self, address: str, body: Any, **headers: str) -> HttpResponse:
        return self.send("PATCH", address, body, **headers)

    def delete(self, address: str, **headers: str) -> HttpResponse:
        return self.send("DELETE", address, **headers)

    def send(self, method: str, address: str, body: Any = None, **headers: str) -> HttpResponse:
        """Headers are named as in Python: `if_match='"1"'`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if not address.startswith("/"):
            address = f"{SCOUTING}/{address}"
        data = "" if body is None else body if isinstance(body, str) else json.dumps(body)
        answer: HttpResponse = self.client.generic(
            method, address, data, content_type="application/json", headers=self.headers | named
        )
        return answer


def pointers(answer: HttpResponse) -> list[str]:
    """Which fields of a request were refused."""
    return [error["pointer"] for error in answer.json()["errors"]]
