"""Checks that the packages found under our names are ours.

Others may use names such as `events` and `service`. Two distributions with a package of the same name silently
overwrite each other's files, and a folder of that name earlier on the path hides the package. So each package must lie
beside this file and, if pip installed it, have the hashes that pip recorded.
"""

from base64 import urlsafe_b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import Distribution, PackagePath, distributions
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("events", "games", "projections", "rulings", "service", "wintercount", "worker")
MOST_NAMED = 3
ADVICE = "Install Wintercount into an environment of its own (python3 -m venv ENV), with nothing else in it"


class PackagesMixed(ImportError):
    """Python finds another package under one of our names, or some of our files were replaced."""


@cache
def check() -> None:
    """Raises `PackagesMixed` unless every package is the one that belongs to this file."""
    found = list(_hidden()) or list(_mixed())
    if found:
        more = f" (and {len(found) - MOST_NAMED} more)" if len(found) > MOST_NAMED else ""
        raise PackagesMixed(f"{'; '.join(found[:MOST_NAMED])}{more}. {ADVICE}")


def _hidden() -> Iterator[str]:
    """Yields the packages that Python finds somewhere else."""
    for name in PACKAGES:
        spec = find_spec(name)
        origin = spec.origin if spec else None
        if origin is None or Path(origin).resolve() != ROOT / name / "__init__.py":
            yield f"Python finds the package {name!r} at {origin or 'no file'} instead of {ROOT / name}"


def _mixed() -> Iterator[str]:
    """Yields the files that differ from those that pip installed, and foreign files in our folders."""
    recorded = _recorded()
    for path, file in recorded.items():
        if file.hash and file.hash.mode == "sha256" and _digest(path) != file.hash.value:
            yield f"{path} is not the file that came with Wintercount{_owners(path)}"
    for name in PACKAGES if recorded else ():
        for path in sorted((ROOT / name).rglob("*.py")):
            if path not in recorded:
                yield f"{path} does not belong to Wintercount{_owners(path)}"


def _recorded() -> dict[Path, PackagePath]:
    """Returns what pip installed into our folders; nothing in a source tree."""
    for found in distributions(name="wintercount"):
        files = {path: file for path, file in _files(found).items() if file.parts[0] in PACKAGES}
        if Path(__file__).resolve() in files:
            return files
    return {}


def _files(distribution: Distribution) -> dict[Path, PackagePath]:
    root = Path(str(distribution.locate_file(""))).resolve()
    return {root / file: file for file in distribution.files or ()}


def _digest(path: Path) -> str | None:
    """Returns the hash of a file as pip records it; None if there is no such file."""
    if not path.is_file():
        return None
    return urlsafe_b64encode(sha256(path.read_bytes()).digest()).rstrip(b"=").decode()


def _owners(path: Path) -> str:
    """Returns the other distributions that claim a file, in brackets."""
    claims = {found.metadata["Name"] for found in distributions() if path in _files(found)} - {"wintercount"}
    return f" (installed by {', '.join(sorted(claims))})" if claims else ""
