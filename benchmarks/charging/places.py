"""The dearest places that anybody can make: tables, accounts, texts and lists, by kind.

What a request needs to be about a place stands in its names, such as `table`, `version` or `dispute`.
"""

import re
from collections.abc import Callable, Iterator

from benchmarks.charging.hall import Hall
from benchmarks.charging.long_tables import LONG, OF_ONE_GAME
from benchmarks.charging.place import Place, Size, table_place
from events.clocks import TimeControl
from events.lifecycle import DisputeRules, SeatOffer
from games import GAMES
from rulings.cases import cases
from rulings.notation import document_of, write
from service.tables.lessons import open_lesson
from service.tables.opening import Opening, open_table
from worker.players.finding import iterations

LONGEST = 60_000  # characters of a text
VARIATIONS = 300


def _sizes(size: Size) -> Iterator[tuple[str, int]]:
    """Games with as few and as many seats as they allow."""
    for slug in size.slugs:
        yield from ((slug, seats) for seats in sorted({min(GAMES[slug].players), max(GAMES[slug].players)}))


# --- games as they are played ---


def finished(hall: Hall, size: Size) -> Iterator[Place]:
    """Of people, and of one among `expert` players."""
    for slug, seats in _sizes(size):
        table = hall.opened(slug, seats)
        hall.play(table)
        yield table_place(hall, f"{slug}/{seats}", table)
        if any(iterations(player, "expert", slug) for player in ("search",)):
            table = hall.opened(slug, 1, ["expert"] * (seats - 1))
            hall.play(table)
            yield table_place(hall, f"{slug}/{seats} experts", table)


