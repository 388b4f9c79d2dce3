"""A client of the public API for the command line and bots."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urljoin

import requests

TIMEOUT_S = 30
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # all but tab and line feed


def harmless(value: Any) -> Any:
    """Returns JSON without control characters, which could control the terminal that prints it."""
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
    """The public API at a URL. Every method raises `requests.HTTPError` for a refusal."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url, self.token, self._session = url.rstrip("/"), token, requests.Session()

    def sign_up(self, name: str, *, bot: bool = False) -> str:
        """Creates an account and uses its token from now on; returns the token."""
        token: str = self.post("/v1/players", {"name": name, "bot": bot})["token"]["secret"]
        self.token = token
        return token

    def request(self, method: str, path: str, **options: Any) -> requests.Response:
        """Returns the response; `options` are those of `requests.request`."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= options.pop("headers", {})
        response = self._session.request(method, self.url + path, headers=headers, timeout=TIMEOUT_S, **options)
        if not response.ok:
            response.content  # noqa: B018 - read while a stream is open: the refusal says why
        response.raise_for_status()
        return response

    def get(self, path: str, **query: Any) -> Any:
        """Returns the JSON of a GET."""
        return harmless(self.request("GET", path, params=query).json())

    def post(self, path: str, body: Any, key: str | None = None) -> Any:
        """Returns the JSON of a POST, which is safe to repeat with an idempotency key."""
        headers = {"Idempotency-Key": key} if key else {}
        return harmless(self.request("POST", path, json=body, headers=headers).json())

    def send(self, path: str, data: bytes, media: str) -> Any:
        """Returns the JSON of a POST of another media type."""
        return harmless(self.request("POST", path, data=data, headers={"Content-Type": media}).json())

    def parts(self, path: str) -> Iterator[bytes]:
        """Yields the bytes of each page, following `Link` headers."""
        following: str | None = path
        while following:
            response = self.request("GET", urljoin(self.url + path, following).removeprefix(self.url))
            yield response.content
            following = response.links.get("next", {}).get("url")

    def lines(self, path: str) -> Iterator[Any]:
        """Yields the events of a table."""
        headers = {"Accept": "application/x-ndjson"}
        with self.request("GET", path, headers=headers, stream=True) as response:
            yield from (harmless(json.loads(line)) for line in response.iter_lines())

    def stream(self, path: str) -> Iterator[Frame | None]:
        """Yields the frames of a stream until it ends; None for a comment, which shows that the stream is alive."""
        event = ""
        with self.request("GET", path, headers={"Accept": "text/event-stream"}, stream=True) as response:
            for line in response.iter_lines(chunk_size=1):
                if line.startswith(b"event: "):
                    event = line.removeprefix(b"event: ").decode()
                elif line.startswith(b"data: "):
                    yield Frame(harmless(event), harmless(json.loads(line.removeprefix(b"data: "))))
                elif line.startswith(b":"):
                    yield None
