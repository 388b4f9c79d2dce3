"""Raids, coups, horses and prestige."""

from typing import Literal

from games.kernel import Event
from games.plenty_coups.events.rows import Cards, HerdRow, Rules, Seat


class RaidDrivenOff(Event, frozen=True, gc=False):
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
    seat: int
    tribe: str
    target: str
    cards: Cards
    printed: int
    bonus: int
    attack: int
    marker: Literal["raid", "prestige"]
    rules: Rules


class RaidReturned(Event, frozen=True, gc=False):
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
    seat: int
    tribe: str
    occasion: Literal["raid", "defence"]
    against: str
    rules: Rules


class RaidRepelled(Event, frozen=True, gc=False):
    seat: int
    tribe: str
    raider: str
    weapons: Cards
    defence: int
    cards: Cards
    attack: int
    printed: int
    marker: Literal["raid", "prestige"]
    coup_open: bool
    rules: Rules


class RaidBoughtOff(Event, frozen=True, gc=False):
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
    seat: Seat
    tribe: str
    target: str
    cards: Cards
    marker: Literal["raid", "prestige"]
    rules: Rules


class HorseBred(Event, frozen=True, gc=False):
    seat: int
    tribe: str
    herd: int
    plain: int


class HorsesDonated(Event, frozen=True, gc=False):
    seat: int
    tribe: str
    to: str
    discarded: str
    horses: int
    herds_before: tuple[HerdRow, ...]
    herds: tuple[HerdRow, ...]
    rules: Rules


class PrestigeGained(Event, frozen=True, gc=False):
    seat: Seat
    tribe: str
    reason: Literal["raid_coup", "defence_coup", "alliance", "donation"]
    before: int
    after: int
    marker: str
    rules: Rules


class PrestigeLost(Event, frozen=True, gc=False):
    seat: Seat
    tribe: str
    reason: Literal["disdained", "disdained_ally"]
    before: int
    after: int
    marker: str
    rules: Rules
