"""What can be refused, and how: one table from error code to HTTP status (RFC 9457)."""

import re
from functools import lru_cache, partial
from typing import Any, NamedTuple

from games.kernel import MoveRefused, OptionsRefused, OptionValueRefused


class Kind(NamedTuple):
    """A kind of problem: its HTTP status and its title."""

    status: int
    title: str


PROBLEMS = {
    "malformed": Kind(400, "The request cannot be read"),
    "unauthenticated": Kind(401, "A valid token is needed"),
    "scope_missing": Kind(403, "The token may not do this"),
    "not_your_seat": Kind(403, "That seat is not yours"),
    "no_aids": Kind(403, "The table was opened without aids"),
    "rating_out_of_range": Kind(403, "The table is for other ratings"),
    "not_allowed": Kind(403, "You may not do this here"),
    "sign_in_refused": Kind(403, "Signing in failed"),
    "account_suspended": Kind(403, "The account is suspended"),
    "not_found": Kind(404, "There is nothing here"),
    "no_such_game": Kind(404, "There is no such game"),
    "no_such_rule": Kind(404, "The game has no such rule"),
    "no_such_case": Kind(404, "The register has no such case"),
    "no_such_lesson": Kind(404, "There is no lesson here"),
    "no_such_analysis": Kind(404, "There is no such analysis"),
    "no_such_dump": Kind(404, "There is no such dump"),
    "no_such_table": Kind(404, "There is no such table"),
    "no_such_seat": Kind(404, "The table has no such seat"),
    "no_such_dispute": Kind(404, "The table has no such dispute"),
    "no_such_remedy": Kind(422, "The ruling has no such remedy"),
    "no_such_offer": Kind(404, "That offer is no longer open"),
    "no_such_ruling": Kind(404, "That event is not a ruling"),
    "no_ai_move": Kind(404, "No AI made that move"),
    "no_such_token": Kind(404, "There is no such token"),
    "no_such_passkey": Kind(404, "There is no such passkey"),
    "no_such_player": Kind(404, "There is no such player"),
    "no_such_invitation": Kind(404, "There is no such invitation"),
    "no_such_report": Kind(404, "There is no such report"),
    "no_such_action": Kind(404, "There is no such action"),
    "no_such_webhook": Kind(404, "The account has no webhook"),
    "no_such_version": Kind(404, "The table has no such version"),
    "no_such_place": Kind(404, "The document has no such place"),
    "never_so": Kind(404, "That was never so"),
    "cursor_gone": Kind(410, "The feed no longer has that position"),
    "method_not_allowed": Kind(405, "The method is not allowed"),
    "not_acceptable": Kind(406, "None of the accepted media types is available"),
    "no_such_range": Kind(416, "The file does not reach that far"),
    "too_slow": Kind(408, "The body took too long to arrive"),
    "not_your_turn": Kind(409, "Not now"),
    "decision_closed": Kind(409, "That decision is no longer open"),
    "decision_open": Kind(409, "The time for that decision is not over"),
    "conflict": Kind(409, "Others were faster too often; try again"),
    "table_not_started": Kind(409, "The game has not begun"),
    "table_started": Kind(409, "The game has begun"),
    "table_finished": Kind(409, "The game is over"),
    "table_not_over": Kind(409, "The game is not over"),
    "ended_early": Kind(409, "The game was not played to its end"),
    "table_paused": Kind(409, "Play is paused while a dispute is open"),
    "dispute_open": Kind(409, "The game cannot end while a dispute is open"),
    "dispute_closed": Kind(409, "That dispute is resolved"),
    "remedy_changes_nothing": Kind(409, "The move would be decided as it was"),
    "too_late": Kind(409, "The time for this is over"),
    "table_full": Kind(409, "The table has reached a limit"),
    "nothing_to_take_back": Kind(409, "There is no move to take back"),
    "seat_taken": Kind(409, "The seat is taken"),
    "seat_kept": Kind(403, "That seat is kept for somebody else"),
    "already_seated": Kind(409, "You sit at this table already"),
    "transcribed": Kind(409, "The table is a transcript"),
    "no_world": Kind(409, "No matching deal was found"),
    "unrelated_tables": Kind(409, "The tables are not branches of one game"),
    "version_mismatch": Kind(412, "The table has moved on"),
    "precondition_failed": Kind(412, "The precondition failed"),
    "too_large": Kind(413, "The request is too large"),
    "unsupported_media_type": Kind(415, "The content type is not supported"),
    "invalid": Kind(422, "The request does not fit its schema"),
    "not_json": Kind(422, "That is not JSON"),
    "contradictory": Kind(422, "The request contradicts itself"),
    "arbiter_not_named": Kind(422, "The arbiter has to be named"),
    "opening_refused": Kind(422, "A table cannot be opened like this"),
    "fork_refused": Kind(422, "A branch cannot be opened like this"),
    "move_refused": Kind(422, "A rule forbids this move"),
    "webhook_refused": Kind(422, "Webhooks cannot be sent to this address"),
    "archive_refused": Kind(422, "The archive cannot be imported"),
    "notation_refused": Kind(422, "The text is not a game in notation"),
    "option_refused": Kind(422, "The game has no such house rule"),
    "request_reused": Kind(422, "This Idempotency-Key was used with another body"),
    "quota_reached": Kind(409, "The account has reached a limit"),
    "too_many_requests": Kind(429, "Too many requests"),
    "too_many_streams": Kind(503, "Too many streams are open"),
    "too_busy": Kind(503, "The service is busy"),
    "store_loading": Kind(503, "The store loads its data"),
    "store_full": Kind(507, "The store is full"),
    "store_unavailable": Kind(503, "The store does not answer"),
    "not_replicated": Kind(503, "No replica has it yet"),
    "log_damaged": Kind(500, "The log does not match what was read before"),
    "internal": Kind(500, "Something went wrong here"),
}

