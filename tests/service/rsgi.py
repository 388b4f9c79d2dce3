"""Requests as granian gives them to the web server."""

from types import SimpleNamespace
from typing import Any


class Headers(dict[str, str]):
    """Those of a request; no two have one name."""

    def get_all(self, name: str) -> list[str]:
        """Every value of a header."""
        return [self[name]] if name in self else []


def scope(path: str, method: str = "GET", **headers: str) -> Any:
    """A request."""
    return SimpleNamespace(
        proto="http",
        method=method,
        path=path,
        query_string="",
        server="127.0.0.1:80",
        client="127.0.0.1:9",
        http_version="1.1",
        scheme="http",
        headers=Headers({"host": "127.0.0.1"} | (headers or {"authorization": "Bearer bob"})),
    )
