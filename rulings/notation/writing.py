"""From document to text."""

from collections.abc import Iterable, Iterator

from rulings.notation.document import Amended, Comment, Document, Drawn, Item, Played, Tag
from rulings.notation.text import move_words, pairs_of, words_of

WIDTH = 100
INDENT = "  "


def write(document: Document) -> str:
    """The text of a document, wrapped where a line would be long; `parse` reads it back."""
    header = [line for tag in document.tags for line in _wrapped("", _tag(tag))]
    play = [line for draw in document.setup for line in _draw("", draw)] + list(_lines("", document.items))
    return "\n".join([*header, "", *play, ""])


def _tag(tag: Tag) -> list[str]:
    pieces = [tag.name, *(piece for value in tag.values for piece in words_of(value)), *pairs_of(tag.named)]
    return ["[" + pieces[0], *pieces[1:-1], pieces[-1] + "]"] if len(pieces) > 1 else [f"[{tag.name}]"]


def _lines(indent: str, items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Comment):
            yield from _wrapped(indent, ("{" + item.text + "}").split(" "))
        elif isinstance(item, Played):
            yield from _played(indent, item)
        elif isinstance(item, Amended):
            yield from _wrapped(indent, ["!", *pairs_of(item.options)])
        else:
            yield f"{indent}("
            yield from _lines(indent + INDENT, item.items)
            yield f"{indent})"


def _played(indent: str, item: Played) -> Iterator[str]:
    words = move_words(item.move) if item.move else ["?"]
    yield from _wrapped(indent, [f"{item.number}.", f"{item.seat}:", *words])
    for draw in item.draws:
        yield from _draw(indent, draw)


def _draw(indent: str, draw: Drawn) -> Iterator[str]:
    items = ["?"] if draw.items is None else [piece for item in draw.items for piece in words_of(item)]
    yield from _wrapped(indent + INDENT, ["=", draw.kind, *items])


def _wrapped(indent: str, pieces: list[str]) -> Iterator[str]:
    """The pieces on as few lines as their width allows; all but the first are indented further."""
    line = indent + pieces[0]
    for piece in pieces[1:]:
        if len(line) + 1 + len(piece) > WIDTH:
            yield line
            line = indent + INDENT * 2 + piece
        else:
            line += " " + piece
    yield line
