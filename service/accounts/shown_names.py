"""Display names: the log and all lists hold player ids, and an answer looks up what those players are called now."""

import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from functools import cache
from typing import NamedTuple

import msgspec

from events.lifecycle import PersonalText, Text
from events.scripts import Client
from projections.table import Table
from rulings.sentences import TABLE, name_of
from service.accounts.accounts_and_tokens import key_of
from service.accounts.callers import MONITORING, OPERATOR, Player
from service.accounts.key_store import KeysUnavailable
from service.accounts.personal_texts import ACCOUNT, NO_TEXTS, Texts
from service.accounts.refresh_ahead import RENEW_S, Renewal

REMEMBER_S = 5.0  # how long a process may show a name that was changed, hidden or erased in another one
MOST_KNOWN = 20_000  # names that a process remembers
WITHOUT_ACCOUNT = {player.id: str(player.name) for player in (OPERATOR, MONITORING)}

log = logging.getLogger(__name__)

Names = Mapping[str, str]  # display names by player id
NOBODYS: Names = {}  # shows everybody as `SOMEBODY`
SOMEBODY = "somebody"


class _Account(msgspec.Struct):
    """The part of an account that holds its name."""

    name: PersonalText | str


class DisplayNames:
    """The names of players, remembered for a few seconds. Safe for threads.

    `hidden` returns those players whose names operators have hidden.
    """

    def __init__(
        self, client: Client | None, texts: Texts, hidden: Callable[[Iterable[str]], Set[str]] = lambda _: set()
    ) -> None:
        self._client, self.texts, self._hidden = client, texts, hidden
        self._known: dict[str, tuple[float, str | None]] = {}  # until when (`time.monotonic`)
        self._renewal = Renewal[str](lambda player: self._look_up([player]))

    def peek(self, players: Iterable[str]) -> Mapping[str, str | None] | None:
        """Returns the names as `resolve` does if all are remembered; never asks the store."""
        now, found = time.monotonic(), {}
        for player in players:
            if (known := self._known.get(player)) is None or known[0] < now:
                return None
            if known[0] < now + RENEW_S:
                self._renewal.start(player)
            found[player] = known[1]
        return found

    def remembered(self, players: Iterable[str]) -> "DisplayNames | None":
        """Returns the names of these players alone if all are remembered: they resolve without the store."""
        known = self.peek(players)
        return None if known is None else _Remembered(self.texts, known)

    def resolve(self, players: Collection[str]) -> Mapping[str, str | None]:
        """Returns the names of players; None for one who was erased, has no account here, or whose name is hidden."""
        known = self.peek(players)
        return self._look_up(list(dict.fromkeys(players))) if known is None else known

    def drop(self) -> None:
        """Forgets all names, including those being looked up by other threads."""
        self._known = {}

    def _look_up(self, players: list[str]) -> dict[str, str | None]:
        known, until = self._known, time.monotonic() + REMEMBER_S
        found = {player: WITHOUT_ACCOUNT.get(player) for player in players}
        if self._client is not None and players:
            kept = self._client.mget([key_of("player", player) for player in players])
            found |= self._opened({player: account for player, account in zip(players, kept, strict=True) if account})
        if len(known) + len(found) > MOST_KNOWN:
            known.clear()
        known.update((player, (until, name)) for player, name in found.items())
        return found

    def _opened(self, accounts: Mapping[str, bytes]) -> dict[str, str | None]:
        hidden = self._hidden(accounts)
        names = {one: msgspec.json.decode(kept, type=_Account).name for one, kept in accounts.items()}
        try:
            self.texts.prefetch(names.values())
        except KeysUnavailable as error:  # games go on meanwhile, and everybody is called `somebody`
            log.error("no names are shown: %s", error)
            return {}
        return {
            player: None if player in hidden else self.texts.open_in_record(ACCOUNT, player, name)
            for player, name in names.items()
        }


class _Remembered(DisplayNames):
    """Names that are known already; there are no others."""

    def __init__(self, texts: Texts, names: Mapping[str, str | None]) -> None:
        self.texts, self._names = texts, names

    def resolve(self, players: Iterable[str]) -> Mapping[str, str | None]:
        """Returns the names of players; None for a player who is not among them."""
        return {player: self._names.get(player) for player in players}


NO_NAMES = DisplayNames(None, NO_TEXTS)  # of processes that show none


@cache
def _word(name: str, language: str) -> str:
    """Returns a word shown in place of a name or text."""
    return name_of(TABLE, name, language)


class Presenter(NamedTuple):
    """Names and texts as an answer shows them, in its reader's language."""

    language: str = "en"
    names: DisplayNames = NO_NAMES

    def names_of(self, players: Iterable[str | None]) -> Names:
        """Returns the names of these players, or `somebody`."""
        found = self.names.resolve([player for player in players if player])
        return {player: name or _word(SOMEBODY, self.language) for player, name in found.items()}

    def names_at(self, table: Table) -> Names:
        """Returns the names of those who sit at a table, or `somebody`, in the order of their seats."""
        return self.names_of([seat.player for seat in table.seats])

    def own(self, player: Player) -> str:
        """Returns the name of an account for its own person, though it may be hidden from others."""
        return self.name_in_record(ACCOUNT, player.id, player.name)

    def name_in_record(self, kind: str, id_: str, name: Text) -> str:
        """Returns the name that a record of this kind holds."""
        return self.names.texts.open_in_record(kind, id_, name) or _word(SOMEBODY, self.language)

    def text(self, table: str, type_: str, text: Text | None) -> str | None:
        """Returns the text of an event of this type at this table, or a word that says it was removed."""
        if text is None or isinstance(text, str):
            return text
        found = self.names.texts.open_in_event(table, type_, text)
        return _word("removed_text", self.language) if found is None else found


PLAIN = Presenter()  # shows no names and no texts
