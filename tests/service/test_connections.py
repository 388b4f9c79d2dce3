"""Which connections make way where nearly all that there may be are taken."""

from service.runtime.connections import FREE_PART, Watch

ROOM = 16 - 16 // FREE_PART


def made_way(*addresses: str) -> list[int]:
    """The numbers of those that make way, where so many connections of these addresses are there."""
    watch = Watch(8000, 16, 16)
    watch._known = {(number, number): address for number, address in enumerate(addresses)}
    return [descriptor for descriptor, _ in watch._surplus()]


def test_the_newest_of_whoever_has_most_makes_way() -> None:
    few, many = ["192.0.2.1"] * 4, ["192.0.2.2"] * (ROOM - 2)
    assert made_way(*few, *many) == [ROOM + 1, ROOM]


def test_the_networks_of_one_site_count_as_one() -> None:
    """A connection from each of them: else nobody would have more than anybody else, and none would make way."""
    networks = [f"2001:db8:1:{number:x}::/64" for number in range(ROOM)]
    others = ["192.0.2.1", "2001:db8:2::/64"]
    assert made_way(*networks, *others) == [ROOM - 1, ROOM - 2]


def test_nobody_makes_way_for_a_proxy_s_clients_alone() -> None:
    """A trusted proxy's connections are many clients'; of others one each stays."""
    assert made_way(*[""] * 20) == []
    assert made_way(*[""] * 20, "192.0.2.1", "192.0.2.2", "192.0.2.2") == [22]
