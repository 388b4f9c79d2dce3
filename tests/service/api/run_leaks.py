"""Plants every leak of `leaks.py`, one after the other, and demands that each is seen: `make leaks`."""

import argparse
import contextlib

import pytest
from tqdm import tqdm

from tests.service.api.interference import found
from tests.service.api.leaks import GAME, PLANTS, Plant
from tests.service.api.world import World, embedded_store

CAUGHT = "caught"


def is_caught(world: World, plant: Plant) -> bool:
    """Whether the two worlds are told apart with this leak."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        plant.plant(monkeypatch)
        return next(found(world, GAME), None) is not None


def looked_at(world: World, plant: Plant) -> str:
    """What becomes of a leak: whether it is caught, or that it cannot be planted any more."""
    try:
        return CAUGHT if is_caught(world, plant) else "not seen"
    except (AssertionError, AttributeError, TypeError) as fault:
        return f"planted in vain ({fault!r})"


def main() -> None:
    """First without any leak, then with each; exits with those that nobody would have seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="those with this in their name")
    wanted = [plant for plant in PLANTS if parser.parse_args().only in plant.name]
    with embedded_store() as url, contextlib.closing(World(url)) as world:
        if told := next(found(world, GAME), None):
            raise SystemExit(f"without a planted leak the worlds differ already: {told}")
        becomes = {plant.name: looked_at(world, plant) for plant in tqdm(wanted, desc="leaks")}
    missed = {name: what for name, what in becomes.items() if what != CAUGHT}
    print(f"{len(wanted) - len(missed)} of {len(wanted)} caught")  # noqa: T201 - what the command is asked for
    if missed:
        raise SystemExit("\n".join(f"{name}: {what}" for name, what in missed.items()))


if __name__ == "__main__":
    main()
