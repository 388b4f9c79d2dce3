"""The events of scalp duels and battles: what was compared, and who takes what (TO-5.5 to TO-5.8)."""

from typing import Literal

from games.kernel import Event
from games.tomahawk.components import Picto, Species, Terrain
from games.tomahawk.events.rows import DiscardRow, DuelCard, GreatSpiritRow, Rules, TotalRow


class ScalpDuelJudged(Event, frozen=True, gc=False):
    """TO-5.5: who takes whose scalp in a slot."""

    turn: int
    pile: int
    territory: str
    slot: int
    cards: tuple[DuelCard, DuelCard]
    winner: int | None
    hair: int
    multiplier: int
    tokens_due: int
    tokens: int
    supply_before: int
    supply_after: int
    rules: Rules


class TerritoryJudged(Event, frozen=True, gc=False):
    """TO-5.6: who wins a battle, and by which figures."""

    turn: int
    pile: int
    territory: str
    face: str
    terrain: Terrain
    picto: Picto
    totals: tuple[TotalRow, TotalRow]
    affected: tuple[str, ...]
    great_spirit: GreatSpiritRow | None
    winner: int | None
    reason: Literal["higher_total", "great_spirit", "tie"]
    rules: Rules


class TerritoryWon(Event, frozen=True, gc=False):
    """TO-5.7: a seat takes a territory."""

    turn: int
    pile: int
    seat: int
    territory: str
    face: str
    species: Species
    animals: int
    multiplier: int
    points: int
    rules: Rules


class TerritoryDiscarded(Event, frozen=True, gc=False):
    """TO-5.7: nobody takes a territory."""

    turn: int
    pile: int
    territory: str
    reason: Literal["tie"]
    rules: Rules


class WarriorsDiscarded(Event, frozen=True, gc=False):
    """TO-5.8: the warriors of a battle go to the cemeteries.

    `asked`: which seats are asked for a look after the last battle of a turn (TO-5.9).
    """

    turn: int
    pile: int
    territory: str
    discarded: tuple[DiscardRow, DiscardRow]
    asked: tuple[int, ...]
