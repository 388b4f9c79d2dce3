"""Breeding, donating and hunting (PC-4.30, PC-4.100 to 4.112)."""

from collections.abc import Collection
from operator import attrgetter

from games.plenty_coups.components import HORSE, MARKERS, in_order
from games.plenty_coups.events import CardsDiscarded, HorseBred, HorsesDonated
from games.plenty_coups.moves import Breed, DiscardAfterHunt, DonateHorses, Hunt
from games.plenty_coups.play.bars import Bar, against, ally_of, at_war, unbarred
from games.plenty_coups.play.display import draw_to_hand
from games.plenty_coups.play.prestige import gain
from games.plenty_coups.play.scribe import (
    Check,
    Kind,
    Scribe,
    herds_moved,
    meets,
    one,
    sets_of,
    when,
)
from games.plenty_coups.state import Camp, State, is_winter, markers_turned, raid_on

DONATED = 2  # PC-5.8: horses


# --- breeding ---


def _horse_card_in_hand(_: State, camp: Camp, __: Breed) -> bool:
    return HORSE in camp.hand


def _horse_in_plain(state: State, _: Camp, __: Breed) -> bool:
    return state.plain > 0


BREED = (
    Check("PC-4.30", _horse_card_in_hand, "no horse card is in hand"),
    Check("PC-4.31", _horse_in_plain, "the plain is empty"),
)


def _breed(scribe: Scribe, _: Breed) -> None:
    camp = scribe.camp
    scribe.write(HorseBred(scribe.seat, camp.tribe, camp.horses + 1, scribe.state.plain - 1))


def _breedings(state: State, camp: Camp) -> list[Breed]:
    move = Breed()
    return [move] if state.actions and meets(BREED, state, camp, move) else []


# --- donating ---


def _can_spare_horses(_: State, camp: Camp, __: object) -> bool:
    return camp.horses >= DONATED


def _without_peace(state: State, camp: Camp) -> Collection[str]:
    """PC-R23: who must be at peace with whom, and whether an ally of either is in the way."""
    peace = state.options.donation_peace
    if peace == "not_each_other":
        return at_war(state, camp)
    allied = [other.tribe for other in state.camps if other.ally and peace == "neither_attacked_nor_allied"]
    if raid_on(state, camp.tribe) or camp.tribe in allied:
        return state.tribes
    return allied + [raid.target for raid in state.raids]


def _richer(state: State, camp: Camp) -> list[str]:
    return [other.tribe for other in state.camps if other.horses > camp.horses]


DONATE_BARS = (
    Bar("PC-4.101", ally_of, "{to} is your ally"),
    Bar("PC-4.102", _without_peace, "there is no peace for a gift of horses to {to}"),
    Bar("PC-4.103", _richer, "the herd of {to} is larger than yours"),
)
DONATE = (
    Check("PC-4.100", _can_spare_horses, "your herd has fewer than 2 horses"),
    *against(DONATE_BARS, attrgetter("to")),
)


def _donate(scribe: Scribe, move: DonateHorses) -> None:
    state = scribe.state
    tribe = scribe.camp.tribe
    rules = (
        "PC-4.102",
        *when(raid_on(state, tribe) or raid_on(state, move.to), "PC-R23"),
        "PC-4.103",
        *when(markers_turned(state, tribe) == MARKERS, "PC-R24"),
        "PC-5.8",
    )
    herds = herds_moved(state, tribe, move.to, DONATED)
    scribe.write(HorsesDonated(scribe.seat, tribe, move.to, move.discard, DONATED, *herds, rules))
    gain(scribe, tribe, "donation")


def _donations(state: State, camp: Camp) -> list[DonateHorses]:
    if not state.actions or not _can_spare_horses(state, camp, None):
        return []
    return [DonateHorses(to, card) for to in unbarred(DONATE_BARS, state, camp) for card in dict.fromkeys(camp.hand)]


# --- hunting ---


def _is_hunting_season(state: State, _: Camp, __: object) -> bool:
    return not (is_winter(state) and state.options.winter_hunt == "forbidden")


HUNT = (Check("PC-4.110", _is_hunting_season, "there is no hunting in winter"),)


def _hunt(scribe: Scribe, move: Hunt) -> None:
    """PC-5.8: the card that pays for the hunt may itself come back (PC-R16)."""
    tribe = scribe.camp.tribe
    scribe.write(CardsDiscarded(scribe.seat, tribe, "hunt", 1, (move.discard,), scribe.cost))
    draw_to_hand(scribe, tribe, "hunt", 2)


def _hunts(state: State, camp: Camp) -> list[Hunt]:
    if not state.actions or not _is_hunting_season(state, camp, None):
        return []
    return [Hunt(card) for card in dict.fromkeys(camp.hand)]


def _discards_what_was_drawn(state: State, _: Camp, move: DiscardAfterHunt) -> bool:
    return len(move.cards) == state.hunted


AFTER_HUNT = (Check("PC-4.112", _discards_what_was_drawn, "not as many cards as the hunt drew: {cards}"),)


def _discard_after_hunt(scribe: Scribe, move: DiscardAfterHunt) -> None:
    cards = in_order(move.cards)
    scribe.write(CardsDiscarded(scribe.seat, scribe.camp.tribe, "after_hunt", len(cards), cards, scribe.cost))


def _after_hunts(state: State, camp: Camp) -> list[DiscardAfterHunt]:
    return [DiscardAfterHunt(cards) for cards in sets_of(camp.hand, state.hunted)]


KINDS = {
    Breed: Kind(_breed, _breedings, BREED, cost=one),
    DonateHorses: Kind(
        _donate, _donations, DONATE, cost=one, cards=lambda move: (move.discard,), other=attrgetter("to")
    ),
    Hunt: Kind(_hunt, _hunts, HUNT, cost=one, cards=lambda move: (move.discard,)),
    DiscardAfterHunt: Kind(_discard_after_hunt, _after_hunts, AFTER_HUNT, cards=attrgetter("cards")),
}
