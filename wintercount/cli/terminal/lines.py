"""A game played by a program: events and decisions out, moves in, each a line of JSON."""

import json
import sys
from typing import Any, TextIO

from rich.console import Console

from service.client import Api
from wintercount.cli.printing import printed
from wintercount.cli.terminal.playing import Left, Sitting
from wintercount.cli.terminal.words import Words


class Lines(Sitting):
    """One program at one table: it answers each line with a `decision` by a line with a move."""

    def __init__(self, api: Api, table: str, words: Words, moves: TextIO | None = None) -> None:
        super().__init__(api, table, words, Console(quiet=True))
        self._moves = moves or sys.stdin

    def _hears(self, event: dict[str, Any]) -> None:
        printed({"event": event})

    def _ends(self, now: dict[str, Any]) -> None:
        printed({"ended": now})

    def _chosen(self, now: dict[str, Any], decision: dict[str, Any]) -> Any:
        """The move on the next line; one that is no JSON is refused here, and the decision told again."""
        while True:
            printed({"decision": decision, "game": now["game"]})
            line = self._moves.readline()
            if not line:
                raise Left
            try:
                return json.loads(line)
            except ValueError as error:
                self._refused({"code": "not-json", "detail": f"a move is a line of JSON: {error}"})

    def _refused(self, problem: dict[str, Any]) -> None:
        printed({"problem": problem})
