"""What can be refused, and how: one table from error code to HTTP status (RFC 9457)."""

from functools import partial
from typing import Any, NamedTuple

from games.kernel import OptionsRefused, OptionValueRefused


class Kind(NamedTuple):
    """A kind of problem: its HTTP status and its title."""

    status: int
    title: str


PROBLEMS = {
    "malformed": Kind(400, "The request cannot be read"),
    "unauthenticated": Kind(401, "A valid token is needed"),
    "scope-missing": Kind(403, "The token may not do this"),
    "not-your-seat": Kind(403, "That seat is not yours"),
    "no-aids": Kind(403, "The table was opened without aids"),
    "rating-out-of-range": Kind(403, "The table is for other ratings"),
    "not-allowed": Kind(403, "You may not do this here"),
    "sign-in-refused": Kind(403, "This does not sign in"),
    "account-suspended": Kind(403, "The account is suspended"),
    "not-found": Kind(404, "There is nothing here"),
    "no-such-game": Kind(404, "This game is not hosted"),
    "no-such-rule": Kind(404, "The game has no such rule"),
    "no-such-case": Kind(404, "The register has no such case"),
    "no-such-lesson": Kind(404, "There is no lesson here"),
    "no-such-analysis": Kind(404, "There is no such analysis"),
    "no-such-dump": Kind(404, "There is no such dump"),
    "no-such-table": Kind(404, "There is no such table"),
    "no-such-seat": Kind(404, "The table has no such seat"),
    "no-such-dispute": Kind(404, "The table has no such dispute"),
    "no-such-takeback": Kind(404, "No such takeback waits for consent"),
    "no-such-ruling": Kind(404, "That event is no ruling"),
    "no-ai-move": Kind(404, "No AI made that move"),
    "no-such-token": Kind(404, "There is no such token"),
    "no-such-passkey": Kind(404, "There is no such passkey"),
    "no-such-player": Kind(404, "There is no such player"),
    "no-such-invitation": Kind(404, "There is no such invitation"),
    "no-such-report": Kind(404, "There is no such report"),
    "no-such-action": Kind(404, "There is no such action"),
    "no-such-webhook": Kind(404, "The account has no webhook"),
    "no-such-version": Kind(404, "The table has no such version"),
    "no-such-place": Kind(404, "The document has no such place"),
    "never-so": Kind(404, "That was never so"),
    "cursor-gone": Kind(410, "The feed does not hold that place any more"),
    "method-not-allowed": Kind(405, "The resource does not do this"),
    "not-acceptable": Kind(406, "The answer cannot be given in that form"),
    "no-such-range": Kind(416, "The file does not reach that far"),
    "too-slow": Kind(408, "The body did not come in time"),
    "not-your-turn": Kind(409, "Not now"),
    "decision-closed": Kind(409, "That decision is no longer open"),
    "decision-open": Kind(409, "The time for that decision is not over"),
    "conflict": Kind(409, "Others were faster too often; try again"),
    "table-not-started": Kind(409, "The game has not begun"),
    "table-started": Kind(409, "The game has begun"),
    "table-finished": Kind(409, "The game is over"),
    "table-not-over": Kind(409, "The game is not over"),
    "table-paused": Kind(409, "Play is paused while a dispute is open"),
    "dispute-open": Kind(409, "The game cannot end while a dispute is open"),
    "dispute-closed": Kind(409, "That dispute is resolved"),
    "too-late": Kind(409, "The time for this is over"),
    "table-full": Kind(409, "The table takes in no more of this"),
    "nothing-to-take-back": Kind(409, "There is no move to take back"),
    "seat-taken": Kind(409, "Somebody sits there"),
    "seat-kept": Kind(403, "That seat is kept for somebody else"),
    "already-seated": Kind(409, "You sit at this table already"),
    "transcribed": Kind(409, "The table is a transcript"),
    "no-world": Kind(409, "No world was found"),
    "unrelated-tables": Kind(409, "The tables are no branches of one game"),
    "version-mismatch": Kind(412, "The table has moved on"),
    "too-large": Kind(413, "The request is too large"),
    "unsupported-media-type": Kind(415, "The body is of a type that is not read here"),
    "invalid": Kind(422, "The request does not fit its schema"),
    "not-json": Kind(422, "That is no JSON value"),
    "contradictory": Kind(422, "The request contradicts itself"),
    "arbiter-not-named": Kind(422, "The arbiter that was shown has to be named"),
    "opening-refused": Kind(422, "A table cannot be opened like this"),
    "fork-refused": Kind(422, "A branch cannot be opened like this"),
    "move-refused": Kind(422, "A rule forbids this move"),
    "webhook-refused": Kind(422, "Nothing is sent to this address"),
    "archive-refused": Kind(422, "The archive cannot be taken in"),
    "notation-refused": Kind(422, "The text is no game in notation"),
    "option-refused": Kind(422, "The game has no such house rule"),
    "request-reused": Kind(422, "This Idempotency-Key was used with another body"),
    "quota-reached": Kind(409, "The account has as many as it may have"),
    "too-many-requests": Kind(429, "Too many requests"),
    "too-many-streams": Kind(503, "Too many streams are open"),
    "too-busy": Kind(503, "Others are being answered"),
    "store-loading": Kind(503, "The store loads its data"),
    "store-full": Kind(507, "The store is full"),
    "store-unavailable": Kind(503, "The store does not answer"),
    "not-replicated": Kind(503, "No replica has it yet"),
    "log-damaged": Kind(500, "The log does not match what was read before"),
    "internal": Kind(500, "Something went wrong here"),
}

BY_RULE = {  # the checks that every game begins with; all later ones are rules of the game itself
    "4.1a": "invalid",
    "4.1b": "no-such-seat",
    "4.1c": "table-finished",
    "4.1d": "not-your-turn",
    "4.1e": "not-your-turn",
}
OF_MOVES = ("move-refused", *dict.fromkeys(BY_RULE.values()))  # the codes of moves that are refused by a rule


class Refused(Exception):
    """A request that is refused: a code of `PROBLEMS`, what is wrong with this very request, and further members."""

    def __init__(self, code: str, detail: str, **members: Any) -> None:
        super().__init__(f"{code}: {detail}")
        self.code, self.detail, self.members = code, detail, members

    def __reduce__(self) -> Any:
        """How `pickle` sends it to another process."""
        return partial(Refused, **self.members), (self.code, self.detail)


def refuse_first(code: str, *cases: tuple[object, str]) -> None:
    """Raises `Refused` for the first case that holds: whether it does, and what is wrong then."""
    for holds, why in cases:
        if holds:
            raise Refused(code, why)


def problem(refusal: Refused) -> dict[str, Any]:
    """The problem document of a refusal."""
    kind = PROBLEMS[refusal.code]
    return {
        "type": f"/docs/problems#{refusal.code}",
        "title": kind.title,
        "status": kind.status,
        "detail": refusal.detail,
        "code": refusal.code,
        **refusal.members,
    }


def option_refused(refusal: OptionsRefused) -> Refused:
    """The refusal of house rules: of a value that a house rule does not have, or of anything else about them."""
    code = "invalid" if isinstance(refusal, OptionValueRefused) else "option-refused"
    return Refused(code, refusal.detail, option=refusal.option)


def move_refused(rule: str, detail: str, version: int) -> Refused:
    """The refusal of a move by a rule: not a move, not a seat, not now, or illegal."""
    code = BY_RULE.get(rule.partition("-")[2], "move-refused")
    return Refused(code, detail, rule=rule, version=version)
