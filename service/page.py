"""The page: static files, which use the public API like any other client.

They are read and compressed once, at start. Their headers forbid everything from other origins.
"""

import gzip
import hashlib
import logging
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from flask import Blueprint, Response, abort, render_template, request

TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webp": "image/webp",
    "webmanifest": "application/manifest+json",
}
HTML = "text/html"
STRICT = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; "
)
POLICY = (
    f"{STRICT}style-src 'self'; img-src 'self'; manifest-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"  # makes browsers refuse innerHTML and the like
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
}
# The library at /docs/reference writes styles and markup.
REFERENCE_POLICY = f"{STRICT}style-src 'self' 'unsafe-inline'; img-src 'self' data:"
REFERENCE_HEADERS = HEADERS | {"Content-Security-Policy": REFERENCE_POLICY}
KEPT = {
    "Cache-Control": "no-cache",  # browsers check for a new version each time, as all modules must be of one version
    "Vary": "Accept-Encoding",
}
NEVER_CHANGES = {"Cache-Control": "public, max-age=31536000, immutable"}  # of a file whose name has a hash
BUNDLE, BROTLI = "bundle/", ".br"
SHELL = "index.html"
SOURCES = re.compile(r"(js|css)/.*\.(js|css)|(i18n|help)/.*\.json|art\.svg|index\.html")  # of a bundle
DIGEST = "sources.sha256"
PRELOADED = '<link rel="modulepreload" href="/page/js/main.js">'

log = logging.getLogger(__name__)


class Asset(NamedTuple):
    """A file of the page; `forms` are compressed, by encoding, the best first."""

    content: bytes
    forms: Mapping[str, bytes]
    media_type: str
    etag: str


def digest(sources: Mapping[str, bytes]) -> str:
    """Returns the digest of a bundle's sources: the names and contents of shell, modules, style sheets and words."""
    lines = [f"{name}\n{hashlib.sha256(sources[name]).hexdigest()}\n" for name in sources if SOURCES.fullmatch(name)]
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def bundle(folder: Path, sources: Mapping[str, bytes]) -> dict[str, bytes]:
    """Returns the files of the bundle by name, with `index.html`; none if no bundle of these sources exists."""
    if not folder.is_dir() or (folder / DIGEST).read_text(encoding="ascii").strip() != digest(sources):
        return {}
    made = _files(folder / "bundle", BUNDLE) | _files(folder / "words")  # words and drawings are compressed
    return made | {SHELL: (folder / SHELL).read_bytes()}


def _files(folder: Path, prefix: str = "") -> dict[str, bytes]:
    """Returns all files of a folder by their paths inside it."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {prefix + path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _suffix(name: str) -> str:
    return name.rpartition(".")[2]


def asset_of(content: bytes, media_type: str, brotli: bytes | None = None) -> Asset:
    """Returns a file with its compressed forms and its entity tag."""
    forms = ({"br": brotli} if brotli else {}) | {"gzip": gzip.compress(content, mtime=0)}
    return Asset(content, forms, media_type, hashlib.sha256(content).hexdigest()[:32])


def _with_modules(sources: Mapping[str, bytes]) -> bytes:
    """Returns the page with links to all modules, which a browser then loads at the same time."""
    names = [name for name in sources if name.endswith(".js") and not LATER.search(name)]
    links = "\n".join(f'<link rel="modulepreload" href="/page/{name}">' for name in names)
    return sources[SHELL].replace(PRELOADED.encode(), links.encode())


def assets(folder: Path) -> dict[str, Asset]:
    """Returns all files of the page by name: those in `static`, and their bundle if it exists."""
    sources = {name: content for name, content in _files(folder / "static").items() if _suffix(name) in TYPES}
    made = bundle(folder / "bundled", sources) or {SHELL: _with_modules(sources)}
    named = {name: content for name, content in (sources | made).items() if not name.endswith(BROTLI)}
    return {name: asset_of(content, TYPES[_suffix(name)], made.get(name + BROTLI)) for name, content in named.items()}


def warn_of_old_bundle(folder: Path, found: Iterable[str]) -> None:
    """Logs a warning if the folder of the page has a bundle, but the assets found there are not bundled."""
    if (folder / "bundled").is_dir() and not any(name.startswith(BUNDLE) for name in found):
        log.warning("the page's bundle was made from other sources and is not served: `make bundle` renews it")


FOLDER = Path(__file__).parents[1] / "page"  # in a checkout or an installed wheel
REFERENCE = FOLDER / "reference"  # the page at /docs/reference: megabytes, so read on the first request
GUIDES = FOLDER / "site"  # the pages at /docs/, if `make docs` has built them
LATER = re.compile("/(games|people|reading|review)/")  # modules that most visits do not need
ASSETS = assets(FOLDER)

blueprint = Blueprint("page", __name__)


@blueprint.get("/")
def get_page() -> Response:
    """Returns the page. The fragment of its address, which no server sees, has the table and the version."""
    return sent(ASSETS[SHELL])


@blueprint.get("/page/<path:name>")
def get_asset(name: str) -> Response:
    """Returns a module, a style sheet, a picture or the words of a language."""
    if name not in ASSETS:
        abort(404)
    return sent(ASSETS[name], HEADERS | (NEVER_CHANGES if name.startswith(BUNDLE) else {}))


@blueprint.get("/<any(rules, rulings):kind>/<game>")
def get_reading(kind: str, game: str) -> Response:
    """Redirects from an address without a fragment to the page."""
    response = Response(status=302, headers=HEADERS)
    response.location = f"/#/{kind}/{quote(game, safe='')}"
    response.autocorrect_location_header = False
    return response


NOTHING = {
    "en": {"title": "There is nothing here", "back": "To the games"},
    "fr": {"title": "Il n'y a rien ici", "back": "Vers les jeux"},
}


def wants_page() -> bool:
    """Whether a browser requests a page, rather than an answer of the API."""
    # A program that accepts anything gets the first form. A browser accepts anything too, but prefers a page.
    preferred = request.accept_mimetypes.best_match(["application/problem+json", "application/json", HTML])
    return preferred == HTML and not request.path.startswith("/v1/")


def nothing_here() -> Response:
    """Returns the 404 page in the language of the browser."""
    language = request.accept_languages.best_match(NOTHING) or "en"
    page = render_template("nothing.html", language=language, **NOTHING[language])
    headers = HEADERS | {"Vary": "Accept, Accept-Language", "Content-Language": language}
    return Response(page, 404, headers, content_type=TYPES["html"])


def sent(asset: Asset, headers: Mapping[str, str] = HEADERS) -> Response:
    """Returns the response with the file, compressed if the client accepts that; 304 if the client has it."""
    form = next((name for name in asset.forms if request.accept_encodings[name] > 0), None)
    content, etag = (asset.forms[form], f"{asset.etag}-{form}") if form else (asset.content, asset.etag)
    response = Response(content, content_type=asset.media_type, headers=KEPT | dict(headers))
    if form:
        response.content_encoding = form
    response.set_etag(etag)
    response.make_conditional(request)
    return response
