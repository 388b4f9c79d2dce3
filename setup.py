"""Builds the package; with WINTERCOUNT_COMPILED=1 the players' search in Manitou and Big Manitou in machine code."""

import os

from setuptools import setup

BIG_MANITOU = ("big_manitou_course", "big_manitou_hunt", "big_manitou_model", "big_manitou_worth", "leads", "tiles")
MODULES = (*BIG_MANITOU, "hunt", "hunters", "majorities", "manitou_hunt", "manitou_model", "tree")
SEARCH = [f"worker/players/search/{name}.py" for name in MODULES]


def extensions() -> list[object]:
    """What mypyc makes of the modules; needs a C compiler."""
    if os.environ.get("WINTERCOUNT_COMPILED") != "1":
        return []
    from mypyc.build import mypycify

    return list(mypycify(SEARCH))


setup(ext_modules=extensions())