BY_RULE = {  # the checks that every game begins with; all later ones are rules of the game itself
    "4.1a": "invalid",
    "4.1b": "no_such_seat",
    "4.1c": "table_finished",
    "4.1d": "not_your_turn",
    "4.1e": "not_your_turn",
}
OF_MOVES = ("move_refused", *dict.fromkeys(BY_RULE.values()))  # the codes of moves that are refused by a rule


class FieldError(NamedTuple):
    """What does not fit in a request: `place` (body or query), a JSON Pointer into it, and what is wrong there."""

    place: str
    pointer: str
    said: str


AGAIN = "Send the same request again after `Retry-After`, with the same `Idempotency-Key`: it happens once."
LOOK = "Read the table again (`GET /v1/tables/{table}`) and decide again."

ADVICE = {  # what a client can do about each, shown at `/docs/problems` and by the command line
    "malformed": "Correct the request: JSON in UTF-8, no name twice, an `Idempotency-Key` of visible ASCII characters.",
    "unauthenticated": "Send `Authorization: Bearer …` with a token. `POST /v1/players` gives the first.",
    "scope_missing": "Use a token with a scope that the operation names; `POST /v1/players/me/tokens` makes it.",
    "not_your_seat": "Ask for your own seat (`seat` in `GET /v1/tables/{table}`). Others open when the game is over.",
    "no_aids": "Ask again when the game is over; `aids` of `POST /v1/tables` opens a table with them.",
    "rating_out_of_range": "Find a table that is open to you: `GET /v1/tables?open_to=me`. An invitation by the opener "
    "admits any rating.",
    "not_allowed": "`detail` says who may do this.",
    "sign_in_refused": "Ask for a new code where you are signed in, or for new options of a passkey; after some wrong "
    "attempts a code is void.",
    "account_suspended": "An operator has suspended the account: `GET /v1/players/me` says why; games continue.",
    "not_found": "Check the path against `/openapi.json`; there is no slash at its end.",
    "no_such_game": "Use a name that `GET /v1/games` lists.",
    "no_such_rule": "Use an id that `GET /v1/games/{game}/rules` lists; in a dispute, one of the ruling's `rules`.",
    "no_such_case": "Use the name of a case from `GET /v1/games/{game}/rulings`.",
    "no_such_lesson": "Open one: `POST /v1/games/{game}/lesson`.",
    "no_such_analysis": "Ask for it: `POST` to the same address.",
    "no_such_dump": "Use a name that `GET /v1/dumps` lists.",
    "no_such_table": "Check the id. A private table is visible only to the players it names: send your token.",
    "no_such_seat": "Seats count from 1; `seats` of the table lists them.",
    "no_such_dispute": "Use an id that `GET /v1/tables/{table}/disputes` lists.",
    "no_such_remedy": "Use a remedy that `POST /v1/tables/{table}/disputes/preview` lists.",
    "no_such_offer": "It was answered, or a move came first: see `offer` of `GET /v1/tables/{table}`.",
    "no_such_ruling": "Use a version of `GET /v1/tables/{table}/rulings` that is not `undone`.",
    "no_ai_move": "Use the version of an event whose `by` has `ai`.",
    "no_such_token": "Use an id that `GET /v1/players/me/tokens` lists.",
    "no_such_passkey": "Use an id that `GET /v1/players/me/passkeys` lists.",
    "no_such_player": "Check the id: no player has it, or the account was erased.",
    "no_such_invitation": "It was withdrawn or has expired: ask for another.",
    "no_such_report": "Use an id that `GET /v1/reports` lists.",
    "no_such_action": "Use a number that `GET /v1/moderation` lists.",
    "no_such_webhook": "Set one: `PUT /v1/players/me/webhook`.",
    "no_such_version": "Versions count from 1 to the table's `version`.",
    "no_such_place": "Use a JSON Pointer into the document of `GET /v1/tables/{table}?at=…`.",
    "never_so": "Search from an earlier version (`from`), or for another value.",
    "cursor_gone": "Delete what you built from the feed, and read it from the start: `GET /v1/feed` without a cursor.",
    "method_not_allowed": "`Allow` lists the methods of the resource.",
    "not_acceptable": "Name one of the media types in `detail` in `Accept`, or leave it out.",
    "no_such_range": "Ask for a range within the file: `GET /v1/dumps` has its `size`.",
    "too_slow": "Send the body faster; nothing was done.",
    "not_your_turn": LOOK,
    "decision_closed": "It was answered, or the clock has taken it. `decision` is the one that is open now, if any.",
    "decision_open": "Wait for the `deadline` of the decision.",
    "conflict": "Send the same request again.",
    "table_not_started": "Wait until every seat is taken.",
    "table_started": "This is possible only before the game starts.",
    "table_finished": "The game is over: you can read everything, but not play.",
    "table_not_over": "Ask again when the game is over.",
    "ended_early": "Ask for an analysis of kind `quick` or `deep`, which evaluates the decisions that were made.",
    "table_paused": "Wait until the dispute is resolved.",
    "dispute_open": "Wait until the dispute is resolved, then send the move again.",
    "dispute_closed": "The dispute is resolved and takes no more comments or votes.",
    "remedy_changes_nothing": "`compared` has the first and last event that were compared. "
    "`POST /v1/tables/{table}/disputes/preview` lists remedies that make a difference.",
    "too_late": "The table's `disputes` say how long a ruling may be disputed.",
    "table_full": "The table has reached its limit of comments and disputes: play on, and settle open disputes.",
    "nothing_to_take_back": "Only the seat's own last move can be taken back.",
    "seat_taken": "Take another seat, or another table: `GET /v1/tables?status=open`.",
    "seat_kept": "Take another seat: this one is kept.",
    "already_seated": "Play on the seat that you have.",
    "transcribed": "It is a transcript, which cannot be played: read it, or open a table.",
    "no_world": "Ask at another version: no deal was found that leads here.",
    "unrelated_tables": "Compare a table with its forks: `GET /v1/tables/{table}/forks`.",
    "version_mismatch": LOOK,
    "precondition_failed": "The answer has another ETag by now: read it without `If-Match`.",
    "too_large": "Send less: `detail` says how much may be sent.",
    "unsupported_media_type": "Send `Content-Type: application/json`, or what `detail` names.",
    "invalid": "`detail` and `errors` name the field and the values that it may have.",
    "not_json": "`value` is JSON: put a text in quotation marks.",
    "contradictory": "Leave out one of the two that do not go together; `detail` names them.",
    "arbiter_not_named": "Show the player the table's `arbiter`, and send it with the request.",
    "opening_refused": "`detail` names what the game or its seats do not allow; `GET /v1/games` lists what they do.",
    "fork_refused": "`detail` says why.",
    "move_refused": "Read the `rule` at `GET /v1/games/{game}/rules/{rule}`; `GET /v1/tables/{table}/moves` lists the "
    "legal moves.",
    "webhook_refused": "Name a public address with https, without user, password or fragment.",
    "archive_refused": "`detail` names the first fault. Check the file with `wintercount verify`.",
    "notation_refused": "`line` and `column` say where, `detail` what was expected or which rule forbids it. "
    "`GET /v1/tables/{table}/notation` shows an example.",
    "option_refused": "Use a house rule and a value that `GET /v1/games/{game}` lists.",
    "request_reused": "Use a new `Idempotency-Key` for a new request.",
    "quota_reached": "Close or finish one of what `quota` names; you may have `most` at a time.",
    "too_many_requests": "Wait for `retry_after` seconds, as `Retry-After` says.",
    "too_many_streams": "Close a stream, or read pages meanwhile. " + AGAIN,
    "too_busy": AGAIN,
    "store_loading": "Wait: `GET /readyz` shows its progress. " + AGAIN,
    "store_full": "Nothing was written. The operator has to make room; reading still works.",
    "store_unavailable": AGAIN,
    "not_replicated": "It may be recorded, but is not replicated yet; a repeat waits again and gets the first answer. "
    + AGAIN,
    "log_damaged": "Nothing was written. Read the table again; the operator has been alerted.",
    "internal": "Tell the operator the `request_id`. A request with an `Idempotency-Key` may be repeated.",
}


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
    code = "invalid" if isinstance(refusal, OptionValueRefused) else "option_refused"
    pointer = f"/options/{refusal.option}"
    return Refused(code, refusal.detail, option=refusal.option, errors=[FieldError("body", pointer, refusal.detail)])


