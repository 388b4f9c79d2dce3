"""The notation: a table as a short, readable text that replays to the same result.

`docs/notation.md` has the grammar. `parse` turns a text into a document and `write` a document into a text;
`document_of` makes a document from a recorded table, and `replay` plays a document with the luck in it. Moves are
written as the fields of their structs, so a new game needs no code here.
"""

from rulings.notation.from_record import document_of
from rulings.notation.parsing import parse
from rulings.notation.replaying import Replay, replay
from rulings.notation.text import NotationError, write

__all__ = ["NotationError", "Replay", "document_of", "parse", "replay", "write"]
