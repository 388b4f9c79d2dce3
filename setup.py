"""Builds the package; with WINTERCOUNT_COMPILED=1 the players' search in Manitou and Big Manitou in machine code."""

import os

from setuptools import setup

SEARCH = [f"worker/players/search/{name}.py" for name in ("big_manitou", "hunt", "hunters", "manitou", "tiles", "tree")]


def extensions() -> list[object]:
    """What mypyc makes of the modules; needs a C compiler."""
    if os.environ.get("WINTERCOUNT_COMPILED") != "1":
        return []
    from mypyc.build import mypycify

    return list(mypycify(SEARCH))


setup(ext_modules=extensions())
