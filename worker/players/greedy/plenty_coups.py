"""Greedy Plenty Coups: each move tried on a guess at what is hidden, and the table after it valued; the best is played.

The unit is one victory point. A table is worth what the seat's tribe has and may hope for, less what the others do.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence

from games.kernel import Event, Move, T
from games.plenty_coups import View, legal_moves, play
from games.plenty_coups.components import (
    COUP_STICK,
    DECK,
    FREE_HERD,
    HORSE,
    MARKERS,
    ROUNDS,
    WARRIORS,
    WEAPONS,
    in_order,
)
from games.plenty_coups.sight import CampView
from games.plenty_coups.state import (
    Camp,
    Offer,
    Proposal,
    StandingRaid,
    State,
    camp_of,
    markers_turned,
    raid_on,
    raids_of,
    seated_ally,
)

# Set by hand from what the rules pay: a coup is a point for a coup-stick and an action, a horse one from the sixth on.
RIVAL = 0.6  # of the points of the others, on average, that count against one's own
ACTION = 0.2  # an action left
SAVED = 0.45  # a horse of the first five, of which none scores yet, while there is time to breed more
COUP = 0.85  # a coup-stick in hand while a raid that may bring one stands
STICK = 0.45  # a coup-stick without such a raid
BREEDING = 0.4  # a horse card
SHIELD = 0.07  # a weapon, by its value
SPEAR = 0.08  # a warrior, by its value
KIN = 0.12  # that it is of one's own tribe or its ally's, or fits a proposal
WOOING = 0.2  # an open proposal
FRIEND = 0.25  # a seated ally, beside what the alliance adds to the points
NEUTRAL = 0.1  # a neutral ally
SURVIVAL = (0.0, 0.4, 0.5, 0.6, 0.7, 0.85)  # that a raid of this attack value is neither repelled nor driven off
SURE = 0.95  # the same for greater values


def choose(view: View, feed: Sequence[Event], luck: random.Random) -> Move:  # noqa: ARG001 - the view holds enough
    """The move after which the table is worth most to the seat, one of the best by luck."""
    seat = view.seat or 0
    table = guessed(view, luck)
    moves: list[Move] = legal_moves(table, seat)
    if len(moves) == 1 or view.phase == "choose_tribe":
        return luck.choice(moves)
    mine = next(camp.tribe for camp in table.camps if camp.seat == seat)
    worths = [worth(play(table, seat, move, as_it_comes).state, mine) for move in moves]
    best = max(worths)
    return luck.choice([move for move, value in zip(moves, worths, strict=True) if value > best - 1e-9])


def as_it_comes(kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:  # noqa: ARG001 - the form of luck
    """Luck for a look ahead: the cards unseen are shuffled already."""
    return tuple(population[:count])


# --- a guess at the table ---


def guessed(view: View, luck: random.Random) -> State:
    """A table that looks like the view; the cards that it hides are dealt at random."""
    cards = (Counter(DECK) - Counter(seen(view))).elements()
    unseen = luck.sample(tuple(cards), len(DECK) - len(seen(view)))

    def dealt(count: int) -> tuple[str, ...]:
        return tuple(unseen.pop() for _ in range(count))

    camps = tuple(camp_from(row, dealt) for row in view.camps)
    offer = None
    if view.offer is not None:
        give = view.offer.give if isinstance(view.offer.give, str) else dealt(1)[0]
        offer = Offer(view.offer.tribe, view.offer.to, give, view.offer.free)
    return State(
        players=view.players,
        options=view.options,
        plain=view.plain,
        pile=tuple(unseen),
        phase=view.phase,
        chosen=view.chosen,
        tribes=tuple(camp.tribe for camp in camps),
        camps=camps,
        shared=view.shared_tribe,
        neutral=view.neutral_tribes,
        round=view.round,
        turn=view.turn,
        actions=view.actions,
        take=view.take,
        free_made=view.free_exchange_made,
        repelled=view.repelled,
        hunted=view.hunted,
        disdained=view.acting_tribe if view.phase == "answer_disdain" else None,
        offer=offer,
        raids=tuple(
            StandingRaid(r.tribe, r.target, r.cards, r.printed, r.bonus, r.marker, r.round) for r in view.raids
        ),
        proposals=tuple(Proposal(p.tribe, p.to, p.card) for p in view.proposals),
        display=view.display,
        discards=view.discards,
    )


def camp_from(row: CampView, dealt: Callable[[int], tuple[str, ...]]) -> Camp:
    """A camp with the hand that the view shows, or one dealt."""
    return Camp(
        row.tribe,
        row.seat,
        row.horses,
        row.hand if isinstance(row.hand, tuple) else in_order(dealt(row.hand_count)),
        row.raid_markers,
        row.prestige_markers,
        row.extra,
        row.ally,
        row.ally_card,
        row.disdained,
    )


def seen(view: View) -> list[str]:
    """The cards whose faces the view shows."""
    cards = [*view.display, *view.discards, *(p.card for p in view.proposals)]
    for camp in view.camps:
        cards += camp.hand if isinstance(camp.hand, tuple) else ()
        cards += [camp.ally_card] if camp.ally_card else []
        cards += [COUP_STICK] * camp.disdained
    for raid in view.raids:
        cards += raid.cards
    if view.offer is not None and isinstance(view.offer.give, str):
        cards.append(view.offer.give)
    return cards


# --- what a table is worth ---


def worth(state: State, mine: str) -> float:
    """The worth of the table to the seat of the tribe `mine`."""
    rivals = [prospects(state, camp) for camp in state.camps if camp.seat is not None and camp.tribe != mine]
    # Actions left count for whoever plays on: the same seat, or its turn would be over.
    tempo = ACTION * state.actions if state.turn in (mine, state.shared) else 0.0
    held = cards_worth(state, camp_of(state, mine))
    return prospects(state, camp_of(state, mine)) + held + tempo - RIVAL * sum(rivals) / len(rivals)


def prospects(state: State, camp: Camp) -> float:
    """The points of a tribe, and those that its herd, raids and friends promise."""
    left = (ROUNDS - state.round) / ROUNDS
    points = own_points(state, camp)
    ally = seated_ally(state, camp)
    if ally is not None:
        points += FRIEND * left
        if min(points, own_points(state, ally)) >= 2:
            points += own_points(state, ally)
    elif camp.ally is not None:
        points += NEUTRAL * left
    points += SAVED * min(1.0, 2 * left) * min(camp.horses, FREE_HERD)
    points += sum(spoils(state, raid) for raid in raids_of(state, camp.tribe))
    threat = raid_on(state, camp.tribe)
    points -= 0 if threat is None else survival(threat) * min(camp.horses, 1) * horse_worth(camp, left)
    return points + WOOING * left * sum(p.tribe == camp.tribe for p in state.proposals)


def own_points(state: State, camp: Camp) -> float:
    """PC-6.4: the tribe's own total as if the game ended now."""
    prestige = markers_turned(state, camp.tribe) + camp.extra
    horseless = 1 if state.round == ROUNDS and not camp.horses and prestige else 0
    return prestige - horseless + max(0, camp.horses - FREE_HERD)


