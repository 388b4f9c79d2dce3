"""The seats to act, legal moves, the results of moves, and the end of a hunt (MA-3.5 to MA-3.8, MA-4)."""

from collections.abc import Callable, Mapping
from typing import Any

from games.deciding import Attempt, check_turn, when
from games.kernel import Chance, Move, MoveRefused, Transition
from games.manitou import end_of_hunt, scoring
from games.manitou import events as ev
from games.manitou.components import BEATS, CARDS, GROUNDS, HERO_CARDS, HUNTS, PREFIX, STRENGTH, TURNS, in_deck_order
from games.manitou.events import Cards
from games.manitou.evolve import Scribe
from games.manitou.house_rules import Options
from games.manitou.moves import PassTurn, PlayCard, read_move
from games.manitou.setup import begin_hunt, deal_parties, draw
from games.manitou.state import Ground, State
from games.manitou_family_parties import ChooseParty, PartyChoice, SeatCard, check_party
from games.manitou_family_trials import Trial, has_two, trial, turned_by


def to_act(state: State) -> tuple[int, ...]:
    """MA-3.4, MA-3.5: the seats that owe a decision."""
    if state.phase == "play":
        taken, players = state.turns_taken, state.players
        return (state.turn_order[taken % players],) if taken < TURNS * players else ()
    if state.phase == "party":
        camps = enumerate(state.camps, 1)
        return tuple([seat for seat, camp in camps if camp.party_size and not camp.party_chosen])
    return ()


def legal_moves(state: State, seat: int) -> list[Any]:
    """MA-4.6: the legal moves of a seat, none if it is not to act."""
    if seat not in to_act(state):
        return []
    if state.phase == "party":
        camp = state.camps[seat - 1]
        return [PartyChoice(camp.party_size, camp.reserve)]
    return plays(state, seat) or [PassTurn()]


def play(
    state: State, seat: int, move: Any, chance: Chance, corrected: Mapping[int, Any] | None = None
) -> Transition[State]:
    """Plays a move; raises `MoveRefused` with the first rule that forbids it (MA-4.1)."""
    move = read_move(move)
    phase, decide = DECIDE[type(move)]
    check_turn(PREFIX, state, Attempt(seat, move, state.players), in_phase=state.phase == phase, to_act=to_act(state))
    scribe = Scribe(state, corrected)
    decide(scribe, seat, move, chance)
    return scribe.transition()


def choose_party(scribe: Scribe, seat: int, move: ChooseParty, chance: Chance) -> None:
    """MA-4.2; with the last choice the hunt begins."""
    state = scribe.state
    camp = state.camps[seat - 1]
    check_party("MA", move.cards, camp.party_size, camp.reserve)
    scribe.write(ev.PartyChosen(state.hunt, seat, len(move.cards), in_deck_order(move.cards)))
    if not to_act(scribe.state):
        deal_parties(scribe, chance)


def turn_now(state: State) -> int:
    """MA-3.5: the number of the current turn of the seat to act, counting passes."""
    return state.turns_taken // state.players + 1


def play_card(scribe: Scribe, seat: int, move: PlayCard, _: Chance) -> None:
    """MA-4.3, MA-3.6: lay the card, try strength, draw."""
    state = scribe.state
    check_card(state, seat, move)
    trial = trial_of_strength(state, seat, move)
    scribe.write(ev.CardPlayed(state.hunt, seat, turn_now(state), move.card, move.ground, trial is not None))
    if trial is not None:
        scribe.write(trial)
    draw(scribe, seat, 1, "play")
    end_turn(scribe)


def pass_turn(scribe: Scribe, seat: int, _: PassTurn, __: Chance) -> None:
    """Passes, if no card of the hand can be laid (MA-4.4, ruling MA-R14)."""
    state = scribe.state
    open_moves = plays(state, seat)
    if open_moves:
        card, ground = open_moves[0].card, open_moves[0].ground
        raise MoveRefused("MA-4.4", f"{card} may be laid on ground {ground}")
    hand = state.camps[seat - 1].hand
    scribe.write(ev.TurnPassed(state.hunt, seat, turn_now(state), len(hand), ("MA-4.4", "MA-R14")))
    end_turn(scribe)


def end_turn(scribe: Scribe) -> None:
    """MA-3.7, MA-3.8: after the last turn the hunt is scored, and the next begins or the game ends."""
    state = scribe.state
    if state.turns_taken < TURNS * state.players:
        return
    end_hunt(scribe)
    if state.hunt < HUNTS:
        begin_hunt(scribe)
    else:
        scribe.write(scoring.game_ended(scribe.state))


def end_hunt(scribe: Scribe) -> None:
    """MA-5.5 to MA-5.10, step by step over all grounds (ruling MA-R19)."""
    before = scoring.earnings(scribe.state)
    return_unplayed(scribe)
    scribe.write(end_of_hunt.force_penalty(scribe.state))
    for ground in GROUNDS:
        scribe.write(end_of_hunt.ground_evaluated(scribe.state, ground))
    for ground in GROUNDS:
        scribe.write(end_of_hunt.ground_cleared(scribe.state, ground))
    scribe.write(scoring.hunt_ended(scribe.state, before))


def return_unplayed(scribe: Scribe) -> None:
    """Returns the seats' remaining hands and piles to their reserves (MA-5.5)."""
    state = scribe.state
    for seat in state.turn_order:
        camp = state.camps[seat - 1]
        cards = in_deck_order(camp.hand + camp.pile)
        if cards:
            scribe.write(ev.UnplayedCardsReturned(state.hunt, seat, len(cards), cards))


