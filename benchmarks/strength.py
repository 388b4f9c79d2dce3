"""How strong the AI levels are, against each other: `make strength`.

Each pairing plays mirrored deals with seats rotated. With more than two seats one seat of the first level plays
against the second at all the others. Every finished game is a line of `benchmarks/results/strength.jsonl`; a later run
plays what is missing there, so that a long run may be spread over days, and what other versions or budgets of the
players did no longer counts. From there the figures go into `service/strength.json`, `docs/strength.svg` and
`benchmarks/results/strength.md`. Ratings are OpenSkill's (Plackett and Luce), by game and number of seats.
"""

import argparse
import json
import multiprocessing
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

from tqdm import tqdm

from benchmarks.chances import wilson
from benchmarks.matches import Match, Outcome, mirrored, play
from benchmarks.strength_page import Ratings, Row, aims_table, budgeted, line, plot, rating_table, table
from games import GAMES
from service.levels import LEVELS, STRENGTH
from worker.ai_process import budget

ROOT = Path(__file__).parent.parent
RECORD = ROOT / "benchmarks" / "results" / "strength.jsonl"
PAGE, PLOT = ROOT / "benchmarks" / "results" / "strength.md", ROOT / "docs" / "strength.svg"
PAIRS = (
    ("novice", "uniform"),
    ("greedy", "uniform"),
    ("greedy", "novice"),
    ("skilled", "greedy"),
    ("expert", "greedy"),
    ("expert", "skilled"),
)


class Pairing(NamedTuple):
    """One seat of a level against others of another, at a scale of their budgets."""

    game: str
    players: int
    one: str
    others: str
    scale: float = 1.0


Line = dict[str, Any]  # a finished game


def main() -> None:
    """Plays what is missing, writes and plots."""
    asked = arguments()
    pairings = [
        Pairing(game, players, one, others, asked.scale)
        for game in asked.games
        for players in GAMES[game].players
        if not asked.players or players in asked.players
        for one, others in PAIRS
        if not asked.pairs or f"{one}:{others}" in asked.pairs
    ]
    with multiprocessing.get_context("spawn").Pool(asked.processes) as pool:
        for pairing in pairings:
            add(pool, pairing, asked)
            rows = summaries(record())
            write(rows)
            print(*[line(row) for row in rows if pairing == pairing_of(row)], sep="\n")


def arguments() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--players", nargs="*", type=int, default=[])
    parser.add_argument("--pairs", nargs="*", default=[], help="such as expert:greedy; all by default")
    parser.add_argument("--n", type=int, default=400, help="games of each pairing, those played before included")
    parser.add_argument("--scale", type=float, default=1.0, help="of all budgets")
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--processes", type=int, default=max(1, multiprocessing.cpu_count() // 2))
    return parser.parse_args()


