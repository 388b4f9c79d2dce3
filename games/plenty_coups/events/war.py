"""Raids, coups, horses and prestige."""

from typing import Literal

from games.kernel import Event
from games.plenty_coups.events.rows import Cards, HerdRow, Rules, Seat


class RaidDrivenOff(Event, frozen=True, gc=False):
    """PC-5.5: a standing raid gives way to a stronger one of another tribe."""

    seat: Seat
    tribe: str
    target: str
    cards: Cards
    attack: int
    printed: int
    by_seat: int
    by_tribe: str
    by_attack: int
    by_printed: int
    rules: Rules


class RaidLaunched(Event, frozen=True, gc=False):
    """PC-5.4, PC-5.5: warriors lie before a camp, with a marker and an attack value fixed from now on."""

    seat: int
    tribe: str
    target: str
    cards: Cards
    printed: int
    bonus: int
    attack: int
    marker: Literal["raid", "prestige"]
    cost: int
    rules: Rules


class RaidReturned(Event, frozen=True, gc=False):
    """PC-5.8: a raid comes home, with a horse if the target had one."""

    seat: int
    tribe: str
    target: str
    cards: Cards
    horses: int
    herds_before: tuple[HerdRow, ...]
    herds: tuple[HerdRow, ...]
    marker: Literal["raid", "prestige"]
    coup: bool
    left_over: bool
    rules: Rules


class CoupMarked(Event, frozen=True, gc=False):
    """PC-5.8: a coup-stick is discarded for a coup, on returning from a raid or in defence."""

    seat: int
    tribe: str
    occasion: Literal["raid", "defence"]
    against: str
    rules: Rules


class RaidRepelled(Event, frozen=True, gc=False):
    """PC-5.8: one weapon or two have sent a raid home without a horse."""

    seat: int
    tribe: str
    raider: str
    weapons: Cards
    defence: int
    cards: Cards
    attack: int
    printed: int
    marker: Literal["raid", "prestige"]
    cost: int
    strictly_greater: bool
    coup_open: bool
    rules: Rules


class RaidBoughtOff(Event, frozen=True, gc=False):
    """PC-R25: a raid leaves with a horse, as the raided tribe proposes an alliance."""

    seat: Seat
    tribe: str
    target: str
    cards: Cards
    horses: int
    herds_before: tuple[HerdRow, ...]
    herds: tuple[HerdRow, ...]
    marker: Literal["raid", "prestige"]
    by_seat: int
    by_tribe: str
    rules: Rules


class RaidLost(Event, frozen=True, gc=False):
    """PC-5.10: a raid that still stands when the game ends brings nothing."""

    seat: Seat
    tribe: str
    target: str
    cards: Cards
    marker: Literal["raid", "prestige"]
    rules: Rules


class HorseBred(Event, frozen=True, gc=False):
    """PC-4.30: a horse card has brought a horse from the plain to the herd."""

    seat: int
    tribe: str
    herd: int
    plain: int


class HorsesDonated(Event, frozen=True, gc=False):
    """PC-5.8: horses given to a tribe whose herd was no larger."""

    seat: int
    tribe: str
    to: str
    discarded: str
    horses: int
    herds_before: tuple[HerdRow, ...]
    herds: tuple[HerdRow, ...]
    rules: Rules


class PrestigeGained(Event, frozen=True, gc=False):
    """PC-5.6: a point gained, and which marker shows it."""

    seat: Seat
    tribe: str
    reason: Literal["raid_coup", "defence_coup", "alliance", "donation"]
    before: int
    after: int
    marker: str
    rules: Rules


class PrestigeLost(Event, frozen=True, gc=False):
    """PC-5.7: a point lost, if there was one, and which marker no longer shows it."""

    seat: Seat
    tribe: str
    reason: Literal["disdained", "disdained_ally"]
    before: int
    after: int
    marker: str
    phase: Literal["actions"] | None
    rules: Rules
