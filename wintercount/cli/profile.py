"""The profile that `wintercount login` stores, and the service that client commands use."""

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click
import msgspec

from events.disk import opener, private_directory
from worker.client import Api

HERE = "http://127.0.0.1:8000"


class Profile(msgspec.Struct):
    """A service and the token to use there."""

    server: str
    token: str


def profile_file() -> Path:
    """Returns the path of the profile, by the XDG base directory specification."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "wintercount" / "profile.json"


def read_profile() -> Profile | None:
    """Returns the stored profile; exits with a message if its file is damaged."""
    try:
        return msgspec.json.decode(profile_file().read_bytes(), type=Profile)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except msgspec.MsgspecError as error:
        raise click.ClickException(
            f"{profile_file()} is damaged ({error}): `wintercount login` writes it anew"
        ) from None


def write_profile(profile: Profile) -> Path:
    """Stores a profile where only this user can read it, in place of an older one."""
    file = profile_file()
    private_directory(file.parent)
    part = file.with_name(f".{file.name}.{os.getpid()}")
    with open(part, "wb", opener=opener) as writing:
        writing.write(msgspec.json.format(msgspec.json.encode(profile)))
    part.replace(file)
    return file


def api_of(server: str | None, token: str | None) -> Api:
    """Returns the service and token that are given, or else those of the profile; its token goes to its server only."""
    profile = None if server and token else read_profile()
    address = (server or (profile.server if profile else HERE)).rstrip("/")
    if token is None and profile and profile.server == address:
        token = profile.token
    return Api(address, token)


def service_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options of every client command."""
    token = click.option("--token", envvar="WINTERCOUNT_TOKEN", help="token of an account; also WINTERCOUNT_TOKEN")
    server = click.option(
        "--server",
        "--url",
        envvar="WINTERCOUNT_SERVER",
        help=f"address of the service; also WINTERCOUNT_SERVER  [{HERE}]",
    )
    return server(token(function))


def with_api(function: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a client command its service; the argument `table` may be an address that contains both."""

    @service_options
    @wraps(function)
    def run(server: str | None, token: str | None, **words: Any) -> Any:
        if "://" in (words.get("table") or ""):
            from wintercount.cli.terminal.playing import place_of

            server, words["table"] = place_of(words["table"])
        return function(api_of(server, token), **words)

    return run
