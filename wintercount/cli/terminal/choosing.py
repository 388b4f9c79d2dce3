"""Choosing a move by numbers: its kind, the move, or the cards of a move set."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wintercount.cli.terminal.words import Words

Say = Callable[[str], None]
Ask = Callable[[str], str]

MOST_AT_ONCE = 20  # moves in one list; with more, the kind is asked for first


class Chooser:
    """Asks for a move of a game, line by line."""

    def __init__(self, game: str, words: Words, say: Say, ask: Ask, faces: Mapping[str, str] | None = None) -> None:
        """`faces` describes cards whose names do not show their faces."""
        self.game, self._words, self._say, self._ask, self._faces = game, words, say, ask, faces or {}

    def choose(self, moves: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Returns one of these legal moves, complete."""
        kinds = list(dict.fromkeys(move["type"] for move in moves))
        if len(kinds) > 1 and len(moves) > MOST_AT_ONCE:
            kind = kinds[self._pick([self._words.kind_of_move(kind) for kind in kinds])]
            moves = [move for move in moves if move["type"] == kind]
        chosen = moves[self._pick([self._text(move) for move in moves])] if len(moves) > 1 else moves[0]
        return self._with_cards(chosen) if "choose" in chosen else self._alone(chosen, len(moves))

    def _text(self, move: Mapping[str, Any]) -> str:
        words = self._words
        return words.kind_of_move(move["type"]) if "choose" in move else words.sentence_of(self.game, move)

    def _alone(self, move: Mapping[str, Any], choices: int) -> dict[str, Any]:
        """Returns the move; if it is the only one, asks for confirmation first."""
        if choices == 1:
            self._say(self._words.say("only", move=self._words.sentence_of(self.game, move)))
            self._ask(self._words.say("enter"))
        return dict(move)

    def _pick(self, texts: Sequence[str]) -> int:
        """Asks for a number, or words that narrow the list until one line is left; returns the index of the line."""
        shown = dict(enumerate(texts))
        while True:
            for index, text in shown.items():
                self._say(f"{index + 1:4d}  {text}")
            answer = self._ask(self._words.say("choice", most=len(texts))).strip()
            found = _matches(texts, answer)
            if len(found) == 1:
                return next(iter(found))
            self._say("" if found else self._words.say("unknown", answer=repr(answer)))
            shown = found or dict(enumerate(texts))

    def _with_cards(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Asks for cards of `from` and returns the move with them, placed on `piles` in that order if there are any."""
        cards, count, named = entry["from"], entry["choose"], self._words.namer(self.game)
        self._say(self._words.asked_for(entry["type"], count))
        for number, card in enumerate(cards, 1):
            self._say(f"{number:4d}  {self._faces.get(card) or named(card)}")
        chosen = [cards[number - 1] for number in self._numbers(count, len(cards), entry.get("piles"))]
        if "piles" not in entry:
            return {"type": entry["type"], "cards": chosen}
        placed = [{"pile": pile, "card": card} for pile, card in zip(entry["piles"], chosen, strict=True)]
        return {"type": entry["type"], "cards": placed}

    def _numbers(self, count: int, most: int, piles: Sequence[int] | None) -> list[int]:
        words = self._words
        where = words.say("where", places=", ".join(map(str, piles))) if piles else ""
        while True:
            answer = self._ask(words.say("choose", count=count, most=most, where=where))
            found = [int(number) for number in re.findall(r"\d+", answer)]
            if len(set(found)) == len(found) == count and all(1 <= number <= most for number in found):
                return found
            self._say(words.say("numbers", count=count, most=most, such=" ".join(map(str, range(1, count + 1)))))


def _matches(texts: Sequence[str], answer: str) -> dict[int, str]:
    """Returns the lines that match an answer, by index: the one with its number, or all that contain its words."""
    if answer.isdecimal() and 1 <= int(answer) <= len(texts):
        return {int(answer) - 1: texts[int(answer) - 1]}
    return {index: text for index, text in enumerate(texts) if answer.lower() in text.lower()}
