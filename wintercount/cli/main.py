"""The command line: `wintercount run` for everything on one machine, and a command for each process and task.

A command's module is imported when that command is asked for: whoever verifies a file waits for no web server.
"""

import gc
from importlib import import_module

import click

from service import __version__
from wintercount.cli.errors import Commands
from wintercount.cli.printing import summaries

gc.set_threshold(20_000)  # hardly anything here has cycles, least of all the modules that are imported

# By subject, as `wintercount --help` lists them: each in its module in `wintercount.cli`, by its name there.
SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Run the service": {
        "run": ("running", "run"),
        "serve": ("running", "serve"),
        "dispatch": ("running", "dispatch"),
        "worker": ("running", "worker"),
        "settings": ("running", "list_settings"),
        "doctor": ("operations", "doctor"),
    },
    "Play": {
        "play": ("clients", "play"),
        "watch": ("clients", "watch"),
        "bot": ("clients", "bot"),
    },
    "Look into a table": {
        "verify": ("records", "verify"),
        "analyse": ("records", "analyse"),
        "convert": ("records", "convert"),
        "explain-move": ("records", "explain_move"),
        "readjudicate": ("records", "readjudicate"),
        "case": ("records", "show_case"),
        "export": ("clients", "export_table"),
        "import": ("clients", "import_tables"),
    },
    "Keep what was played": {
        "backup": ("operations", "backup"),
        "restore": ("operations", "restore"),
        "archive": ("operations", "archive"),
        "rebuild": ("operations", "rebuild"),
        "dump": ("operations", "dump"),
    },
    "Care for people": {
        "moderate": ("people", "moderate"),
        "forget": ("people", "forget"),
        "rotate-secret": ("people", "rotate_secret"),
    },
    "Your shell": {
        "completion": ("clients", "completion"),
    },
}
PLACES = {name: place for section in SECTIONS.values() for name, place in section.items()}


class Sections(Commands):
    """The commands by subject, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click names it
        """The names of all commands, in the order of their subjects."""
        return list(PLACES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click names it
        """The command of that name, if there is one."""
        if cmd_name not in PLACES:
            return None
        module, name = PLACES[cmd_name]
        command: click.Command = getattr(import_module(f"wintercount.cli.{module}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the commands of each subject under its name, with whole summaries."""
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(summaries(self, ctx, list(names)))


@click.group(cls=Sections, epilog="Environment variables set everything: `wintercount settings` lists them.")
@click.version_option(__version__, message="%(version)s")
def main() -> None:
    """Event-sourced card games, whose history is never redrawn."""
