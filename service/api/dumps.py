"""Dumps: the public tables of a month as a file, its signed manifest, and the keys that sign."""

from typing import Any, cast

import msgspec
from flask import Response, request
from werkzeug.wsgi import FileWrapper

from events.archiving.objects import MissingObject
from service.api.common import caller, charge, let_in, reply, services
from service.api.downloads import DOWNLOADED, Download
from service.api.headers import IF_RANGE, RANGE
from service.api.schemas.dumps import DumpsSchema, ManifestSchema, WebKeysSchema
from service.api.strict import Blueprint
from service.dumps.keeping import CHUNK
from service.dumps.manifests import Manifest, name_of
from service.dumps.signing import web_key
from service.errors import Refused

FILE, MANIFEST = "application/octet-stream", "application/json"  # generators read no other type as bytes
BINARY = {"type": "string", "format": "binary"}
MS_A_MIB, MOST_MS = 2, 5000  # of work for what is sent: whoever takes everything away pays for some hundred requests

blueprint = Blueprint("dumps", __name__, description="Dumps of public tables")


@blueprint.get("/v1/dumps")
@blueprint.response(200, DumpsSchema)
@blueprint.contract("listDumps")
def get_dumps() -> Response:
    """The dumps that there are: for each month one file of all public tables that ended in it."""
    return reply({"files": [_told(manifest) for manifest in services().dumps.manifests()]})


def _told(manifest: Manifest) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(manifest)
    return found | {"url": f"/v1/dumps/{manifest.file}", "manifest_url": f"/v1/dumps/{manifest.month}/manifest"}


@blueprint.get("/v1/dumps/<name>")
@blueprint.response(200, BINARY, content_type=FILE)
@blueprint.alt_response(206, schema=BINARY, content_type=FILE)
@blueprint.contract(
    "getDump", "no-such-dump", "no-such-range", "too-busy", caller="optional", headers=(RANGE, IF_RANGE)
)
def get_dump(name: str) -> Response:
    """A file that `GET /v1/dumps` names, whole or in part (`Range`, `If-Range`), with a strong `ETag`.

    An account, or without a token an address, takes two at a time. Where there is no room for a further one, the last
    of the address that has most breaks off: go on with `Range`.
    """
    for manifest in services().dumps.manifests():
        if name == manifest.file:
            return _sent(manifest)
    raise Refused("no-such-dump", f"there is no dump {name!r}")


@blueprint.get("/v1/dumps/<month>/manifest")
@blueprint.response(200, ManifestSchema)
@blueprint.contract("getManifest", "no-such-dump")
def get_manifest(month: str) -> Response:
    """The manifest of a month's dump, as it was signed: what `wintercount verify` wants beside the file."""
    for manifest in services().dumps.manifests():
        if month == manifest.month:
            told = {"Content-Disposition": f'attachment; filename="{name_of(month)}"'}
            return Response(manifest.kept, mimetype=MANIFEST, headers=told)
    raise Refused("no-such-dump", f"there is no dump of {month!r}")


def _sent(manifest: Manifest) -> Response:
    """The file, or what is asked for of it."""
    try:
        file = Download(services().dumps, manifest, caller().id or let_in().address, let_in().address)
    except MissingObject:
        raise Refused("no-such-dump", f"{manifest.file} is made again") from None
    response = Response(cast(Any, FileWrapper(cast(Any, file), CHUNK)), mimetype=FILE, direct_passthrough=True)
    response.content_length = manifest.size
    response.set_etag(manifest.sha256)
    response.headers["Cache-Control"] = "public, no-cache"
    response.headers["Content-Disposition"] = f'attachment; filename="{manifest.file}"'
    response.make_conditional(request, accept_ranges=True, complete_length=manifest.size)
    if request.method == "GET" and response.status_code in (200, 206):
        cost_ms = min((response.content_length or 0) * MS_A_MIB >> 20, MOST_MS)
        file.begin(lambda: charge(cost_ms))
        request.environ[DOWNLOADED] = True
    return response


@blueprint.get("/.well-known/jwks.json")
@blueprint.response(200, WebKeysSchema)
@blueprint.contract("listKeys", asks_store=False)
def get_keys() -> Response:
    """The public keys under which the service signs, as JSON Web Keys (RFC 8037), the newest first."""
    return reply({"keys": [web_key(key) for key in services().dumps.signer.known()]})
