"""Makes what the page is served from: its bundle, and the library that shows the API reference.

`python -m tools.bundling` fetches what it needs once, by `npm pack`: esbuild, of the version and digest in the lock of
the page's tools, and the library that `scalar.json` pins. Where it cannot, the page is served module by module.
"""

import json
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256, sha512
from pathlib import Path
from posixpath import join, normpath, relpath
from tempfile import TemporaryDirectory

import brotli

from service.page import DIGEST, digest

ROOT = Path(__file__).resolve().parents[1]
PAGE = Path("page")
PINNED, LIBRARY = PAGE / "reference/scalar.json", PAGE / "reference/scalar.js"
NPM_LOCK, NODE_LOCK = ROOT / "tools/page/package-lock.json", ROOT / "requirements-node.lock"
PROCESSORS = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}

SHEET = re.compile(r'<link rel="stylesheet" href="/page/(css/[\w-]+\.css)">\n')
PRELOAD = '<link rel="modulepreload" href="/page/js/main.js">'
WORDS = re.compile(r"(i18n|help)/.*\.json|art\.svg")  # and the drawings: what is fetched when it is wanted
PARTS = ("people", "reading", "review")  # folders of js/ that no first view needs: each is a module of its own
STATIC_IMPORT = re.compile(r'^import (\{[^}]+\}|.*?) from "(\.[^"]+)";$', re.M)
DYNAMIC_IMPORT = re.compile(r'\bimport\("(\.[^"]+)"\)')


class NotMade(Exception):
    """What could not be fetched or made, and why."""


def packed(package: str, version: str, integrity: str, member: str) -> bytes:
    """A file of a package of npm; raises `NotMade` if it cannot be had, or if any byte of the package differs."""
    with TemporaryDirectory() as folder:
        command = [
            _npm(),
            "pack",
            "--silent",
            "--fetch-retries=0",
            "--pack-destination",
            folder,
            f"{package}@{version}",
        ]
        if subprocess.run(command, capture_output=True, check=False).returncode:  # noqa: S603 - what a lock names
            raise NotMade(f"npm could not fetch {package}")
        (archive,) = Path(folder).glob("*.tgz")
        if f"sha512-{b64encode(sha512(archive.read_bytes()).digest()).decode()}" != integrity:
            raise NotMade(f"{package}@{version} is not the one that is pinned")
        with tarfile.open(archive) as opened:
            found = opened.extractfile(member)
            if found is None:
                raise NotMade(f"{package}@{version} has no {member}")
            return found.read()


def _npm() -> str:
    """The npm of this machine, else that of a package of Python's."""
    own = Path(sys.executable).with_name("npm")
    if not (found := shutil.which("npm")) and not own.exists():
        install = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--require-hashes",
            "-r",
            str(NODE_LOCK),
        ]
        if subprocess.run(install, capture_output=True, check=False).returncode:  # noqa: S603 - our own lock
            raise NotMade("there is no npm here, and pip could not install one")
    return found or str(own)


def esbuild() -> Path:
    """The bundler, fetched once into the environment of this Python."""
    name = f"@esbuild/{sys.platform}-{PROCESSORS.get(platform.machine().lower(), platform.machine())}"
    pinned = json.loads(NPM_LOCK.read_text(encoding="utf-8"))["packages"].get(f"node_modules/{name}")
    if pinned is None:
        raise NotMade(f"there is no {name}")
    binary = Path(sys.prefix) / f"esbuild-{pinned['version']}"
    if not binary.exists():
        part = binary.with_suffix(".part")
        part.write_bytes(packed(name, pinned["version"], pinned["integrity"], "package/bin/esbuild"))
        part.chmod(0o755)
        part.rename(binary)
    return binary


def fetch_library(root: Path) -> None:
    """Puts the library of the API reference into a tree, unless it is there."""
    pinned, library = json.loads((root / PINNED).read_text(encoding="utf-8")), root / LIBRARY
    if not library.exists() or sha256(library.read_bytes()).hexdigest() != pinned["sha256"]:
        library.write_bytes(packed(pinned["package"], pinned["version"], pinned["integrity"], pinned["member"]))


