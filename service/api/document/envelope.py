"""What the document says of every event: the envelope that is hashed, who caused it, and what is told along."""

from typing import Any

from service.api.document.shapes import Schema, ref, told_apart

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
TIME: Schema = TEXT | {"format": "date-time"}
REQUIRED = (
    *("table", "version", "schema", "at", "by", "request", "batch", "readers", "secrets", "draws"),
    *("hash", "opened"),
)


def record(description: str, required: dict[str, Schema], **optional: Schema) -> Schema:
    """The schema of an object with these fields."""
    return {
        "type": "object",
        "description": description,
        "required": list(required),
        "properties": required | optional,
    }


ENVELOPE = {
    "type": "object",
    "description": (
        "What every event has. Without `game`, `hash`, `opened`, `texts`, `used_ms`, `words` and the fields that "
        "`opened` names (of the payload if `readers` names them too) an event is the public envelope, whose canonical "
        "JSON is hashed: hash = SHA-256(hash before, version as 8 bytes, envelope). A secret is committed to in "
        "`secrets` by SHA-256(salt, canonical JSON of the value)."
    ),
    "required": list(REQUIRED),
    "properties": {
        "table": TEXT,
        "version": NUMBER | {"minimum": 1},
        "schema": NUMBER | {"minimum": 1, "description": "the version of this form"},
        "at": TIME,
        "now": TIME
        | {"description": "the machine's time, if the table's time `at` was ahead of it: deadlines count from it"},
        "by": ref("Cause"),
        "request": {"type": ["string", "null"], "description": "the name of the request that caused it"},
        "batch": {
            "type": "array",
            "items": NUMBER,
            "minItems": 2,
            "maxItems": 2,
            "description": "first and last version of the events recorded together",
        },
        "readers": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": NUMBER},
            "description": "the secret fields of the payload, each with the seats that may read it",
        },
        "secrets": {"type": "object", "additionalProperties": TEXT, "description": "commitments"},
        "draws": {"type": "object", "additionalProperties": NUMBER, "description": "draws of luck, by kind"},
        "hash": TEXT,
        "opened": {
            "type": "object",
            "additionalProperties": ref("OpenedSecret"),
            "description": "the secrets that the caller may read",
        },
        "ai_seed": TEXT | {"description": "the seed of an AI's choice, when the game is over"},
        "ai_used": {"allOf": [ref("AiUsed")], "description": "how an AI chose, when the game is over"},
        "again": {
            "type": "array",
            "items": ref("MoveAgain"),
            "description": "the moves that a correction takes again, when the game is over",
        },
        "texts": {
            "type": "object",
            "additionalProperties": TEXT,
            "description": (
                "what people are called or wrote, in plain, by the field of the payload that holds it encrypted; "
                "`somebody` or `(removed)` if it was erased"
            ),
        },
        "used_ms": NUMBER
        | {"description": "how long a person took for the decision that this answers, in the first event of a move"},
        "words": TEXT | {"description": "a sentence, if a language was asked for"},
    },
}
HOLDER = {"player": TEXT, "version": NUMBER, "level": TEXT}
CAUSES = {"seat": "CauseSeat", "player": "CausePlayer", "clock": "CauseClock"}


def _cause(kind: str, description: str, **fields: Any) -> Schema:
    return record(description, {"kind": {"const": kind}, **fields})


def envelope_schemas() -> dict[str, Schema]:
    """The envelope and what it is made of."""
    return {
        "Envelope": ENVELOPE,
        "Cause": told_apart("kind", CAUSES, "Who caused an event."),
        "CauseSeat": _seat(),
        "CausePlayer": _cause("player", "A player who need not sit at the table.", player=TEXT),
        "CauseClock": _cause("clock", "Nobody: a time was over."),
        "AiHolder": record("The AI player that holds a seat.", HOLDER),
        "AiUsed": record(
            "Which AI player chose: `iterations` of its `budget`, at the version of the table that it had `seen`.",
            {"player": TEXT, "version": NUMBER, "iterations": NUMBER, "budget": NUMBER, "seen": NUMBER},
            instead_of={"type": "array", "items": ref("AiGivenUp")},
        ),
        "AiGivenUp": record(
            "An AI player that was given up before, and why.", {"player": TEXT, "version": NUMBER, "why": TEXT}
        ),
        "MoveAgain": record("A move that is taken again.", {"seat": NUMBER, "move": {"type": "object"}}),
        "OpenedSecret": record(
            "The salt of a secret that was opened: with it the commitment is checked.", {"salt": TEXT}
        ),
    }


def _seat() -> Schema:
    schema = _cause("seat", "Whoever holds a seat: a player, or an AI.", seat=NUMBER)
    schema["required"].append("player")
    schema["properties"] |= {"player": {"type": ["string", "null"]}, "ai": ref("AiHolder")}
    return schema
