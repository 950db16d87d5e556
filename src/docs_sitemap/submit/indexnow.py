"""The IndexNow client: one POST request per batch (indexnow.org, documentation)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from docs_sitemap.submit.answers import INDEXNOW_ANSWERS, explain_answer
from docs_sitemap.submit.batches import Batch, Key
from docs_sitemap.submit.failure import SubmitError
from docs_sitemap.submit.web import Web

INDEXNOW: Final = "https://api.indexnow.org/indexnow"
"""Forwards everything to all engines that take part."""

_FINAL: Final = 200
_ACCEPTED: Final = (_FINAL, 202)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a batch.

    ``is_final`` tells whether the engine has the URLs: not yet if it answers 202, because it still has to
    check the key.
    """

    batch: Batch
    is_accepted: bool
    text: str
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class IndexNow:
    """An engine that takes part, or the endpoint that notifies all of them."""

    web: Web
    endpoint: str = INDEXNOW

    def send(self, batches: Iterable[Batch], key: Key) -> Iterator[Outcome]:
        """Send each batch and yield its outcome; after a refusal, skip further batches of that host."""
        refused: set[str] = set()
        for batch in batches:
            if batch.host in refused:
                yield Outcome(batch, False, "not sent, because the engine refused an earlier batch")
                continue
            outcome = self._send(batch, key)
            if not outcome.is_accepted:
                refused.add(batch.host)
            yield outcome

    def _send(self, batch: Batch, key: Key) -> Outcome:
        sent = {"host": batch.host, "key": key.value, "urlList": batch.addresses}
        if location := key.location_for(batch.host):
            sent["keyLocation"] = location
        headers = {"Content-Type": "application/json; charset=utf-8"}
        body = json.dumps(sent).encode("ascii")
        try:
            answer = self.web.ask("POST", self.endpoint, headers=headers, body=body)
        except SubmitError as problem:
            return Outcome(batch, False, str(problem))
        text = explain_answer(answer, INDEXNOW_ANSWERS)
        return Outcome(batch, answer.status in _ACCEPTED, text, answer.status == _FINAL)