def bundle(static: Path, target: Path) -> None:
    """Bundles the page, unless it is bundled as it is; raises `NotMade` if there is no bundler."""
    sources = {str(path.relative_to(static)): path.read_bytes() for path in static.rglob("*") if path.is_file()}
    made = digest(sources)
    if (target / DIGEST).is_file() and (target / DIGEST).read_text(encoding="ascii").strip() == made:
        return
    addresses = {name: f"/page/bundle/{name}-{made[:8]}" for name in ("main", "style", *PARTS)}
    shell = sources["index.html"].decode()
    entries = _entries({name: text.decode() for name, text in sources.items() if name.endswith(".js")}, addresses)
    entries["style.css"] = "".join(f'@import "./{name}";\n' for name in SHEET.findall(shell))
    shutil.rmtree(target, ignore_errors=True)
    with TemporaryDirectory() as folder:
        shutil.copytree(static, folder, dirs_exist_ok=True)
        for name, text in entries.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        options = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--log-level=warning"]
        options += [
            "--external:/page/bundle/*",
            f"--outdir={target.resolve()}/bundle",
            f"--entry-names=[name]-{made[:8]}",
        ]
        parts = [f"{part}=js/{part}/index.js" for part in PARTS]
        command = [str(esbuild()), *options, "main=js/main.js", "style=style.css", *parts]
        subprocess.run(command, cwd=folder, check=True)  # noqa: S603 - our own
    squeezed = {f"bundle/{path.name}": path.read_bytes() for path in (target / "bundle").iterdir()}
    squeezed |= {f"words/{name}": text for name, text in sources.items() if WORDS.fullmatch(name)}
    for name, content in squeezed.items():
        (target / f"{name}.br").parent.mkdir(parents=True, exist_ok=True)
        (target / f"{name}.br").write_bytes(brotli.compress(content))
    shell = SHEET.sub("", shell).replace(PRELOAD, f'<link rel="stylesheet" href="{addresses["style"]}.css">')
    shell = shell.replace("/page/js/main.js", f"{addresses['main']}.js")
    (target / "index.html").write_text(shell, encoding="utf-8")
    (target / DIGEST).write_text(f"{made}\n", encoding="ascii")


def _entries(modules: Mapping[str, str], addresses: Mapping[str, str]) -> dict[str, str]:
    """The modules as they are bundled: a part stands at its address, and takes from the first module what both need."""
    shared: dict[str, str] = {}

    def rewritten(name: str, text: str) -> str:
        own = _part_of(name)

        def place(told: str) -> str | None:
            found = normpath(join(name, "..", told))
            part = _part_of(found)
            if part == own:
                return None
            if part and not found.endswith("/index.js"):
                raise NotMade(f"{name} imports {found}, which is not the index of its part")
            return f"{addresses[part or 'main']}.js"

        def static(match: re.Match[str]) -> str:
            at = place(match[2])
            if at == f"{addresses['main']}.js":
                for one in filter(None, (word.strip() for word in match[1].strip("{}").split(","))):
                    path = normpath(join(name, "..", match[2]))
                    if shared.setdefault(one, path) != path:
                        raise NotMade(f"{one} is imported from {shared[one]} and {path}")
            return f'import {match[1]} from "{at}";' if at else match[0]

        text = STATIC_IMPORT.sub(static, text)
        return DYNAMIC_IMPORT.sub(lambda match: f'import("{at}")' if (at := place(match[1])) else match[0], text)

    found = {name: rewritten(name, text) for name, text in modules.items()}
    exports = sorted(f'export {{ {name} }} from "./{relpath(path, "js")}";\n' for name, path in shared.items())
    found["js/main.js"] += "".join(exports)
    return found


def _part_of(name: str) -> str | None:
    return next((part for part in PARTS if name.startswith(f"js/{part}/")), None)


def make(root: Path) -> list[str]:
    """Makes in a tree what its page is served from; returns what could not be made, and why."""
    failed = []
    try:
        bundle(root / PAGE / "static", root / PAGE / "bundled")
    except NotMade as error:
        failed.append(f"The page is served module by module: {error}")
    try:
        fetch_library(root)
    except NotMade as error:
        failed.append(f"/docs/reference has no library to show it: {error}")
    return failed


if __name__ == "__main__":
    sys.exit("\n".join(make(ROOT)) or None)
