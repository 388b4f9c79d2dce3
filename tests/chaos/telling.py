"""What a campaign says in the end."""

from collections.abc import Callable, Sequence

import click


def tell(what: str, faults: Sequence[str], write: Callable[[str], object] = click.echo) -> int:
    """Writes what was tried, and each fault that was found; how many there are."""
    write(f"{what}: {len(faults)} faults")
    for fault in faults:
        write(f"  {fault}")
    return len(faults)
