"""What follows when both seats have placed their cards: reveal, characters, scalps, battles, looks, refill (TO-5)."""

from games.kernel import Chance, Event
from games.tomahawk import events as e
from games.tomahawk import rows
from games.tomahawk.battle import animals_multiplier, battle_at, judgement
from games.tomahawk.components import PILES, REFILL, SEATS, SPECIES, TURNS, TURNS_OF
from games.tomahawk.rows import SeatCard
from games.tomahawk.scoring import game_ended, most_wanted, points
from games.tomahawk.scribe import Scribe
from games.tomahawk.setup import drawn, revealed
from games.tomahawk.slots import duel, effects, pending_dance
from games.tomahawk.state import Dance, Slot, State, hidden_now, in_play, is_complete, laid_by_both, lookers, side_of

Turned = list[tuple[int, int]]  # piles and slots that have just been turned up, by pile, then slot


def fight(scribe: Scribe, chance: Chance) -> None:
    """TO-3.2: a turn after the cards have been placed, up to its end or the question of TO-3.3."""
    turned = _reveal(scribe)
    _characters(scribe, turned, chance)
    for pile, slot in turned:
        scribe.write_all(duel(scribe.state, pile, slot))
    for pile in PILES:
        if is_complete(scribe.state.piles[pile - 1]):
            _settle(scribe, pile)
    if scribe.state.options.mountain_look == "automatic":
        for seat in lookers(scribe.state):
            scribe.write(forest_look(scribe.state, seat))
    if not scribe.state.to_act:
        close(scribe, chance)


def _reveal(scribe: Scribe) -> Turned:
    """TO-5.2: a new slot at each pile, turned up unless it is in a forest that is not yet complete."""
    turned: Turned = []
    for number in PILES:
        pile = scribe.state.piles[number - 1]
        territory, slot = in_play(pile), len(pile.slots) + 1
        first = slot
        if scribe.state.faces[territory].terrain == "forest":
            if slot < TURNS_OF[territory]:
                scribe.write(e.CardsKeptHidden(scribe.state.turn, number, territory, slot))
                continue
            first = 1
        scribe.write(_revealed_slots(scribe.state, number, first))
        turned += [(number, n) for n in range(first, slot + 1)]
    return turned


def _revealed_slots(state: State, number: int, first: int) -> e.CardsRevealed:
    """The slots of a pile from `first` on, the newest being the cards laid there."""
    pile = state.piles[number - 1]
    lying = [(slot.turn, slot.cards) for slot in pile.slots[first - 1 :]] + [(state.turn, laid_by_both(pile))]
    shown = [
        rows.SlotRow(slot, turn, (_seat_card(state, 1, cards[0]), _seat_card(state, 2, cards[1])))
        for slot, (turn, cards) in enumerate(lying, first)
    ]
    return e.CardsRevealed(state.turn, number, in_play(pile), tuple(shown))


def _seat_card(state: State, seat: int, card: str) -> SeatCard:
    shown = state.cards[card]
    return SeatCard(seat, shown.card, shown.name, shown.value, shown.hair)


def _characters(scribe: Scribe, turned: Turned, chance: Chance) -> None:
    """TO-5.3, TO-5.4: sky power, teasing cloud and dusk dance, slot by slot."""
    for pile, slot in turned:
        scribe.write_all(effects(scribe.state, pile, slot))
        for seat, card in enumerate(scribe.state.piles[pile - 1].slots[slot - 1].cards, 1):
            if scribe.state.cards[card].name == "dusk_dance":
                scribe.write_all(_dusk_dance(scribe.state, slot, Dance(seat, card, pile), chance))


def _dusk_dance(state: State, slot: int, dance: Dance, chance: Chance) -> tuple[Event, ...]:
    """TO-5.4: nothing in a forest or in the last slot; else at once, or put off to the next turn (TO-R13)."""
    territory = in_play(state.piles[dance.pile - 1])
    if state.faces[territory].terrain == "forest" or slot == TURNS_OF[territory]:
        return ()
    if state.options.dusk_dance_timing == "next_turn":
        return (pending_dance(state, dance, slot),)
    return (_force(state, dance, state.turn + 1, chance),)


