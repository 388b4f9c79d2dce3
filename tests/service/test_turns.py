"""Places for which addresses take turns: whoever has had them for the shortest time is next."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from service.runtime import shares
from service.runtime.turns import AWAITED, OTHERS, Turns

EVE, ANN, BOB = "192.0.2.1", "192.0.2.2", "192.0.2.3"
LASTS = {EVE: 10.0, ANN: 1.0, BOB: 1.0}  # seconds of the clock, of each request of an address


class Hours:
    """A clock that goes by what is done."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def told(story: Callable[[Turns, Hours, list[str]], Awaitable[None]], places: int = 1) -> list[str]:
    """Who had a place, in this order."""
    hours, done = Hours(), list[str]()
    asyncio.run(story(Turns(places, hours), hours, done))  # type: ignore[arg-type]
    return done


async def others_come_in() -> None:
    for _ in range(4):
        await asyncio.sleep(0)


async def sent(places: Turns, hours: Hours, done: list[str], address: str, kind: str = OTHERS) -> None:
    """A request of an address, as long as those of that address last."""
    place = await places.enter(address, kind)
    done.append(address)
    await others_come_in()
    hours.now += LASTS[address]
    places.leave(place)


async def all_sent(places: Turns, hours: Hours, done: list[str], *addresses: str) -> None:
    """Requests that wait for one another, in this order."""
    waiting = [asyncio.ensure_future(sent(places, hours, done, address)) for address in addresses]
    await asyncio.gather(*waiting)


def test_addresses_whose_requests_last_as_long_take_turns() -> None:
    async def story(places: Turns, hours: Hours, done: list[str]) -> None:
        first = await places.enter(ANN)
        waiting = asyncio.ensure_future(all_sent(places, hours, done, ANN, ANN, ANN, BOB, BOB))
        await others_come_in()
        places.leave(first)
        await waiting

    assert told(story) == [ANN, BOB, ANN, BOB, ANN]


def test_seconds_count_and_not_requests() -> None:
    """A request of ten seconds is followed by ten of one second from elsewhere, though both wait all the time."""

    async def story(places: Turns, hours: Hours, done: list[str]) -> None:
        await all_sent(places, hours, done, *[EVE] * 4, *[ANN] * 25)

    assert told(story)[:24] == [EVE] + [ANN] * 10 + [EVE] + [ANN] * 10 + [EVE, ANN]


def test_who_sends_one_request_after_the_other_is_known_from_before() -> None:
    """Nothing of that address waits between two of them."""

    async def one_by_one(places: Turns, hours: Hours, done: list[str]) -> None:
        for _ in range(3):
            await sent(places, hours, done, EVE)

    async def story(places: Turns, hours: Hours, done: list[str]) -> None:
        first = asyncio.ensure_future(one_by_one(places, hours, done))
        await asyncio.gather(first, all_sent(places, hours, done, *[ANN] * 25))

    assert told(story)[:22] == [EVE] + [ANN] * 10 + [EVE] + [ANN] * 10


def test_who_comes_anew_has_no_more_than_a_share() -> None:
    """However long others were served before, they do not wait until whoever comes has caught up."""

    async def story(places: Turns, hours: Hours, done: list[str]) -> None:
        before = asyncio.ensure_future(all_sent(places, hours, done, *[ANN] * 25))
        while len(done) < 20:
            await asyncio.sleep(0)
        await asyncio.gather(before, all_sent(places, hours, done, *[BOB] * 9))

    assert told(story)[20:] in ([ANN, BOB] * 5 + [BOB] * 4, [BOB, ANN] * 5 + [BOB] * 4)


