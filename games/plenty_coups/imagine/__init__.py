"""Imagines complete states that agree with a seat's view and feed.

The open cards are those of the view. The places of the other cards are drawn at random, with the probabilities that
follow from the feed:

- The feed is a fixed sequence of transfers (`transfers`): a card moves from one place to another, and the viewer may
  know its face. The only unknown is which of the cards in a place leaves it. One card for each transfer makes a system
  of *card paths* (`card_paths`), in which every copy of every card has a way through the places.
- All orders of a shuffle are equally likely. A card that leaves a hand, shown or given away, is assumed to be any card
  of that hand, because the players' reasons are unknown. So a system of paths has the probability 1 / (product over the
  transfers of the number of cards in the place left). The transfers determine these numbers, so all systems that agree
  with the feed are equally likely: the posterior is uniform over them. Copies of one face count as different cards, so
  a face is the likelier to leave a hand, the more copies are there.
- A search with growing effort finds one system that agrees. Random exchanges then change it: a Markov chain whose
  stationary distribution is the uniform one. The number of steps is bounded, so the probabilities are approximate; the
  tests compare them with exact ones. After dozens of hidden gifts the search may fail, because it tries only a few
  consecutive exchanges. Then `imagine`, which has to be fast, replaces the faces that occur in the wrong number, so
  that at least no card exists twice. `worlds` continues with random exchanges, which take longer but succeed, and
  then draws many worlds from one start.

Sources: Diaconis and Sturmfels, Algebraic algorithms for sampling from conditional distributions (1998), for exchanges
that keep what was observed; Metropolis and others, Equation of state calculations by fast computing machines (1953),
for the chain.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from games.kernel import Chance, NoWorld
from games.plenty_coups.components import COUP_STICK, DECK, in_order
from games.plenty_coups.imagine.card_paths import CardPaths, Effort, WalkedPaths, resample
from games.plenty_coups.imagine.transfers import GIFT, Reading
from games.plenty_coups.sight import CampView, RaidView, View
from games.plenty_coups.state import Camp, Offer, Proposal, Side, StandingRaid, State

Cards = tuple[str, ...]

_EFFORTS = (*[Effort(4, 300)] * 6, *[Effort(5, 1000)] * 4, Effort(4, 300))
_STRIDES = 4000  # of the shortest walk
_WALKS = 6  # lengths of walks, each twice as long as the one before
_OF_ONE_START = 50  # worlds, each a round of exchanges from the one before


def imagine(view: View, feed: Sequence[Any], chance: Chance) -> State:
    """Returns a state that agrees with the view and the feed; the true one once the game is over."""
    reading = Reading(view, feed)
    return _world(view, reading, chance, lambda: _agreeing_paths(reading, chance))


def worlds(view: View, feed: Sequence[Any], chance: Chance, count: int) -> Iterator[State]:
    """Yields `count` states that agree with the feed; raises `NoWorld` if the search finds none."""
    reading = Reading(view, feed)
    drawn = _drawn(reading, chance)
    for _ in range(count):
        yield _world(view, reading, chance, lambda: next(drawn))


def _drawn(reading: Reading, chance: Chance) -> Iterator[CardPaths]:
    """Yields paths that agree with the feed, each resampled from the previous one, and sometimes from a new start."""
    while True:
        card_paths = found(reading, chance)
        for _ in range(_OF_ONE_START):
            resample(card_paths)
            yield card_paths


def found(reading: Reading, chance: Chance) -> CardPaths:
    """Returns paths that agree with the feed, however long the search takes."""
    quick = (CardPaths(reading, chance, effort) for effort in _EFFORTS[:4])
    patient = (WalkedPaths(reading, chance, _STRIDES * length) for length in _lengths(_WALKS))
    for card_paths in chain(quick, patient):
        if card_paths.find(must=False):
            return card_paths
    raise NoWorld("no world was found that agrees with all that was seen")


def _lengths(doublings: int) -> list[int]:
    """Returns the lengths 1, 1, 2, 1, 1, 2, 4 and so on of restarted tries, for walks of unknown duration.

    Some starts lead nowhere, however long the walk (Luby, Sinclair and Zuckerman, 'Optimal speedup of Las Vegas
    algorithms', 1993).
    """
    lengths: list[int] = []
    for doubling in range(doublings):
        lengths += [*lengths, 1 << doubling]
    return lengths


def _world(view: View, reading: Reading, chance: Chance, draw: Callable[[], CardPaths]) -> State:
    """Returns the state with the hidden cards at the ends of their paths."""
    hands = [camp.hand if isinstance(camp.hand, tuple) else () for camp in view.camps]
    gift = view.offer.give if view.offer and isinstance(view.offer.give, str) else ""
    if isinstance(view.pile, tuple) or not reading.shuffles:
        pile = view.pile if isinstance(view.pile, tuple) else DECK
        return state_shown(view, Cover(hands, pile, gift, reading.discards))
    lying = _lying(view, draw())
    pile = _mixed(reading, lying, chance)
    for place, camp in enumerate(view.camps):
        if not isinstance(camp.hand, tuple):
            hands[place] = in_order(lying[place])
    if view.offer and not gift:
        (gift,) = lying[GIFT]
    return state_shown(view, Cover(hands, pile, gift, reading.discards))


def _mixed(reading: Reading, lying: dict[int, list[str]], chance: Chance) -> Cards:
    """Returns the cards of each shuffle in its known order, or in any."""
    pile: Cards = ()
    for rest in reading.piles:
        cards = in_order(lying[rest.place])
        pile += rest.order or tuple(chance("imagine", cards, len(cards)))
    return pile


def _lying(view: View, card_paths: CardPaths) -> dict[int, list[str]]:
    """Returns the hidden cards by place."""
    lying = defaultdict(
        list, {place: [card_paths.face[at] for at in cards] for place, cards in card_paths.present.items()}
    )
    unseen = Counter(DECK) - Counter(_seen(view))
    strange = list((Counter(face for faces in lying.values() for face in faces) - unseen).elements())
    missing = list((unseen - Counter(face for faces in lying.values() for face in faces)).elements())
    for face, instead in zip(strange, missing, strict=True):  # where paths that agree were not found
        faces = next(faces for faces in lying.values() if face in faces)
        faces[faces.index(face)] = instead
    return lying


def _seen(view: View) -> Iterator[str]:
    """Yields the cards that the view shows."""
    yield from (*view.display, *view.discards, *(proposal.card for proposal in view.proposals))
    for raid in view.raids:
        yield from raid.cards
    for camp in view.camps:
        yield from camp.hand if isinstance(camp.hand, tuple) else ()
        yield from (camp.ally_card,) if camp.ally_card else ()
        yield from (COUP_STICK,) * camp.disdained
    if view.offer and isinstance(view.offer.give, str):
        yield view.offer.give


def _agreeing_paths(reading: Reading, chance: Chance) -> CardPaths:
    """Searches for paths that agree with the feed, with growing effort, and resamples them."""
    for effort in _EFFORTS:
        card_paths = CardPaths(reading, chance, effort)
        if card_paths.find(must=effort is _EFFORTS[-1]):
            break
    resample(card_paths)
    return card_paths


# --- a state laid out from a view ---


class Cover(NamedTuple):
    """The cards where a view may not show them: the hand of each camp, the pile, the gift on offer, the discards."""

    hands: Sequence[Cards]
    pile: Cards
    gift: str
    discards: Cards


def state_shown(view: View, cover: Cover) -> State:
    """Returns the state with these cards in the places that may be hidden."""
    return State(
        players=view.players,
        options=view.options,
        plain=view.plain,
        pile=cover.pile,
        phase=view.phase,
        chosen=view.chosen,
        tribes=tuple([camp.tribe for camp in view.camps]),
        camps=tuple([_camp(camp, hand) for camp, hand in zip(view.camps, cover.hands, strict=True)]),
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
        offer=Offer(view.offer.tribe, view.offer.to, cover.gift, view.offer.free) if view.offer else None,
        raids=tuple([_raid(raid) for raid in view.raids]),
        proposals=tuple([Proposal(proposal.tribe, proposal.to, proposal.card) for proposal in view.proposals]),
        display=view.display,
        discards=cover.discards,
    )


def _camp(seen: CampView, hand: Cards) -> Camp:
    return Camp(
        seen.tribe,
        seen.seat,
        seen.horses,
        hand,
        seen.raid_markers,
        seen.prestige_markers,
        seen.extra,
        seen.ally,
        seen.ally_card,
        seen.disdained,
    )


def _raid(seen: RaidView) -> StandingRaid:
    side: Side = "prestige" if seen.marker == "prestige" else "raid"
    return StandingRaid(seen.tribe, seen.target, seen.cards, seen.printed, seen.bonus, side, seen.round)
