"""Builds the package; with WINTERCOUNT_COMPILED=1 what AI players take longest for in machine code.

That is their search in Manitou and Big Manitou, and the imagined worlds and values of Plenty Coups.
"""

import os

from setuptools import setup

BIG_MANITOU = ("big_manitou_course", "big_manitou_hunt", "big_manitou_model", "big_manitou_worth", "leads", "tiles")
MODULES = (*BIG_MANITOU, "hunt", "hunters", "majorities", "manitou_hunt", "manitou_model", "tree")
PATHS = ("card_paths", "transfers")
WORTH = tuple([f"plenty_coups_{name}" for name in ("alliances", "values", "worth", "worth_of_many")])
COMPILED = [
    *[f"worker/players/search/{name}.py" for name in (*MODULES, *WORTH)],
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
