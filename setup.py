"""Builds the package; with WINTERCOUNT_COMPILED=1 what AI players take longest for in machine code.

That is their search in Manitou and Big Manitou, and the imagined worlds and values of Plenty Coups.
"""

import os

from setuptools import setup

MODULES = ("big_manitou", "big_manitou_course", "hunt", "hunters", "manitou", "plenty_coups_worth")
PATHS = ("card_paths", "transfers")
COMPILED = [
    *[f"worker/players/search/{name}.py" for name in MODULES],
    "worker/players/greedy/plenty_coups.py",
    *[f"games/plenty_coups/imagine/{name}.py" for name in PATHS],
]


def extensions() -> list[object]:
    """What mypyc makes of the modules; needs a C compiler."""
    if os.environ.get("WINTERCOUNT_COMPILED") != "1":
        return []
    from mypyc.build import mypycify

    return list(mypycify(COMPILED))


setup(ext_modules=extensions())
