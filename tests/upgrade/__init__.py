"""Data directories of earlier releases, as they lay on the disk, which every later release opens and plays on.

`python -m tests.upgrade.make NAME` makes one with the release that runs it; one that is kept is never made anew.
"""

import tarfile
from pathlib import Path

DATA = Path(__file__).parent / "data"
NAMES = sorted(file.name.removesuffix(".tar.xz") for file in DATA.glob("*.tar.xz"))
STORY = "story.json"  # beside the data: who plays, with which tokens, and which tables there are


def unpacked(name: str, directory: Path) -> Path:
    """A data directory, ready to be served."""
    with tarfile.open(DATA / f"{name}.tar.xz") as packed:
        packed.extractall(directory, filter="data")
    directory.chmod(0o700)
    return directory
