"""The table at one moment, and the questions that rules ask of it."""

from typing import Literal

from msgspec import Struct

from games.plenty_coups.components import MARKERS, ROUNDS, WARRIORS, WINTER
from games.plenty_coups.house_rules import Options

Side = Literal["raid", "prestige"]  # the two sides of a marker (PC-1.5)


class Camp(Struct, frozen=True, gc=False):
    """A seated tribe: its hand, its herd, the markers in its camp (PC-1.5) and its alliance."""

    tribe: str
    seat: int | None
    horses: int
    hand: tuple[str, ...] = ()
    raid_markers: int = MARKERS
    prestige_markers: int = 0
    extra: int = 0
    ally: str | None = None
    ally_card: str | None = None
    disdained: bool = False


class HerdRow(Struct, frozen=True, gc=False):
    """The size of one herd."""

    tribe: str
    horses: int


class StandingRaid(Struct, frozen=True, gc=False):
    """Warriors before a camp, with the marker of the tribe that sent them; `round` is that of the launch."""

    tribe: str
    target: str
    cards: tuple[str, ...]
    printed: int
    bonus: int
    marker: Side
    round: int

    @property
    def attack(self) -> int:
        """PC-5.4: the attack value, fixed at launch."""
        return self.printed + self.bonus


class Proposal(Struct, frozen=True, gc=False):
    """An open proposal of alliance; `card` lies beside the proposer's herd."""

    tribe: str
    to: str
    card: str

    @property
    def value(self) -> int:
        """PC-R47: the printed value."""
        return WARRIORS[self.card].value


class Offer(Struct, frozen=True, gc=False):
    """A gift that lies face down until it is answered (PC-7.2)."""

    tribe: str
    to: str
    give: str
    free: bool


class Repelled(Struct, frozen=True, gc=False):
    """A raid repelled in this turn by a single, strictly greater weapon, not yet marked by a coup (PC-4.50)."""

    tribe: str
    cards: tuple[str, ...]
    bonus: int


