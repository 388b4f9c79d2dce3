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
from games.ranking import Rank, ranking, ranks

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


class Row(Struct, frozen=True):
    """The result of a seat."""

    seat: int
    total: int
    rank: int


class Scores(Struct, frozen=True):
    """All results, the places, and the seats in the first."""

    scores: tuple[Row, ...]
    ranking: tuple[Rank, ...]
    winners: Cards


class GameEnded(Scores, Event, frozen=True):
    """The fields of `Scores`."""


class State(Struct, frozen=True):
    """Everything. A bid stays in the hand until it is compared; `played` and `won` are the earlier bids and prizes."""

    options: Options
    prizes: Cards
    hands: tuple[Cards, ...]
    bids: tuple[int | None, ...]
    played: tuple[Cards, ...]
    won: tuple[Cards, ...]
    at_stake: Cards = ()
    aside: Cards = ()
    phase: Literal["bid", "over"] = "bid"


class View(Struct, frozen=True):
    """What a seat (null: a spectator) may know: hands and bids of others are null, and so are prizes to come."""

    game: str
    players: int
    seat: int | None
    to_act: Cards
    over: bool
    options: Options
    prizes: Cards | None
    hands: tuple[Cards | None, ...]
    bids: tuple[int | None, ...]
    played: tuple[Cards, ...]
    won: tuple[Cards, ...]
    at_stake: Cards
    aside: Cards


def at(rows: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    """Returns the rows with another value for a seat."""
    return (*rows[: seat - 1], value, *rows[seat:])


def evolve(before: State | None, event: Any) -> State:
    """Returns the state after an event; decides nothing."""
    state: State = before  # type: ignore[assignment] # None only before the first event
    match event:
        case GameStarted(players=seats):
            nothing = ((),) * seats
            return State(event.options, event.prizes, event.hands, (None,) * seats, nothing, nothing)  # type: ignore[arg-type]
        case PrizeTurned():
            return replace(state, prizes=state.prizes[1:], at_stake=(*state.at_stake, event.prize))
        case BidMade():
            return replace(state, bids=at(state.bids, event.seat, event.card))
        case BidsCompared():
            return _compared(state, event)
    return replace(state, phase="over")


def _compared(state: State, event: BidsCompared) -> State:
    winner, pairs = event.winner, list(zip(event.bids, state.hands, state.played, strict=True))
    return replace(
        state,
        hands=tuple(tuple(card for card in hand if card != bid) for bid, hand, _ in pairs),
        bids=(None,) * len(pairs),
        played=tuple((*played, bid) for bid, _, played in pairs),
        won=at(state.won, winner, state.won[winner - 1] + event.prizes) if winner else state.won,
        at_stake=event.prizes if event.carried else (),
        aside=state.aside if winner or event.carried else state.aside + event.prizes,
    )


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
    totals = {seat: sum(won) for seat, won in enumerate(state.won, 1)}
    places = ranking(rank_of := ranks(totals))
    return Scores(tuple(Row(seat, total, rank_of[seat]) for seat, total in totals.items()), places, places[0].seats)


def view(state: State, seat: int | None, *, is_open: bool = False) -> View:
    """Returns what a seat may know (GO-3.4)."""
    numbers, everything = range(1, len(state.hands) + 1), is_open or state.phase == "over"
    return View(
        game=game.slug,
        players=len(numbers),
        seat=seat,
        to_act=to_act(state),
        over=state.phase == "over",
        options=state.options,
        prizes=state.prizes if everything else None,
        hands=tuple(state.hands[n - 1] if everything or n == seat else None for n in numbers),
        bids=tuple(state.bids[n - 1] if everything or n == seat else None for n in numbers),
        played=state.played,
        won=state.won,
        at_stake=state.at_stake,
        aside=state.aside,
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
            cards = chance("imagine_hand", left, DEALT - len(seen.played[number]))
            hands[number], bids[number] = tuple(sorted(cards)), None if number + 1 in seen.to_act else cards[0]
    known = {*seen.at_stake, *seen.aside, *(prize for won in seen.won for prize in won)}
    unseen = [prize for prize in PRIZES if prize not in known]
    prizes = chance("imagine_prizes", unseen, len(unseen)) if seen.prizes is None else seen.prizes
    table = (seen.played, seen.won, seen.at_stake, seen.aside)
    return State(seen.options, prizes, tuple(hands), tuple(bids), *table, "over" if seen.over else "bid")


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
    open_view=partial(view, seat=None, is_open=True),
    readers=readers,
    imagine=imagine,
    census=census,
)
