"""A set of names that forgets the oldest ones, so that it does not grow for ever."""

from collections import OrderedDict


class Names:
    """The names that were added last, at most so many of them."""

    def __init__(self, most: int) -> None:
        self._most, self._added = most, OrderedDict[str, None]()

    def __contains__(self, name: str) -> bool:
        return name in self._added

    def add(self, name: str) -> None:
        """Adds a name, and drops the oldest if there are too many."""
        self._added[name] = None
        if len(self._added) > self._most:
            self._added.popitem(last=False)
