"""What requests cost, measured once per operation: fixed figures, so that no cost reveals a hidden hand.

Were the time that a request really took charged, or the iterations of an AI, then what is left of a budget would vary
with what somebody holds.
"""

WORLD_MS = {"tomahawk": 2}  # of a world that is imagined, at the largest table measured; else 1
# Of these a world follows every event: so many in a millisecond, with six seats.
WORLD_EVENTS_A_MS = {"plenty-coups": 14}
# Of one that is imagined alone, late in a game: 20 to 600 in Plenty Coups with six seats; else what its operation says.
LONE_WORLD_MS = {"plenty-coups": 150}
# Of a game that is played out from its middle by the analysis, at the largest table measured.
ROLLOUT_MS = {"big-manitou": 120, "manitou": 60, "plenty-coups": 160, "tomahawk": 20}
UNDONE_A_MS = 2  # times that play goes back, where a table is decided again
TAKEBACK_AGAIN_MS = 5  # of an event that takes play back, or asks to: who has learned something is tried once more
# Of a choice of `expert` that is computed again, nearly the longest at the largest table measured.
SEARCH_MS = {"big-manitou": 1600, "manitou": 1400, "plenty-coups": 2000, "tomahawk": 800}
SAMPLED = 3  # AI moves that an audit computes again, with the iterations of one choice of `expert` together at most
# Decisions looked at (None: all), and games played out for each.
ROLLOUTS = {"quick": (7, 18), "deep": (None, 160), "luck": (None, 32)}
READ_MS, WRITE_MS = 2, 3  # of what stands in no table
EVENTS_A_MS = 20  # that are read, hashed and folded; from the store nearly twice as many as from the archive
USUAL_EVENTS = 200  # of the table that the figures below are for
# Of a hundred further events through which a question looks in vain.
WALK_MS = {"find": 30, "blame": 22}
NOTED_A_MS = 40  # further events that a notation tells
ARCHIVED_A_MS = 10_000  # bytes of an archive, written and compressed, for who takes brotli alone
TABLES_A_MS = 8  # of an inbox that are brought up to date
REPORTS_COUNTED_A_MS = 150  # that an account has made: which of them wait still
REPORTS_TOLD_A_MS = 30  # with what was written
PART_MS = 3  # of an old part of a feed that a page begins in, read from the archive, checked and unpacked
FOLLOWED_MS = 2  # of a page of the feed with what has just come, for who follows it: each asks with filters of its own
PROGRESS_MS = 6  # of an analysis that is followed for 15 s: the store is asked each second
MOST_WALKED = 500  # versions that one such question walks through
READ_BACK_A_MS = 5  # times that play went back: each holds a whole state, of 2 kB, or 7 in Tomahawk
PAST_A_MS = 65  # events that a branch goes on from, which it holds as they are
FREE = ("/healthz", "/readyz", "/metrics")  # what operators ask for
TABLE = "/v1/tables/<table>"
MOVES = f"{TABLE}/moves"
FEED = "/v1/feed"
ACCOUNTS = "/v1/players"
SIGN_INS = "/v1/sign-ins"
BY_ADDRESS = (SIGN_INS, f"{SIGN_INS}/options")  # what addresses have a budget for
CHANGES_NOTHING = (f"{MOVES}/check", f"{TABLE}/readjudications")

# Processor milliseconds of the web process, at a table of `USUAL_EVENTS`.
COSTS_MS = {
    ("GET", f"{TABLE}/diff"): 500,
    ("GET", f"{TABLE}/find"): 45,
    ("GET", f"{TABLE}/blame"): 25,
    ("GET", f"{TABLE}/audit"): 100,  # and for a long table, AI moves that are computed again, and takebacks
    ("GET", f"{TABLE}/moves/<int:version>/explanation"): 20,  # and by what the player searches
    ("GET", f"{TABLE}/comparison"): 30,
    ("GET", f"{TABLE}/beliefs"): 10,  # and what its worlds cost
    ("GET", f"{TABLE}/notation"): 45,  # and more for a long table
    ("GET", f"{TABLE}/archive"): 10,  # and more by the size of the part
    ("GET", f"{TABLE}/rulings"): 10,
    ("GET", f"{TABLE}/rulings/<int:version>"): 7,
    ("GET", f"{TABLE}/events"): 10,  # with a sentence for each
    ("GET", "/openapi.json"): 12,  # compressed, for who takes brotli alone
    ("GET", "/openapi.yaml"): 12,
    ("GET", "/docs/openapi.json"): 12,
    ("GET", "/v1/games/<game>/events"): 4,  # these three compressed as well
    ("GET", "/v1/games/<game>/rulings"): 4,
    ("GET", "/v1/games/<game>/cases/<case>"): 10,
    ("GET", "/v1/standings"): 4,
    ("GET", "/v1/games-played"): 45,  # a page through which a filter looks in vain
    ("GET", "/v1/ratings"): 12,  # of 200 people
    ("GET", "/v1/statistics"): 45,  # all that is counted of a game is added up
    ("GET", "/v1/dumps"): 10,
    ("GET", "/v1/dumps/<name>"): 10,
    ("GET", "/v1/players/<player>"): 25,  # counted from all games of somebody who plays much
    ("GET", "/v1/players/<player>/ratings"): 4,
    ("GET", "/v1/players/<player>/ratings/<game>/<int:seats>"): 4,
    ("GET", "/v1/players/me/export"): 10,  # of who has as much as an account may have; and blocks and tables
    ("GET", "/v1/players/me/quotas"): 8,
    ("GET", "/v1/players/me/tokens"): 5,
    ("GET", f"{TABLE}/invitations"): 4,
    ("GET", "/v1/tables"): 45,  # a page through which a filter looks in vain
    ("GET", f"{TABLE}/forks"): 20,  # a page behind branches that are not the caller's
    # A page that is full, with a sentence for each event, of tables in memory; `read_ms` the others.
    ("GET", FEED): 100,
    ("POST", "/v1/tables"): 12,  # with AI players alone the game begins at once: it is dealt and recorded
    ("POST", "/v1/games/<game>/lesson"): 12,
    ("POST", f"{TABLE}/seats/<int:seat>"): 10,
    ("POST", f"{TABLE}/forks"): 15,  # at a table that runs it is dealt anew
    ("POST", f"{TABLE}/takebacks"): 100,  # who has learned something is tried in imagined worlds
    ("POST", f"{TABLE}/takebacks/<takeback>/answer"): 100,
    ("POST", f"{TABLE}/readjudications"): 30,
    ("POST", f"{TABLE}/analysis"): 10,
    ("POST", "/v1/archives"): 500,
    ("POST", SIGN_INS): 10,  # a signature is verified
    ("POST", "/v1/players/me/passkeys"): 10,
}


