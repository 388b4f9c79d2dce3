"""The operations of the API, each as a function that gives the request; `Client.send` sends it.

Generated from openapi.yaml: `make clients` writes it anew.
"""

from __future__ import annotations

from typing import Literal, TypeAlias
from urllib.parse import quote

from wintercount_client import models
from wintercount_client.calls import Call, as_bytes, as_json, as_nothing, as_text

VERSION = "0.1.0"

Move: TypeAlias = models.BigManitouMove | models.ManitouMove | models.PlentyCoupsMove | models.TomahawkMove
LegalMove: TypeAlias = (
    models.BigManitouLegalMove | models.ManitouLegalMove | models.PlentyCoupsLegalMove | models.TomahawkLegalMove
)
OpenDecision: TypeAlias = (
    models.BigManitouOpenDecision
    | models.ManitouOpenDecision
    | models.PlentyCoupsOpenDecision
    | models.TomahawkOpenDecision
)


def list_games() -> Call[models.Games]:
    """All games hosted."""
    return Call(
        "GET",
        f"/v1/games",
        as_json,
    )


def get_game(game: models.GameName) -> Call[models.Game]:
    """A game: players, house rules with the rulings they stem from, credits."""
    return Call(
        "GET",
        f"/v1/games/{quote(str(game), safe='')}",
        as_json,
    )


def list_rules(game: models.GameName) -> Call[models.Rules]:
    """The ids and titles of all rules of a game."""
    return Call(
        "GET",
        f"/v1/games/{quote(str(game), safe='')}/rules",
        as_json,
    )


def get_rule(game: models.GameName, rule_id: str) -> Call[models.Rule]:
    """A rule by its id, such as BM-5.4b."""
    return Call(
        "GET",
        f"/v1/games/{quote(str(game), safe='')}/rules/{quote(str(rule_id), safe='')}",
        as_json,
    )


def list_event_types(game: models.GameName) -> Call[models.Catalogue]:
    """The catalogue of events: every type that a table of the game may have, the game's own and the table's."""
    return Call(
        "GET",
        f"/v1/games/{quote(str(game), safe='')}/events",
        as_json,
    )


def list_game_rulings(game: models.GameName) -> Call[models.Register]:
    """The register of rulings: what each decides, by cases, under every house rule that stems from it."""
    return Call(
        "GET",
        f"/v1/games/{quote(str(game), safe='')}/rulings",
        as_json,
    )


def get_case(game: models.GameName, case: str, *, accept_language: str | None = None) -> Call[models.ShownCase]:
    """A case of the register as it is played under each reading, moment by moment (Accept-Language: en, fr)."""
    return Call(
        "GET",
        f"/v1/games/{quote(str(game), safe='')}/cases/{quote(str(case), safe='')}",
        as_json,
        headers={"Accept-Language": accept_language},
    )


def list_ai_players() -> Call[models.Levels]:
    """The AI players that a table may seat, and how strong each was measured to be."""
    return Call(
        "GET",
        f"/v1/ai-players",
        as_json,
    )


