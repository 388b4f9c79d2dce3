"""The notation: a table as one short text that people can read, and that replays to the same result.

`docs/notation.md` has the grammar. `parse` reads a text and `write` writes one; `document_of` writes a recorded table
down, and `replay` plays a text with the luck that it holds. Moves are written by the fields of their structs, so a new
game needs nothing here.
"""

from rulings.notation.from_record import document_of
from rulings.notation.parsing import parse
from rulings.notation.replaying import Replay, replay
from rulings.notation.text import NotationError
from rulings.notation.writing import write

__all__ = ["NotationError", "Replay", "document_of", "parse", "replay", "write"]