DECIDE: dict[type[Move], tuple[str, Callable[[Scribe, int, Any, Chance], None]]] = {
    ChooseParty: ("party", choose_party),
    PlayCard: ("play", play_card),
    PassTurn: ("play", pass_turn),
}


PLAYS = {card: (PlayCard(card, 1), PlayCard(card, 2), PlayCard(card, 3)) for card in CARDS}


# House rules about heroes


def counts_all_heroes(options: Options) -> bool:
    """MA-R9: whether face-down heroes count towards the limit of heroes on a ground."""
    return options.hero_limit == "all"


def attacks_last(options: Options) -> bool:
    """MA-R10: whether the last-laid hero of a pair is attacked."""
    return options.attacked_of_pair == "last_played"


def equal_suffices(options: Options) -> bool:
    """MA-R11: whether an equal hero brings one of a pair down."""
    return options.sacrifice_needs == "equal_or_stronger"


def vain_is_illegal(options: Options) -> bool:
    """MA-R12: whether a hero may not be laid against a pair that it cannot break."""
    return options.pair_attack_weaker == "illegal"


# The grounds of a table


def has_two_heroes(options: Options, ground: Ground, seat: int) -> bool:
    """MA-4.5b: whether a seat may not add a hero to its own (ruling MA-R9)."""
    up, counts_all = ground.face_up, counts_all_heroes(options)
    laid = sum([card not in STRENGTH for card in ground.sides[seat - 1]]) if counts_all else 0
    return has_two(counts_all, laid, len(up.cards) if up is not None and up.seat == seat else 0)


def fight(options: Options, attacker: str, defenders: Cards) -> Trial:
    """MA-5.3, MA-5.4: a hero against the one or two of another seat (rulings MA-R10, MA-R11)."""
    return trial(
        BEATS,
        attacker,
        defenders,
        attacks_last=attacks_last(options),
        equal_suffices=equal_suffices(options),
    )


def is_vain(options: Options, ground: Ground, seat: int, hero: str) -> bool:
    """MA-4.5c: whether a hero would meet a pair and not succeed, where that is illegal (ruling MA-R12)."""
    if not vain_is_illegal(options):
        return False
    pair = ground.face_up
    if pair is None or pair.seat == seat or len(pair.cards) == 1:
        return False
    return not fight(options, hero, pair.cards).defender_down


def fits(options: Options, ground: Ground, seat: int, card: str) -> bool:
    """MA-4.5: whether a seat may lay a card on a ground."""
    if card in STRENGTH:
        return True
    return not has_two_heroes(options, ground, seat) and not is_vain(options, ground, seat, card)


def check_card(state: State, seat: int, move: PlayCard) -> None:
    """Refuses by MA-4.5a to MA-4.5c."""
    card, ground = move.card, state.grounds[move.ground - 1]
    if card not in state.camps[seat - 1].hand:
        raise MoveRefused("MA-4.5a", f"{card} is not in the hand of seat {seat}")
    if card in STRENGTH:
        return
    if has_two_heroes(state.options, ground, seat):
        counted = "heroes" if counts_all_heroes(state.options) else "face-up heroes"
        raise MoveRefused("MA-4.5b", f"seat {seat} already has two {counted} on ground {move.ground}")
    if is_vain(state.options, ground, seat, card):
        raise MoveRefused("MA-4.5c", f"{card} cannot break the pair on ground {move.ground}")


def plays(state: State, seat: int) -> list[PlayCard]:
    """MA-4.6: every legal pair of hand card and ground, cards sorted, then grounds."""
    options, grounds = state.options, state.grounds
    moves: list[PlayCard] = []
    for card in state.camps[seat - 1].hand:
        if card in STRENGTH:
            moves += PLAYS[card]
        else:
            moves += [m for m, ground in zip(PLAYS[card], grounds, strict=True) if fits(options, ground, seat, card)]
    return moves


def closed_to(options: Options, grounds: tuple[Ground, ...], seat: int) -> frozenset[str]:
    """The cards that a seat may lay nowhere: what it can be holding when it passes (MA-4.4)."""
    return frozenset(card for card in HERO_CARDS if not any(fits(options, ground, seat, card) for ground in grounds))


def trial_of_strength(state: State, seat: int, move: PlayCard) -> ev.TrialOfStrengthResolved | None:
    """MA-5.3, MA-5.4: the trial that a card about to be laid causes; None if no hero meets another seat's."""
    theirs = state.grounds[move.ground - 1].face_up
    if move.card in STRENGTH or theirs is None or theirs.seat == seat:
        return None
    found = fight(state.options, move.card, theirs.cards)
    pair = found.contest == "pair"
    return ev.TrialOfStrengthResolved(
        hunt=state.hunt,
        ground=move.ground,
        attacked_of_pair=state.options.attacked_of_pair if pair else None,
        sacrifice_needs=state.options.sacrifice_needs if pair else None,
        **turned_by(found, SeatCard(seat, move.card), theirs),
        rules=trial_rules(found),
    )


def trial_rules(found: Trial) -> Cards:
    """MA-5.4: the rules applied in a trial."""
    if found.contest == "single":
        return ("MA-5.3", "MA-5.2")
    equal, in_vain = found.relation == "identical", not found.defender_down
    return ("MA-5.4", "MA-R10", "MA-5.2", *when(equal, "MA-R11"), *when(in_vain, "MA-R12"))