def create_player(body: models.PlayerRequest, *, idempotency_key: str | None = None) -> Call[models.NewPlayer]:
    """A new account with its first token (scopes `play`, `watch` and `account`), whose text is told only here."""
    return Call(
        "POST",
        f"/v1/players",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def get_me() -> Call[models.Player]:
    """Whose token this is, what it may do, and what operators tell the account."""
    return Call(
        "GET",
        f"/v1/players/me",
        as_json,
    )


def erase_me() -> Call[None]:
    """Erases the account, for ever: what its person is called and wrote can be read nowhere from then on."""
    return Call(
        "DELETE",
        f"/v1/players/me",
        as_nothing,
    )


def take_name(body: models.NameRequest) -> Call[models.Named]:
    """Takes another name, for tables where one sits down from now on; a guest who does is none any more."""
    return Call(
        "PUT",
        f"/v1/players/me/name",
        as_json,
        body=body,
    )


def list_tokens() -> Call[models.Tokens]:
    """All tokens of the account, without their texts."""
    return Call(
        "GET",
        f"/v1/players/me/tokens",
        as_json,
    )


def create_token(body: models.TokenRequest, *, idempotency_key: str | None = None) -> Call[models.NewToken]:
    """A further token for the same account, with any of a player's scopes: give a program the least that it needs."""
    return Call(
        "POST",
        f"/v1/players/me/tokens",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def rename_token(token: str, body: models.LabelRequest) -> Call[models.Token]:
    """Gives a token another label: the device or the program that has it."""
    return Call(
        "PUT",
        f"/v1/players/me/tokens/{quote(str(token), safe='')}",
        as_json,
        body=body,
    )


def revoke_token(token: str) -> Call[None]:
    """Ends a token. Other processes may honour it for five seconds more, except for managing the account."""
    return Call(
        "DELETE",
        f"/v1/players/me/tokens/{quote(str(token), safe='')}",
        as_nothing,
    )


def get_webhook() -> Call[models.Webhook]:
    """The webhook of the account, and what came of sending to it last. Its address may hold a secret of the bot's."""
    return Call(
        "GET",
        f"/v1/players/me/webhook",
        as_json,
    )


def set_webhook(body: models.WebhookRequest) -> Call[models.NewWebhook]:
    """Where a bot wants to be told that it is its turn, instead of the address that it gave before."""
    return Call(
        "PUT",
        f"/v1/players/me/webhook",
        as_json,
        body=body,
    )


def delete_webhook() -> Call[None]:
    """Ends the webhook. What is being sent may still arrive."""
    return Call(
        "DELETE",
        f"/v1/players/me/webhook",
        as_nothing,
    )


def create_sign_in_code() -> Call[models.SignInCode]:
    """A short code by which another device signs in, once; the code before is good no more."""
    return Call(
        "POST",
        f"/v1/players/me/sign-in-codes",
        as_json,
    )


def sign_in(body: models.SignInRequest, *, idempotency_key: str | None = None) -> Call[models.NewPlayer]:
    """A token of its own for a device that shows a code, a recovery code or a passkey of the account."""
    return Call(
        "POST",
        f"/v1/sign-ins",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def prepare_sign_in() -> Call[models.Options]:
    """The options by which a browser signs in by a passkey of this page."""
    return Call(
        "POST",
        f"/v1/sign-ins/options",
        as_json,
    )


def get_recovery_codes() -> Call[models.RecoveryCodes]:
    """How many recovery codes are left."""
    return Call(
        "GET",
        f"/v1/players/me/recovery-codes",
        as_json,
    )


def create_recovery_codes() -> Call[models.NewRecoveryCodes]:
    """New recovery codes, each good for signing in once; the ones before are good no more. They are told only here."""
    return Call(
        "POST",
        f"/v1/players/me/recovery-codes",
        as_json,
    )


def prepare_passkey() -> Call[models.Options]:
    """The options by which a browser makes a passkey for this account."""
    return Call(
        "POST",
        f"/v1/players/me/passkeys/options",
        as_json,
    )


def list_passkeys() -> Call[models.Passkeys]:
    """All passkeys of the account."""
    return Call(
        "GET",
        f"/v1/players/me/passkeys",
        as_json,
    )


def add_passkey(body: models.PasskeyRequest) -> Call[models.Passkey]:
    """Keeps a passkey that the browser has made: its public key; the secret one never leaves the device."""
    return Call(
        "POST",
        f"/v1/players/me/passkeys",
        as_json,
        body=body,
    )


def rename_passkey(passkey: str, body: models.LabelRequest) -> Call[models.Passkey]:
    """Gives a passkey another label."""
    return Call(
        "PUT",
        f"/v1/players/me/passkeys/{quote(str(passkey), safe='')}",
        as_json,
        body=body,
    )


def remove_passkey(passkey: str) -> Call[None]:
    """Ends a passkey: it signs in no more. What signed in by it before keeps its tokens."""
    return Call(
        "DELETE",
        f"/v1/players/me/passkeys/{quote(str(passkey), safe='')}",
        as_nothing,
    )


def list_tables(
    *,
    cursor: str | None = None,
    limit: int | None = None,
    status: models.TableStatus | None = None,
    mine: Literal["true", "false", "turn"] | None = None,
    open_to: str | None = None,
    game: models.GameName | None = None,
    player: str | None = None,
    since: str | None = None,
    until: str | None = None,
) -> Call[models.Lobby]:
    """The lobby: public tables of a status, or all tables of one's own (scope `watch`); the newest first."""
    return Call(
        "GET",
        f"/v1/tables",
        as_json,
        query={
            "cursor": cursor,
            "limit": limit,
            "status": status,
            "mine": mine,
            "open_to": open_to,
            "game": game,
            "player": player,
            "since": since,
            "until": until,
        },
    )


def open_table(body: models.OpeningRequest, *, idempotency_key: str | None = None) -> Call[models.Table]:
    """Opens a table; the game begins as soon as every seat is taken."""
    return Call(
        "POST",
        f"/v1/tables",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def get_table(
    table: str, *, at: int | None = None, at_time: str | None = None, seat: str | None = None
) -> Call[models.Table]:
    """The table now, at a version or at a time, as the caller may see it."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}",
        as_json,
        query={"at": at, "at_time": at_time, "seat": seat},
    )


def take_seat(
    table: str, seat: int, body: models.SittingRequest, *, idempotency_key: str | None = None
) -> Call[models.Table]:
    """Sits down, or gives the seat to an AI; with the last seat the game begins."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/seats/{quote(str(seat), safe='')}",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def leave_seat(table: str, seat: int, *, idempotency_key: str | None = None) -> Call[models.Table]:
    """Gets up before the game has begun."""
    return Call(
        "DELETE",
        f"/v1/tables/{quote(str(table), safe='')}/seats/{quote(str(seat), safe='')}",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
    )


def grant_time(
    table: str, seat: int, body: models.WaitRequest, *, idempotency_key: str | None = None
) -> Call[models.Table]:
    """Grants more time to a seat whose clock has run out."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/seats/{quote(str(seat), safe='')}/wait",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def hand_over_seat(
    table: str, seat: int, body: models.HandOverRequest, *, idempotency_key: str | None = None
) -> Call[models.Table]:
    """Hands a seat whose clock has run out to an AI."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/seats/{quote(str(seat), safe='')}/handover",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def get_lesson(game: models.GameName, *, accept_language: str | None = None) -> Call[models.Lesson]:
    """The lesson of a game, with its seed and all its steps (Accept-Language: en, fr)."""
    return Call(
        "GET",
        f"/v1/games/{quote(str(game), safe='')}/lesson",
        as_json,
        headers={"Accept-Language": accept_language},
    )


def open_lesson(game: models.GameName, *, idempotency_key: str | None = None) -> Call[models.Table]:
    """Opens a private table with the lesson, for the caller against AI players; its result counts nowhere."""
    return Call(
        "POST",
        f"/v1/games/{quote(str(game), safe='')}/lesson",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
    )


def get_progress(table: str, *, accept_language: str | None = None) -> Call[models.Progress]:
    """How far the lesson at a table has come: what to know now, and the move to make (Accept-Language: en, fr)."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/lesson",
        as_json,
        headers={"Accept-Language": accept_language},
    )


def list_moves(table: str) -> Call[models.Moves]:
    """The decisions that wait for the caller at this table, with the legal moves of each."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/moves",
        as_json,
    )


def play_move(
    table: str,
    body: models.MoveRequest,
    *,
    idempotency_key: str | None = None,
    if_match: str | None = None,
    prefer: str | None = None,
) -> Call[models.Played]:
    """Plays a move. When it was the last that a decision waited for, all that follows is in the answer."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/moves",
        as_json,
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match, "Prefer": prefer},
        body=body,
    )


def check_move(table: str, body: models.CheckRequest) -> Call[models.Check]:
    """Whether a seat may make a move, and if not which rule forbids it. Changes nothing."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/moves/check",
        as_json,
        body=body,
    )


def list_events(
    table: str, *, after: int | None = None, limit: int | None = None, language: Literal["en", "fr"] | None = None
) -> Call[models.Events]:
    """The events as the caller may read them."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/events",
        as_json,
        query={"after": after, "limit": limit, "language": language},
    )


def read_feed(
    *,
    cursor: str | None = None,
    limit: int | None = None,
    game: models.GameName | None = None,
    type: str | None = None,
    player: str | None = None,
    language: Literal["en", "fr"] | None = None,
) -> Call[models.Feed]:
    """The batches of all public tables behind a cursor, in the order of each partition, as a spectator could read them."""
    return Call(
        "GET",
        f"/v1/feed",
        as_json,
        query={"cursor": cursor, "limit": limit, "game": game, "type": type, "player": player, "language": language},
    )


def list_rulings(table: str, *, accept_language: str | None = None) -> Call[models.Rulings]:
    """All rulings of the table, each with its figures, its reason in words (Accept-Language: en, fr) and its rules."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/rulings",
        as_json,
        headers={"Accept-Language": accept_language},
    )


def get_ruling(table: str, version: int, *, accept_language: str | None = None) -> Call[models.Ruling]:
    """The ruling that is the event with this version."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/rulings/{quote(str(version), safe='')}",
        as_json,
        headers={"Accept-Language": accept_language},
    )


def diff_table(
    table: str, *, to: int | None = None, seat: str | None = None, from_: int | None = None
) -> Call[models.Diff]:
    """What changed between two versions, event by event."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/diff",
        as_json,
        query={"to": to, "seat": seat, "from": from_},
    )


