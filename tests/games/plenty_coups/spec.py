"""Given a table, when a move is made, then these events: the examples of section 9 in code.

Cards are written as in the document: `B-3` is black's warrior of value 3 (Y yellow, G green, R red, U blue, W white).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from games import GAMES
from games.kernel import first_of_all as as_given
from games.plenty_coups import game as plenty_coups
from games.plenty_coups.components import CAMPS, DECK, HORSES_PER_CAMP, TRIBES, WARRIORS, in_order
from games.plenty_coups.state import Camp, Proposal, Side, StandingRaid, State, off_herd
from games.reading import options_of
from tests.games.spec import Told, as_json, refused_by

LETTERS = dict(zip("BYGRUW", TRIBES, strict=True))


def card(short: str) -> str:
    """`B-3` as `warrior-black-3`; `stick` as `coup-stick`; other names as they are."""
    if short == "stick":
        return "coup-stick"
    return f"warrior-{LETTERS[short[0]]}-{short[2]}" if short[0] in LETTERS else short


def cards(text: str) -> tuple[str, ...]:
    """The cards of a text, parted by blanks."""
    return tuple(card(short) for short in text.split())


def raid(tribe: str, target: str, warriors: str, *, round_: int = 1, marker: Side = "raid", bonus: int = 0) -> Any:
    """A standing raid; its bonus is 1 for the raider's own warriors, else the one given."""
    shown = in_order(cards(warriors))
    plus = int(WARRIORS[shown[0]].tribe == tribe) or bonus
    return StandingRaid(tribe, target, shown, sum(WARRIORS[c].value for c in shown), plus, marker, round_)


def proposal(tribe: str, to: str, warrior: str) -> Proposal:
    """An open proposal."""
    return Proposal(tribe, to, card(warrior))


def ally_of(tribe: str, allies: Mapping[str, tuple[str, str]]) -> tuple[str | None, str | None]:
    """The ally of a tribe and the card under its camp."""
    ally, under = allies.get(tribe, (None, ""))
    return ally, card(under) if under else None


class Table(Told):
    """A table in the middle of a game, and what was played on it; `prestige` counts the turned markers in camp."""

    def __init__(
        self,
        players: int = 4,
        tribes: Sequence[str] | None = None,
        *,
        round: int = 3,  # noqa: A002 - the word of the rules
        turn: str = "black",
        actions: int | None = None,
        phase: str = "actions",
        hands: Mapping[str, str] = {},
        herds: Mapping[str, int] = {},
        prestige: Mapping[str, int] = {},
        extra: Mapping[str, int] = {},
        allies: Mapping[str, tuple[str, str]] = {},
        disdained: Sequence[str] = (),
        raids: Sequence[StandingRaid] = (),
        proposals: Sequence[Proposal] = (),
        display: str = "",
        discards: str = "",
        pile: str | None = None,
        plain: int | None = None,
        options: Mapping[str, Any] = {},
        rules_version: int = plenty_coups.rules_version,
    ) -> None:
        seated = tuple(tribes or TRIBES[: CAMPS[players]])
        shared = seated[1] if players == 2 else None
        seats = {tribe: seat for seat, tribe in enumerate((t for t in seated if t != shared), 1)}
        camps = tuple(
            Camp(
                tribe,
                seats.get(tribe),
                herds.get(tribe, 1),
                in_order(cards(hands.get(tribe, ""))),
                4 - prestige.get(tribe, 0) - sum(r.tribe == tribe for r in raids),
                prestige.get(tribe, 0),
                extra.get(tribe, 0),
                *ally_of(tribe, allies),
                tribe in disdained,
            )
            for tribe in seated
        )
        self.state = State(
            players=players,
            options=options_of(GAMES[plenty_coups.slug], options, players, rules_version),
            plain=CAMPS[players] * HORSES_PER_CAMP - sum(c.horses for c in camps) if plain is None else plain,
            pile=(),
            phase=phase,
            chosen=tuple(t for t in seated if t != shared),
            tribes=seated,
            camps=camps,
            shared=shared,
            neutral=tuple(t for t in TRIBES if t not in seated),
            round=round,
            turn=turn,
            actions=(1 if round >= 10 else 2) if actions is None else actions,
            raids=tuple(raids),
            proposals=tuple(proposals),
            display=cards(display),
            discards=cards(discards),
        )
        shown = Counter(plenty_coups.census(self.state)[0])
        rest = in_order((Counter(DECK) - shown).elements())
        self.state = msgspec.structs.replace(self.state, pile=rest if pile is None else cards(pile))
        self.events: list[Any] = []

    def play(self, move: Mapping[str, Any], seat: int | None = None, chance: Any = as_given) -> list[Any]:
        """The events of a move, by the seat that must act unless another is named."""
        before, actor = self.state, seat or plenty_coups.to_act(self.state)[0]
        events, self.state, _ = plenty_coups.play(before, actor, dict(move), chance)
        self.events = list(events)
        replayed = before
        self.readers = []
        for event in self.events:
            self.readers.append(plenty_coups.readers(replayed, event))
            replayed = plenty_coups.evolve(replayed, event)
        assert replayed == self.state
        return list(self.events)

    def refuses(self, move: Mapping[str, Any], rule: str, seat: int | None = None) -> None:
        """The move is refused with this rule, and is not listed."""
        actor = seat or plenty_coups.to_act(self.state)[0]
        assert refused_by(plenty_coups, self.state, actor, dict(move)) == rule
        assert move not in self.listed(actor)

    def allows(self, move: Mapping[str, Any]) -> None:
        """The move is listed."""
        assert move in self.listed(plenty_coups.to_act(self.state)[0])

    def listed(self, seat: int) -> list[Any]:
        """The legal moves of a seat, as JSON."""
        listed: list[Any] = as_json(plenty_coups.legal_moves(self.state, seat))
        return listed

    def read_by(self, name: str) -> dict[str, list[int]]:
        """Who may read the secret fields of that event."""
        return next(r for r, event in zip(self.readers, self.events, strict=True) if type(event).__name__ == name)

    def hand(self, tribe: str) -> tuple[str, ...]:
        """The hand of a tribe."""
        return self.camp(tribe).hand

    def camp(self, tribe: str) -> Camp:
        """The camp of a tribe."""
        return self.state.camps[self.state.tribes.index(tribe)]

    def prestige(self, tribe: str) -> int:
        """The off-herd prestige of a tribe."""
        return off_herd(self.state, tribe)

    def herds(self) -> dict[str, int]:
        """The size of each herd."""
        return {camp.tribe: camp.horses for camp in self.state.camps}
