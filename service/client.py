"""A client of the public API: JSON requests, lines, and event streams."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urljoin

import requests

TIMEOUT_S = 30
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # all but the tab and the end of a line


def harmless(value: Any) -> Any:
    """JSON that a service sent, without what would command the terminal that it is printed on."""
    if isinstance(value, str):
        return CONTROLS.sub("\ufffd", value)
    if isinstance(value, list):
        return [harmless(item) for item in value]
    if isinstance(value, dict):
        return {harmless(name): harmless(item) for name, item in value.items()}
    return value


class Frame(NamedTuple):
    """An event of a stream."""

    event: str
    data: Any


class Api:
    """The public API at an address."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url, self._session = url.rstrip("/"), requests.Session()
        if token:
            self.use(token)

    def use(self, token: str) -> None:
        """Sends this token from now on."""
        self._session.headers["Authorization"] = f"Bearer {token}"

    def sign_up(self, name: str, *, bot: bool = False) -> str:
        """Creates an account and uses its token from now on; returns the token."""
        token: str = self.post("/v1/players", {"name": name, "bot": bot})["token"]["secret"]
        self.use(token)
        return token

    def get(self, path: str) -> Any:
        """The JSON answer; raises `requests.HTTPError` for a refusal."""
        return self._answer(self._session.get(self.url + path, timeout=TIMEOUT_S))

    def post(self, path: str, body: Any, key: str | None = None) -> Any:
        """The JSON answer; raises `requests.HTTPError` for a refusal. With a key it is safe to repeat."""
        headers = {"Idempotency-Key": key} if key else {}
        return self._answer(self._session.post(self.url + path, json=body, headers=headers, timeout=TIMEOUT_S))

    def send(self, path: str, data: bytes, media: str) -> Any:
        """The JSON answer to a body of another media type; raises `requests.HTTPError` for a refusal."""
        headers = {"Content-Type": media}
        return self._answer(self._session.post(self.url + path, data=data, headers=headers, timeout=TIMEOUT_S))

    def parts(self, path: str) -> Iterator[bytes]:
        """The bytes of an answer, and of those that its `Link` headers name as the next."""
        following: str | None = path
        while following:
            response = self._session.get(urljoin(self.url + path, following), timeout=TIMEOUT_S)
            response.raise_for_status()
            yield response.content
            following = response.links.get("next", {}).get("url")

    def lines(self, path: str) -> Iterator[Any]:
        """The events of a table, a line each."""
        headers = {"Accept": "application/x-ndjson"}
        with self._session.get(self.url + path, headers=headers, timeout=TIMEOUT_S, stream=True) as response:
            response.raise_for_status()
            yield from (harmless(json.loads(line)) for line in response.iter_lines())

    def stream(self, path: str) -> Iterator[Frame | None]:
        """The frames of a stream until it ends; None for a comment that only shows that the stream is alive."""
        headers, event = {"Accept": "text/event-stream"}, ""
        with self._session.get(self.url + path, headers=headers, timeout=TIMEOUT_S, stream=True) as response:
            if not response.ok:
                response.content  # noqa: B018 - read while the connection is open: the refusal says why
            response.raise_for_status()
            for line in response.iter_lines(chunk_size=1):
                if line.startswith(b"event: "):
                    event = line.removeprefix(b"event: ").decode()
                elif line.startswith(b"data: "):
                    yield Frame(harmless(event), harmless(json.loads(line.removeprefix(b"data: "))))
                elif line.startswith(b":"):
                    yield None

    @staticmethod
    def _answer(response: requests.Response) -> Any:
        response.raise_for_status()
        return harmless(response.json())