def blame_place(table: str, *, path: str, at: int | None = None, seat: str | None = None) -> Call[models.Blame]:
    """The event that last changed a place (JSON Pointer, RFC 6901) of the table's document."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/blame",
        as_json,
        query={"path": path, "at": at, "seat": seat},
    )


def find_moment(
    table: str, *, path: str, value: str, seat: str | None = None, from_: int | None = None
) -> Call[models.Find]:
    """The first version at which a place (JSON Pointer) of the table's document held a value."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/find",
        as_json,
        query={"path": path, "value": value, "seat": seat, "from": from_},
    )


def get_beliefs(
    table: str, *, at: int | None = None, seat: int | None = None, worlds: int | None = None
) -> Call[models.Beliefs]:
    """Where each card that a seat does not see may lie, and how likely, from what the seat knew at that version alone."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/beliefs",
        as_json,
        query={"at": at, "seat": seat, "worlds": worlds},
    )


def get_analysis(table: str, *, kind: Literal["quick", "deep", "luck"] | None = None) -> Call[models.Analysis]:
    """How far an analysis is, and all of it when it is done."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/analysis",
        as_json,
        query={"kind": kind},
    )


def ask_analysis(table: str, body: models.AnalysisRequest) -> Call[models.Analysis]:
    """Asks for an analysis of a finished table; 200 with all of it if it is there already."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/analysis",
        as_json,
        body=body,
    )


def cancel_analysis(table: str, *, kind: Literal["quick", "deep", "luck"] | None = None) -> Call[None]:
    """Ends an analysis that is not done. Only whoever asked for it may; what was done of it is thrown away."""
    return Call(
        "DELETE",
        f"/v1/tables/{quote(str(table), safe='')}/analysis",
        as_nothing,
        query={"kind": kind},
    )


def audit_table(table: str, *, version: int | None = None, hash: str | None = None) -> Call[models.Audit]:
    """Checks the chain, every commitment, every draw of luck and every decision of the table once more."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/audit",
        as_json,
        query={"version": version, "hash": hash},
    )


