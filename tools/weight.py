"""Prints how much there is of the project: `make weight`."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

PRODUCT = ("games", "events", "projections", "rulings", "service", "worker", "wintercount")
SCRIPTS = {".js", ".mjs", ".ts", ".mts"}
LISTED = ["git", "ls-files", "-z"]


def main() -> None:
    """Counts what is under version control."""
    names = subprocess.run(LISTED, capture_output=True, text=True, check=True).stdout  # noqa: S603
    files = [path for name in names.strip("\0").split("\0") if (path := Path(name)).is_file()]
    packages = {
        name: lines(path for path in files if path.suffix == ".py" and path.parts[0] == name) for name in PRODUCT
    }
    scripts = [path for path in files if path.suffix in SCRIPTS]
    guides = [path for path in files if path.suffix == ".md" and path.parent in {Path(), Path("docs")}]
    records = [path for path in files if path.suffix == ".md" and path.parent == Path("docs/decisions")]
    show("product Python, lines", sum(packages.values()))
    for name, count in packages.items():
        show(f"  {name}", count)
    show("tests, lines", lines(path for path in files if path.suffix == ".py" and path.parts[0] == "tests"))
    show("JavaScript and TypeScript, lines", lines(scripts))
    show("guides, words", words(guides))
    show("records, words", words(records))
    show("records, files", len(records))
    show("files", len(files))


def lines(files: Iterable[Path]) -> int:
    """How many lines there are in these files."""
    return sum(path.read_bytes().count(b"\n") for path in files)


def words(files: Iterable[Path]) -> int:
    """How many words there are in these files."""
    return sum(len(path.read_text(encoding="utf-8").split()) for path in files)


def show(what: str, count: int) -> None:
    """Prints one figure."""
    sys.stdout.write(f"{what:34}{count:9,}\n")


if __name__ == "__main__":
    main()
