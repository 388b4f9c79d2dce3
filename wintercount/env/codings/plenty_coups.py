"""Plenty Coups: cards are taken and discarded one by one; tribes stand in the order of the rules."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

from msgspec import UNSET

from games.plenty_coups import moves as mv
from games.plenty_coups.components import COPIES, TRIBES, WARRIORS, WEAPONS, WORTHY, in_order
from games.plenty_coups.play import PHASES as MOVES_IN
from games.plenty_coups.sight import CampView, View
from wintercount.env.choices import Choice, Gathered, spelled
from wintercount.env.layout import Actions, Coding, Slots

FACES = tuple(COPIES)
RANK = {face: place for place, face in enumerate(FACES)}
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


# A card names the other tribe of an alliance, as it is a warrior of that tribe (PC-4.70, PC-4.80).
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


def choose(seen: Callable[[], View], legal: Sequence[Any]) -> Choice:
    """Opens the decision between the legal moves of a seat."""
    view = seen()
    moves = [(spell(view, move), move) for move in legal]
    return Gathered(moves) if isinstance(legal[0], IN_ANY_ORDER) else spelled(moves)


def spell(_: View, move: Any) -> Sequence[int]:
    """Returns the actions that make a move."""
    return SPELLING[type(move)](move)


# What a seat sees. Seats count from it: 0 is the seat itself, 1 the next clockwise.

PHASES = tuple(MOVES_IN)
FIGURES = ("round", "actions", "take", "hunted", "free_exchange_made", "plain", "pile_count")
TRIBE_FIGURES = ("chosen", "horses", "raid_markers", "prestige_markers", "extra", "off_herd", "hand", "total", "rank")
RAID_FIGURES = ("printed", "bonus", "attack", "round")
STANDINGS = ("camp", "own", "shared", "neutral", "turn", "acting", "disdained", "hand_known")
NO_CAMP = CampView("", None, 0, 0, 0, 0, 0, None, None, False, 0)


def counted(cards: Sequence[str]) -> list[int]:
    """Returns how often each face is among some cards."""
    counts = [0] * len(FACES)
    for card in cards:
        counts[RANK[card]] += 1
    return counts


class TribeSlots:
    """The slots of a tribe: its camp if it has one, who plays it, its ally, its hand as far as the seat knows it."""

    def __init__(self, slots: Slots, tribe: str, players: int) -> None:
        slots.figures(tribe, TRIBE_FIGURES)
        slots.figures(f"{tribe}/hand", FACES)
        self.tribe = tribe
        self.standing, self.seat = slots.marks(tribe, STANDINGS), slots.marks(f"{tribe}/seat", range(players))
        self.ally, self.ally_card = slots.marks(f"{tribe}/ally", TRIBES), slots.marks(f"{tribe}/ally_card", WARRIORS)

    def write(self, view: View, figures: list[float], marks: list[int]) -> None:
        """Adds what the seat knows of the tribe."""
        tribe, own = self.tribe, view.seat or 1
        camp = next((camp for camp in view.camps if camp.tribe == tribe), NO_CAMP)
        hand = None if camp.hand is UNSET else camp.hand
        figures.append(view.chosen.index(tribe) + 1 if tribe in view.chosen else 0)
        figures += (camp.horses, camp.raid_markers, camp.prestige_markers, camp.extra, camp.off_herd, camp.hand_count)
        figures += _points(tribe, view)
        figures += counted(hand or ())
        self._ties(camp, own, view.players, marks)
        standing = (
            *(camp is not NO_CAMP, camp.seat == own, view.shared_tribe == tribe, tribe in view.neutral_tribes),
            *(view.turn == tribe, view.acting_tribe == tribe, camp.disdained, hand is not None),
        )
        marks += [self.standing[name] for name, is_so in zip(STANDINGS, standing, strict=True) if is_so]

    def _ties(self, camp: CampView, own: int, players: int, marks: list[int]) -> None:
        """Adds the seat of the camp, and its ally."""
        if camp.seat is not None:
            marks.append(self.seat[(camp.seat - own) % players])
        if camp.ally is not None:
            marks.append(self.ally[camp.ally])
        if camp.ally_card is not None:
            marks.append(self.ally_card[camp.ally_card])


def _points(tribe: str, view: View) -> tuple[int, int]:
    """Returns the points of a tribe so far, and its rank."""
    shared = view.scores.shared_tribe
    if shared is not None and shared.tribe == tribe:
        return shared.total, shared.would_rank
    return next(((row.total, row.rank) for row in view.scores.scores if row.tribe == tribe), (0, 0))


class RaidSlots:
    """The slots of the raid on a tribe and of the proposal to it: there is at most one of each (PC-R11, PC-R26)."""

    def __init__(self, slots: Slots, tribe: str) -> None:
        self.tribe = tribe
        slots.figures(f"raid on {tribe}", RAID_FIGURES)
        self.by = slots.marks(f"raid on {tribe}/by", TRIBES)
        self.cards = slots.marks(f"raid on {tribe}/cards", WARRIORS)
        self.state = slots.marks(f"raid on {tribe}", ("prestige", "due"))
        self.wooer = slots.marks(f"proposal to {tribe}/by", TRIBES)
        self.card = slots.marks(f"proposal to {tribe}/card", WARRIORS)

    def write(self, view: View, figures: list[float], marks: list[int]) -> None:
        """Adds the raid and the proposal, if there are any."""
        raid = next((raid for raid in view.raids if raid.target == self.tribe), None)
        figures += (0, 0, 0, 0) if raid is None else (raid.printed, raid.bonus, raid.attack, raid.round)
        if raid is not None:
            marks.append(self.by[raid.tribe])
            marks += [self.cards[card] for card in raid.cards]
            marks += [self.state["prestige"]] * (raid.marker == "prestige") + [self.state["due"]] * raid.due
        for proposal in view.proposals:
            if proposal.to == self.tribe:
                marks += (self.wooer[proposal.tribe], self.card[proposal.card])


class PlentyCoupsObserver:
    """What a seat sees of Plenty Coups."""

    def __init__(self, players: int) -> None:
        self.players, self.slots = players, Slots()
        slots = self.slots
        self.phase, self.to_act = slots.marks("phase", PHASES), slots.marks("to_act", range(players))
        slots.figures("now", FIGURES)
        slots.figures("display", FACES)
        slots.figures("discards", FACES)
        slots.figures("repelled", ("bonus",))
        self.repelled, self.repelled_cards = slots.marks("repelled/of", TRIBES), slots.marks("repelled/cards", WARRIORS)
        self.offer_by, self.offer_to = slots.marks("offer/by", TRIBES), slots.marks("offer/to", TRIBES)
        self.offer, self.offer_card = slots.marks("offer", ("free", "known")), slots.marks("offer/card", FACES)
        self.tribes = [TribeSlots(slots, tribe, players) for tribe in TRIBES]
        self.raids = [RaidSlots(slots, tribe) for tribe in TRIBES]

    def write(self, view: View, figures: list[float], marks: list[int]) -> None:
        """Adds all figures, and the marks that are 1."""
        own = view.seat or 1
        marks.append(self.phase[view.phase])
        marks += [self.to_act[(seat - own) % self.players] for seat in view.to_act]
        figures += [getattr(view, name) for name in FIGURES]
        figures += counted(view.display)
        figures += counted(view.discards)
        self._answers(view, figures, marks)
        for tribe in self.tribes:
            tribe.write(view, figures, marks)
        for raid in self.raids:
            raid.write(view, figures, marks)

    def _answers(self, view: View, figures: list[float], marks: list[int]) -> None:
        """Adds the raid repelled in this turn, and the gift that waits for its answer."""
        repelled, offer = view.repelled, view.offer
        figures.append(0 if repelled is None else repelled.bonus)
        if repelled is not None:
            marks.append(self.repelled[repelled.tribe])
            marks += [self.repelled_cards[card] for card in repelled.cards]
        if offer is None:
            return
        marks += (self.offer_by[offer.tribe], self.offer_to[offer.to])
        marks += [self.offer["free"]] * offer.free
        if offer.give is not UNSET:
            marks += (self.offer["known"], self.offer_card[offer.give])


def coding(players: int) -> Coding:
    """Returns the coding of Plenty Coups for so many players."""
    return Coding(players, tuple(ACTIONS.names), tuple(PARTS), PlentyCoupsObserver(players), choose, spell)
