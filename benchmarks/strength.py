"""How strong the AI levels are, against each other: `make strength`.

Each pairing plays mirrored deals with seats rotated. With more than two seats one seat of the first level plays
against the second at all the others. The results go to `benchmarks/results/strength.json`, and from there into
`service/strength.json`, `docs/players.md` and `docs/strength.svg`. Ratings are OpenSkill's (Plackett and Luce), by game
and number of seats.
"""

import argparse
import json
import multiprocessing
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

from tqdm import tqdm

from benchmarks.chances import wilson
from benchmarks.matches import Match, Outcome, mirrored, play
from games import GAMES
from service.levels import LEVELS, STRENGTH

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "strength.json"
PAGE, PLOT = ROOT / "docs" / "players.md", ROOT / "docs" / "strength.svg"
BEGIN, END = "<!-- strength: begin -->", "<!-- strength: end -->"
PAIRS = (
    ("novice", "uniform"),
    ("greedy", "uniform"),
    ("greedy", "novice"),
    ("skilled", "greedy"),
    ("expert", "greedy"),
    ("expert", "skilled"),
)


class Pairing(NamedTuple):
    """One seat of a level against others of another."""

    game: str
    players: int
    one: str
    others: str


def main() -> None:
    """Plays, writes and plots; a later run adds to an earlier one and replaces what it plays again."""
    asked = arguments()
    pairings = [
        Pairing(game, players, one, others)
        for game in asked.games
        for players in GAMES[game].players
        if not asked.players or players in asked.players
        for one, others in PAIRS
        if not asked.pairs or f"{one}:{others}" in asked.pairs
    ]
    rows = {key_of(row): row for row in json.loads(RESULTS.read_text())} if RESULTS.exists() else {}
    with multiprocessing.get_context("spawn").Pool(asked.processes) as pool:
        for pairing in pairings:
            outcomes = played(pool, pairing, asked)
            row = summary(pairing, outcomes, asked)
            rows[key_of(row)] = row
            write(list(rows.values()))
            print(line(row))


def arguments() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--players", nargs="*", type=int, default=[])
    parser.add_argument("--pairs", nargs="*", default=[], help="such as expert:greedy; all by default")
    parser.add_argument("--n", type=int, default=400, help="games of each pairing")
    parser.add_argument("--scale", type=float, default=1.0, help="of all budgets")
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--processes", type=int, default=max(1, multiprocessing.cpu_count() // 2))
    return parser.parse_args()


def key_of(row: dict[str, Any]) -> tuple[Any, ...]:
    """What tells rows apart."""
    return row["game"], row["players"], row["one"], row["others"]


