"""What docs/tour.md needs of curl, for machines that have none: -sS --fail-with-body -H --json -o URL."""

import argparse
import sys
from pathlib import Path

import requests

REFUSED = 22  # curl's exit code for a status of 400 or more


def main(arguments: list[str]) -> int:
    """Sends one request and writes the answer."""
    parser = argparse.ArgumentParser("curl")
    parser.add_argument("-sS", action="store_true")
    parser.add_argument("--fail-with-body", action="store_true")
    parser.add_argument("-H", action="append", default=[])
    parser.add_argument("--json")
    parser.add_argument("-o")
    parser.add_argument("url")
    given = parser.parse_args(arguments)
    headers = dict(header.split(": ", 1) for header in given.H)
    body = given.json.encode() if given.json is not None else None
    if body is not None:
        headers["Content-Type"] = "application/json"
    status, answer = send(given.url, body, headers)
    if given.o:
        Path(given.o).write_bytes(answer)
    else:
        sys.stdout.buffer.write(answer)
    return REFUSED if given.fail_with_body and status >= 400 else 0


def send(url: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
    """Status and body of the answer."""
    answer = requests.request("GET" if body is None else "POST", url, data=body, headers=headers, timeout=30)
    return answer.status_code, answer.content


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
