"""The seats to act, legal moves, and the results of moves up to the next decision (TO-3, TO-4, TO-5)."""

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

from games.deciding import Attempt, check_turn
from games.kernel import Chance, Move, MoveRefused, MoveSet, Transition
from games.tomahawk import events as ev
from games.tomahawk import moves as mv
from games.tomahawk.battles import forest_look, lookers, settle
from games.tomahawk.components import DEALT, FIELD, PILES, PREFIX, REFILL, SEATS, TRIBE_CARDS, TURNS, TerritoryFace
from games.tomahawk.evolve import Scribe
from games.tomahawk.moves import Kept, read_move
from games.tomahawk.scoring import game_ended, most_wanted, points
from games.tomahawk.setup import drawn, muster, revealed
from games.tomahawk.slots import duel, dusk_dance, effects, force
from games.tomahawk.state import Dance, Phase, State, in_play, is_complete, laid_by_both, open_piles, side_of

PHASE_OF: dict[type[Move], Phase] = {
    mv.ChooseSpecials: "choose_specials",
    mv.PlayCards: "play_cards",
    mv.LookInForests: "mountain_look",
    mv.DeclineForestLook: "mountain_look",
}


def to_act(state: State) -> tuple[int, ...]:
    """TO-3.4: the seats that still owe a decision."""
    return state.to_act


def play(
    state: State, seat: int, move: Any, chance: Chance, corrected: Mapping[int, Any] | None = None
) -> Transition[State]:
    """Plays a move; raises `MoveRefused` (TO-4.1)."""
    move = read_move(move)
    in_phase = PHASE_OF[type(move)] == state.phase
    check_turn(PREFIX, state, Attempt(seat, move, len(SEATS)), in_phase=in_phase, to_act=state.to_act)
    for rule, fault in CHECKS[type(move)]:
        detail = fault(state, seat, move)
        if detail is not None:
            raise MoveRefused(rule, detail)
    scribe = Scribe(state, corrected)
    scribe.write(DECIDED[type(move)](state, seat, move))
    if not scribe.state.to_act:
        RESOLVE[state.phase](scribe, chance)
    return scribe.transition()


# What a move says


def _chosen(_state: State, seat: int, move: mv.ChooseSpecials) -> ev.SpecialsChosen:
    kept = tuple(sorted(move.keep, key=lambda row: row.card))
    (returned,) = (card for card in DEALT[seat] if card not in (kept[0].card, kept[1].card))
    return ev.SpecialsChosen(seat, kept, returned)


def _committed(state: State, seat: int, move: mv.PlayCards) -> ev.CardsCommitted:
    return ev.CardsCommitted(seat, state.turn, tuple(sorted(move.cards, key=lambda placed: placed.pile)))


DECIDED: dict[type[Move], Callable[[State, int, Any], Any]] = {
    mv.ChooseSpecials: _chosen,
    mv.PlayCards: _committed,
    mv.LookInForests: lambda state, seat, _move: forest_look(state, seat),
    mv.DeclineForestLook: lambda state, seat, _move: ev.ForestLookDeclined(state.turn, seat),
}

# What is legal


def legal_moves(state: State, seat: int) -> list[Move | MoveSet]:
    """TO-4.6: the legal moves of a seat; none if it is not to act."""
    return LEGAL[state.phase](state, seat) if seat in state.to_act else []


def _legal_choices(state: State, seat: int) -> list[Move | MoveSet]:
    """TO-4.2: pairs of specials ascending, then the card that the first replaces, then the second's."""
    twins = {special: _same_value(state, seat, special) for special in DEALT[seat]}
    return [
        mv.ChooseSpecials((Kept(first, one), Kept(second, two)))
        for first, second in combinations(DEALT[seat], 2)
        for one in twins[first]
        for two in twins[second]
        if one != two
    ]


def _same_value(state: State, seat: int, special: str) -> tuple[str, ...]:
    """The basic warriors of a seat that have the printed value of `special` (TO-2.4)."""
    value = getattr(state.cards, special).value
    return tuple(card for card in TRIBE_CARDS[seat] if getattr(state.cards, card).value == value)