def played(pool: Any, pairing: Pairing, asked: argparse.Namespace) -> list[Outcome]:
    """All games of a pairing, as many as make whole rotations."""
    deals = [f"{asked.seed}-{number}" for number in range(max(1, asked.n // pairing.players))]
    matches: list[Match] = mirrored(pairing.game, pairing.one, pairing.others, pairing.players, deals, asked.scale)
    name = f"{pairing.game} {pairing.players}: {pairing.one} against {pairing.others}"
    found = tqdm(pool.imap(play, matches), total=len(matches), desc=name, leave=False)
    return list(found)


def summary(pairing: Pairing, outcomes: Sequence[Outcome], asked: argparse.Namespace) -> dict[str, Any]:
    """A row of the results."""
    seats = [outcome.match.levels.index(pairing.one) + 1 for outcome in outcomes]
    share = fmean(outcome.share(seat) for outcome, seat in zip(outcomes, seats, strict=True))
    low, high = wilson(share, len(outcomes))
    level = LEVELS[pairing.one]
    return {
        **pairing._asdict(),
        "n": len(outcomes),
        "share": round(share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "margin": round(fmean(o.margin(seat) for o, seat in zip(outcomes, seats, strict=True)), 2),
        "iterations": int(level.budget.get(pairing.game, 0) * asked.scale),
        "ms_median": round(1000 * median(times_of(outcomes, pairing.one)), 1),
        "ms_p95": round(
            1000 * sorted(times_of(outcomes, pairing.one))[int(0.95 * len(times_of(outcomes, pairing.one)))], 1
        ),
        "seed": asked.seed,
        "ranks": [[list(outcome.match.levels), list(outcome.ranks)] for outcome in outcomes],
    }


def times_of(outcomes: Iterable[Outcome], level: str) -> list[float]:
    """How long each move of a level took, in seconds."""
    return [seconds for outcome in outcomes for seconds in outcome.seconds[level]]


def ratings(rows: Sequence[dict[str, Any]]) -> dict[tuple[str, int], dict[str, tuple[float, float]]]:
    """Mean and deviation of each level, by game and number of seats, from all games in their order."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    found: dict[tuple[str, int], dict[str, Any]] = defaultdict(dict)
    for row in rows:
        table = found[row["game"], row["players"]]
        for levels, places in row["ranks"]:
            one, others = row["one"], row["others"]
            rating = {name: table.setdefault(name, model.rating()) for name in (one, others)}
            seat = levels.index(one)
            best = min(place for n, place in enumerate(places) if n != seat)
            pair = model.rate([[rating[one]], [rating[others]]], ranks=[places[seat], best])
            table[one], table[others] = pair[0][0], pair[1][0]
    return {key: {name: (r.mu, r.sigma) for name, r in table.items()} for key, table in found.items()}


def line(row: dict[str, Any]) -> str:
    """A row in words."""
    share, low, high = (f"{100 * row[name]:.1f}" for name in ("share", "low", "high"))
    return (
        f"{row['game']} {row['players']}: {row['one']} against {row['others']} {share} % [{low}, {high}], "
        f"margin {row['margin']}, N = {row['n']}, {row['ms_median']} ms"
    )


def write(rows: Sequence[dict[str, Any]]) -> None:
    """Results, page and plot."""
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(rows, separators=(",", ":")) + "\n")
    page = PAGE.read_text()
    head, tail = page[: page.index(BEGIN) + len(BEGIN)], page[page.index(END) :]
    PAGE.write_text(f"{head}\n\n{table(rows)}\n{rating_table(rows)}\n{tail}")
    PLOT.write_text(plot(rows))
    STRENGTH.write_text("[\n" + ",\n".join(json.dumps(measured(row)) for row in rows) + "\n]\n")


def measured(row: dict[str, Any]) -> dict[str, Any]:
    """A row as the service tells it."""
    names = ("game", "players", "share", "low", "high", "margin", "n", "iterations", "ms_median")
    return {"level": row["one"], "against": row["others"]} | {name: row[name] for name in names}


def table(rows: Sequence[dict[str, Any]]) -> str:
    """The win rates in Markdown."""
    lines = [
        "| game | seats | level | against | victories, 95 % interval | mean margin | N | iterations "
        "| ms a move: median, 95 % | deals |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        share, low, high = (f"{100 * row[name]:.1f}" for name in ("share", "low", "high"))
        lines.append(
            f"| {row['game']} | {row['players']} | {row['one']} | {row['others']} | {share} % [{low}, {high}] | "
            f"{row['margin']} | {row['n']} | {row['iterations']} | {row['ms_median']}, {row['ms_p95']} "
            f"| {row['seed']} |"
        )
    return "\n".join(lines) + "\n"


def rating_table(rows: Sequence[dict[str, Any]]) -> str:
    """The ratings in Markdown."""
    lines = ["| game | seats | ratings (mean ± deviation), OpenSkill |", "| --- | --- | --- |"]
    for (game, players), levels in sorted(ratings(rows).items()):
        named = sorted(levels.items(), key=lambda item: -item[1][0])
        told = ", ".join(f"{name} {mu:.1f} ± {sigma:.1f}" for name, (mu, sigma) in named)
        lines.append(f"| {game} | {players} | {told} |")
    return "\n".join(lines) + "\n"


def plot(rows: Sequence[dict[str, Any]]) -> str:
    """The win rates as bars of uncertainty, in SVG; the tick is what equal players would win."""
    height = 22
    parts = []
    for number, row in enumerate(rows):
        y = 30 + number * height
        left, middle, right = (420 + 4 * 100 * row[name] for name in ("low", "share", "high"))
        even = 420 + 400 / row["players"]
        name = f"{row['game']}, {row['players']} seats: {row['one']} against {row['others']}"
        parts.append(
            f'<text x="410" y="{y + 4}" text-anchor="end">{name}</text>'
            f'<line x1="{even:.1f}" x2="{even:.1f}" y1="{y - 8}" y2="{y + 8}" stroke="#bbb"/>'
            f'<line x1="{left:.1f}" x2="{right:.1f}" y1="{y}" y2="{y}" stroke="#8a3b12" stroke-width="3"/>'
            f'<circle cx="{middle:.1f}" cy="{y}" r="4" fill="#8a3b12"/>'
        )
    ticks = "".join(f'<text x="{420 + 4 * n}" y="15" text-anchor="middle">{n} %</text>' for n in (0, 25, 50, 75, 100))
    size = 40 + len(rows) * height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {size}" font-family="sans-serif" font-size="12">'
        f"{ticks}{''.join(parts)}</svg>\n"
    )


if __name__ == "__main__":
    main()