def explain_move(table: str, version: int) -> Call[models.Explanation]:
    """How an AI chose the move that led to this event: computed again from its view, its feed and its seed."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/moves/{quote(str(version), safe='')}/explanation",
        as_json,
    )


def export_archive(table: str, *, after: int | None = None, until: int | None = None) -> Call[bytes]:
    """The table as one file: a header, then an event a line, as the caller may read them."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/archive",
        as_bytes,
        query={"after": after, "until": until},
    )


def export_notation(table: str) -> Call[str]:
    """The table as a short text that people can read: a header, then a move a line."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/notation",
        as_text,
    )


def import_archive(body: bytes) -> Call[models.Table]:
    """Takes in the complete archive of a finished game; repeating it changes nothing. For operators (scope `admin`)."""
    return Call(
        "POST",
        f"/v1/archives",
        as_json,
        content=body,
    )


def readjudicate_table(table: str, body: models.ReadjudicationRequest) -> Call[models.Readjudication]:
    """The table decided again under other house rules: where it first differs, and what would have followed."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/readjudications",
        as_json,
        body=body,
    )


def list_disputes(table: str) -> Call[models.Disputes]:
    """The disputes of the table, the oldest first, and a takeback that waits for consent."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/disputes",
        as_json,
    )


def open_dispute(
    table: str, body: models.DisputeRequest, *, idempotency_key: str | None = None
) -> Call[models.Disputes]:
    """Disputes a ruling, within the time that the table grants."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/disputes",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def comment_on_dispute(
    table: str, dispute: str, body: models.CommentRequest, *, idempotency_key: str | None = None
) -> Call[models.Disputes]:
    """Says something on a dispute: those seated, and the arbiter."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/disputes/{quote(str(dispute), safe='')}/comments",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def look_through_seat(
    table: str, dispute: str, body: models.LookRequest, *, idempotency_key: str | None = None
) -> Call[models.Disputes]:
    """The arbiter (scope `arbitrate`) borrows a seat's eyes: while the dispute is open, up to the disputed version."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/disputes/{quote(str(dispute), safe='')}/looks",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def vote_on_dispute(
    table: str, dispute: str, body: models.VoteRequest, *, idempotency_key: str | None = None
) -> Call[models.Disputes]:
    """Votes on a dispute, where the seats decide. More than half of the persons seated overturn a ruling."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/disputes/{quote(str(dispute), safe='')}/votes",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def resolve_dispute(
    table: str, dispute: str, body: models.ResolutionRequest, *, idempotency_key: str | None = None
) -> Call[models.Disputes]:
    """The arbiter's verdict (scope `arbitrate`)."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/disputes/{quote(str(dispute), safe='')}/resolution",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def ask_takeback(
    table: str, body: models.TakebackRequest, *, idempotency_key: str | None = None
) -> Call[models.Takeback]:
    """Takes the seat's last move back if nobody has learned anything from it, else asks those who have."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/takebacks",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def answer_takeback(
    table: str, takeback: str, body: models.ConsentRequest, *, idempotency_key: str | None = None
) -> Call[models.Takeback]:
    """Agrees to a takeback, or does not; with the last seat that agrees it is granted."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/takebacks/{quote(str(takeback), safe='')}/answer",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def get_worth(table: str, dispute: str) -> Call[models.Worth]:
    """What each seat could expect after the disputed ruling, under either reading, or how far the workers are."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/disputes/{quote(str(dispute), safe='')}/worth",
        as_json,
    )


def ask_worth(table: str, dispute: str) -> Call[models.Worth]:
    """Asks what the other reading would have been worth; 200 with the answer if it is there already."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/disputes/{quote(str(dispute), safe='')}/worth",
        as_json,
    )


