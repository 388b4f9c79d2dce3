"""A request that was not sent yet, and what its answer is read as."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from uuid import uuid4

import httpx

T_co = TypeVar("T_co", covariant=True)
Value = str | int | None
KEY = "Idempotency-Key"
UNCHANGING = ("GET", "PUT", "DELETE")


@dataclass(frozen=True)
class Call(Generic[T_co]):
    """A request to the API whose answer is a `T_co`; `Client.send` and `AsyncClient.send` send it."""

    method: str
    path: str
    read: Callable[[httpx.Response], T_co]
    query: Mapping[str, Value] = field(default_factory=dict)
    headers: Mapping[str, str | None] = field(default_factory=dict)
    body: object = None
    content: bytes | None = None

    @property
    def is_keyed(self) -> bool:
        """Whether the operation takes a key under which a repeat gets the first answer."""
        return KEY in self.headers

    @property
    def may_be_repeated(self) -> bool:
        """Whether sending it twice does no more than sending it once."""
        return self.is_keyed or self.method in UNCHANGING

    def arguments(self, server: str, token: str | None) -> dict[str, Any]:
        """What `httpx` builds the request to a server from, with a key if the operation takes one."""
        own = {"Authorization": f"Bearer {token}"} if token else {}
        keyed = {KEY: uuid4().hex} if self.is_keyed else {}
        media = {"Content-Type": "application/octet-stream"} if self.content is not None else {}
        return {
            "method": self.method,
            "url": server + self.path,
            "params": _given(self.query),
            "headers": own | keyed | media | _given(self.headers),
            **({"content": self.content} if self.body is None else {"json": self.body}),
        }


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def as_json(answer: httpx.Response) -> Any:
    """The value that an answer holds."""
    return answer.json()


def as_text(answer: httpx.Response) -> str:
    """The text that an answer holds."""
    return answer.text


def as_bytes(answer: httpx.Response) -> bytes:
    """The file that an answer holds."""
    return answer.content


def as_nothing(_: httpx.Response) -> None:
    """That it was answered says all."""
