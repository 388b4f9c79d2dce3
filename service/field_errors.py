"""Field errors of a 422: each has a code for programs beside the sentence for people.

Schemas and games say what is wrong; `CODES` finds the code by their sentences, which libraries of ours word as well.
"""

import re
from functools import lru_cache
from typing import Any

from service.errors import FieldError

CODES = {
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
    return next((code for code, form in CODES.items() if re.fullmatch(form, said, re.DOTALL)), "invalid")
