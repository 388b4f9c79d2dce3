"""Builds the documentation site from `docs/` into `page/site`: `make docs`.

The rules of the games, the clients' READMEs and documents at the root of the repository are pages of the site too.
With `--standalone`, nothing links to pages that only the service has.
Zensical comes from `requirements-docs.lock` into an environment of its own.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from tempfile import TemporaryDirectory

import brotli

ROOT = Path(__file__).resolve().parents[1]
SITE = Path("page/site")
CONFIGURATION = "docs/zensical.toml"
COPIED = ("docs/*.md", "docs/*.svg", "docs/*.css", "docs/*.json", "docs/screenshots/*-1280.webp", "docs/decisions/*.md")
ELSEWHERE = {
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "clients/python/README.md": "python.md",
    "clients/typescript/README.md": "typescript.md",
    "page/static/icon.svg": "icon.svg",
}
PICTURES = {"en": "The same with pictures", "fr": "Les mêmes avec des images"}  # the page at / draws them
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
COMPRESSED = {".html", ".css", ".js", ".json", ".svg"}


class NotBuilt(Exception):
    """Why there is no site."""


def zensical() -> Path:
    """The program that builds the site, installed once beside this Python."""
    environment = Path(sys.prefix) / "docs"
    program = environment / "bin" / "zensical"
    if not program.exists():
        lock = str(ROOT / "requirements-docs.lock")
        pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        for command in (
            [sys.executable, "-m", "venv", str(environment)],
            [*pip, "--no-deps", "--require-hashes", "-r", lock],
        ):
            if subprocess.run(command, capture_output=True, check=False).returncode:  # noqa: S603 - our own lock
                raise NotBuilt("pip could not install Zensical")
    return program


def pages(root: Path) -> dict[str, str]:
    """The files of the site: where each is in the repository, and in the site."""
    found = {path.relative_to(root).as_posix() for pattern in COPIED for path in root.glob(pattern)}
    placed = {name: name.removeprefix("docs/").replace("README.md", "index.md") for name in found}
    placed |= ELSEWHERE
    for rules in root.glob("games/*/rules.md"):
        slug = rules.parent.name.replace("_", "-")
        placed[rules.relative_to(root).as_posix()] = f"games/{slug}-rules.md"
        placed[f"page/static/rules/{slug}.en.md"] = f"games/{slug}.md"
        placed[f"page/static/rules/{slug}.fr.md"] = f"games/{slug}.fr.md"
    return placed


def rewritten(text: str, name: str, placed: Mapping[str, str], *, standalone: bool = False) -> str:
    """A page with its links as the site needs them; a link to what the site does not hold becomes its text."""

    def replaced(match: re.Match[str]) -> str:
        picture, words, target = match.groups()
        path, anchor = re.fullmatch(r"([^#]*)(#.*)?", target).groups()  # type: ignore[union-attr]
        if not path or "://" in path or path.startswith("/"):
            return words if standalone and path.startswith("/") else match[0]
        address = placed.get(normpath(join(dirname(name), path)))
        if address is None:
            address = placed.get(normpath(join(dirname(name), path, "README.md")))
        if address is None:
            return "" if picture else words
        return f"{picture}[{words}]({relpath(address, dirname(placed[name]) or '.')}{anchor or ''})"

    text = LINK.sub(replaced, text)
    if drawn := re.fullmatch(r"page/static/rules/([\w-]+)\.(\w+)\.md", name):
        if not standalone:
            text = text.replace("\n", f"\n\n[{PICTURES[drawn[2]]}](/rules/{drawn[1]})\n", 1)
        text = re.sub(r"^!\[.*\)\n+", "", text, flags=re.MULTILINE)  # the page draws these
    return text


def build(root: Path, *, standalone: bool = False) -> None:
    """Builds the site of a tree anew, with a compressed form beside each text."""
    placed, program = pages(root), zensical()
    with TemporaryDirectory() as folder:
        for name, address in placed.items():
            target = Path(folder, "docs", address)
            target.parent.mkdir(parents=True, exist_ok=True)
            if name.endswith(".md"):
                text = (root / name).read_text(encoding="utf-8")
                target.write_text(rewritten(text, name, placed, standalone=standalone), encoding="utf-8")
            else:
                shutil.copyfile(root / name, target)
        configuration = (root / CONFIGURATION).read_text(encoding="utf-8")
        if standalone:
            configuration = re.sub(r'^ *\{ .* = "/docs/.*\n', "", configuration, flags=re.M)
        Path(folder, "zensical.toml").write_text(configuration, encoding="utf-8")
        command, plain = [str(program), "build", "--strict"], os.environ | {"NO_COLOR": "1"}
        done = subprocess.run(command, cwd=folder, env=plain, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise NotBuilt(f"Zensical refused a page:\n{done.stdout or done.stderr}")
        made = Path(folder, "site")
        for path in [made / "sitemap.xml", made / "404.html", made / "zensical.toml"]:
            path.unlink(missing_ok=True)
        shutil.rmtree(made / "assets/stylesheets/classic", ignore_errors=True)
        for path in [path for path in made.rglob("*") if path.suffix in COMPRESSED]:
            path.with_name(f"{path.name}.br").write_bytes(brotli.compress(path.read_bytes()))
        shutil.rmtree(root / SITE, ignore_errors=True)
        shutil.copytree(made, root / SITE)


if __name__ == "__main__":
    try:
        build(ROOT, standalone=sys.argv[1:] == ["--standalone"])
    except NotBuilt as error:
        sys.exit(f"The documentation was not built: {error}")
