"""The page as one module and one style sheet, which a release contains; without it each module is served separately.

With it come the words, compressed better than a server has the time for.
"""

import hashlib
import logging
import re
from collections.abc import Mapping
from importlib.resources.abc import Traversable

SOURCES = re.compile(r"(js|css)/.*\.(js|css)|(i18n|help)/.*\.json|index\.html")
DIGEST = "sources.sha256"

log = logging.getLogger(__name__)


def digest(sources: Mapping[str, bytes]) -> str:
    """The digest of what a bundle is made from: names and contents of the shell, modules, style sheets and words."""
    lines = [f"{name}\n{hashlib.sha256(sources[name]).hexdigest()}\n" for name in sources if SOURCES.fullmatch(name)]
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def bundle(folder: Traversable, sources: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of the bundle by name, `index.html` among them; none if there is no bundle of these sources."""
    if not folder.is_dir():
        return {}
    if folder.joinpath(DIGEST).read_text(encoding="ascii").strip() != digest(sources):
        log.warning("the page's bundle was made from other sources and is not served: `make bundle` renews it")
        return {}
    files = {f"bundle/{entry.name}": entry.read_bytes() for entry in folder.joinpath("bundle").iterdir()}
    return files | _words(folder.joinpath("words")) | {"index.html": folder.joinpath("index.html").read_bytes()}


def _words(folder: Traversable, place: str = "") -> dict[str, bytes]:
    """The words of the page and the help of games, compressed."""
    found: dict[str, bytes] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            found |= _words(entry, f"{place}{entry.name}/")
        else:
            found[place + entry.name] = entry.read_bytes()
    return found
