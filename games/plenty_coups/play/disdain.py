"""Disdain and its answers (PC-4.90 to 4.96)."""

from operator import attrgetter

from games.plenty_coups.components import COUP_STICK, WORTHY
from games.plenty_coups.events import DisdainCast, DisdainEndured, WorthProved
from games.plenty_coups.moves import Disdain, EndureDisdain, ProveWorth
from games.plenty_coups.play.alliances import end_alliance
from games.plenty_coups.play.bars import Bar, against, played_along, unbarred
from games.plenty_coups.play.prestige import lose
from games.plenty_coups.play.proposals import withdraw_proposals
from games.plenty_coups.play.scribe import Check, Kind, Scribe, one, when
from games.plenty_coups.state import Camp, State, is_winter, off_herd


def _is_not_winter(state: State, _: Camp, __: Disdain) -> bool:
    return not is_winter(state)


def _stick_in_hand(_: State, camp: Camp, __: Disdain) -> bool:
    return COUP_STICK in camp.hand


def _disdained(state: State, _: Camp) -> list[str]:
    return [camp.tribe for camp in state.camps if camp.disdained]


DISDAIN_BARS = (
    Bar("PC-4.92", _disdained, "a coup-stick of disdain lies on the camp of {target} already"),
    Bar("PC-4.93", played_along, "you would answer for {target} yourself"),
)
DISDAIN = (
    Check("PC-4.90", _is_not_winter, "nobody is disdained in winter"),
    Check("PC-4.91", _stick_in_hand, "disdain needs a coup-stick in hand"),
    *against(DISDAIN_BARS, attrgetter("target")),
)


def _disdain(scribe: Scribe, move: Disdain) -> None:
    """PC-5.8: disdaining one's ally ends the alliance and costs the author a point."""
    state = scribe.state
    camp = scribe.camp
    was_ally = camp.ally == move.target
    harmless = not off_herd(state, move.target) or move.target == state.shared
    rules = (*when(harmless, "PC-R32"), "PC-4.92", "PC-5.8")
    scribe.write(DisdainCast(scribe.seat, camp.tribe, move.target, was_ally, rules))
    if was_ally:
        end_alliance(scribe, camp.tribe, "disdain", COUP_STICK)
        lose(scribe, camp.tribe, "disdained_ally")
        withdraw_proposals(scribe)


def _disdains(state: State, camp: Camp) -> list[Disdain]:
    if not state.actions or is_winter(state) or COUP_STICK not in camp.hand:
        return []
    return [Disdain(target) for target in unbarred(DISDAIN_BARS, state, camp)]


def _is_worthy(_: State, __: Camp, move: ProveWorth) -> bool:
    return move.card in WORTHY


PROVE = (Check("PC-4.95", _is_worthy, "{card} is no coup-stick, weapon or warrior of value 4"),)


def _prove(scribe: Scribe, move: ProveWorth) -> None:
    tribe = scribe.camp.tribe
    rules = (*when(tribe == scribe.state.shared, "PC-R42"), "PC-4.95", "PC-5.8")
    scribe.write(WorthProved(scribe.seat, tribe, move.card, rules))


def _proofs(_: State, camp: Camp) -> list[ProveWorth]:
    return [ProveWorth(card) for card in dict.fromkeys(camp.hand) if card in WORTHY]


def _may_endure(state: State, camp: Camp, _: EndureDisdain) -> bool:
    return state.options.prove_worth == "optional" or WORTHY.isdisjoint(camp.hand)


ENDURE = (Check("PC-4.96", _may_endure, "your hand holds a card that proves worth"),)


def _endure(scribe: Scribe, _: EndureDisdain) -> None:
    state = scribe.state
    tribe = scribe.camp.tribe
    rules = (*when(tribe == state.shared, "PC-R42"), "PC-4.96", "PC-R33", "PC-5.7", "PC-5.8")
    scribe.write(DisdainEndured(scribe.seat, tribe, min(1, off_herd(state, tribe)), rules))
    lose(scribe, tribe, "disdained")


def _endurances(state: State, camp: Camp) -> list[EndureDisdain]:
    move = EndureDisdain()
    return [move] if _may_endure(state, camp, move) else []


KINDS = {
    Disdain: Kind(_disdain, _disdains, DISDAIN, cost=one, other=attrgetter("target")),
    ProveWorth: Kind(_prove, _proofs, PROVE, cards=lambda move: (move.card,)),
    EndureDisdain: Kind(_endure, _endurances, ENDURE),
}
