"""Laying a card, and the trial of strength that follows (BM-4.5, BM-5.3, BM-5.4)."""

from games.big_manitou import events as ev
from games.big_manitou.components import BEATS, GROUNDS, STRENGTH, GroundNumber
from games.big_manitou.events.rows import Attacker, Defender, SeatCards
from games.big_manitou.options import Options
from games.big_manitou.state import State, seat_of
from games.kernel import MoveRefused
from games.parties import SeatCard
from games.trials import Trial, has_two, hero_of, relation, trial


def vain_is_illegal(options: Options) -> bool:
    """BM-R6: whether a hero may not be laid against a pair that it cannot break."""
    return options.pair_attack_weaker == "illegal"


def bar_to_laying(options: Options, heroes: tuple[SeatCard, ...], seat: int, card: str) -> str | None:
    """The rule that keeps a card of the hand off a ground with these face-up heroes: BM-4.5b, BM-4.5c or none."""
    if not heroes or card in STRENGTH:
        return None
    if heroes[-1].seat == seat:
        return "BM-4.5b" if has_two(False, len(heroes), len(heroes)) else None
    weaker = len(heroes) == 2 and relation(BEATS, hero_of(card), hero_of(heroes[-1].card)) == "defender_beats"
    return "BM-4.5c" if weaker and vain_is_illegal(options) else None


def check_laying(state: State, seat: int, card: str, ground: int) -> None:
    """Refuses with BM-4.5a to BM-4.5c."""
    if card not in seat_of(state, seat).hand:
        raise MoveRefused("BM-4.5a", f"{card} is not in the hand of seat {seat}")
    heroes = state.grounds[ground - 1].heroes
    bar = bar_to_laying(state.options, heroes, seat, card)
    if bar == "BM-4.5b":
        raise MoveRefused(bar, f"seat {seat} already has two face-up heroes on ground {ground}")
    if bar:
        upper = heroes[-1]
        raise MoveRefused(bar, f"{card} is weaker than {upper.card} of seat {upper.seat}'s pair on ground {ground}")


def grounds_for(state: State, seat: int, card: str) -> tuple[GroundNumber, ...]:
    """BM-4.5: the grounds that a card of the hand may be laid on, ascending."""
    if card in STRENGTH:
        return GROUNDS
    numbered = zip(GROUNDS, state.grounds, strict=True)
    return tuple([n for n, ground in numbered if bar_to_laying(state.options, ground.heroes, seat, card) is None])


def can_lay(state: State, seat: int) -> bool:
    """BM-4.4: whether some card of the hand may be laid on some ground."""
    return any(grounds_for(state, seat, card) for card in seat_of(state, seat).hand)


def is_barred_by_pair(state: State, seat: int) -> bool:
    """BM-5.11: whether BM-4.5c forbids some card of the hand on some ground."""
    return any(
        bar_to_laying(state.options, ground.heroes, seat, card) == "BM-4.5c"
        for card in seat_of(state, seat).hand
        for ground in state.grounds
    )


def trial_on(state: State, seat: int, card: str, ground: int) -> ev.TrialOfStrengthResolved | None:
    """BM-5.4: the trial that `card`, just laid, causes; none for a hunter, or where no other seat has a hero."""
    if card in STRENGTH:
        return None
    heroes = state.grounds[ground - 1].heroes
    defenders = tuple([laid.card for laid in heroes if laid.seat != seat])
    if not defenders:
        return None
    found = trial(BEATS, card, defenders)
    defender = SeatCard(heroes[0].seat, found.defender)
    down = (SeatCard(seat, card),) * found.attacker_down + (defender,) * found.defender_down
    standing = [laid for laid in heroes if laid not in down]
    return ev.TrialOfStrengthResolved(
        hunt=state.hunt,
        ground=ground,
        contest=found.contest,
        attacker=Attacker(seat, card, hero_of(card)),
        defender=Defender(defender.seat, defender.card, hero_of(defender.card), found.protected),
        relation=found.relation,
        turned_down=down,
        face_up_after=SeatCards(standing[0].seat, tuple([laid.card for laid in standing])) if standing else None,
        rules=trial_rules(found, {hero_of(card), hero_of(defender.card)}),
    )


def trial_rules(found: Trial, heroes: set[str]) -> tuple[str, ...]:
    """BM-5.11, the row of `TrialOfStrengthResolved`; only what the source does not tell of who beats whom is BM-R2."""
    rules = ["BM-5.4"]
    if len(heroes) == 2 and "sorcerer" not in heroes and heroes != {"chief", "matriarch"}:
        rules.append("BM-R2")
    rules.append("BM-5.4a" if found.contest == "single" else "BM-5.4b")
    if found.contest == "single" and found.relation == "identical":
        rules.append("BM-R26")
    if found.contest == "pair" and found.relation == "defender_beats":
        rules.append("BM-R6")
    return tuple(rules)