def _legal_placements(state: State, seat: int) -> list[Move | MoveSet]:
    """TO-4.3: one summary for all placements."""
    piles = open_piles(state, seat)
    return [mv.PlayCardsSet(len(piles), side_of(state, seat).hand, piles)]


def _legal_looks(_state: State, _seat: int) -> list[Move | MoveSet]:
    """TO-4.4: to look at the forests, or not to."""
    return [mv.LookInForests(), mv.DeclineForestLook()]


LEGAL: dict[Phase, Callable[[State, int], list[Move | MoveSet]]] = {
    "choose_specials": _legal_choices,
    "play_cards": _legal_placements,
    "mountain_look": _legal_looks,
}


# The checks of moves, in their order

Check = tuple[str, Callable[[State, int, Any], str | None]]  # the rule, and what is wrong by it, or None


def _twice(listed: Callable[[Any], list[Any]], sentence: str) -> Callable[[State, int, Any], str | None]:
    """The fault of a move that lists something twice."""

    def fault(_state: State, _seat: int, move: Any) -> str | None:
        items = listed(move)
        return next((sentence.format(item) for n, item in enumerate(items) if item in items[:n]), None)

    return fault


def _not_two(_state: State, _seat: int, move: mv.ChooseSpecials) -> str | None:
    return None if len(move.keep) == 2 else f"two specials are kept, not {len(move.keep)}"


def _not_dealt(_state: State, seat: int, move: mv.ChooseSpecials) -> str | None:
    return next((f"{r.card} was not dealt to seat {seat}" for r in move.keep if r.card not in DEALT[seat]), None)


def _not_of_tribe(_state: State, seat: int, move: mv.ChooseSpecials) -> str | None:
    strangers = (row.replaces for row in move.keep if row.replaces not in TRIBE_CARDS[seat])
    return next((f"{card} is not a basic warrior of seat {seat}" for card in strangers), None)


def _other_value(state: State, _seat: int, move: mv.ChooseSpecials) -> str | None:
    for row in move.keep:
        special, warrior = getattr(state.cards, row.card), getattr(state.cards, row.replaces)
        if special.value != warrior.value:
            return f"{row.replaces} has the value {warrior.value}, {special.name} ({row.card}) has {special.value}"
    return None


def _forced_pile(state: State, seat: int, move: mv.PlayCards) -> str | None:
    piles = open_piles(state, seat)
    return next((f"seat {seat} has a forced card at pile {p.pile}" for p in move.cards if p.pile not in piles), None)


def _pile_missing(state: State, seat: int, move: mv.PlayCards) -> str | None:
    named = [placed.pile for placed in move.cards]
    return next((f"no card is placed at pile {p}" for p in open_piles(state, seat) if p not in named), None)


def _not_in_hand(state: State, seat: int, move: mv.PlayCards) -> str | None:
    hand = side_of(state, seat).hand
    return next((f"{p.card} is not in the hand of seat {seat}" for p in move.cards if p.card not in hand), None)


CHECKS: dict[type[Move], tuple[Check, ...]] = {
    mv.ChooseSpecials: (
        ("TO-4.2a", _not_two),
        ("TO-4.2b", _twice(lambda move: [row.card for row in move.keep], "{} is kept twice")),
        ("TO-4.2c", _not_dealt),
        ("TO-4.2d", _twice(lambda move: [row.replaces for row in move.keep], "{} is replaced twice")),
        ("TO-4.2e", _not_of_tribe),
        ("TO-4.2f", _other_value),
    ),
    mv.PlayCards: (
        ("TO-4.3a", _twice(lambda move: [placed.pile for placed in move.cards], "pile {} is named twice")),
        ("TO-4.3b", _forced_pile),
        ("TO-4.3c", _pile_missing),
        ("TO-4.3d", _twice(lambda move: [placed.card for placed in move.cards], "{} is placed twice")),
        ("TO-4.3e", _not_in_hand),
    ),
    mv.LookInForests: (),
    mv.DeclineForestLook: (),
}


# What follows when both seats have placed their cards

Turned = list[tuple[int, int]]  # piles and slots that have just been turned up, by pile, then slot


