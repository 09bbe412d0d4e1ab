"""The rules and scores of MDN HTTP Observatory (its analyzer/tests and grader), as far as we can meet them.

Each test returns the name of Observatory's result; SCORES holds what that result adds to 100. A result that
is not in SCORES is one that Observatory marks as a failure.
"""

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from http.cookies import Morsel
from urllib.parse import urlsplit

from django.http import HttpResponse

SIX_MONTHS = 15_768_000
BROAD = {"ftp:", "http:", "https:", "*", "http://*", "http://*.*", "https://*", "https://*.*"}
INLINE = {"'unsafe-inline'", "data:"}
PRIVATE_REFERRERS = {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}
FOREIGN_ORIGIN = "https://http-observatory.security.mozilla.org"

SCORES = {
    "csp-implemented-with-no-unsafe-default-src-none": 10,
    "csp-implemented-with-no-unsafe": 5,
    "cookies-secure-with-httponly-sessions-and-samesite": 5,
    "cookies-not-found": 0,
    "cross-origin-resource-sharing-not-implemented": 0,
    "redirection-to-https": 0,
    "referrer-policy-private": 5,
    "hsts-implemented-max-age-at-least-six-months": 0,
    "sri-not-implemented-response-not-html": 0,
    "sri-not-implemented-but-no-scripts-loaded": 0,
    "sri-not-implemented-but-all-scripts-loaded-from-secure-origin": 0,
    "x-content-type-options-nosniff": 0,
    "x-frame-options-implemented-via-csp": 5,
    "corp-implemented-with-same-origin": 10,
}

Policy = dict[str, set[str]]


def policy_of(response: HttpResponse) -> Policy:
    """A directive that is named twice makes the policy invalid."""
    entries = [entry.split() for entry in response["Content-Security-Policy"].split(";") if entry.strip()]
    names = [name for name, *_sources in entries]
    assert len(names) == len(set(names)), f"a directive is named twice: {names}"
    return {name: set(sources) for name, *sources in entries}


def content_security_policy(response: HttpResponse) -> str:
    if "Content-Security-Policy" not in response:
        return "csp-not-implemented"
    policy = policy_of(response)
    default = policy.get("default-src", {"*"})
    scripts, styles = policy.get("script-src", default), policy.get("style-src", default)
    if scripts & (BROAD | INLINE) or policy.get("object-src", default) & BROAD:
        return "csp-implemented-with-unsafe-inline"
    if any(source.startswith(("http:", "ftp:")) for sources in policy.values() for source in sources):
        return "csp-implemented-with-insecure-scheme"
    if "'unsafe-eval'" in scripts | styles:
        return "csp-implemented-with-unsafe-eval"
    if styles & (BROAD | INLINE):
        return "csp-implemented-with-unsafe-inline-in-style-src-only"
    if default == {"'none'"}:
        return "csp-implemented-with-no-unsafe-default-src-none"
    return "csp-implemented-with-no-unsafe"


def cookies(response: HttpResponse) -> str:
    found: Iterable[Morsel[str]] = response.cookies.values()
    if not found:
        return "cookies-not-found"
    for cookie in found:
        if not cookie["secure"]:
            return "cookies-without-secure-flag"
        if not cookie["httponly"] and re.search("login|sess", cookie.key, re.IGNORECASE):
            return "cookies-session-without-httponly-flag"
        if cookie["samesite"].lower() not in {"lax", "strict"}:
            return "cookies-samesite-flag-missing-or-invalid"
    return "cookies-secure-with-httponly-sessions-and-samesite"


def cross_origin_resource_sharing(response: HttpResponse) -> str:
    """Of an answer to a request from FOREIGN_ORIGIN."""
    if "Access-Control-Allow-Origin" in response:
        return "cross-origin-resource-sharing-implemented"
    return "cross-origin-resource-sharing-not-implemented"


def redirection(address: str, response: HttpResponse) -> str:
    """Of the answer to a request over plain http."""
    asked, target = urlsplit(address), urlsplit(response.get("Location", ""))
    if response.status_code != 301 or target.scheme != "https":
        return "redirection-missing"
    same = (target.hostname, target.path, target.query) == (asked.hostname, asked.path, asked.query)
    return "redirection-to-https" if same else "redirection-off-host-from-http"


def referrer_policy(response: HttpResponse) -> str:
    header = response.get("Referrer-Policy", "")
    return "referrer-policy-private" if header in PRIVATE_REFERRERS else "referrer-policy-unsafe"


def strict_transport_security(response: HttpResponse) -> str:
    header = response.get("Strict-Transport-Security", "")
    age = re.search(r"max-age=(\d+)", header)
    if not age or "," in header:
        return "hsts-not-implemented"
    if int(age[1]) < SIX_MONTHS:
        return "hsts-implemented-max-age-less-than-six-months"
    return "hsts-implemented-max-age-at-least-six-months"


class Page(HTMLParser):
    """What a page loads, and whatever inline code or style the policy would block."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.inline: list[str] = []
        self.feed(response.content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "script" and attributes.get("src"):
            self.scripts.append(attributes["src"] or "")
        elif tag in {"script", "style"}:
            self.inline.append(tag)
        self.inline += [f"{tag} {name}" for name in attributes if name == "style" or name.startswith("on")]


def subresource_integrity(response: HttpResponse) -> str:
    if not response.get("Content-Type", "").startswith("text/html"):
        return "sri-not-implemented-response-not-html"
    scripts = Page(response).scripts
    if not scripts:
        return "sri-not-implemented-but-no-scripts-loaded"
    if all(urlsplit(source).netloc == "" for source in scripts):
        return "sri-not-implemented-but-all-scripts-loaded-from-secure-origin"
    return "sri-not-implemented-but-external-scripts-loaded"


def x_content_type_options(response: HttpResponse) -> str:
    given = response.get("X-Content-Type-Options")
    return (
        "x-content-type-options-nosniff" if given == "nosniff" else "x-content-type-options-not-implemented"
    )


def x_frame_options(response: HttpResponse) -> str:
    """Observatory is content with frame-ancestors; old browsers need the header, so we want both."""
    if response.get("X-Frame-Options") == "DENY" and policy_of(response).get("frame-ancestors") == {"'none'"}:
        return "x-frame-options-implemented-via-csp"
    return "x-frame-options-not-implemented"


def cross_origin_resource_policy(response: HttpResponse) -> str:
    given = response.get("Cross-Origin-Resource-Policy")
    return "corp-implemented-with-same-origin" if given == "same-origin" else "corp-not-implemented"


EVERY_ANSWER = [
    content_security_policy,
    cookies,
    cross_origin_resource_sharing,
    referrer_policy,
    strict_transport_security,
    subresource_integrity,
    x_content_type_options,
    x_frame_options,
    cross_origin_resource_policy,
]


def failures(response: HttpResponse) -> list[str]:
    """The tests of one https answer that Observatory would not pass; redirection is asked over http."""
    return [result for test in EVERY_ANSWER if (result := test(response)) not in SCORES]


def score(response: HttpResponse) -> int:
    """100 is A+; without a failure everything else is extra credit."""
    return 100 + sum(SCORES.get(test(response), -50) for test in EVERY_ANSWER)