def move_refused(refusal: MoveRefused, version: int) -> Refused:
    """The refusal of a move by a rule: not a move, not a seat, not now, or illegal."""
    code = BY_RULE.get(refusal.rule.partition("-")[2], "move_refused")
    members: dict[str, Any] = {"rule": refusal.rule, "version": version}
    if refusal.fault:
        pointer, said = refusal.fault
        members["errors"] = [FieldError("body", f"/move{pointer}", said)]
    return Refused(code, refusal.detail, **members)


# Schemas and games say what does not fit; the code is found by their sentences, which libraries of ours word as well.
FIELD_CODES = {
    "required": r"Missing data for required field\.|object missing required field .*|a seat of kind .* needs it: .*",
    "unknown": r"Unknown field\.|object contains unknown field .*",
    "null": r"Field may not be null\.",
    "duplicate": "occurs more than once",
    "choice": r"Must be one of: .*|`.*` is one of .*|there is no event .*",
    "range": r"must be a number from .*|Must be (greater|less) than or equal to .*|must be a multiple of .*|"
    r"expected `\w+` (of length )?[<>].*|a range bounds something, .*",
    "length": r"(Shorter|Longer) than .* length .*|Length must be between .*",
    "form": r"String does not match expected pattern\.|expected `str` matching regex .*|is not a cursor of this list|"
    "must not (begin|contain) .*",
    "type": r"must be (an integer|a text\b|true or false|the number of a seat).*|expected `.*`, got .*|"
    r"Not a valid .*|Invalid (input )?type\.|It has to be an object.*|is an object whose .*|A list with as many .*|"
    "A seat is an object.*",
    "reserved": "looks like .*, which is reserved for the service",
    "contradictory": r"a clock of the kind .*|a seat of kind .* alone has it|an AI has a level, .*|not for an AI|"
    "goes with `player` or .*",
}


def field_error(error: FieldError) -> dict[str, Any]:
    """Returns the error as a problem document lists it."""
    return {"in": error.place, "pointer": error.pointer, "code": code_of(error.said), "detail": error.said}


@lru_cache(1024)
def code_of(said: str) -> str:
    """Returns the code of a sentence; `invalid` if there is none."""
    return next((code for code, form in FIELD_CODES.items() if re.fullmatch(form, said, re.DOTALL)), "invalid")
