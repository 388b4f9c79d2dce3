"""The command that plays as a bot: bot."""

import sys
import threading

import click

from service.levels import LEVELS
from wintercount.cli.clients import HERE
from wintercount.cli.prerequisites import settings
from wintercount.cli.printing import asked_for_json, printed, programs_ask, token_told
from wintercount.processes.interrupting import handlers_restored, listen


@click.command()
@click.option("--server", "--url", default=HERE, show_default=True, help="address of the service")
@click.option("--level", type=click.Choice(list(LEVELS)), default="greedy", show_default=True, help="level to play at")
@click.option("--token", envvar="WINTERCOUNT_TOKEN", help="token of the bot's account; also WINTERCOUNT_TOKEN")
@click.option("--name", default="bot", show_default=True, help="name of the account to create if there is no token")
@click.option("--sit", nargs=2, type=(str, int), multiple=True, metavar="TABLE SEAT", help="seat to take first")
@asked_for_json
@handlers_restored()
def bot(server: str, level: str, token: str | None, name: str, sit: tuple[tuple[str, int], ...]) -> None:
    """Play as a bot wherever its account has a seat, over the public API.

    As JSON it is the token of an account that was created, and then the player.
    """
    from service.client import Api
    from worker.bot import Bot

    settings()
    api, stop = Api(server, token), threading.Event()
    listen(lambda *_: sys.exit(0))
    if token is None:
        token_told(api.sign_up(name, bot=True))
    player = api.get("/v1/players/me")["player"]
    told = f"player {player} plays as {level}; press Ctrl-C to stop"
    printed({"player": player, "level": level}) if programs_ask() else click.echo(told)
    for table, seat in sit:
        arbiter = api.get(f"/v1/tables/{table}")["arbiter"]
        api.post(f"/v1/tables/{table}/seats/{seat}", {"arbiter": arbiter})
    Bot(api, LEVELS[level]).run(stop)