def fight(scribe: Scribe, chance: Chance) -> None:
    """TO-3.2: a turn after the cards have been placed, up to its end or the question of TO-3.3."""
    turned = _reveal(scribe)
    _characters(scribe, turned, chance)
    for pile, slot in turned:
        scribe.write_all(duel(scribe.state, pile, slot))
    for pile in PILES:
        if is_complete(scribe.state.piles[pile - 1]):
            settle(scribe, pile)
    if scribe.state.options.mountain_look == "automatic":
        for seat in lookers(scribe.state):
            scribe.write(forest_look(scribe.state, seat))
    if not scribe.state.to_act:
        close(scribe, chance)


def slots_turned_up(face: TerritoryFace, slot: int) -> range:
    """TO-5.2: the slots that are turned up when `slot` is the newest of a battle: in a forest all, at its end."""
    if face.terrain != "forest":
        return range(slot, slot + 1)
    return range(1, slot + 1) if slot == face.turns else range(0)


def _reveal(scribe: Scribe) -> Turned:
    """TO-5.2: a new slot at each pile, turned up unless it is in a forest that is not yet complete."""
    turned: Turned = []
    for number in PILES:
        pile = scribe.state.piles[number - 1]
        territory, slot = in_play(pile), len(pile.slots) + 1
        shown = slots_turned_up(getattr(scribe.state.faces, FIELD[territory]), slot)
        if shown:
            scribe.write(_revealed_slots(scribe.state, number, shown[0]))
            turned += [(number, n) for n in shown]
        else:
            scribe.write(ev.CardsKeptHidden(scribe.state.turn, number, territory, slot))
    return turned


def _revealed_slots(state: State, number: int, first: int) -> ev.CardsRevealed:
    """The slots of a pile from `first` on, the newest being the cards laid there."""
    pile = state.piles[number - 1]
    lying = [(slot.turn, slot.cards) for slot in pile.slots[first - 1 :]] + [(state.turn, laid_by_both(pile))]
    shown = [
        ev.SlotRow(slot, turn, (_seat_card(state, 1, cards[0]), _seat_card(state, 2, cards[1])))
        for slot, (turn, cards) in enumerate(lying, first)
    ]
    return ev.CardsRevealed(state.turn, number, in_play(pile), tuple(shown))


def _seat_card(state: State, seat: int, card: str) -> ev.SeatCard:
    shown = getattr(state.cards, card)
    return ev.SeatCard(seat, shown.card, shown.name, shown.value, shown.hair)


def _characters(scribe: Scribe, turned: Turned, chance: Chance) -> None:
    """TO-5.3, TO-5.4: sky power, teasing cloud and dusk dance, slot by slot."""
    for pile, slot in turned:
        scribe.write_all(effects(scribe.state, pile, slot))
        for seat, card in enumerate(scribe.state.piles[pile - 1].slots[slot - 1].cards, 1):
            if getattr(scribe.state.cards, card).name == "dusk_dance":
                scribe.write_all(dusk_dance(scribe.state, slot, Dance(seat, card, pile), chance))


def close(scribe: Scribe, chance: Chance) -> None:
    """TO-5.10 to TO-5.12: new territories, new cards, and the next turn or the end of the game."""
    turn = scribe.state.turn
    for pile in PILES:
        if scribe.state.piles[pile - 1].territory is None and scribe.state.piles[pile - 1].below:
            scribe.write(revealed(scribe.state, pile))
    for seat in SEATS:
        if side_of(scribe.state, seat).draw_pile:
            scribe.write(drawn(scribe.state, seat, "refill", REFILL))
    scribe.write(ev.TurnEnded(turn, points(scribe.state)))
    if turn == TURNS:
        _end(scribe)
        return
    scribe.write(ev.TurnStarted(turn + 1))
    if scribe.state.dance is not None:
        scribe.write(force(scribe.state, scribe.state.dance, turn + 1, chance))


def _end(scribe: Scribe) -> None:
    """TO-6: the most wanted animals, if they are played for, and the final scores."""
    scribe.write_all(most_wanted(scribe.state))
    scribe.write(game_ended(scribe.state))


RESOLVE: dict[Phase, Callable[[Scribe, Chance], None]] = {
    "choose_specials": muster,
    "play_cards": fight,
    "mountain_look": close,
}
