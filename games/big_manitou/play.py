"""The seats to act, legal moves, and the results of moves (BM-3.2, BM-4)."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from games.big_manitou import events as ev
from games.big_manitou import moves as mv
from games.big_manitou.components import BEATS, GROUNDS, PREFIX, STRENGTH, GroundNumber, in_deck_order
from games.big_manitou.evolve import Scribe
from games.big_manitou.house_rules import Options
from games.big_manitou.hunt_steps import (
    after_award,
    after_extra_card,
    after_hunter_move,
    after_turns,
    check_discard,
    check_taking,
    cylinder_lost,
    cylinders_gained,
    discard,
    discards,
    settle_penalty,
    take,
    takings,
    turns_are_over,
)
from games.big_manitou.setup import deal, draw
from games.big_manitou.state import Phase, State, hunters_laid, party_size, seat_of
from games.deciding import Attempt, check_turn, when
from games.kernel import Chance, MoveRefused, Transition
from games.manitou_family_parties import ChooseParty, PartyChoice, SeatCard, SeatCards, check_party
from games.manitou_family_trials import Trial, has_two, hero_of, relation, trial, turned_by


def play(
    state: State, seat: int, move: Any, chance: Chance, corrected: Mapping[int, Any] | None = None
) -> Transition[State]:
    """Plays a move up to the next decision; refuses in the order of BM-4.1."""
    return play_read(state, seat, mv.read_move(move), chance, corrected)


def play_read(
    state: State, seat: int, move: mv.AnyMove, chance: Chance, corrected: Mapping[int, Any] | None = None
) -> Transition[State]:
    """Plays a move whose form has been checked: AI players try many of those that `legal_moves` lists."""
    phase, carry_out = MOVE_RULES[type(move)]
    check_turn(PREFIX, state, Attempt(seat, move, state.players), in_phase=state.phase == phase, to_act=to_act(state))
    scribe = Scribe(state, corrected)
    carry_out(scribe, seat, move, chance)
    return scribe.transition()


def to_act(state: State) -> tuple[int, ...]:
    """BM-3.2: the seats that owe a decision, in seat order."""
    return ACTING[state.phase](state) if state.phase else ()


def legal_moves(state: State, seat: int) -> list[Any]:
    """BM-4.10: the moves that a seat may make now, in the order of the rules; parties as one summary."""
    return LISTING[state.phase](state, seat) if state.phase and seat in to_act(state) else []


def _choosers(state: State) -> tuple[int, ...]:
    return tuple([seat for seat, own in enumerate(state.seats, 1) if not own.party])


def _holder(seat: int | None) -> tuple[int, ...]:
    return () if seat is None else (seat,)


def _payer(state: State) -> tuple[int, ...]:
    """BM-5.6: a seat without tiles pays nothing."""
    return tuple([seat for seat in state.owing[:1] if seat_of(state, seat).tiles])


ACTING: Mapping[Phase, Callable[[State], tuple[int, ...]]] = {
    "party": _choosers,
    "play": lambda state: (state.turn_order[state.turns % state.players],),
    "extra_card": lambda state: _holder(state.totem_cylinder),
    "hunter_move": lambda state: _holder(state.horse_cylinder),
    "penalty": _payer,
    "take_tiles": lambda state: (state.awards[0].seat,),
    "over": lambda _: (),
}


def _plays(state: State, seat: int) -> list[Any]:
    hand = seat_of(state, seat).hand
    return [mv.PlayCard(card, ground) for card in hand for ground in grounds_for(state, seat, card)] or [mv.PassTurn()]


def _extra_plays(state: State, seat: int) -> list[Any]:
    hand = seat_of(state, seat).hand
    plays = [mv.PlayExtraCard(card, ground) for card in hand for ground in grounds_for(state, seat, card)]
    return [*plays, mv.DeclineExtraCard()]


def _hunter_moves(state: State, seat: int) -> list[Any]:
    lying = hunters_laid(state, seat).items()
    moves = [mv.MoveHunter(card, to) for card, ground in lying for to in GROUNDS if to != ground]
    return [*moves, mv.DeclineHunterMove()]


LISTING: Mapping[Phase, Callable[[State, int], list[Any]]] = {
    "party": lambda state, seat: [PartyChoice(party_size(state, seat), seat_of(state, seat).reserve)],
    "play": _plays,
    "extra_card": _extra_plays,
    "hunter_move": _hunter_moves,
    "penalty": lambda state, seat: list(discards(state, seat)),
    "take_tiles": lambda state, _: list(takings(state)),
}


def _choose_party(scribe: Scribe, seat: int, move: ChooseParty, chance: Chance) -> None:
    """BM-4.2, BM-3.6: when the last has chosen, the hunt begins."""
    state = scribe.state
    size = party_size(state, seat)
    check_party("BM", move.cards, size, seat_of(state, seat).reserve)
    phase: Literal["party"] | None = "party" if _choosers(state) != (seat,) else None
    cards = in_deck_order(move.cards)
    scribe.write(ev.PartyChosen(hunt=state.hunt, seat=seat, count=size, cards=cards, phase=phase))
    if phase is None:
        deal(scribe, chance)


def _play_card(scribe: Scribe, seat: int, move: mv.PlayCard, chance: Chance) -> None:
    """Lays a card, tries strength, draws (BM-4.3, BM-3.8, BM-3.9)."""
    phase = _phase_after_turn(scribe.state)
    _lay(scribe, seat, move, phase)
    draw(scribe, seat, 1, phase)
    _end_turn(scribe, chance)


def _pass_turn(scribe: Scribe, seat: int, _: mv.PassTurn, chance: Chance) -> None:
    """Passes, if no card of the hand can be laid (BM-4.4, BM-R7)."""
    state = scribe.state
    if can_lay(state, seat):
        raise MoveRefused("BM-4.4", f"seat {seat} can still lay a card of its hand")
    rules = ("BM-4.4", "BM-R6", "BM-R7") if is_barred_by_pair(state, seat) else ("BM-4.4", "BM-R7")
    hand_count, phase = len(seat_of(state, seat).hand), _phase_after_turn(state)
    scribe.write(ev.TurnPassed(state.hunt, seat, _turn(state), hand_count, phase, rules))
    _end_turn(scribe, chance)


def _play_extra_card(scribe: Scribe, seat: int, move: mv.PlayExtraCard, chance: Chance) -> None:
    """BM-4.6: as any card laid, but nothing is drawn."""
    _lay(scribe, seat, move, None)
    after_extra_card(scribe, chance)


def _decline_extra_card(scribe: Scribe, seat: int, _: mv.DeclineExtraCard, chance: Chance) -> None:
    """Lays no extra card (BM-4.6)."""
    scribe.write(ev.ExtraCardDeclined(scribe.state.hunt, seat))
    after_extra_card(scribe, chance)


def _move_hunter(scribe: Scribe, seat: int, move: mv.MoveHunter, chance: Chance) -> None:
    """Moves an own hunter to another ground (BM-4.7)."""
    state = scribe.state
    from_ground = hunters_laid(state, seat).get(move.card)
    if from_ground is None:
        raise MoveRefused("BM-4.7a", f"seat {seat} has no hunter {move.card} on any ground")
    if from_ground == move.to_ground:
        raise MoveRefused("BM-4.7b", f"{move.card} lies on ground {move.to_ground} already")
    scribe.write(ev.HunterMoved(state.hunt, seat, move.card, from_ground, move.to_ground))
    after_hunter_move(scribe, chance)


def _decline_hunter_move(scribe: Scribe, seat: int, _: mv.DeclineHunterMove, chance: Chance) -> None:
    """Moves no hunter (BM-4.7)."""
    scribe.write(ev.HunterMoveDeclined(scribe.state.hunt, seat))
    after_hunter_move(scribe, chance)


def _discard_tile(scribe: Scribe, seat: int, move: mv.DiscardTile, chance: Chance) -> None:
    """Pays the force penalty, which may cost a cylinder (BM-4.8, BM-5.10)."""
    check_discard(scribe.state, seat, move.tile)
    scribe.write(discard(scribe.state, seat, move.tile))
    moved = cylinder_lost(scribe.state, seat, move.tile)
    if moved:
        scribe.write(moved)
    settle_penalty(scribe, chance)


def _take_tiles(scribe: Scribe, seat: int, move: mv.TakeTiles, chance: Chance) -> None:
    """Takes the tiles of an award, which may bring a cylinder (BM-4.9, BM-5.8)."""
    check_taking(scribe.state, move.ground, move.tiles)
    taken = take(scribe.state, seat, move)
    scribe.write(taken)
    for moved in cylinders_gained(scribe.state, seat, taken.tiles):
        scribe.write(moved)
    after_award(scribe, chance)


class MoveRule(NamedTuple):
    """The phase of a move, and the function that plays it."""

    phase: Phase
    carry_out: Callable[[Scribe, int, Any, Chance], None]


MOVE_RULES: Mapping[type, MoveRule] = {
    ChooseParty: MoveRule("party", _choose_party),
    mv.PlayCard: MoveRule("play", _play_card),
    mv.PassTurn: MoveRule("play", _pass_turn),
    mv.PlayExtraCard: MoveRule("extra_card", _play_extra_card),
    mv.DeclineExtraCard: MoveRule("extra_card", _decline_extra_card),
    mv.MoveHunter: MoveRule("hunter_move", _move_hunter),
    mv.DeclineHunterMove: MoveRule("hunter_move", _decline_hunter_move),
    mv.DiscardTile: MoveRule("penalty", _discard_tile),
    mv.TakeTiles: MoveRule("take_tiles", _take_tiles),
}


def _turn(state: State) -> int:
    """Returns the number of the current turn of the seat to act; an extra card is the eighth."""
    return state.turns // state.players + 1


def _phase_after_turn(state: State) -> Literal["play"] | None:
    """BM-3.8: play goes on until every seat has had its seven turns, this one counted."""
    return None if turns_are_over(state.turns + 1, state.players) else "play"


def _lay(scribe: Scribe, seat: int, move: mv.PlayCard | mv.PlayExtraCard, phase: Literal["play"] | None) -> None:
    """BM-5.3, BM-5.4; `phase` is the one after it."""
    state = scribe.state
    check_laying(state, seat, move.card, move.ground)
    extra = isinstance(move, mv.PlayExtraCard)
    scribe.write(ev.CardPlayed(state.hunt, seat, _turn(state), move.card, move.ground, extra, phase))
    trial = trial_on(scribe.state, seat, move.card, move.ground)
    if trial:
        scribe.write(trial)


def _end_turn(scribe: Scribe, chance: Chance) -> None:
    """BM-3.8: the last turn of the hunt leads on."""
    if scribe.state.phase != "play":
        after_turns(scribe, chance)


# Laying a card, and the trial of strength that follows (BM-4.5, BM-5.3, BM-5.4)


def vain_is_illegal(options: Options) -> bool:
    """BM-R6: whether a hero may not be laid against a pair that it cannot break."""
    return options.pair_attack_weaker == "illegal"


def bar_to_laying(options: Options, heroes: tuple[SeatCard, ...], seat: int, card: str) -> str | None:
    """Returns the rule that forbids laying a card on a ground with these face-up heroes: BM-4.5b, BM-4.5c or None."""
    if not heroes or card in STRENGTH:
        return None
    if heroes[-1].seat == seat:
        return "BM-4.5b" if has_two(False, len(heroes), len(heroes)) else None
    weaker = len(heroes) == 2 and relation(BEATS, hero_of(card), hero_of(heroes[-1].card)) == "defender_beats"
    return "BM-4.5c" if weaker and vain_is_illegal(options) else None


def check_laying(state: State, seat: int, card: str, ground: int) -> None:
    """Refuses with BM-4.5a to BM-4.5c."""
    if card not in seat_of(state, seat).hand:
        raise MoveRefused("BM-4.5a", f"{card} is not in the hand of seat {seat}")
    heroes = state.grounds[ground - 1].heroes
    bar = bar_to_laying(state.options, heroes, seat, card)
    if bar == "BM-4.5b":
        raise MoveRefused(bar, f"seat {seat} already has two face-up heroes on ground {ground}")
    if bar:
        upper = heroes[-1]
        raise MoveRefused(bar, f"{card} is weaker than {upper.card} of seat {upper.seat}'s pair on ground {ground}")


def grounds_for(state: State, seat: int, card: str) -> tuple[GroundNumber, ...]:
    """BM-4.5: the grounds that a card of the hand may be laid on, ascending."""
    if card in STRENGTH:
        return GROUNDS
    numbered = zip(GROUNDS, state.grounds, strict=True)
    return tuple([n for n, ground in numbered if bar_to_laying(state.options, ground.heroes, seat, card) is None])


def can_lay(state: State, seat: int) -> bool:
    """BM-4.4: whether some card of the hand may be laid on some ground."""
    return any(grounds_for(state, seat, card) for card in seat_of(state, seat).hand)


def is_barred_by_pair(state: State, seat: int) -> bool:
    """BM-5.11: whether BM-4.5c forbids some card of the hand on some ground."""
    return any(
        bar_to_laying(state.options, ground.heroes, seat, card) == "BM-4.5c"
        for card in seat_of(state, seat).hand
        for ground in state.grounds
    )


def trial_on(state: State, seat: int, card: str, ground: int) -> ev.TrialOfStrengthResolved | None:
    """BM-5.4: the trial that `card`, just laid, causes; none for a hunter, or where no other seat has a hero."""
    if card in STRENGTH:
        return None
    heroes = state.grounds[ground - 1].heroes
    defenders = tuple([laid.card for laid in heroes if laid.seat != seat])
    if not defenders:
        return None
    found, theirs = trial(BEATS, card, defenders), SeatCards(heroes[0].seat, defenders)
    return ev.TrialOfStrengthResolved(
        hunt=state.hunt,
        ground=ground,
        **turned_by(found, SeatCard(seat, card), theirs),
        rules=trial_rules(found, {hero_of(card), hero_of(found.defender)}),
    )


def trial_rules(found: Trial, heroes: set[str]) -> tuple[str, ...]:
    """BM-5.11, the row of `TrialOfStrengthResolved`; BM-R2 is cited where the source does not say who wins."""
    is_silent = len(heroes) == 2 and "sorcerer" not in heroes and heroes != {"chief", "matriarch"}
    basis = ("BM-5.4", *when(is_silent, "BM-R2"))
    if found.contest == "single":
        return (*basis, "BM-5.4a", *when(found.relation == "identical", "BM-R26"))
    return (*basis, "BM-5.4b", *when(found.relation == "defender_beats", "BM-R6"))
