"""Many appends on one connection: each gets its own reply, and what is unknown is said to be unknown."""

import asyncio
import random
import ssl
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from events.envelopes import Head
from events.log import Conflict, Diverged, RequestReused, VersionRange
from events.pipelined import MOST_IN_FLIGHT, MOST_MISSED, PipelinedLog, TooManyInFlight, Unanswered
from events.store import RedisLog, connect
from tests.events.batches import START, batch, tell
from tests.fake_store import HANG_UP, OK, SILENCE, Command, FakeStore

MANY, CANCELLED = 200, 70


def on_a_loop(log: RedisLog, use: Callable[[PipelinedLog], Awaitable[None]]) -> None:
    """Uses a pipelined log, which is closed afterwards."""

    async def used() -> None:
        pipelined = PipelinedLog(log)
        try:
            await use(pipelined)
        finally:
            pipelined.close()

    asyncio.run(used())


def test_it_answers_as_the_log_does(valkey_log: RedisLog) -> None:
    """What was added, a repeat, another body, events missed, another history."""
    first = batch(START, "one", "two", request="r1")
    other = batch(START, "other", request="r2")

    async def use(pipelined: PipelinedLog) -> None:
        assert await pipelined.head("t_one") == START
        assert await pipelined.append("t_one", first) == VersionRange(1, 2)
        assert await pipelined.append("t_one", first) == VersionRange(1, 2, repeated=True)
        with pytest.raises(RequestReused):
            await pipelined.append("t_one", batch(START, "else", request="r1", fingerprint="other"))
        with pytest.raises(Conflict) as conflict:
            await pipelined.append("t_one", other)
        assert conflict.value.missed == valkey_log.read("t_one") == first.events
        await pipelined.append("t_one", batch(first.leads_to, *["more"] * (MOST_MISSED - 1)))
        with pytest.raises(Conflict) as conflict:  # too many to be checked on the loop
            await pipelined.append("t_one", other)
        assert conflict.value.missed == ()
        with pytest.raises(Diverged):
            await pipelined.append("t_one", batch(Head(2, b"x" * 32), "else"))
        assert await pipelined.head("t_one") == valkey_log.head("t_one")

    on_a_loop(valkey_log, use)


def test_whoever_goes_away_takes_no_one_s_reply(valkey_log: RedisLog) -> None:
    """200 in flight at as many tables, of which some are cancelled: every other reply is its own; 512 may wait."""
    tables = [f"t_{number}" for number in range(MANY)]
    heads = {
        table: tell(valkey_log, *(["said"] * (1 + number % 7)), table=table) for number, table in enumerate(tables)
    }

    async def use(pipelined: PipelinedLog) -> None:
        await pipelined.head(tables[0])  # connected
        for seed in range(5):
            rng = random.Random(seed)
            asked = {table: asyncio.ensure_future(pipelined.head(table)) for table in tables}
            await asyncio.sleep(0)  # all are sent
            for table in rng.sample(tables, CANCELLED):
                asked[table].cancel()
            found = await asyncio.gather(*asked.values(), return_exceptions=True)
            for table, head in zip(tables, found, strict=True):
                if not isinstance(head, asyncio.CancelledError):
                    assert head == Head(heads[table][-1].version, heads[table][-1].hash)
        many = [pipelined.head(tables[0]) for _ in range(MOST_IN_FLIGHT + 2)]
        found = await asyncio.gather(*many, return_exceptions=True)
        assert [type(one) for one in found] == [Head] * MOST_IN_FLIGHT + [TooManyInFlight] * 2

    on_a_loop(valkey_log, use)


def test_appends_of_those_who_go_away_are_done_once(valkey_log: RedisLog) -> None:
    """A batch whose sender does not wait any more is recorded, or not, but never in part and never twice."""
    tables = [f"t_{number}" for number in range(MANY)]
    batches = {table: batch(START, "one", "two", table=table, request=table) for table in tables}

    async def use(pipelined: PipelinedLog) -> None:
        asked = {table: asyncio.ensure_future(pipelined.append(table, batches[table])) for table in tables}
        await asyncio.sleep(0.001)
        gone = set(random.Random(1).sample(tables, CANCELLED))
        for table in gone:
            asked[table].cancel()
        await asyncio.gather(*asked.values(), return_exceptions=True)
        for table in tables:
            span = await pipelined.append(table, batches[table])
            assert span[:2] == (1, 2)
            assert span.repeated or table in gone
            assert valkey_log.read(table) == batches[table].events

    on_a_loop(valkey_log, use)


