"""The request of an operation as a program sends it: in curl, Python and TypeScript, with nothing else installed.

Python uses `requests`, TypeScript the `fetch` of browsers and Node.js.
"""

import json
import shlex
from typing import Any, NamedTuple
from urllib.parse import quote

BASE = "https://wintercount.example"  # the page puts its own address there
TOKEN = "Bearer YOUR_TOKEN"  # noqa: S105 - what a reader replaces
FILE = "table.ndjson"


class Places(dict[str, str]):
    """What stands in a path, or behind its question mark where it has to; a name in capitals for any other."""

    def __missing__(self, name: str) -> str:
        return f"YOUR_{name.upper()}"


PLACES = Places(
    table="t_fk3ab2c5d7efghij",
    seat="1",
    version="57",
    game="manitou",
    rule_id="MA-3.1",
    case="MA-R1",
    token="0123456789ab",  # noqa: S106 - the name of a token, which is no secret
    dispute="d1",
    takeback="b1",
    path="/phase",
    value='"over"',
    **{"with": "t_ab2c5d7efghijfk3"},  # a word of Python's own
)


class Request(NamedTuple):
    """A request: its body is JSON, or the content of a file."""

    method: str
    url: str
    headers: dict[str, str]
    body: Any
    sends_file: bool
    accepts: str | None


def samples(path: str, method: str, operation: dict[str, Any]) -> list[dict[str, str]]:
    """The entries of `x-codeSamples`."""
    request = _request(path, method, operation)
    return [
        {"lang": lang, "label": label, "source": write(request)}
        for lang, label, write in (
            ("shell", "curl", _curl),
            ("python", "Python", _python),
            ("ts", "TypeScript", _fetch),
        )
    ]


def _request(path: str, method: str, operation: dict[str, Any]) -> Request:
    asked = [p["name"] for p in operation.get("parameters", ()) if p.get("required") and p["in"] == "query"]
    query = "&".join(f"{name}={quote(PLACES[name], safe='')}" for name in asked)
    url = BASE + path.format_map(PLACES) + (f"?{query}" if query else "")
    contents: dict[str, Any] = operation.get("requestBody", {}).get("content", {})
    media = next(iter(contents), None)
    answer = next(answer for code, answer in operation["responses"].items() if code.startswith("2"))
    return Request(
        method.upper(),
        url,
        _headers(operation, media),
        contents[media].get("example") if media else None,
        media is not None and media != "application/json",
        next(iter(answer.get("content", {})), None),
    )


def _headers(operation: dict[str, Any], media: str | None) -> dict[str, str]:
    found = {"Authorization": TOKEN} if any(operation["security"]) else {}
    named = {parameter["name"] for parameter in operation.get("parameters", ())}
    if "Idempotency-Key" in named:
        found["Idempotency-Key"] = "a-name-of-my-own"
    return found | ({"Content-Type": media} if media else {})


def _curl(request: Request) -> str:
    parts = ["curl --fail-with-body"]
    parts += [] if request.method == ("POST" if request.body is not None else "GET") else [f"-X {request.method}"]
    parts.append(shlex.quote(request.url))
    parts += [f"-H {shlex.quote(f'{name}: {value}')}" for name, value in request.headers.items()]
    if request.sends_file:
        parts.append(f"--data-binary @{FILE}")
    elif request.body is not None:
        parts.append(f"-d {shlex.quote(json.dumps(request.body, ensure_ascii=False, indent=2))}")
    return " \\\n  ".join(parts)


def _python(request: Request) -> str:
    lines = ["import requests", "", f"answer = requests.{request.method.lower()}(", f"    {request.url!r},"]
    headers = {name: value for name, value in request.headers.items() if request.sends_file or name != "Content-Type"}
    lines += [f"    headers={headers!r},"] if headers else []
    if request.sends_file:
        lines.append(f'    data=open("{FILE}", "rb"),')
    elif request.body is not None:
        lines.append(f"    json={_literal(request.body, '    ')},")
    lines += ["    timeout=30,", ")", "answer.raise_for_status()"]
    return "\n".join(lines + _shown(request, "print(answer.json())", "print(answer.text)"))


def _fetch(request: Request) -> str:
    lines = ['import { readFile } from "node:fs/promises";', ""] if request.sends_file else []
    lines += [f"const answer = await fetch({json.dumps(request.url)}, {{", f'  method: "{request.method}",']
    lines += [f"  headers: {json.dumps(request.headers)},"] if request.headers else []
    if request.sends_file:
        lines.append(f'  body: await readFile("{FILE}"),')
    elif request.body is not None:
        body = json.dumps(request.body, ensure_ascii=False, indent=2).replace("\n", "\n  ")
        lines.append(f"  body: JSON.stringify({body}),")
    lines += ["});", "if (!answer.ok) throw new Error(await answer.text());"]
    lines += _shown(request, "console.log(await answer.json());", "console.log(await answer.text());")
    return "\n".join(lines)


def _shown(request: Request, as_json: str, as_text: str) -> list[str]:
    """What shows the answer, if it has a body."""
    if request.accepts is None:
        return []
    return [as_json if request.accepts == "application/json" else as_text]


def _literal(value: Any, indent: str) -> str:
    """JSON as Python writes it, a member a line at the outermost."""
    if not isinstance(value, dict) or not value:
        return repr(value)
    members = "".join(f"{indent}    {name!r}: {member!r},\n" for name, member in value.items())
    return f"{{\n{members}{indent}}}"
