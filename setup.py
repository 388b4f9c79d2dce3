"""Builds the package; with WINTERCOUNT_COMPILED=1 what AI players take longest for in machine code.

That is their search in Manitou and Big Manitou, and the imagined worlds and values of Plenty Coups.
"""

import os
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

FAMILY = ("big_manitou", "big_manitou_model", "manitou", "manitou_family", "manitou_family_hunt")
PATHS = ("card_paths", "transfers")
COMPILED = [
    *[f"worker/players/search/{name}.py" for name in (*FAMILY, "plenty_coups_values")],
    "worker/players/greedy/plenty_coups.py",
    *[f"games/plenty_coups/imagine/{name}.py" for name in PATHS],
]


CONTRACTS = ("openapi.yaml", "openapi-operations.yaml", "asyncapi.yaml")


class BuildWithContracts(build_py):
    """Copies the contract files of the API into the package, where the service finds them."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib, "service", "contracts")
            target.mkdir(parents=True, exist_ok=True)
            for name in CONTRACTS:
                shutil.copy(name, target)


def extensions() -> list[object]:
    """What mypyc makes of the modules; needs a C compiler."""
    if os.environ.get("WINTERCOUNT_COMPILED") != "1":
        return []
    from mypyc.build import mypycify

    return list(mypycify(COMPILED))


setup(ext_modules=extensions(), cmdclass={"build_py": BuildWithContracts})
