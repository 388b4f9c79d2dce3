"""What follows when both seats have placed their cards: reveal, characters, scalps, battles, looks, refill (TO-5)."""

from games.kernel import Chance
from games.tomahawk import events as e
from games.tomahawk.components import PILES, REFILL, SEATS, TURNS, TerritoryFace
from games.tomahawk.events import rows
from games.tomahawk.evolve import Scribe
from games.tomahawk.play.battles import settle
from games.tomahawk.play.characters import dusk_dance, effects, force
from games.tomahawk.play.looks import forest_look, lookers
from games.tomahawk.play.scalps import duel
from games.tomahawk.scoring import game_ended, most_wanted, points
from games.tomahawk.setup import drawn, revealed
from games.tomahawk.state import Dance, State, in_play, is_complete, laid_by_both, side_of

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
        shown = slots_turned_up(scribe.state.faces[territory], slot)
        if shown:
            scribe.write(_revealed_slots(scribe.state, number, shown[0]))
            turned += [(number, n) for n in shown]
        else:
            scribe.write(e.CardsKeptHidden(scribe.state.turn, number, territory, slot))
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


def _seat_card(state: State, seat: int, card: str) -> rows.SeatCard:
    shown = state.cards[card]
    return rows.SeatCard(seat, shown.card, shown.name, shown.value, shown.hair)


def _characters(scribe: Scribe, turned: Turned, chance: Chance) -> None:
    """TO-5.3, TO-5.4: sky power, teasing cloud and dusk dance, slot by slot."""
    for pile, slot in turned:
        scribe.write_all(effects(scribe.state, pile, slot))
        for seat, card in enumerate(scribe.state.piles[pile - 1].slots[slot - 1].cards, 1):
            if scribe.state.cards[card].name == "dusk_dance":
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
    scribe.write(e.TurnEnded(turn, points(scribe.state)))
    if turn == TURNS:
        _end(scribe)
        return
    scribe.write(e.TurnStarted(turn + 1))
    if scribe.state.dance is not None:
        scribe.write(force(scribe.state, scribe.state.dance, turn + 1, chance))


def _end(scribe: Scribe) -> None:
    """TO-6: the most wanted animals, if they are played for, and the final scores."""
    scribe.write_all(most_wanted(scribe.state))
    scribe.write(game_ended(scribe.state))
