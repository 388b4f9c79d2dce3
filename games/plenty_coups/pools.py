"""Veils, which stand for cards of unknown face, and the pools of cards that lie under them."""

from collections import Counter

from games.kernel import Chance
from games.plenty_coups.components import WORTHY, in_order, without

Cards = tuple[str, ...]
_MODEST = "-modest"


def veil_of(shuffle: int) -> str:
    """A card of unknown face that came from the shuffle of this number."""
    return f"veil-{shuffle}"


def as_modest(card: str) -> str:
    """The veil as one that certainly hides no card of PC-4.95; other cards stay."""
    return f"{card}{_MODEST}" if is_veil(card) and not card.endswith(_MODEST) else card


def is_veil(card: str) -> bool:
    """Whether the card stands for one of unknown face."""
    return card.startswith("veil")


def shuffle_of(veil: str) -> int:
    """The shuffle that a veil came from."""
    return int(veil.removesuffix(_MODEST)[5:])


class Pool:
    """The cards of one shuffle that lie under its veils, `modest` of which hide no card of PC-4.95."""

    def __init__(self, cards: Cards, revealed: Counter[str]) -> None:
        self.cards = Counter(cards)
        self.cards.subtract(revealed)
        self.size = self.cards.total()
        self.modest = 0

    def copy(self) -> "Pool":
        """A pool of its own."""
        other = Pool.__new__(Pool)
        other.cards, other.size, other.modest = self.cards.copy(), self.size, self.modest
        return other

    def _humble(self) -> int:
        return sum(count for card, count in self.cards.items() if card not in WORTHY)

    def chance_of(self, card: str, veil: str) -> float:
        """How likely it is that this veil hides the card."""
        count = self.cards[card]
        if count <= 0:
            return 0.0
        if not self.modest:
            return count / self.size
        if veil.endswith(_MODEST):
            return 0.0 if card in WORTHY else count / self._humble()
        free = self.size - self.modest
        if not free:
            return 0.0
        if card in WORTHY:
            return count / free
        humble = self._humble()
        return count * max(0, humble - self.modest) / (humble * free)

    def has_spare(self) -> bool:
        """Whether there are more cards that do not prove worth than veils that must hide such."""
        return self._humble() > self.modest

    def take(self, card: str, veil: str) -> None:
        """The veil hid the card."""
        self.cards[card] -= 1
        self.size -= 1
        self.modest -= veil.endswith(_MODEST)

    def put_back(self, card: str, veil: str) -> None:
        """The veil hid another card."""
        self.cards[card] += 1
        self.size += 1
        self.modest += veil.endswith(_MODEST)

    def humble(self, veil: str) -> bool:
        """The veil hides no card of PC-4.95; false if that cannot be."""
        self.modest += not veil.endswith(_MODEST)
        return self.modest <= self._humble()

    def deal(self, chance: Chance) -> tuple[Cards, Cards]:
        """The cards under modest veils and those under the others, each deal equally likely."""
        cards = in_order(self.cards.elements())
        if not self.modest:
            return (), tuple(chance("imagine", cards, len(cards)))
        humble = tuple(card for card in cards if card not in WORTHY)
        modest = tuple(chance("imagine", humble, min(self.modest, len(humble))))
        rest = without(cards, modest)
        others = tuple(chance("imagine", rest, len(rest)))
        missing = self.modest - len(modest)  # above 0 only where a world had to forget
        return modest + others[:missing], others[missing:]
