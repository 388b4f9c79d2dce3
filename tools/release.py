"""Makes a release in `dist/`: wheel, sdist, the clients, checksums, and an image where a Docker daemon answers.

Everything is built from what is committed. Nothing is tagged, and nothing leaves this machine. With `--wheel` it builds
wheel and sdist alone, whether or not the changelog names a release.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from tools import bundling, documentation
from tools.clients import building as clients

ROOT = Path.cwd()
DIST = ROOT / "dist"
IMAGE = "wintercount"
SECTION = re.compile(r"^## (.+)\n((?:(?!## ).*\n)*)", re.M)  # of the changelog: heading and body


class NotReady(Exception):
    """What is missing before a release can be made, and what to do about it."""


def output(*command: str) -> bytes:
    """What a command prints, run at the root of the tree."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout  # noqa: S603 - our own commands


def say(line: str) -> None:
    """A word on progress."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def check_clean() -> None:
    """Raises `NotReady` if the tree holds anything that is not committed."""
    if changes := output("git", "status", "--porcelain").decode():
        raise NotReady(f"Commit or stash these changes first:\n{changes.rstrip()}")


def version() -> str:
    """The version that the tree declares, in `service/__init__.py`."""
    found = re.search(r'^__version__ = "(.+)"$', (ROOT / "service/__init__.py").read_text(encoding="utf-8"), re.M)
    if found is None:
        raise NotReady('service/__init__.py must say __version__ = "…"')
    return found[1]


def check_changelog(number: str) -> None:
    """Raises `NotReady` unless `CHANGELOG.md` has a section of this version, and nothing unreleased above it."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = {heading: bool(re.search(r"^- ", body, re.M)) for heading, body in SECTION.findall(text)}
    if sections.pop("[Unreleased]", False):
        raise NotReady("the section [Unreleased] of CHANGELOG.md is not empty: move its lines to that of the release")
    heading = next(iter(sections), "")
    if not re.fullmatch(rf"\[{re.escape(number)}\] - \d{{4}}-\d\d-\d\d", heading):
        raise NotReady(
            f"the newest release in CHANGELOG.md is {heading!r}: name it '[{number}] - date', "
            "or set another __version__ in service/__init__.py"
        )
    if not sections[heading]:
        raise NotReady(f"the section {heading!r} of CHANGELOG.md is empty: say what has changed")


def export(folder: Path) -> None:
    """Writes what is committed into a folder."""
    with tarfile.open(fileobj=BytesIO(output("git", "archive", "--format=tar", "HEAD"))) as archive:
        archive.extractall(folder, filter="data")


def date_of_commit() -> str:
    """Seconds since 1970: what the wheel's files are dated by, so that its bytes follow from the commit."""
    return output("git", "log", "-1", "--format=%ct").decode().strip()


def make_page(source: Path) -> None:
    """Makes the page and the documentation site where the packages are built from."""
    if failed := bundling.make(source):
        raise NotReady("\n".join(failed))
    try:
        documentation.build(source)
    except documentation.NotBuilt as error:
        raise NotReady(str(error)) from None


def build(source: Path, environment: dict[str, str]) -> list[Path]:
    """The sdist, and the wheel made from it, with the page bundled; they replace those that lie in `dist/`."""
    make_page(source)
    uv = str(Path(sys.executable).with_name("uv"))
    ours = ["--no-build-isolation", "--offline", "--python", sys.executable]
    made = source / "dist"
    command = [uv, "build", "--quiet", *ours, "--out-dir", str(made)]
    subprocess.run(command, cwd=source, env=environment, check=True)  # noqa: S603 - our own
    DIST.mkdir(exist_ok=True)
    for old in DIST.glob("wintercount-[0-9]*"):
        old.unlink()
    files = sorted([*made.glob("*.tar.gz"), *made.glob("*.whl")])
    return [Path(shutil.move(file, DIST / file.name)) for file in files]


def build_clients(source: Path, environment: dict[str, str]) -> list[Path]:
    """The wheel and the npm package of the clients, generated from the committed document."""
    installed = Path("clients", "typescript", "node_modules")
    (source / installed).symlink_to(ROOT / installed)
    clients.generate(source)
    if repository := os.environ.get("GITHUB_REPOSITORY"):
        name_repository(source / "clients/typescript/package.json", repository)
    clients.build(source, DIST, environment)
    return sorted([*DIST.glob("wintercount_client-*"), *DIST.glob("wintercount-client-*")])


def name_repository(package: Path, repository: str) -> None:
    """Writes into an npm package where it is built: npm compares that with the provenance."""
    said = json.loads(package.read_text(encoding="utf-8"))
    said["repository"] = {"type": "git", "url": f"git+https://github.com/{repository}.git"}
    package.write_text(json.dumps(said, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_checksums(files: Sequence[Path]) -> None:
    """`SHA256SUMS`, as `sha256sum --check` reads it."""
    lines = [f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (DIST / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def has_docker() -> bool:
    """Whether a Docker daemon answers."""
    docker = shutil.which("docker")
    return docker is not None and subprocess.run([docker, "info"], capture_output=True, check=False).returncode == 0  # noqa: S603


def build_image(number: str) -> None:
    """Builds the image from the wheel and tags it with the version, on this machine alone."""
    subprocess.run(["docker", "build", "--tag", f"{IMAGE}:{number}", ROOT], check=True)  # noqa: S603, S607


def release() -> None:
    """Checks, builds, and says what was made."""
    check_clean()
    number = version()
    check_changelog(number)
    shutil.rmtree(DIST, ignore_errors=True)
    with TemporaryDirectory() as folder:
        source = Path(folder)
        export(source)
        say(f"Building wintercount {number} …")
        dated = {"SOURCE_DATE_EPOCH": date_of_commit()}
        files = build(source, os.environ | dated)
        say(f"Building the clients {number} …")
        files += build_clients(source, dated)
        write_checksums(files)
        if has_docker():
            say(f"Building the image {IMAGE}:{number} …")
            build_image(number)
        else:
            say("No Docker daemon answers here: no image was built.")
    for file in [*files, DIST / "SHA256SUMS"]:
        say(f"  dist/{file.name}")


def wheel() -> None:
    """Builds what `pip` installs, from what is committed, between releases as well."""
    with TemporaryDirectory() as folder:
        export(Path(folder))
        for file in build(Path(folder), os.environ | {"SOURCE_DATE_EPOCH": date_of_commit()}):
            say(f"  dist/{file.name}")


if __name__ == "__main__":
    try:
        wheel() if sys.argv[1:] == ["--wheel"] else release()
    except NotReady as error:
        sys.exit(f"No release was made. {error}")