def cancel_worth(table: str, dispute: str) -> Call[None]:
    """Calls it off before it is done. Only whoever asked may; what was done of it is thrown away."""
    return Call(
        "DELETE",
        f"/v1/tables/{quote(str(table), safe='')}/disputes/{quote(str(dispute), safe='')}/worth",
        as_nothing,
    )


def list_forks(table: str, *, cursor: str | None = None, limit: int | None = None) -> Call[models.Forks]:
    """Where the table comes from, and those of its branches that the caller may see, the newest first."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/forks",
        as_json,
        query={"cursor": cursor, "limit": limit},
    )


def fork_table(table: str, body: models.ForkRequest, *, idempotency_key: str | None = None) -> Call[models.Table]:
    """Opens a branch: a new table that plays on from a version of this one."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/forks",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def compare_branches(table: str, *, with_: str, accept_language: str | None = None) -> Call[models.Comparison]:
    """This table beside another branch of the same game: where they part, the first difference, the scores."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/comparison",
        as_json,
        query={"with": with_},
        headers={"Accept-Language": accept_language},
    )


def list_transcripts() -> Call[models.Transcripts]:
    """The caller's own transcripts, the newest first."""
    return Call(
        "GET",
        f"/v1/transcripts",
        as_json,
    )


def load_transcript(
    body: models.TranscriptRequest, *, visibility: models.Visibility | None = None
) -> Call[models.Transcript]:
    """Loads a text: it is replayed by the rules, and from then on read at `/v1/tables/{table}` as every table is."""
    return Call(
        "POST",
        f"/v1/transcripts",
        as_json,
        query={"visibility": visibility},
        body=body,
    )


