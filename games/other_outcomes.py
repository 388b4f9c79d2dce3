"""Outcomes that another decision could have had, for disputes: what the games' modules `outcomes` share.

An alternative keeps the inputs of an event and changes only what follows from them. Ties, places and trials are those
of the Manitou family (BM-5.4, BM-5.7, MA-5.3, MA-5.4, MA-5.7).
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

from msgspec.structs import replace

from games.manitou_family_parties import SeatCard, SeatCards
from games.manitou_family_trials import Relation, hero_of, standing

MOST_OUTCOMES = 24  # of one event: nobody reads a longer list

Find = Callable[[Any, Any], Iterable[Any]]
Place = tuple[int | None, int | None]


def other_outcomes(table: Mapping[type, Find], state: Any, event: Any) -> tuple[Any, ...]:
    """What the function for the event's type in the table finds; nothing for a type that is not there."""
    find = table.get(type(event))
    return () if find is None else tuple(islice(find(state, event), MOST_OUTCOMES))


def other_trials(event: Any, defenders: tuple[str, ...]) -> list[Any]:
    """The other outcomes of a trial: which of the two falls, or both; against a pair, the one attacked or the other.

    `defenders` are the heroes of the other seat, in the order laid. One seat at most keeps heroes face up, as the rules
    have it (BM-R26, MA-R20). It makes no difference which of two like heroes falls.
    """
    attacker, defender = (SeatCard(hero.seat, hero.card) for hero in (event.attacker, event.defender))
    if event.defender.protected is None:
        fallen: dict[tuple[SeatCard, ...], Relation] = {
            (defender,): "attacker_beats",
            (attacker,): "defender_beats",
            (attacker, defender): "identical",
        }
    else:
        broken: Relation = "attacker_beats" if event.relation == "defender_beats" else event.relation
        other = SeatCard(defender.seat, event.defender.protected)
        fallen = {(attacker, defender): broken, (attacker,): "defender_beats"}
        if hero_of(other.card) != event.defender.hero:
            fallen[attacker, other] = broken
    theirs = SeatCards(defender.seat, defenders)
    return [
        replace(event, relation=found, turned_down=down, face_up_after=standing(attacker, theirs, down))
        for down, found in fallen.items()
        if down != event.turned_down
    ]


def other_places(event: Any) -> list[Place]:
    """Who else could have majority and runner-up place on a ground: the two swapped, another runner-up, nobody, others.

    Only seats with hunters there can.
    """
    now, seats = (event.majority, event.runner_up), [row.seat for row in event.totals]
    places: list[Place] = [(None, None), *[(one, two) for one in seats for two in (*seats, None) if one != two]]
    ordered = sorted(places, key=lambda place: (place != now[::-1], place[0] != now[0], place[0] is not None))
    return [place for place in ordered if place != now]


def struck_out(event: Any, place: Place) -> tuple[int, ...]:
    """The seats struck out for a tie on a ground with these places, those that lose a place by it among them."""
    return tuple(sorted({*event.tied_out, event.majority, event.runner_up} - {None, *place}))