def add(pool: Any, pairing: Pairing, asked: argparse.Namespace) -> None:
    """Plays the games of a pairing that are not recorded, as many as make whole rotations, and records each."""
    deals = [f"{asked.seed}-{number}" for number in range(max(1, asked.n // pairing.players))]
    matches = mirrored(pairing.game, pairing.one, pairing.others, pairing.players, deals, pairing.scale)
    played = {key_of(row) for row in record()}
    missing = [match for match in matches if key_of(told(match)) not in played]
    name = f"{pairing.game} {pairing.players}: {pairing.one} against {pairing.others}"
    with RECORD.open("a") as file:
        for outcome in tqdm(pool.imap_unordered(play, missing), total=len(missing), desc=name, leave=False):
            file.write(json.dumps(recorded(outcome), separators=(",", ":")) + "\n")
            file.flush()


def told(match: Match) -> Line:
    """A match and the players that it asks for, whose decisions depend on version and budget."""
    players = {
        name: [LEVELS[name].player, LEVELS[name].version, int(budget(name, match.game) * match.scale)]
        for name in sorted(set(match.levels))
    }
    return {"game": match.game, "levels": list(match.levels), "seed": match.seed, "scale": match.scale, "by": players}


def recorded(outcome: Outcome) -> Line:
    """A line of the record; times in milliseconds."""
    times = {level: [round(1000 * second, 1) for second in seconds] for level, seconds in outcome.seconds.items()}
    return {**told(outcome.match), "ranks": list(outcome.ranks), "totals": list(outcome.totals), "ms": times}


def record() -> list[Line]:
    """The finished games of the players as they are now."""
    lines = [json.loads(text) for text in RECORD.read_text().splitlines()] if RECORD.exists() else []
    return [
        row for row in lines if all(name in LEVELS for name in row["by"]) and row["by"] == told(match_of(row))["by"]
    ]


def match_of(row: Line) -> Match:
    """The match of a finished game."""
    return Match(row["game"], tuple(row["levels"]), row["seed"], row["scale"])


def key_of(row: Line) -> str:
    """What tells finished games apart."""
    return json.dumps([row[name] for name in ("game", "levels", "seed", "scale", "by")])


def pairing_of(row: Line) -> Pairing:
    """The pairing of a row of figures."""
    return Pairing(*(row[name] for name in Pairing._fields))


def summaries(lines: Sequence[Line]) -> list[Row]:
    """The figures of every pairing, in the order of games, seats and pairings."""
    games: dict[Pairing, list[Line]] = defaultdict(list)
    for row in lines:
        for one, others in PAIRS:
            if sorted(row["levels"]) == sorted([one] + [others] * (len(row["levels"]) - 1)):
                games[Pairing(row["game"], len(row["levels"]), one, others, row["scale"])].append(row)
    order = {pair: number for number, pair in enumerate(PAIRS)}
    ranked = sorted(games, key=lambda p: (list(GAMES).index(p.game), p.players, order[p.one, p.others], p.scale))
    return [summary(pairing, games[pairing]) for pairing in ranked]


def summary(pairing: Pairing, lines: Sequence[Line]) -> Row:
    """A row of the figures."""
    outcomes = [Outcome(match_of(row), tuple(row["ranks"]), tuple(row["totals"]), row["ms"]) for row in lines]
    seats = [outcome.match.levels.index(pairing.one) + 1 for outcome in outcomes]
    share = fmean(outcome.share(seat) for outcome, seat in zip(outcomes, seats, strict=True))
    low, high = wilson(share, len(outcomes))
    times = sorted([ms for outcome in outcomes for ms in outcome.seconds[pairing.one]])
    return {
        **pairing._asdict(),
        "n": len(outcomes),
        "share": round(share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "first": round(fmean(o.ranks[seat - 1] == 1 for o, seat in zip(outcomes, seats, strict=True)), 4),
        "margin": round(fmean(o.margin(seat) for o, seat in zip(outcomes, seats, strict=True)), 2),
        "iterations": lines[0]["by"][pairing.one][2],
        "iterations_of_others": lines[0]["by"][pairing.others][2],
        "ms_median": round(median(times), 1),
        "ms_p95": round(times[int(0.95 * len(times))], 1),
        "seeds": sorted({outcome.match.seed.rsplit("-", 1)[0] for outcome in outcomes}),
    }


def ratings(lines: Sequence[Line]) -> Ratings:
    """Mean and deviation of each level at each budget, by game and number of seats, from all games in their order.

    Every seat is rated by its place; what the seats of one level come to is averaged.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    found: dict[tuple[str, int], dict[str, Any]] = defaultdict(dict)
    for row in lines:
        names = [budgeted(name, row["by"][name][2]) for name in row["levels"]]
        table = found[row["game"], len(names)]
        before = [table.setdefault(name, model.rating()) for name in names]
        after = model.rate([[model.rating(r.mu, r.sigma)] for r in before], ranks=row["ranks"])
        for name in set(names):
            own = [seat[0] for seat, other in zip(after, names, strict=True) if other == name]
            table[name] = model.rating(fmean(r.mu for r in own), fmean(r.sigma for r in own))
    return {key: {name: (r.mu, r.sigma) for name, r in table.items()} for key, table in found.items()}


def write(rows: Sequence[Row]) -> None:
    """Figures, page and plot."""
    told = [json.dumps(measured(row, level)) for row in rows for level in levels_of(row)]
    STRENGTH.write_text("[\n" + ",\n".join(told) + "\n]\n")
    page = PAGE.read_text()
    for name, text in (("aims", aims_table(rows)), ("strength", f"{table(rows)}\n{rating_table(ratings(record()))}")):
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        page = f"{page[: page.index(begin) + len(begin)]}\n\n{text}\n{page[page.index(end) :]}"
    PAGE.write_text(page)
    PLOT.write_text(plot(rows))


def levels_of(row: Row) -> list[str]:
    """The level of a row, and the next lower one where it played with its budget."""
    one = LEVELS[row["one"]]
    return [
        name
        for name, level in LEVELS.items()
        if name == one.level
        or (
            (level.player, level.version) == (one.player, one.version)
            and budget(name, row["game"]) == row["iterations"]
        )
    ]


def measured(row: Row, level: str) -> Row:
    """A row as the service tells it."""
    names = ("game", "players", "share", "low", "high", "margin", "n", "iterations", "ms_median")
    return {"level": level, "against": row["others"]} | {name: row[name] for name in names}


if __name__ == "__main__":
    main()
