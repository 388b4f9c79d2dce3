"""Whoever has invited is told by the inbox's stream what became of that: each reply once, and nobody else."""

import contextlib
from collections.abc import Iterator

import pytest

from service.accounts.accounts import key_of
from tests.service.api.test_invitations import answer, invited, opened
from tests.service.api.world import Somebody, World, accepted, embedded_store
from tests.service.sse import Frame, Stream
from tests.service.web import serving

SILENCE = 100  # signs of life in a row


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    with embedded_store() as url:
        yield url


@pytest.fixture(scope="module")
def world(store: str) -> Iterator[World]:
    with contextlib.closing(World(store)) as found:
        yield found


@pytest.fixture(scope="module")
def address(store: str) -> Iterator[str]:
    """A web server whose streams look often whether there is something that they were not woken for."""
    with serving(store, "-m", "tests.service.quick") as found:
        yield found


@contextlib.contextmanager
def inbox(address: str, who: Somebody, last: Frame | None = None) -> Iterator[Iterator[Frame]]:
    """The news of somebody's inbox, behind the last frame that was read."""
    headers = {"Last_Event_ID": str(last.place)} if last else {}
    with contextlib.closing(Stream(address, None, who.token, **headers)) as stream:
        assert stream.status == 200
        yield telling(stream.frames)


def telling(frames: Iterator[Frame]) -> Iterator[Frame]:
    """The frames that tell something; fails when nothing comes but many signs of life."""
    silent = 0
    for frame in frames:
        silent = 0 if frame.event else silent + 1
        assert silent < SILENCE
        if frame.event:
            yield frame


def sits(who: Somebody, path: str, link: str, seat: int = 2) -> None:
    """Accepts an invitation."""
    accepted(who.post(f"{path}/seats/{seat}", {"invitation": link.rpartition("/")[2]}))


def told(frame: Frame) -> tuple[str | None, str, str | None]:
    return frame.event, frame.data["state"], frame.data["player"]


def test_whoever_has_invited_is_told_what_became_of_it(world: World, address: str) -> None:
    """That it was seen is not told; declined and then accepted are two replies, as the list tells them."""
    ann, bea = world.somebody("Ann"), world.somebody("Bea")
    link = invited(ann, path := opened(ann, 3))
    with inbox(address, ann) as news:
        accepted(answer(world.nobody, link, "seen"))
        accepted(answer(world.nobody, link, "declined"))
        first = next(news)
        sits(bea, path, link)
        second = next(news)
    name = link.rpartition("/")[2]
    assert [told(first), told(second)] == [("invitation", "declined", None), ("invitation", "accepted", bea.player)]
    [listed] = accepted(ann.get(f"{path}/invitations"))["invitations"]
    assert second.data == {field: listed[field] for field in second.data}
    assert str(first.place).startswith(f"{name}/declined/")


def test_a_reply_is_told_once_across_a_cut(world: World, address: str) -> None:
    """Whoever names the last frame, of whatever kind, is told what came behind it; whoever names none, what stands."""
    ann, bea = world.somebody("Ann"), world.somebody("Bea")
    links = [invited(ann, path := opened(ann, 3)) for _ in range(3)]
    accepted(answer(world.nobody, links[0], "declined"))
    with inbox(address, ann) as news:
        first = next(news)
        table = world.open(ann, bea, game="manitou")
        last = next(news)
    assert (last.event, last.data["table"]) == ("decision", table)
    accepted(answer(world.nobody, links[1], "declined"))
    world.catch_up()
    with inbox(address, ann, last) as news:
        again, second = next(news), next(news)
    assert (again.data, second.data["invitation"]) == (last.data, links[1].rpartition("/")[2])
    with inbox(address, ann, second) as news:
        assert next(news).data == again.data
        accepted(answer(world.nobody, links[2], "declined"))
        third = next(news)
    assert third.data["invitation"] == links[2].rpartition("/")[2]
    with inbox(address, ann) as news:
        assert [next(news).data for _ in range(4)] == [last.data, first.data, second.data, third.data]
    assert path


def test_only_what_stands_is_told(world: World, address: str) -> None:
    """Not what was withdrawn, and not that somebody declined who has accepted since."""
    ann, bea = world.somebody("Ann"), world.somebody("Bea")
    gone, kept = invited(ann, path := opened(ann, 3)), invited(ann, path)
    for link in (gone, kept):
        accepted(answer(world.nobody, link, "declined"))
    assert ann.delete(gone).status_code == 204
    sits(bea, path, kept)
    with inbox(address, ann) as news:
        assert told(next(news)) == ("invitation", "accepted", bea.player)


@pytest.mark.parametrize("how", ["blocked", "erased"])
def test_who_was_blocked_or_erased_is_not_told(world: World, address: str, how: str) -> None:
    ann, bea = world.somebody("Ann"), world.somebody("Bea")
    first, second = invited(ann, path := opened(ann, 3)), invited(ann, path)
    sits(bea, path, first)
    if how == "blocked":
        assert bea.send("PUT", f"/v1/players/me/blocks/{ann.player}").status_code == 204
    else:
        world.catch_up()
        assert bea.delete("/v1/players/me").status_code == 204
    accepted(answer(world.nobody, second, "declined"))
    with inbox(address, ann) as news:
        assert told(next(news)) == ("invitation", "declined", None)


def test_replies_are_nobody_else_s_and_need_the_scope_that_lists_them(world: World, address: str) -> None:
    """A token that only watches is told of decisions alone, as it may not list invitations."""
    ann, bea = world.somebody("Ann"), world.somebody("Bea")
    accepted(answer(world.nobody, invited(ann, opened(ann)), "declined"))
    with inbox(address, world.again(ann, ["watch"])) as watching, inbox(address, bea) as others:
        table = world.open(ann, bea, game="manitou")
        assert [next(news).data["table"] for news in (watching, others)] == [table, table]


def test_an_account_that_ends_takes_its_replies_along(world: World) -> None:
    ann = world.somebody("Ann")
    accepted(answer(world.nobody, invited(ann, opened(ann)), "declined"))
    client, key = world.services.people.replies._client, key_of("replies", str(ann.player))
    assert client.xlen(key) == 1
    assert client.pttl(key) > 0
    assert ann.delete("/v1/players/me").status_code == 204
    assert not client.exists(key)
