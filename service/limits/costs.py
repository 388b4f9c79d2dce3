"""What requests cost, measured once per operation: fixed figures, so that no cost reveals a hidden hand.

Were the time that a request really took charged, or the iterations of an AI, then what is left of a budget would vary
with what somebody holds.
"""

READ_MS, WRITE_MS = 2, 3  # of what stands in no table
FREE = ("/healthz", "/readyz", "/metrics")  # what operators ask for
TABLE = "/v1/tables/<table>"
MOVES = f"{TABLE}/moves"
FEED = "/v1/feed"
ACCOUNTS = "/v1/players"
CHANGES_NOTHING = (f"{MOVES}/check", f"{TABLE}/readjudications")

# Processor milliseconds of the web process, at a table of some 200 events.
COSTS_MS = {
    ("GET", f"{TABLE}/diff"): 500,
    ("GET", f"{TABLE}/find"): 45,
    ("GET", f"{TABLE}/blame"): 25,
    ("GET", f"{TABLE}/audit"): 500,  # 15 while the game runs, then some AI moves are computed again
    ("GET", f"{TABLE}/moves/<int:version>/explanation"): 500,  # a choice of `expert` computed again
    ("GET", f"{TABLE}/comparison"): 30,
    ("GET", f"{TABLE}/notation"): 45,
    ("GET", f"{TABLE}/rulings"): 10,
    ("GET", f"{TABLE}/rulings/<int:version>"): 7,
    ("GET", f"{TABLE}/events"): 10,  # with a sentence for each
    ("GET", "/v1/standings"): 4,
    ("GET", "/v1/tables"): 45,  # a page through which a filter looks in vain
    ("GET", f"{TABLE}/forks"): 20,  # a page behind branches that are not the caller's
    ("GET", FEED): 100,  # a page that is full, with a sentence for each event; half of it without
    ("POST", f"{TABLE}/forks"): 10,
    ("POST", f"{TABLE}/takebacks"): 100,  # who has learned something is tried in imagined worlds
    ("POST", f"{TABLE}/takebacks/<takeback>/answer"): 100,
    ("POST", f"{TABLE}/readjudications"): 30,
    ("POST", "/v1/archives"): 500,
}


def is_change(method: str, rule: str) -> bool:
    """Whether an operation may add to what is kept.

    Moves are not counted, as a game has only so many of them, nor new accounts, which have a budget of their own.
    """
    return method not in ("GET", "HEAD") and rule not in (MOVES, ACCOUNTS, *CHANGES_NOTHING)


def cost_ms(method: str, rule: str) -> int:
    """What an operation costs, in processor milliseconds of the web process."""
    if rule in FREE:
        return 0
    method = "GET" if method == "HEAD" else method
    return COSTS_MS.get((method, rule), READ_MS if method == "GET" else WRITE_MS)
