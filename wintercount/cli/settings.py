"""The command that tells settings: what each is now, and where that comes from."""

import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import click

from service.config import SETTINGS, Setting, Settings, strangers
from wintercount.cli.prerequisites import settings as settings_now
from wintercount.cli.printing import as_json, printed

HIDDEN = frozenset(("admin_token", "metrics_token", "secret"))


class Told(NamedTuple):
    """A setting as it is told: never a token, a key or a password."""

    variable: str
    value: Any
    given: bool
    meaning: str

    def __str__(self) -> str:
        value = "–" if self.value is None else self.value
        return f"{self.variable}={value}  ({'given' if self.given else 'default'})\n    {self.meaning}"


@click.command()
@click.argument("words", nargs=-1)
@as_json
def settings(words: tuple[str, ...], as_json: bool) -> None:
    """List the environment variables that set the service: the value of each now, and what it means.

    With WORDS only those that are about one of them, such as `wintercount settings webhook archive`.
    Tokens, keys and passwords are not told, only that they are given.
    """
    found = settings_now()
    for told in _all(found, words):
        printed(told._asdict()) if as_json else click.echo(told)
    for variable, meant in strangers(os.environ).items():
        advice = f": did you mean {meant}?" if meant else ""
        click.echo(f"Warning: {variable} is given and is no setting{advice}", err=True)


def _all(found: Settings, words: tuple[str, ...]) -> Iterator[Told]:
    for setting in SETTINGS:
        if not words or any(_is_about(setting, word) for word in words):
            given = bool(os.environ.get(setting.variable))
            yield Told(setting.variable, _value(found, setting), given, setting.meaning)


def _is_about(setting: Setting, word: str) -> bool:
    """Whether a word of its name or meaning begins so."""
    text = f"{setting.variable} {setting.meaning}"
    return re.search(f"(?<![a-z]){re.escape(word)}", text, re.IGNORECASE) is not None


def _value(found: Settings, setting: Setting) -> Any:
    value = getattr(found, setting.field)
    if value is not None and setting.field in HIDDEN:
        return "(hidden)"
    return _without_password(value) if isinstance(value, str) and "://" in value else value


def _without_password(url: str) -> str:
    """An address without what may hold a password: whoever asks, also with signs that nobody escaped, and a query."""
    return re.sub(r"\?.*", "?(hidden)", re.sub("(?<=://).*@", "(hidden)@", url))
