"""What each seat of a table to be opened is meant for."""

from typing import Any

from marshmallow import Schema, ValidationError, validate, validates_schema

from service.api.schemas.parts import ID, StrictText
from service.levels import LEVELS

SEAT = 'A seat is an object, such as {"kind": "me"}, {"kind": "open"} or {"kind": "ai", "level": "greedy"}.'
SEATS = f"A list with as many seats as the table is to have. {SEAT}".replace("{", "{{").replace("}", "}}")  # a format
SEATS_MESSAGES: dict[str, str | list[Any] | dict[Any, Any]] = {"required": SEATS, "invalid": SEATS}
NEEDED = (("player", "player", "the id of a player"), ("ai", "level", f"one of {', '.join(LEVELS)}"))


class SeatRequest(Schema):
    """What a seat is meant for."""

    error_messages = {"type": SEAT}  # noqa: RUF012 - marshmallow's own form

    kind = StrictText(
        required=True,
        validate=validate.OneOf(("me", "open", "player", "ai")),
        metadata={"description": "me: for who opens the table; open: for anybody; player: kept for one; ai"},
    )
    player = StrictText(validate=ID, metadata={"description": "with kind player: whom the seat is kept for"})
    level = StrictText(validate=validate.OneOf(tuple(LEVELS)), metadata={"description": "with kind ai: its level"})

    @validates_schema
    def _fits(self, data: dict[str, Any], **_: Any) -> None:
        for kind, name, what in NEEDED:
            if data["kind"] == kind and name not in data:
                raise ValidationError(f"a seat of kind {kind!r} needs it: {what}", name)
            if data["kind"] != kind and name in data:
                raise ValidationError(f"a seat of kind {kind!r} alone has it", name)