def _force(state: State, dance: Dance, for_turn: int, chance: Chance) -> e.NextCardForced:
    """TO-5.4: a card is drawn from the opponent's hand and lies at the pile of the dusk dance (TO-R12)."""
    seat = 3 - dance.seat
    hand = side_of(state, seat).hand
    (card,) = chance("dusk_dance", hand, 1)
    return e.NextCardForced(
        turn=state.turn,
        by_seat=dance.seat,
        by_card=dance.card,
        pile=dance.pile,
        territory=in_play(state.piles[dance.pile - 1]),
        seat=seat,
        for_turn=for_turn,
        hand_count=len(hand),
        forced_card=state.cards[card],
        rules=("TO-5.4", "TO-R12", "TO-R13", "TO-R14"),
    )


def _settle(scribe: Scribe, number: int) -> None:
    """TO-5.6 to TO-5.8: the battle at a pile, the award, and the warriors' way to the cemeteries."""
    state = scribe.state
    pile, found = state.piles[number - 1], battle_at(state, number)
    territory, face = in_play(pile), found.face
    scribe.write(judgement(state, number, found))
    if found.winner is None:
        scribe.write(e.TerritoryDiscarded(state.turn, number, territory, "tie", ("TO-5.7", "TO-R27")))
    else:
        double = animals_multiplier(found)
        scribe.write(
            e.TerritoryWon(
                turn=state.turn,
                pile=number,
                seat=found.winner,
                territory=territory,
                face=face.face,
                species=SPECIES[face.terrain],
                animals=face.animals,
                multiplier=double,
                points=face.animals * double,
                rules=("TO-5.7",),
            )
        )
    scribe.write(e.WarriorsDiscarded(state.turn, number, territory, (_fallen(pile.slots, 1), _fallen(pile.slots, 2))))


def _fallen(slots: tuple[Slot, ...], seat: int) -> rows.DiscardRow:
    return rows.DiscardRow(seat, tuple([slot.cards[seat - 1] for slot in slots]))


def forest_look(state: State, seat: int) -> e.ForestCardsSeen:
    """TO-5.9: what the opponent of `seat` played this turn in forests that are not complete (TO-R26)."""
    piles = hidden_now(state)
    cards = []
    for number in piles:
        pile = state.piles[number - 1]
        card = state.cards[pile.slots[-1].cards[2 - seat]]
        cards.append(
            rows.ForestCard(number, in_play(pile), len(pile.slots), card.card, card.name, card.value, card.hair)
        )
    rules = ("TO-5.9", "TO-R24", "TO-R26")
    return e.ForestCardsSeen(turn=state.turn, seat=seat, piles=piles, count=len(cards), cards=tuple(cards), rules=rules)


def close(scribe: Scribe, chance: Chance) -> None:
    """TO-5.10 to TO-5.12: new territories, new cards, and the next turn or the end of the game."""
    turn = scribe.state.turn
    for pile in PILES:
        if scribe.state.piles[pile - 1].territory is None and scribe.state.piles[pile - 1].below:
            scribe.write(revealed(scribe.state, pile))
    for seat in SEATS:
        if side_of(scribe.state, seat).draw_pile:
            scribe.write(drawn(scribe.state, seat, "refill", REFILL))
    scribe.write(e.TurnEnded(turn, points(scribe.state)))
    if turn == TURNS:
        _end(scribe)
        return
    scribe.write(e.TurnStarted(turn + 1))
    if scribe.state.dance is not None:
        scribe.write(_force(scribe.state, scribe.state.dance, turn + 1, chance))


def _end(scribe: Scribe) -> None:
    """TO-6: the most wanted animals, if they are played for, and the final scores."""
    scribe.write_all(most_wanted(scribe.state))
    scribe.write(game_ended(scribe.state))