def get_transcript(table: str) -> Call[models.WholeTranscript]:
    """A transcript with its text, its lines and what they comment on."""
    return Call(
        "GET",
        f"/v1/transcripts/{quote(str(table), safe='')}",
        as_json,
    )


def delete_transcript(table: str) -> Call[None]:
    """Deletes a transcript of the caller's own, with all its lines."""
    return Call(
        "DELETE",
        f"/v1/transcripts/{quote(str(table), safe='')}",
        as_nothing,
    )


def get_inbox(*, cursor: str | None = None, limit: int | None = None) -> Call[models.Inbox]:
    """The decisions that wait for the caller, the oldest first; a page is of so many tables, those opened last first."""
    return Call(
        "GET",
        f"/v1/inbox",
        as_json,
        query={"cursor": cursor, "limit": limit},
    )


def list_standings(
    *,
    game: models.GameName | None = None,
    player: str | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Call[models.Standings]:
    """How often players and AI levels have played and won each game."""
    return Call(
        "GET",
        f"/v1/standings",
        as_json,
        query={"game": game, "player": player, "cursor": cursor, "limit": limit},
    )


def export_me(*, cursor: str | None = None, limit: int | None = None) -> Call[models.Export]:
    """All that the service keeps of the caller: account, keys, blocks, webhook, loaded texts, a page of tables."""
    return Call(
        "GET",
        f"/v1/players/me/export",
        as_json,
        query={"cursor": cursor, "limit": limit},
    )


def get_profile(player: str) -> Call[models.Profile]:
    """A player's name, results, ratings, opponents and activity, as far as the person lets them be seen."""
    return Call(
        "GET",
        f"/v1/players/{quote(str(player), safe='')}",
        as_json,
    )


def get_quotas() -> Call[models.Quotas]:
    """What the caller may have at once, and what there is of it; lists may lag behind by a second."""
    return Call(
        "GET",
        f"/v1/players/me/quotas",
        as_json,
    )


def get_shown() -> Call[models.Shown]:
    """What the caller lets be seen."""
    return Call(
        "GET",
        f"/v1/players/me/profile",
        as_json,
    )


def set_shown(body: models.ShownRequest) -> Call[models.Shown]:
    """Sets what the caller lets be seen."""
    return Call(
        "PUT",
        f"/v1/players/me/profile",
        as_json,
        body=body,
    )


def list_blocks() -> Call[models.Blocks]:
    """Whom the caller has blocked. Nobody else is told."""
    return Call(
        "GET",
        f"/v1/players/me/blocks",
        as_json,
    )


def block_player(player: str) -> Call[None]:
    """Blocks somebody: neither sits down any more where the other sits. Games that have begun go on."""
    return Call(
        "PUT",
        f"/v1/players/me/blocks/{quote(str(player), safe='')}",
        as_nothing,
    )


def unblock_player(player: str) -> Call[None]:
    """Ends a block, whether there was one or not."""
    return Call(
        "DELETE",
        f"/v1/players/me/blocks/{quote(str(player), safe='')}",
        as_nothing,
    )


def list_invitations(table: str) -> Call[models.Invitations]:
    """The caller's own invitations to a table, and what became of each."""
    return Call(
        "GET",
        f"/v1/tables/{quote(str(table), safe='')}/invitations",
        as_json,
    )


def invite(
    table: str, body: models.InvitationRequest, *, idempotency_key: str | None = None
) -> Call[models.Invitation]:
    """Invites somebody to a table that waits for players: whoever sits there, or has opened it, may."""
    return Call(
        "POST",
        f"/v1/tables/{quote(str(table), safe='')}/invitations",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def get_invitation(invitation: str) -> Call[models.Invitation]:
    """An invitation, for whoever has its link."""
    return Call(
        "GET",
        f"/v1/invitations/{quote(str(invitation), safe='')}",
        as_json,
    )


def withdraw_invitation(invitation: str) -> Call[None]:
    """Withdraws an invitation of the caller's: the link leads to nothing any more."""
    return Call(
        "DELETE",
        f"/v1/invitations/{quote(str(invitation), safe='')}",
        as_nothing,
    )


def answer_invitation(invitation: str, body: models.AnswerRequest) -> Call[models.Invitation]:
    """Tells whoever invited that the invitation was seen, declined, or accepted by sitting down."""
    return Call(
        "POST",
        f"/v1/invitations/{quote(str(invitation), safe='')}/answer",
        as_json,
        body=body,
    )


def list_reports(
    *, status: Literal["waiting", "all"] | None = None, cursor: int | None = None, limit: int | None = None
) -> Call[models.Queue]:
    """What waits for an operator: reports, and open disputes at tables without an arbiter. For operators."""
    return Call(
        "GET",
        f"/v1/reports",
        as_json,
        query={"status": status, "cursor": cursor, "limit": limit},
    )


def report(body: models.ReportRequest, *, idempotency_key: str | None = None) -> Call[models.Report]:
    """Reports a player, a table, or what somebody is called or wrote there. Operators alone are told."""
    return Call(
        "POST",
        f"/v1/reports",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def list_actions(
    *, player: str | None = None, cursor: int | None = None, limit: int | None = None
) -> Call[models.Actions]:
    """What operators have done, the first action first. For operators."""
    return Call(
        "GET",
        f"/v1/moderation",
        as_json,
        query={"player": player, "cursor": cursor, "limit": limit},
    )


def moderate(body: models.ActionRequest, *, idempotency_key: str | None = None) -> Call[models.Action]:
    """Dismisses reports, warns a player, hides their name, suspends their account, or reverses that. For operators."""
    return Call(
        "POST",
        f"/v1/moderation",
        as_json,
        headers={"Idempotency-Key": idempotency_key},
        body=body,
    )


def get_health() -> Call[models.Health]:
    """That the process lives. Asks nothing of the store."""
    return Call(
        "GET",
        f"/healthz",
        as_json,
    )


def get_readiness() -> Call[models.Ready]:
    """That the store takes writes, and what it does before it acknowledges; 503 while it loads its data."""
    return Call(
        "GET",
        f"/readyz",
        as_json,
    )


def get_metrics() -> Call[str]:
    """Metrics in the Prometheus text format. For operators (`WINTERCOUNT_METRICS_TOKEN`, or their own token)."""
    return Call(
        "GET",
        f"/metrics",
        as_text,
    )


def list_games_played(
    *,
    cursor: str | None = None,
    limit: int | None = None,
    game: models.GameName | None = None,
    seats: int | None = None,
    player: str | None = None,
    level: models.LevelName | None = None,
    result: Literal["won", "lost"] | None = None,
    options: str | None = None,
    rated: Literal["true", "false"] | None = None,
    disputed: Literal["true", "false"] | None = None,
    moves_from: int | None = None,
    moves_to: int | None = None,
    rating_from: int | None = None,
    rating_to: int | None = None,
    since: str | None = None,
    until: str | None = None,
) -> Call[models.GamesPlayed]:
    """Finished games, the last that ended first: public ones, and with the scope `watch` private ones of one's own."""
    return Call(
        "GET",
        f"/v1/games-played",
        as_json,
        query={
            "cursor": cursor,
            "limit": limit,
            "game": game,
            "seats": seats,
            "player": player,
            "level": level,
            "result": result,
            "options": options,
            "rated": rated,
            "disputed": disputed,
            "moves_from": moves_from,
            "moves_to": moves_to,
            "rating_from": rating_from,
            "rating_to": rating_to,
            "since": since,
            "until": until,
        },
    )


def get_statistics(
    *,
    game: models.GameName,
    seats: int | None = None,
    rated: Literal["true", "false"] | None = None,
    level: Literal["people", "bots", "uniform", "novice", "greedy", "skilled", "expert"] | None = None,
) -> Call[models.Statistics]:
    """How often each house rule and each feature of a seat occurs in public games, and how they fared with it."""
    return Call(
        "GET",
        f"/v1/statistics",
        as_json,
        query={"game": game, "seats": seats, "rated": rated, "level": level},
    )


def list_ratings(
    *,
    game: models.GameName,
    seats: int,
    provisional: Literal["true", "false"] | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Call[models.Ratings]:
    """The leaderboard of a game with so many seats: people, bots and AI levels on one scale."""
    return Call(
        "GET",
        f"/v1/ratings",
        as_json,
        query={"game": game, "seats": seats, "provisional": provisional, "cursor": cursor, "limit": limit},
    )


def get_ratings(player: str) -> Call[models.PlayerRatings]:
    """All ratings of a player, or of a level of AI (`ai:greedy`); none for one who has played no rated game."""
    return Call(
        "GET",
        f"/v1/players/{quote(str(player), safe='')}/ratings",
        as_json,
    )


def get_rating_history(
    player: str, game: models.GameName, seats: int, *, cursor: str | None = None, limit: int | None = None
) -> Call[models.RatingHistory]:
    """What somebody's rating was behind each game, the newest first."""
    return Call(
        "GET",
        f"/v1/players/{quote(str(player), safe='')}/ratings/{quote(str(game), safe='')}/{quote(str(seats), safe='')}",
        as_json,
        query={"cursor": cursor, "limit": limit},
    )


def list_dumps() -> Call[models.Dumps]:
    """The dumps that there are: for each month one file of all public tables that ended in it."""
    return Call(
        "GET",
        f"/v1/dumps",
        as_json,
    )


def get_dump(name: str, *, range: str | None = None, if_range: str | None = None) -> Call[bytes]:
    """A file that `GET /v1/dumps` names, whole or in part (`Range`, `If-Range`), with a strong `ETag`."""
    return Call(
        "GET",
        f"/v1/dumps/{quote(str(name), safe='')}",
        as_bytes,
        headers={"Range": range, "If-Range": if_range},
    )


def get_manifest(month: str) -> Call[models.Manifest]:
    """The manifest of a month's dump, as it was signed: what `wintercount verify` wants beside the file."""
    return Call(
        "GET",
        f"/v1/dumps/{quote(str(month), safe='')}/manifest",
        as_json,
    )


def list_keys() -> Call[models.WebKeys]:
    """The public keys under which the service signs, as JSON Web Keys (RFC 8037), the newest first."""
    return Call(
        "GET",
        f"/.well-known/jwks.json",
        as_json,
    )
