"""Set-up: faces and specials before the first choice, armies and territories after it (TO-2)."""

from collections.abc import Sequence

from games.kernel import Chance, Transition
from games.tomahawk import events as ev
from games.tomahawk.components import (
    DEALT,
    FIELD,
    OPENING_HAND,
    PILE_TERRITORIES,
    PILE_TURNS,
    PILES,
    SEATS,
    SETS,
    SPECIAL_CARDS,
    SPECIES,
    TRIBE_CARDS,
    TRIBES,
    UNDEALT,
    UNUSED,
    Components,
)
from games.tomahawk.events import Card
from games.tomahawk.evolve import Scribe
from games.tomahawk.house_rules import Options
from games.tomahawk.moves import Kept
from games.tomahawk.state import State, side_of


def start(_players: int, options: Options, chance: Chance) -> Transition[State]:
    """TO-2: set-up until both seats must choose their specials."""
    scribe = Scribe(None)
    scribe.write(game_started(options))
    deal(scribe, chance)
    return scribe.transition()


def game_started(options: Options) -> ev.GameStarted:
    """TO-2.1: the seats, the house rules and what is in the box."""
    tribes = tuple(ev.TribeRow(seat, TRIBES[seat]) for seat in SEATS)
    return ev.GameStarted(len(SEATS), options, tribes, SETS[options.components])


def deal(scribe: Scribe, chance: Chance) -> None:
    """TO-2.2, TO-2.3: which id has which face; three specials for each seat."""
    components = scribe.state.components
    for seat in SEATS:
        faces = chance(f"tribe_faces_{seat}", components.warriors, len(components.warriors))
        cards = [Card(card, "warrior", f.value, f.hair) for card, f in zip(TRIBE_CARDS[seat], faces, strict=True)]
        scribe.write(ev.TribeFacesAssigned(seat, len(cards), tuple(cards)))
    names = chance("specials", tuple(s.name for s in components.specials), 7)
    specials = special_cards(components, SPECIAL_CARDS, names)
    for seat in SEATS:
        scribe.write(ev.SpecialsDealt(seat, 3, tuple(specials[card] for card in DEALT[seat])))
    scribe.write(ev.SpecialSetAside(specials[UNDEALT]))


def special_cards(components: Components, cards: Sequence[str], names: Sequence[str]) -> dict[str, Card]:
    """TO-2.3: specials by id, given their names in the order of the ids."""
    shown = {special.name: (special.name, special.value, special.hair) for special in components.specials}
    return {card: Card(card, *shown[name]) for card, name in zip(cards, names, strict=True)}


def muster(scribe: Scribe, chance: Chance) -> None:
    """TO-2.5 to TO-2.9: armies, opening hands, territories, and the first turn."""
    for seat in SEATS:
        population = army(seat, side_of(scribe.state, seat).kept)
        scribe.write(ev.ArmyShuffled(seat, len(population), chance(f"army_{seat}", population, len(population))))
    for seat in SEATS:
        scribe.write(drawn(scribe.state, seat, "opening_hand", OPENING_HAND))
    scribe.write(build_piles(scribe.state.components, chance))
    for pile in PILES:
        scribe.write(revealed(scribe.state, pile))
    if scribe.state.options.most_wanted:
        scribe.write(_most_wanted(scribe.state, chance))
    scribe.write(ev.TurnStarted(1))


def army(seat: int, kept: Sequence[Kept]) -> tuple[str, ...]:
    """TO-2.5: the 22 basic warriors of a seat and the 2 specials kept, ids ascending."""
    replaced = {row.replaces for row in kept}
    return (*(c for c in TRIBE_CARDS[seat] if c not in replaced), *(row.card for row in kept))


def drawn(state: State, seat: int, reason: ev.DrawReason, count: int) -> ev.CardsDrawn:
    """TO-2.5, TO-5.11: a seat draws the top `count` cards of its draw pile."""
    pile = side_of(state, seat).draw_pile
    cards = tuple([getattr(state.cards, card) for card in pile[:count]])
    return ev.CardsDrawn(seat=seat, reason=reason, count=count, cards=cards, pile_left=len(pile) - count)


def build_piles(components: Components, chance: Chance) -> ev.TerritoryPilesBuilt:
    """TO-2.6, TO-2.7: which territory has which face."""
    stocks = {}
    for turns in (3, 2, 1):
        population = tuple(t.face for t in components.territories if t.turns == turns)
        stocks[turns] = iter(chance(f"territories_{turns}", population, len(population)))
    faces = {}
    for pile in PILES:  # filled from the bottom up
        for territory, turns in zip(reversed(PILE_TERRITORIES[pile]), reversed(PILE_TURNS[pile]), strict=True):
            faces[territory] = next(stocks[turns])
    for turns, territory in UNUSED.items():
        faces[territory] = next(stocks[turns])
    return ev.TerritoryPilesBuilt(PILE_ROWS, tuple(UNUSED.values()), face_rows(faces))


PILE_ROWS = tuple(
    ev.PileRow(pile, tuple(map(ev.TerritoryBack, PILE_TERRITORIES[pile], PILE_TURNS[pile]))) for pile in PILES
)


def face_rows(faces: dict[str, str]) -> tuple[ev.FaceRow, ...]:
    """The faces of all territories, pile by pile, top first, then the unused ones."""
    order = [territory for pile in PILES for territory in PILE_TERRITORIES[pile]]
    return tuple(ev.FaceRow(territory, faces[territory]) for territory in (*order, *UNUSED.values()))


def revealed(state: State, pile: int) -> ev.TerritoryRevealed:
    """TO-2.8, TO-5.10: the next territory of a pile is turned up."""
    territory = state.piles[pile - 1].below[0]
    face = getattr(state.faces, FIELD[territory])
    species = SPECIES[face.terrain]
    return ev.TerritoryRevealed(pile, territory, face.face, face.terrain, species, face.turns, face.animals, face.picto)


def _most_wanted(state: State, chance: Chance) -> ev.MostWantedRevealed:
    """TO-2.8: one of the unused territories is turned up."""
    (territory,) = chance("most_wanted", tuple(UNUSED.values()), 1)
    face = getattr(state.faces, FIELD[territory])
    return ev.MostWantedRevealed(territory, face.face, face.terrain, SPECIES[face.terrain])
