"""Goofspiel: prizes are turned up one by one, and everybody bids one secret card for each. `rules.md` has the rules."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import astuple, replace

from games import deciding
from games.deciding import Attempt, check_turn
from games.from_json import move_from
from games.house_rules import check_players, options_from, options_of
from games.kernel import Chance, Event, Game, Move, MoveRefused, Transition
from games.ranking import Scores, scores_of

SUIT, DEALT, PRIZES = tuple(range(1, 14)), 10, tuple(range(1, 11))
Cards = tuple[int, ...]


class Options(Struct, frozen=True):
    """House rules: the values of each, its ruling, and the events in which everybody can see what it does."""

    tie: Annotated[Literal["discard", "carry"], "GO-R1", ("BidsCompared",)] = "discard"


class Bid(Move, frozen=True):
    """The only kind of move."""

    card: int


class GameStarted(Event, frozen=True):
    """Nobody may read the order of the prizes and the hands here; a seat sees its own hand."""

    players: int
    options: Options
    prizes: Cards | UnsetType = UNSET
    hands: tuple[Cards, ...] | UnsetType = UNSET


class PrizeTurned(Event, frozen=True):
    """A prize is at stake, with those that were carried over."""

    prize: int


class BidMade(Event, frozen=True):
    """Only the seat may read the card, until all bids are compared."""

    seat: int
    card: int | UnsetType = UNSET


class BidsCompared(Event, frozen=True):
    """An adjudication: the bids by seat, the prizes at stake, and who wins them; if nobody, they may be carried."""

    rules: tuple[str, ...]
    bids: Cards
    prizes: Cards
    winner: int | None
    carried: bool = False


class GameEnded(Scores, Event, frozen=True):
    """The fields of `Scores`."""


class Table(Struct, frozen=True, kw_only=True):
    """What everybody may know: earlier bids and prizes won, by seat; the prizes at stake, and those laid aside."""

    options: Options
    played: tuple[Cards, ...]
    won: tuple[Cards, ...]
    at_stake: Cards = ()
    aside: Cards = ()


class State(Table, frozen=True, kw_only=True):
    """Everything."""

    prizes: Cards
    hands: tuple[Cards, ...]
    bids: tuple[int | None, ...]
    phase: Literal["bid", "over"] = "bid"


class View(Table, frozen=True, kw_only=True):
    """What a seat (null: a spectator) may know: hands and bids of others are null, and so are prizes to come."""

    game: str
    players: int
    seat: int | None
    to_act: Cards
    over: bool
    prizes: Cards | None
    hands: tuple[Cards | None, ...]
    bids: tuple[int | None, ...]


def public(table: Table) -> dict[str, Any]:
    """Returns the fields that everybody may know."""
    return {name: getattr(table, name) for name in Table.__struct_fields__}


def at(rows: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    """Returns the rows with another value for a seat."""
    return (*rows[: seat - 1], value, *rows[seat:])


def evolve(before: State | None, event: Any) -> State:
    """Returns the state after an event; decides nothing."""
    state: State = before  # type: ignore[assignment] # None only before the first event
    match event:
        case GameStarted(players=n):
            secrets: Any = {"prizes": event.prizes, "hands": event.hands, "bids": (None,) * n}
            return State(options=event.options, played=((),) * n, won=((),) * n, **secrets)
        case PrizeTurned():
            return replace(state, prizes=state.prizes[1:], at_stake=(*state.at_stake, event.prize))
        case BidMade(seat=seat):
            hand = tuple(card for card in state.hands[seat - 1] if card != event.card)
            return replace(state, hands=at(state.hands, seat, hand), bids=at(state.bids, seat, event.card))
        case BidsCompared(winner=winner, prizes=prizes, carried=carried):
            played = tuple((*cards, bid) for cards, bid in zip(state.played, event.bids, strict=True))
            won = at(state.won, winner, state.won[winner - 1] + prizes) if winner else state.won
            aside = state.aside if winner or carried else state.aside + prizes
            state = replace(state, played=played, won=won, aside=aside, at_stake=prizes if carried else ())
            return replace(state, bids=(None,) * len(played))
    return replace(state, phase="over")


def outcomes(_state: State, event: Any) -> Sequence[Any]:
    """Returns what else could have been decided of the same bids."""
    if not isinstance(event, BidsCompared):
        return ()
    winners = [seat for seat in (*range(1, len(event.bids) + 1), None) if seat != event.winner or event.carried]
    return [replace(event, winner=seat, carried=False) for seat in winners]


class Scribe(deciding.Scribe[State]):
    """Collects the events of a decision."""

    evolve, outcomes = staticmethod(evolve), staticmethod(outcomes)


def read_options(raw: Any, players: int) -> Options:
    """Reads house rules; raises `OptionsRefused`."""
    check_players(players, game.players, "two to four can play")
    return options_from(raw, Options)


def start(players: int, options: Options, chance: Chance) -> Transition[State]:
    """Shuffles the prizes, deals, and turns up the first prize (GO-2.1 to GO-2.3)."""
    scribe = Scribe(None)
    hands = tuple(tuple(sorted(chance("deal", SUIT, DEALT))) for _ in range(players))
    scribe.write(GameStarted(players, options, chance("shuffle", PRIZES, len(PRIZES)), hands))
    scribe.write(PrizeTurned(scribe.state.prizes[0]))
    return scribe.transition()


def to_act(state: State) -> Cards:
    """Returns the seats that have not bid (GO-3.1)."""
    return () if state.phase == "over" else tuple(seat for seat, bid in enumerate(state.bids, 1) if bid is None)


def legal_moves(state: State, seat: int) -> list[Any]:
    """Returns a bid for each card in hand."""
    return [Bid(card) for card in state.hands[seat - 1]] if seat in to_act(state) else []


def play(state: State, seat: int, move: Any, _: Chance, corrected: Any = None) -> Transition[State]:
    """Makes a bid. The last one compares all, and turns up the next prize or ends the game."""
    bid = game.read_move(move)
    check_turn("GO", state, Attempt(seat, bid, len(state.hands)), in_phase=True, to_act=to_act(state))
    if bid.card not in state.hands[seat - 1]:
        raise MoveRefused("GO-4.2", f"{bid.card} is not in hand")
    scribe = Scribe(state, corrected)
    scribe.write(BidMade(seat, bid.card))
    if not to_act(scribe.state):
        scribe.write(compared(scribe.state))
        ends = not scribe.state.prizes
        scribe.write(GameEnded(*astuple(scores(scribe.state))) if ends else PrizeTurned(scribe.state.prizes[0]))
    return scribe.transition()


def compared(state: State) -> BidsCompared:
    """Returns who wins (GO-3.2), or that the highest bid is tied (GO-3.3), with what then becomes of the prizes."""
    bids: Any = state.bids
    highest = [seat for seat, bid in enumerate(bids, 1) if bid == max(bids)]
    if len(highest) == 1:
        return BidsCompared(("GO-3.2",), bids, state.at_stake, highest[0])
    return BidsCompared(("GO-3.3", "GO-R1"), bids, state.at_stake, None, state.options.tie == "carry")


def scores(state: State) -> Scores:
    """Returns the sums of the prizes won (GO-6.1)."""
    return scores_of({seat: sum(won) for seat, won in enumerate(state.won, 1)})


def view(state: State, seat: int | None, *, everything: bool = False) -> View:
    """Returns what a seat may know (GO-3.4)."""
    over = state.phase == "over"
    sees = {number for number in range(1, len(state.hands) + 1) if everything or over or number == seat}
    return View(
        **public(state),
        game=game.slug,
        players=len(state.hands),
        seat=seat,
        to_act=to_act(state),
        over=over,
        prizes=state.prizes if everything or over else None,
        hands=tuple(hand if number in sees else None for number, hand in enumerate(state.hands, 1)),
        bids=tuple(bid if number in sees else None for number, bid in enumerate(state.bids, 1)),
    )


def readers(_: State | None, event: Any) -> dict[str, list[int]]:
    """Returns the secret fields of an event, each with the seats that may read it before the end."""
    match event:
        case GameStarted():
            return {"prizes": [], "hands": []}
        case BidMade():
            return {"card": [event.seat]}
    return {}


def imagine(seen: View, _: Any, chance: Chance) -> State:
    """Returns a state that agrees with what a seat knows; its hidden cards and prizes are drawn."""
    hands, bids = list[Any](seen.hands), list(seen.bids)
    for number, hand in enumerate(hands):
        if hand is None:
            left = [card for card in SUIT if card not in seen.played[number]]
            bid, *rest = chance("imagine_hand", left, DEALT - len(seen.played[number]))
            has_bid = number + 1 not in seen.to_act
            hands[number], bids[number] = tuple(sorted(rest if has_bid else [bid, *rest])), bid if has_bid else None
    known = {*seen.at_stake, *seen.aside, *(prize for won in seen.won for prize in won)}
    unseen = [prize for prize in PRIZES if prize not in known]
    prizes = chance("imagine_prizes", unseen, len(unseen)) if seen.prizes is None else seen.prizes
    phase: Any = "over" if seen.over else "bid"
    return State(**public(seen), prizes=prizes, hands=tuple(hands), bids=tuple(bids), phase=phase)


def census(state: State) -> Any:
    """Returns all prizes, wherever they are."""
    return sorted([*state.prizes, *state.at_stake, *state.aside, *(prize for won in state.won for prize in won)])


game = Game[State, Bid, Event, View](
    package=__name__,
    slug="goofspiel",
    title="Goofspiel",
    credits="A game of bidding, known since the 1930s.",
    prefix="GO",
    rules_version=1,
    players=(2, 3, 4),
    options=options_of(Options),
    moves=(Bid,),
    move_sets=(),
    events=(GameStarted, PrizeTurned, BidMade, BidsCompared, GameEnded),
    state_type=State,
    view_type=View,
    hidden=("hands", "bids", "prizes"),
    read_options=read_options,
    read_move=partial(move_from, union=Bid, rule="GO-4.1a"),
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    outcomes=outcomes,
    evolve=evolve,
    scores=scores,
    view=view,
    open_view=partial(view, seat=None, everything=True),
    readers=readers,
    imagine=imagine,
    census=census,
)
