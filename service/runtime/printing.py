"""What a command prints for programs: one JSON value a line."""

from typing import Any

import click
import msgspec

as_json = click.option("--json", "as_json", is_flag=True, help="print JSON, one value a line")


def printed(value: Any) -> None:
    """Prints a value as a line of JSON."""
    click.echo(msgspec.json.encode(value).decode())
