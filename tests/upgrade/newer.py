"""A later release, made of this one: its events of one type have a form that this release does not know."""

import shutil
from pathlib import Path

from tests.wheels import ROOT

PACKAGES = ("games", "events", "projections", "rulings", "service", "wintercount", "worker")
TYPE, GAME = "PartyChosen", "manitou"
EVENTS, UPCASTERS = Path("games/manitou/events/__init__.py"), Path("games/manitou/upcasters.py")
FORM = """
    schema: ClassVar[int] = 2
    later: ClassVar[tuple[str, ...]] = ("sorted_by",)

    hunt: int
    seat: int
    count: int
    cards: Secret = UNSET
    sorted_by: str = "name"
"""
READ = '''
    ("PartyChosen", 1): lambda _state, payload: {**payload, "sorted_by": "name"},
}
"""By type'''


def made_in(folder: Path) -> Path:
    """The later release in a folder, to be put before everything else on a process's path."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    before, found, after = (folder / EVENTS).read_text().partition(f"class {TYPE}(")
    _form, gap, behind = after.partition("\n\n\n")
    head, title, _fields = _form.partition('"""\n')
    (folder / EVENTS).write_text(before + found + head + title + FORM + gap + behind)
    known = (folder / UPCASTERS).read_text()
    assert (found, known.count('\n}\n"""By type')) == (f"class {TYPE}(", 1)
    (folder / UPCASTERS).write_text(known.replace('\n}\n"""By type', READ))
    return folder
