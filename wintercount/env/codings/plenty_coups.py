"""Plenty Coups: cards are taken and discarded one by one; tribes are named as they are, in the order of the rules."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

from msgspec import UNSET

from games.plenty_coups import moves as mv
from games.plenty_coups.components import COPIES, TRIBES, WARRIORS, WEAPONS, WORTHY, in_order
from games.plenty_coups.play import PHASES as MOVES_IN
from games.plenty_coups.sight import CampView, View
from wintercount.env.choices import Choice, Gathered, spelled
from wintercount.env.layout import Actions, Block, Coding, block
from wintercount.env.rows import counts, flags, nothing, number, numbers, one_of
from wintercount.env.seating import of_some_seats

FACES = tuple(COPIES)
PARTIES = (
    *((card,) for card in WARRIORS),
    *((one, two) for one in WARRIORS for two in WARRIORS if one < two and WARRIORS[one].tribe == WARRIORS[two].tribe),
)
ARMOURIES = tuple(cards for count in (1, 2) for cards in combinations_with_replacement(WEAPONS, count))

ACTIONS = Actions()
ADDED: Sequence[tuple[str, Sequence[Any]]] = (
    ("tribe", TRIBES),
    ("take", FACES),
    ("return", [(target, word) for target in TRIBES for word in ("plain", "coup")]),
    ("raid", [(target, *party) for target in TRIBES for party in PARTIES]),
    ("defend", ARMOURIES),
    ("mark_defence_coup", ((),)),
    ("breed", ((),)),
    ("donate", [(to, face) for to in TRIBES for face in FACES]),
    ("hunt", FACES),
    ("discard_after_hunt", FACES),
    ("exchange", TRIBES),
    ("exchange_discard", FACES),
    ("exchange_give", FACES),
    ("exchange_free", FACES),
    ("answer", FACES),
    ("propose", tuple(WARRIORS)),
    ("accept", tuple(WARRIORS)),
    ("ally", tuple(WARRIORS)),
    ("disdain", TRIBES),
    ("prove", tuple(face for face in FACES if face in WORTHY)),
    ("endure", ((),)),
    ("pass", ((),)),
    ("discard_excess", FACES),
)
RANGES = {kind: ACTIONS.add(kind, things) for kind, things in ADDED}
NUMBER = ACTIONS.numbers
PARTS = [
    action
    for kind in ("take", "discard_after_hunt", "exchange", "exchange_discard", "discard_excess")
    for action in RANGES[kind]
]


def _each(kind: str) -> Callable[[Any], Sequence[int]]:
    return lambda move: sorted(NUMBER[kind, card] for card in move.cards)


# A card names the tribe that is wooed, or that proposed: it is a warrior of that tribe (PC-4.70, PC-4.80).
SPELLING: Mapping[type, Callable[[Any], Sequence[int]]] = {
    mv.ChooseTribe: lambda move: (NUMBER["tribe", move.tribe],),
    mv.TakeCards: _each("take"),
    mv.ReturnRaid: lambda move: (NUMBER["return", move.target, "coup" if move.coup else "plain"],),
    mv.Raid: lambda move: (NUMBER["raid", move.target, *sorted(move.cards)],),
    mv.Defend: lambda move: (NUMBER["defend", *in_order(move.cards)],),
    mv.MarkDefenceCoup: lambda _: (NUMBER["mark_defence_coup",],),
    mv.Breed: lambda _: (NUMBER["breed",],),
    mv.DonateHorses: lambda move: (NUMBER["donate", move.to, move.discard],),
    mv.Hunt: lambda move: (NUMBER["hunt", move.discard],),
    mv.DiscardAfterHunt: _each("discard_after_hunt"),
    mv.ExchangeGifts: lambda move: (
        NUMBER["exchange", move.to],
        NUMBER["exchange_discard", move.discard],
        NUMBER["exchange_give", move.give],
    ),
    mv.ExchangeGiftsFree: lambda move: (NUMBER["exchange_free", move.give],),
    mv.AnswerGift: lambda move: (NUMBER["answer", move.give],),
    mv.ProposeAlliance: lambda move: (NUMBER["propose", move.card],),
    mv.AcceptAlliance: lambda move: (NUMBER["accept", move.card],),
    mv.AllyNeutral: lambda move: (NUMBER["ally", move.card],),
    mv.Disdain: lambda move: (NUMBER["disdain", move.target],),
    mv.ProveWorth: lambda move: (NUMBER["prove", move.card],),
    mv.EndureDisdain: lambda _: (NUMBER["endure",],),
    mv.PassTurn: lambda _: (NUMBER["pass",],),
    mv.DiscardExcess: _each("discard_excess"),
}
IN_ANY_ORDER = (mv.TakeCards, mv.DiscardAfterHunt, mv.DiscardExcess)


def choose(view: View, legal: Sequence[Any]) -> Choice:
    """The decision between the legal moves of a seat."""
    moves = [(spell(view, move), move) for move in legal]
    return Gathered(moves) if isinstance(legal[0], IN_ANY_ORDER) else spelled(moves)


def spell(_: View, move: Any) -> Sequence[int]:
    """The actions that make a move."""
    return SPELLING[type(move)](move)


# What a seat sees

PHASES = tuple(MOVES_IN)
FIGURES = ("round", "actions", "take", "hunted", "free_exchange_made", "plain", "pile")
TRIBE_FIGURES = (
    *("camp", "own", "shared", "neutral", "chosen", "turn", "acting", "horses", "raid_markers", "prestige_markers"),
    *("extra", "off_herd", "disdained", "hand", "hand_known", "total", "rank"),
)
RAID_FIGURES = ("printed", "bonus", "attack", "prestige", "round", "due")

of_faces, of_warriors = counts(FACES), flags(tuple(WARRIORS))
of_phases, of_tribe, of_face, of_warrior = one_of(PHASES), one_of(TRIBES), one_of(FACES), one_of(tuple(WARRIORS))


def _moment(players: int) -> list[Block]:
    """The course of the game, and the cards that all can see."""
    return [
        block("phase", PHASES, lambda view: of_phases(view.phase)),
        block("now", FIGURES, _figures),
        block("to_act", range(players), of_some_seats(players, "to_act")),
        block("display", FACES, lambda view: of_faces(view.display)),
        block("discards", FACES, lambda view: of_faces(view.discards)),
        block("repelled", [*TRIBES, *WARRIORS, "bonus"], _repelled),
        block("offer", [*(f"by {t}" for t in TRIBES), *(f"to {t}" for t in TRIBES), "free", "known", *FACES], _offer),
    ]


def _figures(view: View) -> bytes:
    made = view.free_exchange_made
    return numbers((view.round, view.actions, view.take, view.hunted, made, view.plain, view.pile_count))


def _repelled(view: View) -> bytes:
    raid = view.repelled
    if raid is None:
        return nothing(len(TRIBES) + len(WARRIORS) + 1)
    return of_tribe(raid.tribe) + of_warriors(raid.cards) + number(raid.bonus)


def _offer(view: View) -> bytes:
    offer = view.offer
    if offer is None:
        return nothing(2 * len(TRIBES) + 2 + len(FACES))
    known = offer.give is not UNSET
    given = of_face(offer.give if known else None)
    return b"".join([of_tribe(offer.tribe), of_tribe(offer.to), numbers((offer.free, known)), given])


def _tribes(players: int) -> list[Block]:
    """Each tribe: its camp if it has one, who plays it, its ally, its hand as far as the seat knows it."""
    slots = [
        *TRIBE_FIGURES,
        *(f"seat {distance}" for distance in range(players)),
        *(f"ally {tribe}" for tribe in TRIBES),
        *(f"ally {card}" for card in WARRIORS),
        *FACES,
    ]
    of_seat = one_of(range(players))
    names = [f"{tribe}/{slot}" for tribe in TRIBES for slot in slots]
    return [Block(tuple(names), lambda view: b"".join([_tribe_row(tribe, view, of_seat) for tribe in TRIBES]))]


NO_CAMP = CampView("", None, 0, 0, 0, 0, 0, None, None, False, 0)


def _tribe_row(tribe: str, view: View, of_seat: Callable[[Any], bytes]) -> bytes:
    camp = next((camp for camp in view.camps if camp.tribe == tribe), NO_CAMP)
    played = None if camp.seat is None or view.seat is None else (camp.seat - view.seat) % view.players
    hand = None if camp.hand is UNSET else camp.hand
    figures = (
        camp is not NO_CAMP,
        played == 0,
        view.shared_tribe == tribe,
        tribe in view.neutral_tribes,
        view.chosen.index(tribe) + 1 if tribe in view.chosen else 0,
        view.turn == tribe,
        view.acting_tribe == tribe,
        *(camp.horses, camp.raid_markers, camp.prestige_markers, camp.extra, camp.off_herd, camp.disdained),
        camp.hand_count,
        hand is not None,
        *_points(tribe, view),
    )
    cards = nothing(len(FACES)) if hand is None else of_faces(hand)
    return b"".join([numbers(figures), of_seat(played), of_tribe(camp.ally), of_warrior(camp.ally_card), cards])


def _points(tribe: str, view: View) -> tuple[int, int]:
    """The points of a tribe so far, and its rank."""
    shared = view.scores.shared_tribe
    if shared is not None and shared.tribe == tribe:
        return shared.total, shared.would_rank
    return next(((row.total, row.rank) for row in view.scores.scores if row.tribe == tribe), (0, 0))


def _raids() -> list[Block]:
    """The raid on each tribe and the proposal to it: there is at most one of each (PC-R11, PC-R26)."""
    raid_slots = [*(f"by {tribe}" for tribe in TRIBES), *WARRIORS, *RAID_FIGURES]
    proposal_slots = [*(f"by {tribe}" for tribe in TRIBES), *WARRIORS]
    return [
        Block(tuple(f"raid on {target}/{slot}" for target in TRIBES for slot in raid_slots), _raid_rows),
        Block(tuple(f"proposal to {to}/{slot}" for to in TRIBES for slot in proposal_slots), _proposal_rows),
    ]


def _raid_rows(view: View) -> bytes:
    rows = dict.fromkeys(TRIBES, nothing(len(TRIBES) + len(WARRIORS) + len(RAID_FIGURES)))
    for raid in view.raids:
        figures = (raid.printed, raid.bonus, raid.attack, raid.marker == "prestige", raid.round, raid.due)
        rows[raid.target] = of_tribe(raid.tribe) + of_warriors(raid.cards) + numbers(figures)
    return b"".join(rows.values())


def _proposal_rows(view: View) -> bytes:
    rows = dict.fromkeys(TRIBES, nothing(len(TRIBES) + len(WARRIORS)))
    for proposal in view.proposals:
        rows[proposal.to] = of_tribe(proposal.tribe) + of_warrior(proposal.card)
    return b"".join(rows.values())


def coding(players: int) -> Coding:
    """How Plenty Coups for so many players is told."""
    blocks = (*_moment(players), *_tribes(players), *_raids())
    return Coding(players, tuple(ACTIONS.names), tuple(PARTS), blocks, choose, spell)
