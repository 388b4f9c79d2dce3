"""What lies on the table before the first turn: the box, the camps, the shuffled deck (PC-2)."""

from games.deciding import when
from games.kernel import Chance, Transition
from games.plenty_coups import events as ev
from games.plenty_coups.components import CAMPS, COPIES, DECK, HORSES_PER_CAMP, ROUNDS, TRIBES, WINTER
from games.plenty_coups.evolve import evolve
from games.plenty_coups.house_rules import Options
from games.plenty_coups.state import State


def start(players: int, options: Options, chance: Chance) -> Transition[State]:  # noqa: ARG001 - no luck before the tribes are chosen
    """PC-2.2: the table at which the first seat chooses its tribe."""
    counts = tuple(ev.CardCount(card, count) for card, count in COPIES.items())
    event = ev.GameStarted(players, options, ROUNDS, WINTER, CAMPS[players] * HORSES_PER_CAMP, counts)
    return Transition((event,), evolve(None, event), (None,))


def camps_set_up(state: State) -> ev.CampsSetUp:
    """PC-2.3 to 2.5: the camps; with 2 players the first tribe that nobody chose sits between them (PC-R41)."""
    seats: list[tuple[int | None, str]] = list(enumerate(state.chosen, 1))
    unchosen = [tribe for tribe in TRIBES if tribe not in state.chosen]
    shared = unchosen.pop(0) if state.players == 2 else None
    if shared is not None:
        seats.insert(1, (None, shared))
    rules = ("PC-2.3", *when(shared, "PC-R41", "PC-R44"), "PC-2.4", "PC-2.5")
    rows = tuple(ev.CampRow(seat, tribe, 1) for seat, tribe in seats)
    plain = CAMPS[state.players] * (HORSES_PER_CAMP - 1)
    return ev.CampsSetUp(rows, shared, tuple(unchosen), plain, rules)


def deck_shuffled(chance: Chance) -> ev.DeckShuffled:
    """PC-2.6: the 54 cards in the order that luck gives."""
    order = tuple(chance("shuffle_deck", DECK, len(DECK)))
    return ev.DeckShuffled(len(order), order)
