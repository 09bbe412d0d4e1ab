"""A little OpenID issuer on loopback that speaks like Cognito, and can lie, rotate its keys or be down."""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from unittest.mock import patch
from urllib.parse import parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

from config.engines.process import HOST, free_port
from core.accounts import oidc, tokens

# Put in the place of a claim, or of a part of the token answer, it leaves that part out.
ABSENT = object()
IMPATIENT = 0.1

PERSON = {
    "sub": "5f2c1f0e-0000-4000-8000-000000000001",
    "email": "odile@fieldhouse.example",
    "email_verified": True,
    "name": "Odile Brandt",
    "cognito:username": "5f2c1f0e-0000-4000-8000-000000000001",
    "cognito:groups": ["official"],
}


@dataclass
class Lies:
    """What the issuer says instead of the truth; a fresh one tells none."""

    id_claims: dict[str, Any] = field(default_factory=dict)
    access_claims: dict[str, Any] = field(default_factory=dict)
    answer: dict[str, Any] = field(default_factory=dict)
    algorithm: str = "RS256"
    key: RSAKey | None = None
    kid: str | None = None


@dataclass(frozen=True)
class Code:
    """What was asked for when an authorization code was given out."""

    challenge: str
    redirect_uri: str
    nonce: str | None
    person: Mapping[str, Any] | None = None


