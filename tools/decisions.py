"""Writes the index of the decision records, `docs/decisions/README.md`, from their first lines."""

import re
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path("docs/decisions")
INDEX = FOLDER / "README.md"
HEAD = re.compile(r"\A# (\d{4}) (.+)\n+Date: (\S+)\nStatus: (.+)\n\n")
HEADER = "| --- | --- | --- |\n"


def rows() -> Iterator[str]:
    """A row for each record; raises `ValueError` for one that does not begin with title, date and status."""
    for record in sorted(FOLDER.glob("[0-9]*.md")):
        head = HEAD.match(record.read_text(encoding="utf-8"))
        if head is None:
            raise ValueError(f"{record} does not begin with '# {record.name[:4]} title', 'Date: …', 'Status: …'")
        yield f"| [{head[1]}]({record.name}) | {head[2]} | {head[4]} |\n"


def index() -> str:
    """The index as it should be: its own introduction, and the rows of today."""
    introduction = INDEX.read_text(encoding="utf-8").partition(HEADER)[0]
    return introduction + HEADER + "".join(rows())


if __name__ == "__main__":
    INDEX.write_text(index(), encoding="utf-8")