def at(log: RedisLog, fake: FakeStore, url: str = "redis://127.0.0.1:{port}") -> RedisLog:
    """The log, but that it is asked at another address."""
    log.client = connect(url.format(port=fake.port))
    return log


def heads(number: int) -> bytes:
    """The answer to who asks for a head."""
    return b"*2\r\n$3\r\n%03d\r\n$32\r\n%s\r\n" % (number, b"h" * 32)


@pytest.mark.parametrize("broken", [HANG_UP, b"no reply\r\n", SILENCE])
def test_all_that_is_in_flight_on_a_broken_connection_is_unknown(
    valkey_log: RedisLog, broken: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store hangs up, sends nonsense or falls silent; then it is connected to anew, in the end."""
    monkeypatch.setattr("events.pipelined.REST_S", 0.2)
    broke = False

    def answer(_: Command) -> bytes:
        nonlocal broke
        if len(fake.commands) <= 3 or broke:
            return heads(len(fake.commands))
        broke = broken != SILENCE
        return broken

    fake = FakeStore(answer)

    async def served() -> None:
        nonlocal broke
        async with fake.listening():
            pipelined = PipelinedLog(at(valkey_log, fake, "redis://127.0.0.1:{port}?socket_timeout=0.2"))
            answered = [await pipelined.head("t_one") for _ in range(3)]
            found = await asyncio.gather(*(pipelined.head("t_one") for _ in range(40)), return_exceptions=True)
            assert [head.version for head in answered] == [1, 2, 3]
            assert any(isinstance(one, Unanswered) for one in found)
            assert all(isinstance(one, (Unanswered, Head)) for one in found)
            broke, before = True, len(fake.commands)
            if broken == SILENCE:  # nobody else waits as long as those did
                with pytest.raises(Unanswered, match="a moment ago"):
                    await pipelined.head("t_one")
                await asyncio.sleep(0.2)
            assert (await pipelined.head("t_one")).version == before + 1
            assert fake.connections == 2
            pipelined.close()

    asyncio.run(served())


def certificate(directory: Path) -> ssl.SSLContext:
    """A server's, which stands in `directory` as `cert.pem`."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "store")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (directory / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (directory / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(directory / "cert.pem", directory / "key.pem")
    return context


@pytest.mark.parametrize(
    ("url", "greeting"),
    [
        ("redis://127.0.0.1:{port}", []),
        ("redis://:secret@127.0.0.1:{port}/3", [(b"AUTH", b"secret"), (b"SELECT", b"3")]),
        ("redis://us%20er:se%20cret@127.0.0.1:{port}", [(b"AUTH", b"us er", b"se cret")]),
        ("rediss://us:secret@localhost:{port}/2?ssl_ca_certs={ca}", [(b"AUTH", b"us", b"secret"), (b"SELECT", b"2")]),
    ],
)
def test_it_logs_in_as_the_url_says(
    valkey_log: RedisLog, url: str, greeting: list[tuple[bytes, ...]], tmp_path: Path
) -> None:
    def answer(command: Command) -> bytes:
        return OK if command in greeting else heads(7)

    async def served() -> None:
        tls = certificate(tmp_path) if url.startswith("rediss") else None
        async with FakeStore(answer).listening(tls) as fake:
            told = url.replace("{ca}", str(tmp_path / "cert.pem"))
            pipelined = PipelinedLog(at(valkey_log, fake, told))
            assert (await pipelined.head("t_one")).version == 7
            assert fake.commands[:-1] == greeting
            pipelined.close()

    asyncio.run(served())


def test_a_wrong_password_is_no_connection(valkey_log: RedisLog) -> None:
    async def served() -> None:
        async with FakeStore(lambda _: b"-WRONGPASS invalid username-password pair\r\n").listening() as fake:
            pipelined = PipelinedLog(at(valkey_log, fake, "redis://:wrong@127.0.0.1:{port}"))
            with pytest.raises(Unanswered, match="WRONGPASS"):
                await pipelined.head("t_one")
            assert len(fake.commands) == 1

    asyncio.run(served())
