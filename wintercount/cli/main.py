"""The command line: `wintercount run` for everything on one machine, and a command for each process and task.

The module of a command is imported when the command is used, so `verify` does not wait for a web server.
"""

import gc
from importlib import import_module
from typing import Any

import click

from service import __version__
from wintercount.cli.errors import Commands
from wintercount.cli.printing import HELP, summaries

gc.set_threshold(20_000)  # hardly anything here has cycles, least of all the modules that are imported

# By subject, as `wintercount --help` lists them: commands by their module in `wintercount.cli`.
SECTIONS = {
    "Run the service": {"running": "run serve dispatch worker settings", "operations": "doctor"},
    "Use a service": {"clients": "login tables show play watch bot api"},
    "Examine a table": {
        "examining": "verify analyse convert explain-move impact case",
        "clients": "export import",
    },
    "Write a game": {"games": "new-game dev"},
    "Keep data safe": {"operations": "backup restore archive rebuild dump"},
    "Moderate": {"people": "moderate forget rotate-secret"},
    "Your shell": {"clients": "completion"},
}
PLACES = {name: module for section in SECTIONS.values() for module, names in section.items() for name in names.split()}


class Sections(Commands):
    """The commands by subject, each imported when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click names it
        """Returns the names of all commands in the order of their subjects."""
        return list(PLACES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click names it
        """Returns the command of that name, if there is one."""
        if cmd_name not in PLACES:
            return None
        there = vars(import_module(f"wintercount.cli.{PLACES[cmd_name]}")).values()
        return next(one for one in there if isinstance(one, click.Command) and one.name == cmd_name)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Finds the command; the error for an unknown one suggests similar names."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(error.command_name, possibilities=PLACES, ctx=ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the commands of each subject under its name, with whole summaries."""
        for title, modules in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(summaries(self, ctx, " ".join(modules.values()).split()))


@click.group(
    cls=Sections,
    help="Event-sourced card games with hidden hands, where every past moment can be seen again.",
    epilog="Environment variables configure the service: `wintercount settings` lists them.",
    context_settings=HELP,
)
@click.version_option(__version__, message="%(version)s")
def main() -> None:
    """Runs the command that is named."""