class State(Struct, frozen=True, gc=False):
    """All of a game. `tribes` and `camps` are in camp order; raids and proposals stand oldest first."""

    players: int
    options: Options
    plain: int
    pile: tuple[str, ...]
    phase: str = "choose_tribe"
    chosen: tuple[str, ...] = ()
    tribes: tuple[str, ...] = ()
    camps: tuple[Camp, ...] = ()
    shared: str | None = None
    neutral: tuple[str, ...] = ()
    round: int = 0
    turn: str | None = None
    actions: int = 0
    take: int = 0
    free_made: bool = False
    repelled: Repelled | None = None
    hunted: int = 0
    disdained: str | None = None
    offer: Offer | None = None
    raids: tuple[StandingRaid, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    display: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()


def camp_of(state: State, tribe: str) -> Camp:
    """The camp of a seated tribe."""
    return state.camps[state.tribes.index(tribe)]


def acting(state: State) -> Camp | None:
    """PC-3.13: the camp that must act; null while the tribes are chosen, and once the game is over."""
    return None if state.turn is None else own_camp(state)


def is_winter(state: State) -> bool:
    """PC-3.2: whether it is one of the last three rounds."""
    return state.round >= WINTER


def answering(state: State) -> str | None:
    """The tribe that must answer within another's turn, if any (PC-3.13)."""
    if state.offer is not None:
        return state.offer.to
    return state.disdained


def own(state: State) -> str:
    """The tribe that must act: the one that must answer, else the one whose turn it is."""
    tribe = answering(state) or state.turn
    if tribe is None:
        raise LookupError("no turn has started")
    return tribe


def own_camp(state: State) -> Camp:
    """The camp of the tribe that must act."""
    if state.offer is None and state.disdained is None and state.turn is not None:  # by far the most frequent case
        return state.camps[state.tribes.index(state.turn)]
    return camp_of(state, own(state))


def keeper(state: State) -> int:
    """PC-3.14: the seat that plays the shared tribe in this round, or will in the first."""
    return 2 if state.round and state.round % 2 == 0 else 1


def seat_of(state: State, tribe: str) -> int | None:
    """PC-5.1: the seat that plays the tribe; for the shared tribe null while nobody does."""
    if tribe != state.shared:
        return state.camps[state.tribes.index(tribe)].seat
    if state.turn == tribe:
        return seat_in_turn(state, tribe)
    if state.turn is not None and answering(state) == tribe:
        return 3 - playing(state, state.turn)  # PC-R42: the other player
    return None


def seat_in_turn(state: State, tribe: str) -> int:
    """PC-3.14: the seat that plays the tribe's own turn in this round."""
    return camp_of(state, tribe).seat or keeper(state)


def playing(state: State, tribe: str) -> int:
    """The seat that plays the tribe; there must be one."""
    seat = seat_of(state, tribe)
    if seat is None:
        raise LookupError(f"nobody plays {tribe}")
    return seat


def to_act(state: State) -> tuple[int, ...]:
    """PC-3.13: the one seat that must act, as a tuple; empty when nobody must."""
    return seats_to_act(state, acting(state))


def seats_to_act(state: State, camp: Camp | None) -> tuple[int, ...]:
    """The same, given the camp that must act."""
    if camp is not None:
        return (camp.seat or playing(state, camp.tribe),)
    chosen = len(state.chosen)
    return (chosen + 1,) if state.phase == "choose_tribe" and chosen < state.players else ()


def raid_on(state: State, target: str) -> StandingRaid | None:
    """The raid that stands on a camp; there is at most one (PC-R11)."""
    for raid in state.raids:
        if raid.target == target:
            return raid
    return None


def returns(launched: int) -> bool:
    """PC-5.10: whether a raid launched in that round still comes home; those of the last one are lost."""
    return launched < ROUNDS


def raids_of(state: State, tribe: str) -> list[StandingRaid]:
    """The standing raids of a tribe, oldest first."""
    return [raid for raid in state.raids if raid.tribe == tribe]


def due_raids(state: State) -> list[StandingRaid]:
    """The raids of the turn's tribe from earlier turns, oldest first (PC-3.6)."""
    return [raid for raid in state.raids if raid.tribe == state.turn and raid.round < state.round]


def is_raid_due(state: State) -> bool:
    """Whether there are such raids."""
    for raid in state.raids:  # noqa: SIM110 - a plain loop is faster, and is gone through three times a move
        if raid.tribe == state.turn and raid.round < state.round:
            return True
    return False


def proposal_between(state: State, tribe: str | None, to: str | None) -> Proposal | None:
    """The open proposal of one tribe to another."""
    for proposal in state.proposals:
        if proposal.tribe == tribe and proposal.to == to:
            return proposal
    return None


def proposal_to(state: State, to: str) -> Proposal | None:
    """The open proposal to a tribe; there is at most one (PC-R26)."""
    for proposal in state.proposals:
        if proposal.to == to:
            return proposal
    return None


def seated_ally(state: State, camp: Camp) -> Camp | None:
    """The camp's ally if the two are allied with each other; None if it is a neutral one (PC-R44)."""
    ally = camp_of(state, camp.ally) if camp.ally and camp.ally in state.tribes else None
    return ally if ally is not None and ally.ally == camp.tribe else None


def neutral_tribes(state: State, camp: Camp) -> tuple[str, ...]:
    """PC-4.85: the tribes that a camp may take as a neutral ally; by house rule the shared tribe too (PC-R44)."""
    shared, by_rule = state.shared, state.options.shared_alliance == "neutral"
    if shared is None or not by_rule or shared == camp.tribe or seated_ally(state, camp_of(state, shared)):
        return state.neutral
    return (*state.neutral, shared)


def prestige_on_raids(state: State, tribe: str) -> int:
    """How many prestige-face markers of the tribe are on raids."""
    return sum([raid.tribe == tribe and raid.marker == "prestige" for raid in state.raids])


def markers_turned(state: State, tribe: str) -> int:
    """PC-6.1: the tribe's prestige-face markers, in camp and on raids."""
    return camp_of(state, tribe).prestige_markers + prestige_on_raids(state, tribe)


def off_herd(state: State, tribe: str) -> int:
    """PC-6.1: the tribe's off-herd prestige."""
    return markers_turned(state, tribe) + camp_of(state, tribe).extra


def is_lone_young(cards: tuple[str, ...]) -> bool:
    """PC-4.51: a lone warrior of printed value 1."""
    return len(cards) == 1 and WARRIORS[cards[0]].value == 1


def has_point_to_gain(state: State, camp: Camp) -> bool:
    """PC-4.53: a marker can be turned, or a coup in defence needs none (PC-R14, PC-R55)."""
    return state.options.prestige_limit != "markers" or markers_turned(state, camp.tribe) < MARKERS
