"""The events of the end: the most wanted animals and the final scores (TO-6)."""

from games.kernel import Event
from games.ranking import Rank
from games.tomahawk.components import Species
from games.tomahawk.events.rows import MostWantedRow, Rules, ScoreRow


class MostWantedJudged(Event, frozen=True, gc=False):
    """TO-6.3: who has most of the most wanted animals."""

    species: Species
    counts: tuple[MostWantedRow, ...]
    rules: Rules


class GameEnded(Event, frozen=True, gc=False):
    """TO-6.5: the final scores."""

    scores: tuple[ScoreRow, ...]
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]
    rules: Rules