def running(hall: Hall, size: Size) -> Iterator[Place]:
    """Near their end."""
    for slug, seats in _sizes(size):
        moves = hall.play(hall.opened(slug, seats))
        table = hall.opened(slug, seats)
        hall.play(table, moves * 4 // 5)
        yield table_place(hall, f"{slug}/{seats} running", table)


# --- as long as anybody can make them ---


def _long(hall: Hall, size: Size, *, over: bool) -> Iterator[Place]:
    for slug in size.slugs:
        for what, make in LONG.items():
            if slug != size.slugs[-1] and what in OF_ONE_GAME:
                continue
            table = make(hall, size, slug)
            if over:
                hall.play(table)
            yield table_place(hall, f"{slug}, {what}{'' if over else ', running'}", table)


def long_finished(hall: Hall, size: Size) -> Iterator[Place]:
    """Such tables when their game is over."""
    return _long(hall, size, over=True)


def long_running(hall: Hall, size: Size) -> Iterator[Place]:
    """Such tables while it goes on."""
    return _long(hall, size, over=False)


# --- branches, lessons, texts ---


def branches(hall: Hall, size: Size) -> Iterator[Place]:
    """Deep ones, each a late branch of the one before, finished and running; and a table with many."""
    for slug in size.slugs:
        seats = max(GAMES[slug].players)
        parent = hall.opened(slug, seats)
        hall.play(parent)
        first, table = parent, parent
        for _ in range(4):
            before, table = table, hall.branch(table, hall.now(table).version * 9 // 10, hall.people[0])
            hall.play(table)
        yield table_place(hall, f"{slug}/{seats}, branch of branches", table, other=first)
        late = hall.branch(before, hall.now(before).version * 9 // 10, hall.people[0])
        yield table_place(hall, f"{slug}/{seats}, late branch, running", late, other=table)
    for number in range(size.branches):
        seen = ("public", "private")[number % 2]
        hall.branch(parent, hall.now(parent).version * 9 // 10, hall.people[number % 2], visibility=seen)
    yield table_place(hall, f"{slug}, many branches", parent, hall.people[2], other=table)


def lessons(hall: Hall, size: Size) -> Iterator[Place]:
    """Played on by takebacks for long."""
    for slug in size.slugs:
        table = open_lesson(hall.handler, hall.sent(hall.people[0]), slug).table.id
        hall.take_back(table, size.consents)
        yield table_place(hall, f"{slug}, lesson", table)


def transcripts(hall: Hall, size: Size) -> Iterator[Place]:
    """The longest game of each kind as a text, and the same with variations as long as a text may be."""
    for slug in size.slugs:
        table = hall.opened(slug, max(GAMES[slug].players))
        hall.play(table)
        text = write(document_of(hall.handler.history(table), None, over=True))
        for what, loaded in (("text", text), ("text with variations", varied(text))):
            body = {"text": loaded[:LONGEST], "visibility": "public"}
            answer = hall.served.open("POST", "/v1/transcripts", hall.people[0].token, json=body)
            if answer.status_code != 201:
                raise RuntimeError(f"{slug}: {answer.get_json()}")
            told = answer.get_json()
            found = {"table": told["table"], "text": text, "game": slug, "version": told["version"], "seat": 1}
            found |= {"middle": told["version"] // 2, "before": max(1, told["version"] - 500), "ruling": 1}
            yield Place(f"{slug}, {what}", found | {"other": told["table"]}, hall.people[0].token)


def varied(text: str) -> str:
    """A text with a variation before each move, as many as there may be: the move itself once more."""
    found, room, left = list[str](), LONGEST - len(text), VARIATIONS
    for block in re.split(r"\n(?=\d+\. )", text):
        if block[0].isdigit() and left and len(block) + 5 < room:
            found.append(f"( {block.rstrip()} )")
            room, left = room - len(block) - 5, left - 1
        found.append(block)
    return "\n".join(found)


# --- waiting tables and disputes that are open ---


def waiting(hall: Hall, size: Size) -> Iterator[Place]:
    """Tables with free seats, to which many are invited: all but the last have declined."""
    for slug in size.slugs:
        opener, seats = hall.people[0], max(GAMES[slug].players)
        offers = (SeatOffer(1, "player", opener.player.id), *(SeatOffer(n, "open") for n in range(2, seats + 1)))
        table = open_table(hall.handler, hall.sent(opener), Opening(slug, offers)).table.id
        for number in range(size.kept):
            body = {"name": f"Bea {number}", "seat": 2}
            made = hall.served.open("POST", f"/v1/tables/{table}/invitations", opener.token, json=body)
            invitation = made.get_json()["invitation"]
            if number < size.kept - 1:
                hall.served.open("POST", f"/v1/invitations/{invitation}/answer", json={"state": "declined"})
        yield table_place(hall, f"{slug}, waiting", table, invitation=invitation)


def disputed(hall: Hall, size: Size) -> Iterator[Place]:
    """Running tables with many comments and a dispute that is open: by vote, and with an arbiter."""
    arbiter = hall.people[5]
    for slug in size.slugs:
        for by in ("vote", "arbiter"):
            rules = DisputeRules(by=by, play="goes_on")
            table = hall.opened(slug, 2, arbiter=arbiter.player.id if by == "arbiter" else None, disputes=rules)
            hall.play(table, 6)
            dispute = hall.dispute(table)
            if dispute:
                hall.comment(table, dispute, size.comments - 40)
                yield table_place(hall, f"{slug}, dispute by {by}", table, arbiter=arbiter.token)


def clocked(hall: Hall, size: Size) -> Iterator[Place]:
    """Tables whose clocks run out."""
    for slug in size.slugs:
        table = hall.opened(slug, 2, clock=TimeControl(5))
        hall.play(table, 4)
        yield table_place(hall, f"{slug}, with clocks", table)


# --- what is no table ---


def games(hall: Hall, size: Size) -> Iterator[Place]:  # noqa: ARG001 - of the rules, which are as long as they are
    """Each game with its rules and cases."""
    for slug in GAMES:
        for name, case in cases(slug).items():
            yield Place(f"{slug}, {name}", {"game": slug, "case": name, "rule_id": case.rule})


def accounts(hall: Hall, size: Size) -> Iterator[Place]:
    """An account with as much as one may have of everything."""
    served, person = hall.served, hall.people[0]
    path = "/v1/players/me"
    for number in range(size.kept):
        other = served.person(f"Tatanka of the Seven Fires {number}")
        served.open("PUT", f"{path}/blocks/{other.player.id}", person.token)
        served.open("POST", f"{path}/tokens", person.token, json={"scopes": ["watch"], "label": "L" * 40})
        for _ in range(10):
            told = {"player": other.player.id, "reason": "abuse", "text": hall.said()[:900]}
            served.open("POST", "/v1/reports", person.token, json=told)
    names = {"player": person.player.id, "other": hall.people[1].player.id, "blocked": other.player.id}
    yield Place("a big account", names, person.token)


def lists(hall: Hall, size: Size) -> Iterator[Place]:
    """Lists and feeds that hold many tables, by somebody who has opened and played most of them."""
    one, two = hall.people[3:5]
    for number in range(size.tables):
        slug = size.slugs[number % len(size.slugs)]
        offers = (SeatOffer(1, "player", one.player.id), SeatOffer(2, "player", two.player.id))
        table = open_table(hall.handler, hall.sent(one), Opening(slug, offers)).table.id
        if number % 4:
            hall.sit(table, 2, two)
        if number % 4 == 1:
            hall.play(table)
    hall.served.catch_up()
    names = {"player": one.player.id, "game": size.slugs[0], "seats": 2}
    yield Place("many tables", names, one.token)


PLACES: dict[str, Callable[[Hall, Size], Iterator[Place]]] = {
    "finished": finished,
    "running": running,
    "long": long_finished,
    "long running": long_running,
    "branches": branches,
    "lessons": lessons,
    "transcripts": transcripts,
    "waiting": waiting,
    "disputed": disputed,
    "clocked": clocked,
    "games": games,
    "accounts": accounts,
    "lists": lists,
}
