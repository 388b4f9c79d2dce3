"""The WSGI environment of a granian request."""

import sys
from typing import Any

UNREADABLE = "\xff"


def environ_of(scope: Any) -> dict[str, Any]:
    """Returns the WSGI environment of a request (PEP 3333) without its body."""
    host, _, port = scope.server.rpartition(":")
    return _headers(scope.headers) | {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),  # WSGI wants the bytes as Latin-1
        "QUERY_STRING": scope.query_string.encode().decode("latin-1"),  # it may contain unescaped characters
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),  # of IPv6
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }


def _headers(headers: Any) -> dict[str, Any]:
    """Returns the headers under their WSGI names, without the length of the body, which is set later."""
    found = {}
    for name in set(headers.keys()):
        if "_" in name:  # it could pass for a header with a dash that a proxy has set
            continue
        key = name.upper().replace("-", "_")
        if key == "CONTENT_TYPE":
            found[key] = _value(headers, name)
        elif key != "CONTENT_LENGTH":
            found[f"HTTP_{key}"] = _value(headers, name)
    return found


def _value(headers: Any, name: str) -> str:
    """Returns the values of a header as one list; granian returns none for a header that is not ASCII."""
    values = headers.get_all(name)
    return ",".join(values) if values else UNREADABLE