def horse_worth(camp: Camp, left: float) -> float:
    """What one more horse is worth to the camp."""
    return 1.0 if camp.horses >= FREE_HERD else SAVED * min(1.0, 2 * left)


def survival(raid: StandingRaid) -> float:
    """How likely the raid is to come home."""
    return SURVIVAL[raid.attack] if raid.attack < len(SURVIVAL) else SURE


def spoils(state: State, raid: StandingRaid) -> float:
    """What a raid may bring home: a horse, and a coup if a coup-stick is at hand."""
    if raid.round == ROUNDS:
        return 0.0
    camp = camp_of(state, raid.tribe)
    horse = horse_worth(camp, (ROUNDS - state.round) / ROUNDS) if camp_of(state, raid.target).horses else 0.0
    return survival(raid) * horse


def cards_worth(state: State, camp: Camp) -> float:
    """What a hand is worth to its tribe."""
    rounds_left = ROUNDS - state.round
    if not rounds_left and state.turn != camp.tribe:
        return 0.0
    open_raids = sum(raid.marker == "raid" and raid.round < ROUNDS for raid in raids_of(state, camp.tribe))
    room = MARKERS - markers_turned(state, camp.tribe)
    value = 0.0
    for card in camp.hand:
        if card == COUP_STICK:
            value += (COUP if open_raids > 0 else STICK) if room > 0 else 0.05
            open_raids, room = open_raids - 1, room - 1
        elif card == HORSE:
            value += BREEDING if state.plain else 0.05
        elif card in WEAPONS:
            value += SHIELD * WEAPONS[card]
        else:
            kin = WARRIORS[card].tribe in (camp.tribe, camp.ally) or any(
                p.to == camp.tribe and p.tribe == WARRIORS[card].tribe for p in state.proposals
            )
            value += SPEAR * WARRIORS[card].value + KIN * kin
    return value