def is_change(method: str, rule: str) -> bool:
    """Whether an operation may add to what is kept.

    Moves are not counted, as a game has only so many of them, nor new accounts and attempts to sign in, which
    have budgets of their own.
    """
    return method not in ("GET", "HEAD") and rule not in (MOVES, ACCOUNTS, *BY_ADDRESS, *CHANGES_NOTHING)


def is_move(method: str, rule: str) -> bool:
    """Whether an operation plays a move, which no budget refuses before it is looked at."""
    return (method, rule) == ("POST", MOVES)


def cost_ms(method: str, rule: str) -> int:
    """What an operation costs, in processor milliseconds of the web process."""
    if rule in FREE:
        return 0
    method = "GET" if method == "HEAD" else method
    return COSTS_MS.get((method, rule), READ_MS if method == "GET" else WRITE_MS)


def worlds_ms(game: str, worlds: int, events: int) -> int:
    """What it costs beyond its operation to imagine so many worlds together, at a table with so many events."""
    a_ms = WORLD_EVENTS_A_MS.get(game)
    return worlds * events // a_ms if a_ms else worlds * WORLD_MS.get(game, 1)


def lone_worlds_ms(game: str, worlds: int) -> int:
    """What it costs to imagine so many worlds, each from the beginning, beyond what the operation costs."""
    return worlds * LONE_WORLD_MS.get(game, 0)


def reports_counted_ms(reports: int) -> int:
    """What it costs beyond its operation to count which of an account's reports wait."""
    return reports // REPORTS_COUNTED_A_MS


def reports_told_ms(reports: int) -> int:
    """What it costs beyond its operation to tell an account's reports."""
    return reports // REPORTS_TOLD_A_MS


def notation_ms(events: int) -> int:
    """What it costs beyond its operation to tell so many events of a table in notation."""
    return max(0, events - USUAL_EVENTS) // NOTED_A_MS


def archive_ms(size: int) -> int:
    """What it costs beyond its operation to write and compress so many bytes of an archive."""
    return size // ARCHIVED_A_MS


def searched_ms(game: str, share: float) -> int:
    """What it costs to compute AI moves again that had this share of the iterations of one choice of `expert`."""
    return int(min(1.0, share) * SEARCH_MS.get(game, max(SEARCH_MS.values())))


def takebacks_again_ms(takebacks: int) -> int:
    """What it costs beyond an audit to decide so many takebacks again."""
    return takebacks * TAKEBACK_AGAIN_MS


def running_ms(events: int, takebacks: int) -> int:
    """What it costs beyond its operation to audit a running table with so many events, and so much undone play.

    One that closed is charged for what is read, and for takebacks that are decided again.
    """
    return max(0, events - USUAL_EVENTS) // EVENTS_A_MS + undone_ms(takebacks)


def undone_ms(takebacks: int) -> int:
    """What it costs to decide a table again at which play went back so often."""
    return takebacks // UNDONE_A_MS


def walk_ms(question: str, events: int) -> int:
    """What it costs beyond its operation to look through a table of so many events in vain, version by version."""
    return max(0, min(events, MOST_WALKED) - USUAL_EVENTS) * WALK_MS[question] // 100


def analysis_s(game: str, kind: str, moves: int) -> float:
    """What an analysis costs of a table with so many moves, in processor seconds of a worker."""
    most, rollouts = ROLLOUTS[kind]
    return min(moves, most or moves) * rollouts * _rollout_s(game)


def _rollout_s(game: str) -> float:
    return ROLLOUT_MS.get(game, max(ROLLOUT_MS.values())) / 1000


def read_ms(events: int, past: int = 0, undone: int = 0) -> int:
    """What it costs to read so many events of a table, in processor milliseconds.

    And those of its past if it is a branch, and the states to which play went back so often.
    """
    return max(1, events // EVENTS_A_MS + past // PAST_A_MS + read_back_ms(undone))


def read_back_ms(undone: int) -> int:
    """What it costs beyond its events to read a table at which play went back so often."""
    return undone // READ_BACK_A_MS
