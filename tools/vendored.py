"""Fetches what the tree holds of others, by name, version and integrity: today the library that shows `/docs`."""

import json
import subprocess
import sys
import tarfile
from base64 import b64encode
from hashlib import sha256, sha512
from pathlib import Path
from tempfile import TemporaryDirectory

FOLDER = Path("service/page/reference")
PINNED = FOLDER / "scalar.json"
LIBRARY = FOLDER / "scalar.js"


class NotAsPinned(Exception):
    """What was fetched is not what the tree names."""


def fetched(pinned: dict[str, str]) -> bytes:
    """The member of the npm package that `pinned` names; raises `NotAsPinned` if any byte of the package differs."""
    with TemporaryDirectory() as folder:
        asked = f"{pinned['package']}@{pinned['version']}"
        command = ["npm", "pack", "--silent", "--pack-destination", folder, asked]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - what scalar.json names
        (package,) = Path(folder).glob("*.tgz")
        if (found := integrity(package.read_bytes())) != pinned["integrity"]:
            raise NotAsPinned(f"{asked} has the integrity {found}")
        with tarfile.open(package) as archive:
            member = archive.extractfile(pinned["member"])
            if member is None:
                raise NotAsPinned(f"{asked} has no {pinned['member']}")
            return member.read()


def integrity(data: bytes) -> str:
    """The digest of a package as npm writes it."""
    return f"sha512-{b64encode(sha512(data).digest()).decode()}"


def main() -> None:
    """Writes the library anew; ends with a message if it is not the one that is pinned."""
    pinned = json.loads(PINNED.read_text(encoding="utf-8"))
    try:
        library = fetched(pinned)
    except NotAsPinned as error:
        sys.exit(f"{error}: nothing was written. For another version, put its figures into {PINNED}.")
    LIBRARY.write_bytes(library)
    PINNED.write_text(json.dumps(pinned | {"sha256": sha256(library).hexdigest()}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
