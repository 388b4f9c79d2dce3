"""Tables as long as anybody can make them."""

from collections.abc import Callable

from benchmarks.charging.hall import Hall
from benchmarks.charging.place import Size
from events.lifecycle import SeatOffer
from games import GAMES
from service.tables.opening import Opening, open_table


def _commented(hall: Hall, size: Size, slug: str) -> str:
    """One dispute with as many comments as there may be, and votes that change until the table is full."""
    table = hall.opened(slug, 2)
    hall.play(table, 6)
    if dispute := hall.dispute(table):
        hall.comment(table, dispute, size.comments)
        hall.vote(table, dispute, [1] * (size.events - hall.now(table).version), overturn=True)
        hall.vote(table, dispute, [2], overturn=False)
    return table


def _seated(hall: Hall, size: Size, slug: str) -> str:
    """A seat is taken and left until the table is full, before the game begins; with two seats it begins at once."""
    (opener, guest, *others), seats = hall.people, max(GAMES[slug].players)
    offers = (SeatOffer(1, "player", opener.player.id), *(SeatOffer(seat, "open") for seat in range(2, seats + 1)))
    table = open_table(hall.handler, hall.sent(opener), Opening(slug, offers)).table.id
    for _ in range(size.events // 2 if seats > 2 else 0):
        hall.sit(table, 2, guest)
        hall.leave(table, 2, guest)
    for seat, person in enumerate([guest, *others][: seats - 1], 2):
        hall.sit(table, seat, person)
    hall.play(table, 10)
    return table


def _alone(hall: Hall, size: Size, slug: str) -> str:
    """Somebody among AI players takes moves back as often as it goes."""
    table = hall.opened(slug, 1, ["uniform"] * (max(GAMES[slug].players) - 1))
    hall.take_back(table, size.takebacks)
    return table


def _agreed(hall: Hall, size: Size, slug: str) -> str:
    """Two people let each other take moves back."""
    table = hall.opened(slug, 2)
    hall.take_back(table, size.consents)
    return table


def _imagined(hall: Hall, size: Size, slug: str) -> str:
    """Many people do, late in the game, where it takes worlds to see who has learned something."""
    seats = max(GAMES[slug].players)
    table = hall.opened(slug, seats)
    hall.play(table, 20 * seats)
    hall.take_back(table, size.worlds)
    return table


def _overturned(hall: Hall, size: Size, slug: str) -> str:
    """Rulings are overturned again and again."""
    table = hall.opened(slug, 2)
    hall.play(table, 6)
    hall.settle(table, 2, size.disputes, overturn=True)
    return table


def _upheld(hall: Hall, size: Size, slug: str) -> str:
    """Rulings are disputed as often as there are some."""
    table = hall.opened(slug, 2)
    hall.settle(table, 2, size.disputes, overturn=False)
    return table


LONG: dict[str, Callable[[Hall, Size, str], str]] = {
    "comments and votes": _commented,
    "seats taken and left": _seated,
    "takebacks alone": _alone,
    "takebacks of two": _agreed,
    "takebacks of many": _imagined,
    "disputes overturned": _overturned,
    "disputes upheld": _upheld,
}


OF_ONE_GAME = ("comments and votes", "seats taken and left")  # these events are the same in all games
