"""How strong the AI levels were found to be, in words, tables and a plot; and which aims that reaches."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from benchmarks import plots
from games import GAMES

Row = dict[str, Any]  # the figures of a pairing
Ratings = dict[tuple[str, int], dict[str, tuple[float, float]]]  # by game and seats: mean and deviation by player


class Aim(NamedTuple):
    """What one level should win of the games against another, or what the interval should not go below."""

    one: str
    others: str
    players: int
    figure: str  # "share" or "low"
    least: dict[str, float]  # by game


AIMS = (
    Aim("greedy", "uniform", 2, "share", dict.fromkeys(GAMES, 0.9)),
    Aim("greedy", "uniform", 4, "share", {"manitou": 0.8, "big-manitou": 0.8, "plenty-coups": 0.8}),
    Aim("expert", "greedy", 2, "low", {"manitou": 0.75, "big-manitou": 0.7, "tomahawk": 0.75, "plenty-coups": 0.6}),
    Aim("expert", "greedy", 4, "low", {"manitou": 0.5, "big-manitou": 0.5, "plenty-coups": 0.5}),
)
ENOUGH = 60  # games at a budget, for it to count though there are more at a smaller one
WANTED = {"share": "at least", "low": "lower bound at least"}
LADDER = (
    ("novice", "uniform"),
    ("greedy", "novice"),
    ("skilled", "greedy"),
    ("expert", "greedy"),
    ("expert", "skilled"),
)


def budgeted(level: str, iterations: int) -> str:
    """A level and what it was played with, as one level at two budgets is two players."""
    return f"{level} ({iterations})" if iterations else level


def names_of(row: Row) -> tuple[str, str]:
    """The two players of a row."""
    return budgeted(row["one"], row["iterations"]), budgeted(row["others"], row["iterations_of_others"])


def line(row: Row) -> str:
    """A row in words."""
    one, others = names_of(row)
    share, low, high = (f"{100 * row[name]:.1f}" for name in ("share", "low", "high"))
    return (
        f"{row['game']} {row['players']}: {one} against {others} {share} % [{low}, {high}], "
        f"margin {row['margin']}, N = {row['n']}, {row['ms_median']} ms"
    )


def aims_table(rows: Sequence[Row]) -> str:
    """The aims in Markdown, and which of them are reached; the last is that each level beats the next at any table."""
    lines = ["| aim | game | measured | reached |", "| --- | --- | --- | --- |"]
    for aim in AIMS:
        wanted = f"{aim.one} over {aim.others}, {aim.players} seats: {WANTED[aim.figure]}"
        for game, least in aim.least.items():
            row = found(rows, game, aim.players, aim.one, aim.others)
            told = line(row).partition(": ")[2] if row else "not measured"
            reached = "no" if row is None else within(row[aim.figure] - least)
            lines.append(f"| {wanted} {100 * least:.0f} % | {game} | {told} | {reached} |")
    for game in GAMES:
        steps, missing = len(LADDER) * len(GAMES[game].players), list(gaps(rows, game))
        told = "; ".join(f"{pair} with {', '.join(map(str, seats))} seats" for pair, seats in missing)
        shown = steps - sum(len(seats) for _, seats in missing)
        lines.append(
            f"| each level over the next, at any table: more than its share | {game} | {shown} of {steps} steps "
            f"| {f'not shown: {told}' if told else 'yes'} |"
        )
    return "\n".join(lines) + "\n"


def found(rows: Sequence[Row], game: str, players: int, one: str, others: str) -> Row | None:
    """The figures of a pairing; of several budgets those of the largest that has `ENOUGH` games, else of the most."""
    wanted = {"game": game, "players": players, "one": one, "others": others}
    fitting = [row for row in rows if wanted.items() <= row.items()]
    return max(fitting, key=lambda row: (min(ENOUGH, row["n"]), row["iterations"], row["n"]), default=None)


def within(ahead: float) -> str:
    """Whether an aim is reached, or by how much not."""
    return "yes" if ahead >= 0 else f"no, {-100 * ahead:.1f} points short"


def gaps(rows: Sequence[Row], game: str) -> Iterator[tuple[str, list[int]]]:
    """The steps of the ladder, and with how many seats the interval is not above what equal players win."""
    for one, others in LADDER:
        at_tables = [(players, found(rows, game, players, one, others)) for players in GAMES[game].players]
        missing = [players for players, row in at_tables if row is None or row["low"] <= 1 / players]
        if missing:
            yield f"{one} over {others}", missing


def table(rows: Sequence[Row]) -> str:
    """The win rates in Markdown."""
    lines = [
        "| game | seats | level (iterations) | against | victories, 95 % interval | first | mean margin | N "
        "| ms a move: median, 95 % | deals |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        share, low, high = (f"{100 * row[name]:.1f}" for name in ("share", "low", "high"))
        one, others = names_of(row)
        lines.append(
            f"| {row['game']} | {row['players']} | {one} | {others} | {share} % [{low}, {high}] | "
            f"{100 * row['first']:.0f} % | {row['margin']} | {row['n']} "
            f"| {row['ms_median']}, {row['ms_p95']} | {', '.join(row['seeds'])} |"
        )
    return "\n".join(lines) + "\n"


def rating_table(ratings: Ratings) -> str:
    """The ratings in Markdown."""
    text = ["| game | seats | ratings (mean ± deviation), OpenSkill |", "| --- | --- | --- |"]
    for (game, players), levels in sorted(ratings.items()):
        named = sorted(levels.items(), key=lambda item: -item[1][0])
        words = ", ".join(f"{name} {mu:.1f} ± {sigma:.1f}" for name, (mu, sigma) in named)
        text.append(f"| {game} | {players} | {words} |")
    return "\n".join(text) + "\n"


def plot(rows: Sequence[Row]) -> str:
    """The win rates as bars of uncertainty, in SVG; the tick is what equal players would win."""
    dots = [
        plots.Dot(
            f"{row['game']}, {row['players']} seats: {' against '.join(names_of(row))}",
            row["low"],
            row["share"],
            row["high"],
            1 / row["players"],
        )
        for row in rows
    ]
    return plots.plot(dots, {percent / 100: f"{percent} %" for percent in (0, 25, 50, 75, 100)})