class Issuer:
    """Its tokens claim to come from `issuer`; its documents are at `documents`, its login at `endpoint`."""

    def __init__(self, *, issuer: str, client_id: str) -> None:
        self.issuer = issuer
        self.client_id = client_id
        self.person: dict[str, Any] = dict(PERSON)
        # Who else may sign in, by the `login_hint` with which the managed login is opened.
        self.people: dict[str, Mapping[str, Any]] = {}
        self.lies = Lies()
        self.keys = [new_key()]
        self.requests: list[str] = []
        self.revoked: list[str] = []
        self._codes: dict[str, Code] = {}
        self._refresh_tokens: set[str] = set()
        self._person_of: dict[str, Mapping[str, Any] | None] = {}
        self._port = free_port()
        self._server: ThreadingHTTPServer | None = None
        self._is_hung = False
        self._goes_on = threading.Event()

    @property
    def endpoint(self) -> str:
        return f"http://{HOST}:{self._port}"

    @property
    def documents(self) -> str:
        return f"{self.endpoint}/pool"

    @property
    def jwks_address(self) -> str:
        return f"{self.documents}/.well-known/jwks.json"

    @property
    def key(self) -> RSAKey:
        """The one it signs with now."""
        return self.keys[-1]

    # --- what a test does to it

    def rotate(self) -> None:
        """Sign with a new key from now on, and no longer publish the old one."""
        self.keys = [new_key()]

    def count(self, path: str) -> int:
        """How often a path that ends like this was asked for."""
        return sum(asked.endswith(path) for asked in self.requests)

    @contextmanager
    def down(self) -> Iterator[None]:
        """Nobody listens."""
        self.stop()
        yield
        self.start()

    @contextmanager
    def hung(self) -> Iterator[None]:
        """Connections are accepted, nothing is answered for a long time; only meanwhile nobody waits long."""
        self._is_hung = True
        with patch.object(oidc, "SECONDS", IMPATIENT), patch.object(tokens, "FETCH_SECONDS", IMPATIENT):
            oidc._oauth_client.cache_clear()
            yield
        oidc._oauth_client.cache_clear()
        self._is_hung = False
        self._goes_on.set()

    # --- what it does

    def authorize(self, address: str) -> str:
        """The person signs in at the managed login; returns the callback address they are sent to."""
        asked = dict(parse_qsl(urlsplit(address).query))
        assert asked["response_type"] == "code"
        assert asked["client_id"] == self.client_id
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        person = self.people.get(asked.get("login_hint", ""))
        self._codes[code] = Code(asked["code_challenge"], asked["redirect_uri"], asked.get("nonce"), person)
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def tokens(self, form: Mapping[str, str]) -> tuple[int, dict[str, Any]]:
        """The token endpoint; a code is good for one use, by whoever knows its verifier."""
        if form.get("client_id") != self.client_id:
            return 400, {"error": "invalid_client"}
        match form.get("grant_type"):
            case "authorization_code":
                code = self._codes.pop(form.get("code", ""), None)
                if code is None or code.redirect_uri != form.get("redirect_uri"):
                    return 400, {"error": "invalid_grant"}
                if challenge_of(form.get("code_verifier", "")) != code.challenge:
                    return 400, {"error": "invalid_grant"}
                return 200, self._answer(nonce=code.nonce, person=code.person)
            case "refresh_token" if form.get("refresh_token") in self._refresh_tokens - set(self.revoked):
                person = self._person_of.get(form["refresh_token"])
                return 200, self._answer(nonce=None, person=person, with_refresh_token=False)
        return 400, {"error": "invalid_grant"}

    def id_token(
        self, *, access_token: str, nonce: str | None = None, person: Mapping[str, Any] | None = None
    ) -> str:
        claims = self._common_claims() | dict(person or self.person)
        claims |= {"aud": self.client_id, "token_use": "id", "at_hash": at_hash(access_token)}
        if nonce is not None:
            claims["nonce"] = nonce
        return self.sign(claims | self.lies.id_claims)

    def access_token(self, person: Mapping[str, Any] | None = None) -> str:
        person = person or self.person
        claims = self._common_claims() | {
            "sub": person["sub"],
            "client_id": self.client_id,
            "token_use": "access",
            "scope": "openid email profile",
            "username": person["cognito:username"],
            "cognito:groups": person["cognito:groups"],
        }
        return self.sign(claims | self.lies.access_claims)

    def sign(self, claims: Mapping[str, Any]) -> str:
        told = {name: value for name, value in claims.items() if value is not ABSENT}
        key = self.lies.key or self.key
        header = {"kid": self.lies.kid or self.key.kid, "alg": self.lies.algorithm}
        match self.lies.algorithm:
            case "none":
                return _by_hand(header, told, b"")
            case "HS256":
                return _by_hand(header, told, self.key.as_pem(private=False))
        return jwt.encode(header, told, key, algorithms=[self.lies.algorithm])

    def start(self) -> Self:
        self._server = ThreadingHTTPServer((HOST, self._port), _handler(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def stop(self) -> None:
        if self._server is not None:
            self._goes_on.set()
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _answer(
        self, *, nonce: str | None, person: Mapping[str, Any] | None, with_refresh_token: bool = True
    ) -> dict[str, Any]:
        access_token = self.access_token(person)
        answer: dict[str, Any] = {
            "access_token": access_token,
            "id_token": self.id_token(access_token=access_token, nonce=nonce, person=person),
            "token_type": "Bearer",
            "expires_in": 3600,
        }
        if with_refresh_token:
            answer["refresh_token"] = secrets.token_urlsafe(16)
            self._refresh_tokens.add(answer["refresh_token"])
            self._person_of[answer["refresh_token"]] = person
        answer |= self.lies.answer
        return {name: value for name, value in answer.items() if value is not ABSENT}

    def _common_claims(self) -> dict[str, Any]:
        now = int(time.time())
        return {
            "iss": self.issuer,
            "iat": now,
            "auth_time": now,
            "exp": now + 3600,
            "jti": secrets.token_hex(8),
        }

    def _discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.endpoint}/oauth2/authorize",
            "token_endpoint": f"{self.endpoint}/oauth2/token",
            "revocation_endpoint": f"{self.endpoint}/oauth2/revoke",
            "end_session_endpoint": f"{self.endpoint}/logout",
            "jwks_uri": self.jwks_address,
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def _get(self, target: str) -> tuple[int, dict[str, Any] | str]:
        """A document, or the address of a redirect."""
        parts = urlsplit(target)
        match parts.path:
            case "/pool/.well-known/openid-configuration":
                return 200, self._discovery()
            case "/pool/.well-known/jwks.json":
                return 200, {
                    "keys": [key.as_dict(private=False, alg="RS256", use="sig") for key in self.keys]
                }
            case "/oauth2/authorize":
                return 302, self.authorize(target)
            case "/logout":
                return 302, dict(parse_qsl(parts.query))["logout_uri"]
        return 404, {}

    def _post(self, path: str, form: Mapping[str, str]) -> tuple[int, dict[str, Any]]:
        match path:
            case "/oauth2/token":
                return self.tokens(form)
            case "/oauth2/revoke":
                self.revoked.append(form["token"])
                return 200, {}
        return 404, {}


def new_key() -> RSAKey:
    return RSAKey.generate_key(2048, auto_kid=True)


def challenge_of(verifier: str) -> str:
    return _base64(hashlib.sha256(verifier.encode()).digest())


def at_hash(access_token: str) -> str:
    return _base64(hashlib.sha256(access_token.encode()).digest()[:16])


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _by_hand(header: Mapping[str, Any], claims: Mapping[str, Any], secret: bytes) -> str:
    """Tokens that no honest library would make: unsigned, or signed with the public key as a secret."""
    head, body = (_base64(json.dumps(part).encode()) for part in (header, claims))
    signature = hmac.digest(secret, f"{head}.{body}".encode(), "sha256") if secret else b""
    return f"{head}.{body}.{_base64(signature)}"


def _handler(issuer: Issuer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._note()
            self._send(*issuer._get(self.path))

        def do_POST(self) -> None:
            self._note()
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self._send(*issuer._post(urlsplit(self.path).path, dict(parse_qsl(body.decode()))))

        def _note(self) -> None:
            issuer.requests.append(urlsplit(self.path).path)
            if issuer._is_hung:
                issuer._goes_on.wait(20)

        def _send(self, status: int, content: dict[str, Any] | str) -> None:
            self.send_response(status)
            if isinstance(content, str):
                self.send_header("Location", content)
                body = b""
            else:
                self.send_header("Content-Type", "application/json")
                body = json.dumps(content).encode()
            self.send_header("Content-Length", str(len(body)))
            # Whoever did not wait for a hung answer is gone by now.
            with suppress(ConnectionError):
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Tests need no access log."""

    return Handler