def test_who_has_been_served_does_not_wait_for_all_who_come_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests that are each of another address, two of them always waiting: they would come first for ever."""
    monkeypatch.setattr(shares, "AHEAD_S", 0.0)
    LASTS.update(dict.fromkeys(crowd := [f"198.51.100.{number}" for number in range(90)], 1.0))

    async def comes(places: Turns, hours: Hours, done: list[str], addresses: list[str]) -> None:
        for address in addresses:
            await sent(places, hours, done, address)

    async def story(places: Turns, hours: Hours, done: list[str]) -> None:
        comings = [comes(places, hours, done, crowd[number::3]) for number in range(3)]
        await asyncio.gather(comes(places, hours, done, [ANN] * 9), *comings)

    assert told(story)[:36].count(ANN) == 9


def test_what_is_at_work_counts_already() -> None:
    """Where there are several places: of those who have one, the one who has had it for long waits for another."""

    async def story(places: Turns, hours: Hours, done: list[str]) -> None:
        places_taken = [await places.enter(EVE)]
        hours.now += 3.0
        places_taken.append(await places.enter(ANN))
        hours.now += 1.0
        waiting = asyncio.ensure_future(all_sent(places, hours, done, EVE, ANN))
        await others_come_in()
        places.leave(places_taken.pop())
        await waiting
        places.leave(places_taken.pop())
        assert places.free == 2

    assert told(story, places=2) == [ANN, EVE]


def test_all_networks_of_a_site_take_turns_as_one() -> None:
    """However many networks of IPv6 somebody sends from."""
    LASTS.update(dict.fromkeys(networks := [f"2001:db8:1:{number:x}::/64" for number in range(9)], 1.0))

    async def story(places: Turns, hours: Hours, done: list[str]) -> None:
        await all_sent(places, hours, done, *networks, ANN, ANN)

    assert told(story)[:5] == [networks[0], ANN, networks[1], ANN, networks[2]]


def test_nothing_is_known_of_anybody_when_nobody_waits() -> None:
    async def story(places: Turns, hours: Hours, done: list[str]) -> None:
        await all_sent(places, hours, done, EVE, EVE, ANN)
        await all_sent(places, hours, done, ANN, ANN, EVE)

    assert told(story) == [EVE, ANN, EVE, ANN, EVE, ANN]


def test_addresses_are_forgotten_that_had_no_more_than_who_comes_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else more and more of them would be kept for as long as somebody waits; whoever had more is remembered."""
    monkeypatch.setattr(shares, "MANY", 3)

    async def passes(places: Turns, address: str) -> None:
        places.leave(await places.enter(address))

    async def story(places: Turns, hours: Hours, done: list[str]) -> None:
        waiting = asyncio.ensure_future(all_sent(places, hours, done, EVE, *[ANN] * 25))
        for number in range(6):
            await asyncio.gather(*(passes(places, f"2001:db8:{number:x}::{other:x}") for other in range(30)))
        assert EVE in places._sites[OTHERS]._had
        assert len(places._sites[OTHERS]._had) < 100
        await waiting

    told(story)


@pytest.mark.parametrize("lasts", [1.0, 10.0])
def test_moves_that_are_awaited_have_half_of_the_time_beside_any_number_of_addresses(lasts: float) -> None:
    """However long the others' requests last, and however many wait: among a hundred addresses they had a hundredth."""
    LASTS.update(dict.fromkeys(crowd := [f"198.51.100.{number}" for number in range(100)], lasts))

    async def story(places: Turns, hours: Hours, done: list[str]) -> None:
        moves = [sent(places, hours, done, ANN, AWAITED) for _ in range(30)]
        await asyncio.gather(all_sent(places, hours, done, *crowd), *moves)

    among = told(story)[: 2 + 2 * int(lasts)]
    assert among.count(ANN) == pytest.approx(int(lasts) * (len(among) - among.count(ANN)), abs=lasts)


def test_moves_that_are_awaited_have_no_more_than_half_of_the_time() -> None:
    """Whoever can have tables wait for many moves leaves the others theirs; sites take turns among those moves too."""

    async def story(places: Turns, hours: Hours, done: list[str]) -> None:
        moves = [sent(places, hours, done, player, AWAITED) for player in (ANN,) * 30 + (EVE,)]
        await asyncio.gather(all_sent(places, hours, done, *[BOB] * 30), *moves)

    order = told(story)
    seconds = [sum(LASTS[who] for who in order[:40] if (who == BOB) is bobs) for bobs in (True, False)]
    assert order.index(EVE) < 5
    assert seconds[0] == pytest.approx(seconds[1], abs=2)


def test_all_places_are_for_whatever_asks_while_nothing_else_waits() -> None:
    async def story(places: Turns, hours: Hours, done: list[str]) -> None:
        await asyncio.gather(*(sent(places, hours, done, ANN, AWAITED) for _ in range(4)))
        await all_sent(places, hours, done, *[BOB] * 4)
        assert places.free == 1

    assert told(story) == [ANN] * 4 + [BOB] * 4


def test_a_kind_of_which_all_have_given_up_waits_no_longer() -> None:
    async def story(places: Turns, hours: Hours, done: list[str]) -> None:
        first = await places.enter(ANN)
        given_up = asyncio.ensure_future(places.enter(ANN, AWAITED))
        waiting = asyncio.ensure_future(all_sent(places, hours, done, BOB, BOB))
        await others_come_in()
        given_up.cancel()
        await others_come_in()
        places.leave(first)
        await waiting
        assert places.free == 1

    assert told(story) == [BOB, BOB]


def test_nothing_waits_of_sites_that_have_given_up() -> None:
    """Whoever left a place looked through all of them at once, each of four thousand beside all others: for seconds."""

    async def story(places: Turns, hours: Hours, done: list[str]) -> None:
        first = await places.enter(ANN)
        crowd = [asyncio.ensure_future(places.enter(f"198.51.100.{number}")) for number in range(100)]
        waiting = asyncio.ensure_future(all_sent(places, hours, done, BOB))
        await others_come_in()
        for given_up in crowd:
            given_up.cancel()
        await others_come_in()
        assert list(places._queues) == [(OTHERS, BOB)]
        assert list(places._sites[OTHERS].waiting) == [BOB]
        places.leave(first)
        await waiting
        assert places.free == 1

    assert told(story) == [BOB]
