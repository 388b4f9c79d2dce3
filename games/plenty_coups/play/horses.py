"""Breeding, donating and hunting (PC-4.30, PC-4.100 to 4.112)."""

from collections.abc import Iterator
from operator import attrgetter

from games.plenty_coups.components import HORSE, MARKERS, in_order
from games.plenty_coups.events import CardsDiscarded, HorseBred, HorsesDonated
from games.plenty_coups.moves import Breed, DiscardAfterHunt, DonateHorses, Hunt
from games.plenty_coups.play.display import draw_to_hand
from games.plenty_coups.play.prestige import gain
from games.plenty_coups.play.scribe import (
    Check,
    Kind,
    Scribe,
    herd_rows,
    herds_after,
    meets,
    one,
    others,
    sets_of,
    when,
)
from games.plenty_coups.state import State, camp_of, is_winter, markers_turned, own_camp, playing, raid_on

DONATED = 2  # PC-5.8: horses


# --- breeding ---


def _horse_card_in_hand(state: State, _: Breed) -> bool:
    return HORSE in own_camp(state).hand


def _horse_in_plain(state: State, _: Breed) -> bool:
    return state.plain > 0


BREED = (
    Check("PC-4.30", _horse_card_in_hand, "no horse card is in hand"),
    Check("PC-4.31", _horse_in_plain, "the plain is empty"),
)


def _breed(scribe: Scribe, _: Breed) -> None:
    camp = own_camp(scribe.state)
    seat = playing(scribe.state, camp.tribe)
    scribe.write(HorseBred(seat, camp.tribe, camp.horses + 1, scribe.state.plain - 1))


def _breedings(state: State) -> list[Breed]:
    move = Breed()
    return [move] if state.actions and meets(BREED, state, move) else []


# --- donating ---


def _can_spare_horses(state: State, _: DonateHorses) -> bool:
    return own_camp(state).horses >= DONATED


def _receiver_is_no_ally(state: State, move: DonateHorses) -> bool:
    return own_camp(state).ally != move.to


def _is_peaceful(state: State, move: DonateHorses) -> bool:
    """PC-R23: who must be at peace with whom."""
    pair = (state.turn, move.to)
    attacks = [raid for raid in state.raids if raid.target in pair]
    if state.options.donation_peace == "neither_attacked":
        return not attacks
    return not [raid for raid in attacks if raid.tribe in pair]


def _receiver_is_no_richer(state: State, move: DonateHorses) -> bool:
    return camp_of(state, move.to).horses <= own_camp(state).horses


DONATE = (
    Check("PC-4.100", _can_spare_horses, "your herd has fewer than 2 horses"),
    Check("PC-4.101", _receiver_is_no_ally, "{to} is your ally"),
    Check("PC-4.102", _is_peaceful, "there is no peace for a gift of horses to {to}"),
    Check("PC-4.103", _receiver_is_no_richer, "the herd of {to} is larger than yours"),
)


def _donate(scribe: Scribe, move: DonateHorses) -> None:
    state = scribe.state
    tribe = own_camp(state).tribe
    rules = (
        "PC-4.102",
        *when(raid_on(state, tribe) or raid_on(state, move.to), "PC-R23"),
        "PC-4.103",
        *when(markers_turned(state, tribe) == MARKERS, "PC-R24"),
        "PC-5.8",
    )
    before, after = herd_rows(state, tribe, move.to), herds_after(state, tribe, move.to, DONATED)
    seat = playing(state, tribe)
    scribe.write(HorsesDonated(seat, tribe, move.to, move.discard, DONATED, before, after, rules))
    gain(scribe, tribe, "donation")


def _donations(state: State) -> list[DonateHorses]:
    camp = own_camp(state)
    if not state.actions or not camp.hand or not _can_spare_horses(state, DonateHorses("", "")):
        return []
    tribes = [to for to in others(state) if meets(DONATE, state, DonateHorses(to, ""))]
    return [DonateHorses(to, card) for to in tribes for card in dict.fromkeys(camp.hand)]


# --- hunting ---


def _is_hunting_season(state: State, _: Hunt) -> bool:
    return not (is_winter(state) and state.options.winter_hunt == "forbidden")


HUNT = (Check("PC-4.110", _is_hunting_season, "there is no hunting in winter"),)


def _hunt(scribe: Scribe, move: Hunt) -> None:
    """PC-5.8: the card that pays for the hunt may itself come back (PC-R16)."""
    tribe = own_camp(scribe.state).tribe
    seat = playing(scribe.state, tribe)
    scribe.write(CardsDiscarded(seat, tribe, "hunt", 1, (move.discard,)))
    draw_to_hand(scribe, tribe, "hunt", 2)


def _hunts(state: State) -> list[Hunt]:
    if not state.actions or not _is_hunting_season(state, Hunt("")):
        return []
    return [Hunt(card) for card in dict.fromkeys(own_camp(state).hand)]


def _discards_what_was_drawn(state: State, move: DiscardAfterHunt) -> bool:
    return len(move.cards) == state.hunted


AFTER_HUNT = (Check("PC-4.112", _discards_what_was_drawn, "not as many cards as the hunt drew: {cards}"),)


def _discard_after_hunt(scribe: Scribe, move: DiscardAfterHunt) -> None:
    tribe = own_camp(scribe.state).tribe
    seat = playing(scribe.state, tribe)
    cards = in_order(move.cards)
    scribe.write(CardsDiscarded(seat, tribe, "after_hunt", len(cards), cards))


def _after_hunts(state: State) -> Iterator[DiscardAfterHunt]:
    return (DiscardAfterHunt(cards) for cards in sets_of(own_camp(state).hand, state.hunted))


KINDS = {
    Breed: Kind(_breed, _breedings, BREED, cost=one),
    DonateHorses: Kind(
        _donate, _donations, DONATE, cost=one, cards=lambda move: (move.discard,), other=attrgetter("to")
    ),
    Hunt: Kind(_hunt, _hunts, HUNT, cost=one, cards=lambda move: (move.discard,)),
    DiscardAfterHunt: Kind(_discard_after_hunt, _after_hunts, AFTER_HUNT, cards=attrgetter("cards")),
}
