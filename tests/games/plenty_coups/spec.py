"""Given a table, when a move is made, then these events: the examples of section 9 in code.

Cards are written as in the document: `B-3` is black's warrior of value 3 (Y yellow, G green, R red, U blue, W white).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from games.kernel import first_of_all as as_given
from games.plenty_coups import game as plenty_coups
from games.plenty_coups.components import CAMPS, DECK, HORSES_PER_CAMP, TRIBES, WARRIORS, in_order
from games.plenty_coups.state import Camp, Proposal, Side, StandingRaid, State, off_herd
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


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a test says of a table in the middle of a game, by tribe; what it leaves out is as it commonly is.

    `prestige` counts the turned markers in camp, `extra` those beyond them; `allies` has each ally with the card under
    the camp; cards that are named nowhere lie in the pile, unless it is named too, and horses on the plain.
    """

    players: int = 4
    tribes: Sequence[str] = ()
    round: int = 3
    turn: str = "black"
    actions: int | None = None
    phase: str = "actions"
    hands: Mapping[str, str] = field(default_factory=dict)
    herds: Mapping[str, int] = field(default_factory=dict)
    prestige: Mapping[str, int] = field(default_factory=dict)
    extra: Mapping[str, int] = field(default_factory=dict)
    allies: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    disdained: Sequence[str] = ()
    raids: Sequence[StandingRaid] = ()
    proposals: Sequence[Proposal] = ()
    display: str = ""
    discards: str = ""
    pile: str | None = None
    plain: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def seated(self) -> tuple[str, ...]:
        """The tribes that play."""
        return tuple(self.tribes or TRIBES[: CAMPS[self.players]])

    @property
    def shared(self) -> str | None:
        """The tribe that two players share."""
        return self.seated[1] if self.players == 2 else None

    @property
    def chosen(self) -> tuple[str, ...]:
        """The tribes of the seats, in their order."""
        return tuple(tribe for tribe in self.seated if tribe != self.shared)

    def camp(self, tribe: str) -> Camp:
        """The camp of a tribe."""
        seat = self.chosen.index(tribe) + 1 if tribe in self.chosen else None
        hand = in_order(cards(self.hands.get(tribe, "")))
        turned = self.prestige.get(tribe, 0)
        unturned = 4 - turned - sum(standing.tribe == tribe for standing in self.raids)
        ally, under = self.allies.get(tribe, (None, ""))
        laid = card(under) if under else None
        disdained = tribe in self.disdained
        herd, extra = self.herds.get(tribe, 1), self.extra.get(tribe, 0)
        return Camp(tribe, seat, herd, hand, unturned, turned, extra, ally, laid, disdained)

    def state(self) -> State:
        """The table as it was said to be."""
        camps = tuple(self.camp(tribe) for tribe in self.seated)
        on_plain = CAMPS[self.players] * HORSES_PER_CAMP - sum(camp.horses for camp in camps)
        state = State(
            players=self.players,
            options=plenty_coups.read_options(self.options, self.players),
            plain=on_plain if self.plain is None else self.plain,
            pile=(),
            phase=self.phase,
            chosen=self.chosen,
            tribes=self.seated,
            camps=camps,
            shared=self.shared,
            neutral=tuple(tribe for tribe in TRIBES if tribe not in self.seated),
            round=self.round,
            turn=self.turn,
            actions=(1 if self.round >= 10 else 2) if self.actions is None else self.actions,
            raids=tuple(self.raids),
            proposals=tuple(self.proposals),
            display=cards(self.display),
            discards=cards(self.discards),
        )
        return msgspec.structs.replace(state, pile=self._rest(state) if self.pile is None else cards(self.pile))

    def _rest(self, state: State) -> tuple[str, ...]:
        """The cards that lie nowhere else."""
        return in_order((Counter(DECK) - Counter(plenty_coups.census(state)[0])).elements())


def given(players: int = 4, tribes: Sequence[str] = (), **said: Any) -> "Table":
    """A table as it is said to be, in the words of `Said`: `given(hands={"black": "horse B-3"}, herds={"red": 2})`."""
    return Table(Said(players=players, tribes=tribes, **said).state())


class Table(Told):
    """A table, and what was played on it last."""

    def __init__(self, state: State) -> None:
        self.state = state
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
