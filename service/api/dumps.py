"""Dumps: the public tables of a month as a file, its checksum and signature, and the keys that sign."""

from pathlib import Path
from typing import Any

from flask import Response, redirect, request, send_file

from events.archiving.objects import MissingObject
from service.api.common import reply, services
from service.api.headers import IF_RANGE, RANGE
from service.api.media_types import BINARY, FILE
from service.api.request_parsing import Blueprint
from service.api.schemas.finished_games import DumpsSchema, WebKeysSchema
from service.dumps import names_of
from service.errors import Refused

SENT_FILE = "wintercount.file"  # in the WSGI environment: the file that is the answer, its first byte and its end

blueprint = Blueprint("dumps", __name__, description="Dumps of public tables")


@blueprint.get("/v1/dumps", answer=DumpsSchema)
@blueprint.contract()
def list_dumps() -> Response:
    """List dumps. For each month there is one file with all public tables that ended in it."""
    return reply({"months": [_shown(month, size) for month, size in services().dumps.months().items()]})


def _shown(month: str, size: int) -> dict[str, object]:
    names = names_of(month)
    urls: dict[str, object] = {f"{kind}_url": f"/v1/dumps/{name}" for kind, name in names._asdict().items()}
    return {"month": month, "file": names.tables, "size": size} | urls


@blueprint.get("/v1/dumps/<name>", answer=BINARY, content_type=FILE)
@blueprint.alt_response(206, schema=BINARY, content_type=FILE)
@blueprint.alt_response(302, description="the file lies in an object storage, at this address for ten minutes")
@blueprint.contract("no_such_dump no_such_range", headers=(RANGE, IF_RANGE))
def get_dump(name: str) -> Any:
    """Download a dump. Returns a file that `GET /v1/dumps` lists, whole or in part (`Range`, `If-Range`)."""
    try:
        place = services().dumps.place(name)
    except MissingObject as missing:
        raise Refused("no_such_dump", str(missing)) from None
    if not isinstance(place, Path):
        return redirect(place)
    response = send_file(place.resolve(), FILE, as_attachment=True, conditional=True)
    response.headers["Cache-Control"] = "public, no-cache"
    if request.method == "GET" and response.status_code in (200, 206):
        part = response.content_range
        start, end = (part.start, part.stop) if response.status_code == 206 else (0, response.content_length)
        request.environ[SENT_FILE] = (str(place.resolve()), start or 0, end or 0)
    return response


@blueprint.get("/.well-known/jwks.json", answer=WebKeysSchema)
@blueprint.contract(asks_store=False)
def list_keys() -> Response:
    """List public keys. Returns the keys that the service signs with as JSON Web Keys (RFC 8037), newest first."""
    return reply({"keys": services().dumps.signer.web_keys()})
