"""French as it is printed: ’ for the apostrophe, narrow no-break spaces before : ; ! ? » and after «."""

import re
from typing import Any

NARROW = "\u202f"
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w|\{\{)")
_BEFORE = re.compile(r" (?=[:;?»]|!(?!=))")  # `!=` is an operator in a template
_AFTER = re.compile(r"(?<=«) ")


def french(text: str) -> str:
    """A French text, or the template of one, as it is printed."""
    return _AFTER.sub(NARROW, _BEFORE.sub(NARROW, _APOSTROPHE.sub("’", text)))


SETTERS = {"fr": french}


def typeset(value: Any, language: str) -> Any:
    """The texts in `value`, a text or a table of texts, as the language prints them."""
    setter = SETTERS.get(language)
    if setter is None:
        return value
    if isinstance(value, dict):
        return {name: typeset(item, language) for name, item in value.items()}
    return setter(value)
