"""Parts of a feed in the archive."""

from pathlib import Path

from events.archiving import feeds
from events.archiving.objects import Objects
from events.log import Pointer


def test_a_pointer_of_an_earlier_release_comes_back_without_a_hash(tmp_path: Path) -> None:
    """As others come back with theirs."""
    objects = Objects(str(tmp_path))
    pointers = tuple(
        Pointer(position, "t_one", position, position, b"" if position % 2 else bytes([1]) * 32)
        for position in range(1, feeds.PART + 1)
    )

    name = feeds.written(objects, 7, pointers)

    assert tuple(feeds.pointers_of(objects, feeds.PartName(7, 0, name), 1, feeds.PART)) == pointers
