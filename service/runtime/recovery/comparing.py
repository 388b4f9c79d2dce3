"""What copies of a table say together: what the store has lost, where histories part, and what can be brought back."""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from service.runtime.recovery.holdings import NOTHING, Holdings, parting

STORE = "the store"

State = Literal["ahead", "fork", "lost", "damaged", "unread", "restored", "left"]


class Finding(NamedTuple):
    """What is said of a table: by whom, and which versions it concerns (0: none)."""

    state: State
    table: str
    source: str
    first: int
    last: int
    told: str


class Comparison(NamedTuple):
    """A table in the store, and in the other sources by their names."""

    table: str
    store: Holdings
    others: Mapping[str, Holdings]

    @property
    def whole(self) -> dict[str, Holdings]:
        """The sources that hold a record of the table."""
        return {name: held for name, held in self.others.items() if held.chain}

    @property
    def ahead(self) -> dict[str, Holdings]:
        """The sources whose history begins with all of the store's and goes on."""
        length = self.store.length
        return {
            name: held
            for name, held in self.whole.items()
            if held.length > length and parting(self.store, held) is None
        }

    @property
    def longest(self) -> str | None:
        """The source to bring back from: the longest one ahead, if all of those that are ahead are its beginning."""
        if self.store.fault or not (ahead := self.ahead):
            return None
        name = max(ahead, key=lambda one: ahead[one].length)
        return None if any(parting(ahead[name], held) for held in ahead.values()) else name


def findings(compared: Comparison) -> Iterator[Finding]:
    """All that is to be said of a table; nothing if the store holds all that anybody knows."""
    yield from _damage(compared)
    if not compared.store.fault:
        yield from _forks(compared)
        yield from _ahead(compared)
    yield from _lost(compared)


def _damage(compared: Comparison) -> Iterator[Finding]:
    table, store = compared.table, compared.store
    if store.fault:
        whole = compared.whole
        best = max(whole, key=lambda name: whole[name].length, default=None)
        told = f"{best} holds it whole to version {whole[best].length}" if best else "no source holds it whole"
        yield Finding("damaged", table, STORE, 0, whole[best].length if best else 0, f"{store.fault}; {told}")
    for name, held in compared.others.items():
        if held.fault:
            yield Finding("damaged", table, name, 0, 0, f"{held.fault}; it is not used")


def _forks(compared: Comparison) -> Iterator[Finding]:
    """Histories that part from the store's, or where they are ahead of it from the longest one."""
    ahead = compared.ahead
    longest = max(ahead, key=lambda name: ahead[name].length, default=None)
    for name, held in compared.whole.items():
        against, other = (longest, ahead[longest]) if longest and name in ahead else (STORE, compared.store)
        if at := parting(other, held):
            told = (
                f"it has {held.place(at)} where {against} has {other.place(at)}, and goes to {held.place(held.length)}"
            )
            yield Finding("fork", compared.table, name, at, held.length, told + _acknowledged(compared, held, at))
    yield from _contradicted(compared)


def _acknowledged(compared: Comparison, held: Holdings, parts: int) -> str:
    """Up to where receipts tell of this very history."""
    marks = (mark for other in compared.others.values() for mark in other.marks)
    known = [mark.version for mark in marks if mark.version >= parts and held.has(mark)]
    return f"; version {max(known)} of it was acknowledged" if known else ""


def _contradicted(compared: Comparison) -> Iterator[Finding]:
    """Receipts for versions that the store, or a copy, has otherwise, and that no source has as they say."""
    whole = {STORE: compared.store} | compared.whole
    for name, held in compared.others.items():
        for mark in sorted(held.marks, key=lambda mark: mark.version):
            against = next((one for one, has in whole.items() if has.length >= mark.version), None)
            if against and not any(has.has(mark) for has in whole.values()):
                version = mark.version
                words = f"version {version} was acknowledged with another hash than {against}'s, and no source holds it"
                yield Finding("fork", compared.table, name, version, version, words)
                break


def _ahead(compared: Comparison) -> Iterator[Finding]:
    if name := compared.longest:
        first, last = compared.store.length + 1, compared.ahead[name].length
        whose = (
            f"the store's history to version {first - 1} is its beginning" if first > 1 else "the store has none of it"
        )
        yield Finding("ahead", compared.table, name, first, last, f"it holds versions {first} to {last}; {whose}")


def _lost(compared: Comparison) -> Iterator[Finding]:
    """Versions behind all that any source holds of which a receipt tells."""
    length = max((held.length for held in (compared.store, *compared.whole.values())), default=0)
    for name, held in compared.others.items():
        last = max((mark.version for mark in held.marks), default=0)
        if last > length:
            told = f"versions {length + 1} to {last} were acknowledged, and no source holds them"
            yield Finding("lost", compared.table, name, length + 1, last, told)


def absent(table: str, others: Mapping[str, Holdings]) -> Comparison:
    """A table that the store does not have."""
    return Comparison(table, NOTHING, others)
