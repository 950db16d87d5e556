"""A client for Google's Search Console: ``sitemaps.submit`` and ``sitemaps.get`` for a service account.

https://developers.google.com/webmaster-tools/v1/sitemaps; the token is requested by RFC 7523, 2.1.
google-auth only signs; all requests are sent by ``web``, with its limits.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from google.auth import crypt, jwt

from docs_sitemap.limits import MAX_TEXT
from docs_sitemap.readers.data import read_json
from docs_sitemap.readers.files import read_named
from docs_sitemap.submit.web import Statuses, SubmitError, Web, check_url, explain_status

SEARCH_CONSOLE: Final = "https://www.googleapis.com/webmasters/v3"

_AS_IN_CONSOLE: Final = (
    "write the property as Search Console does: sc-domain:example.org for a domain property, its whole URL, "
    "such as https://example.org/, for a URL-prefix property"
)
_STATUSES: Final[Statuses] = {
    400: ("the request is rejected", _AS_IN_CONSOLE),
    401: ("the account in the credentials file is unknown", "create a new key file for the account"),
    403: (
        "the account in the credentials file has no permission",
        "in Search Console, add the account's client_email to the property's users, with full permission; "
        f"{_AS_IN_CONSOLE}; enable the Search Console API in the account's project",
    ),
    404: ("no such property or sitemap for this account", _AS_IN_CONSOLE),
    429: ("too many requests", "try again later"),
}
"""Meaning and fix of each status. The other form of a property gives 403, too (Stack Overflow, 28080416)."""

_SCOPE: Final = "https://www.googleapis.com/auth/webmasters"
_GRANT: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_NEEDED: Final = ("client_email", "private_key", "token_uri")


@dataclass(frozen=True, slots=True)
class Account:
    """The content of a credentials file, which is never shown."""

    email: str = field(repr=False)
    token_uri: str = field(repr=False)
    signer: crypt.Signer = field(repr=False)


class Status(NamedTuple):
    """The status of a sitemap in Search Console."""

    text: str
    errors: int


def read_account(file: Path) -> Account:
    """Return the service account in a credentials file. Raises ``SubmitError`` without its content."""
    try:
        info = read_json(read_named(file, MAX_TEXT))
    except OSError as problem:
        raise SubmitError(f"{file}: cannot be read: {problem.strerror}.") from None
    except ValueError:
        raise SubmitError(
            f"{file}: expected the JSON file of a service account, got something else."
        ) from None
    missing = [name for name in _NEEDED if not _text(info, name)]
    if missing:
        raise SubmitError(
            f"{file}: expected the JSON file of a service account; missing: {', '.join(missing)}."
        )
    try:
        check_url(info["token_uri"])
        # google-auth has no types for this
        signer = crypt.RSASigner.from_service_account_info(info)  # type: ignore[no-untyped-call]
    except SubmitError as problem:
        raise SubmitError(f"{file}: token_uri: {problem}") from None
    except Exception:  # the error depends on the library, and its text may show the key
        raise SubmitError(f"{file}: its private_key cannot be read.") from None
    return Account(info["client_email"], info["token_uri"], signer)


def _text(info: object, name: str) -> str:
    value = info.get(name) if isinstance(info, dict) else None
    return value if isinstance(value, str) else ""


def check_property(site: str, sitemap: str) -> None:
    """Raise ``SubmitError`` unless ``site`` is a property that can contain a sitemap's URL."""
    domain = site.removeprefix("sc-domain:")
    host = urlsplit(sitemap).hostname or ""
    if domain != site:
        is_within = host == domain or host.endswith("." + domain)
    elif re.match("https?://", site):
        is_within = sitemap.startswith(site if site.endswith("/") else site + "/")
    else:
        got = "" if "@" in site else f", got {site!r}"  # it may have a password
        raise SubmitError(f"expected a property such as https://{host}/ or sc-domain:{host}{got}.")
    if not is_within:
        named = "" if "@" in site else f" {site}"
        raise SubmitError(f"the sitemap {sitemap} is not below the property{named}.")


def submit_sitemap(site: str, sitemap: str, account: Account, web: Web, endpoint: str) -> Status:
    """Submit a sitemap for a property, and return its status. Raises ``SubmitError`` if it is refused.

    ``site`` is written as in Search Console: a URL, or ``sc-domain:`` and a domain.
    """
    token = fetch_token(account, web)
    headers = {"Authorization": f"Bearer {token}"}
    url = f"{endpoint.rstrip('/')}/sites/{quote(site, safe='')}/sitemaps/{quote(sitemap, safe='')}"
    body = b""
    for method in ("PUT", "GET"):
        answer = web.ask(method, url, headers=headers)
        if answer.status not in (200, 204):
            parts = explain_status(answer, _STATUSES, {token: "TOKEN", account.email: "ACCOUNT"})
            raise SubmitError(f"{sitemap}: {' '.join(parts)}")
        body = answer.body
    return read_status(body)


def fetch_token(account: Account, web: Web) -> str:
    """Request a token for an account."""
    now = int(time.time())
    claims = {"iss": account.email, "scope": _SCOPE, "aud": account.token_uri, "iat": now, "exp": now + 3600}
    try:
        assertion = jwt.encode(account.signer, claims)  # type: ignore[no-untyped-call] # it has no types
    except Exception:  # whatever a key that is not RSA raises
        assertion = b""
    if not assertion:  # outside the handler: the text of the cause may contain the key
        raise SubmitError("the private key in the credentials file cannot sign: expected an RSA key.")
    body = urlencode({"grant_type": _GRANT, "assertion": assertion}).encode("ascii")
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = web.ask("POST", account.token_uri, headers=headers, body=body)
    server = urlsplit(account.token_uri).netloc
    if answer.status != 200:
        known: Statuses = {answer.status: ("no token for the account in the credentials file", "")}
        parts = explain_status(answer, known, {assertion.decode(): "TOKEN", account.email: "ACCOUNT"})
        raise SubmitError(f"{server}: {' '.join(parts)}")
    token = _text(_json(answer.body, server), "access_token")
    if not re.fullmatch("[!-~]+", token):
        raise SubmitError(f"{server}: the answer contains no token.")
    return token


def read_status(body: bytes) -> Status:
    """Summarize Search Console's status of a sitemap; its numbers are JSON strings (64 bits)."""
    info = _json(body, "Search Console")
    parts = ["not read yet" if info.get("isPending") else "read"]
    for name, title in (("lastSubmitted", "submitted"), ("lastDownloaded", "last read")):
        if moment := _text(info, name):
            parts.append(f"{title} {moment[:19]}")  # without fractions of a second
    try:
        errors, warnings = int(info.get("errors", 0)), int(info.get("warnings", 0))
        parts += [f"errors: {errors}", f"warnings: {warnings}"]
        parts += [f"{each['type']}: {each.get('submitted', 0)}" for each in info.get("contents", ())]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise SubmitError("Search Console: the answer cannot be understood.") from None
    return Status(", ".join(parts), errors)


def _json(body: bytes, server: str) -> Mapping[str, Any]:
    with suppress(ValueError):
        if isinstance(found := read_json(body), dict):
            return found
    raise SubmitError(f"{server}: the answer cannot be understood.")
