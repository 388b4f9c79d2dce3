"""What a hand can defend with (PC-4.46, PC-4.48), and moves that are carried out although their checks refuse them."""

import pytest

from games.plenty_coups.play.raids import defence, repels, strongest
from tests.games.plenty_coups.spec import cards, given, raid

HAND = cards("weapon-2 horse weapon-4 weapon-3 stick")


def test_at_most_two_weapons_defend_and_the_strongest_do() -> None:
    """PC-4.46: of 2, 4 and 3 those are 4 and 3; a single one is 4; a hand with fewer weapons gives what it has."""
    assert strongest(HAND) == ["weapon-4", "weapon-3"]
    assert strongest(HAND, 1) == ["weapon-4"]
    assert strongest(cards("weapon-2 horse")) == ["weapon-2"]
    assert strongest(cards("horse stick")) == []


@pytest.mark.parametrize(("attack", "driven_off"), [(7, True), (8, False)])
def test_weapons_repel_up_to_their_sum(attack: int, driven_off: bool) -> None:
    """PC-4.48: 4 and 3 hold against 7 and not against 8."""
    assert defence(strongest(HAND)) == 7
    assert repels(strongest(HAND), attack) is driven_off


@pytest.mark.parametrize("warriors", ["G-1 G-2", "G-1 W-1"])
def test_a_coup_is_open_against_two_of_whom_one_is_young(warriors: str) -> None:
    """PC-R46 says so, and is told; the other may be young as well."""
    table = given(turn="red", hands={"red": "weapon-4 stick horse"}, raids=[raid("yellow", "red", warriors)])
    table.play({"type": "defend", "cards": ["weapon-4"]})
    repelled = table.first("RaidRepelled")
    assert repelled["coup_open"] is True
    assert "PC-R46" in repelled["rules"]
