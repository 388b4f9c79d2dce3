"""What a request of granian's is to the WSGI app."""

import sys
from typing import Any

UNREADABLE = "\xff"


def environ_of(scope: Any) -> dict[str, Any]:
    """The WSGI environment of a request (PEP 3333), all but its body."""
    host, _, port = scope.server.rpartition(":")
    return _headers(scope.headers) | {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),  # granian has decoded it; WSGI wants bytes as Latin-1
        "QUERY_STRING": scope.query_string.encode().decode("latin-1"),  # some clients escape nothing
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),  # those of IPv6 stand in brackets
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }


def _headers(headers: Any) -> dict[str, Any]:
    """The headers of a request under their names in WSGI; the length of the body is that of what is read of it."""
    found = {}
    for name in set(headers.keys()):
        if "_" in name:  # it would pass for another, with a dash, that a proxy has set
            continue
        key = name.upper().replace("-", "_")
        if key == "CONTENT_TYPE":
            found[key] = _value(headers, name)
        elif key != "CONTENT_LENGTH":
            found[f"HTTP_{key}"] = _value(headers, name)
    return found


def _value(headers: Any, name: str) -> str:
    """A repeated header is one list; granian names a header that is not ASCII but gives no value."""
    values = headers.get_all(name)
    return ",".join(values) if values else UNREADABLE
