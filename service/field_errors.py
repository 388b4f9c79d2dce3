"""Field errors of a 422 in the caller's language: each has a code for programs and a sentence for people.

Schemas and games say in English what is wrong; `WORDINGS` has the code and the French for each of their sentences.
"""

import re
from functools import lru_cache
from typing import Any, NamedTuple

from rulings.words import french
from service.errors import FieldError


class Wording(NamedTuple):
    """A code, the English sentence as a regular expression, and the French one with its groups as {0}, {1}."""

    code: str
    english: str
    french: str


WORDINGS = (
    Wording("required", r"Missing data for required field\.|object missing required field .*", "Ce champ manque."),
    Wording("unknown", r"Unknown field\.|object contains unknown field .*", "Ce champ est inconnu."),
    Wording("null", r"Field may not be null\.", "Ce champ ne peut pas être null."),
    Wording("duplicate", "occurs more than once", "Ce nom figure plusieurs fois."),
    Wording("choice", r"Must be one of: (.*)\.", "Valeurs possibles : {0}."),
    Wording("choice", r"`.*` is one of (.*)", "Valeurs possibles : {0}."),
    Wording("type", "must be an integer|Not a valid integer\\.", "Un entier est attendu."),
    Wording("type", "must be a text|Not a valid string\\.", "Un texte est attendu."),
    Wording("type", "must be true or false", "true ou false est attendu."),
    Wording(
        "type",
        "must be a text, an integer, true, false or a list of texts",
        "Un texte, un entier, true, false ou une liste de textes est attendu.",
    ),
    Wording("type", "must be the number of a seat, or all", "Un numéro de place ou all est attendu."),
    Wording("type", r"Not a valid list\.", "Une liste est attendue."),
    Wording(
        "type",
        r"Not a valid mapping type\.|Invalid (?:input )?type\.|It has to be an object: \{…\}\.",
        "Un objet est attendu : {{…}}.",
    ),
    Wording(
        "type", r"is an object whose `type` is one of (.*)", "Un objet est attendu, dont `type` est l'un de : {0}."
    ),
    Wording(
        "type", r"(?:A list with as many seats .*\. )?A seat is an object, such as (.*)\.", "Exemples de places : {0}."
    ),
    Wording("range", r"must be a number from 0 to (.*)", "Un nombre de 0 à {0} est attendu."),
    Wording(
        "range",
        r"Must be greater than or equal to (.*) and less than or equal to (.*)\.",
        "De {0} à {1}, bornes comprises.",
    ),
    Wording("range", r"Must be greater than or equal to (.*)\.", "Au moins {0}."),
    Wording("range", r"Must be less than or equal to (.*)\.", "Au plus {0}."),
    Wording(
        "range", r"expected `\w+` (?:of length )?(>=|<=|>|<) (\S+).*", "La valeur ou la longueur attendue est {0} {1}."
    ),
    Wording("range", r"must be a multiple of (.*)", "Un multiple de {0} est attendu."),
    Wording(
        "range",
        "a range bounds something, and `least` is not above `most`",
        "Indiquez `least` ou `most`, `least` ne dépassant pas `most`.",
    ),
    Wording("length", r"Shorter than minimum length (.*)\.", "Longueur minimale : {0}."),
    Wording("length", r"Longer than maximum length (.*)\.", "Longueur maximale : {0}."),
    Wording("length", r"Length must be between (.*) and (.*)\.", "Longueur : de {0} à {1}."),
    Wording("type", r"expected `(.*?)`, got `(.*?)`.*", "Type attendu : {0}, type reçu : {1}."),
    Wording(
        "form",
        r"String does not match expected pattern\.|expected `str` matching regex .*",
        "La forme ne convient pas.",
    ),
    Wording("form", "is not a cursor of this list", "Ce n'est pas un curseur de cette liste."),
    Wording("form", "must not begin with a blank", "Le premier caractère ne peut pas être une espace."),
    Wording(
        "form", "must not begin with a combining mark", "Le premier caractère ne peut pas être un signe diacritique."
    ),
    Wording(
        "form",
        r"must not contain (U\+\w+) \((.*)\), which is its character (.*)",
        "Le caractère {2}, {0} ({1}), n'est pas permis.",
    ),
    Wording(
        "reserved",
        r"looks like (.*), which is reserved for the service",
        "Ce nom ressemble à {0}, qui est réservé au service.",
    ),
    Wording("choice", r"there is no event (.*); there are (.*)", "L'événement {0} n'existe pas. Événements : {1}."),
    Wording("contradictory", r"a clock of the kind (.*) has (.*)", "Une pendule du type {0} a {1}."),
    Wording("required", r"a seat of kind (.*) needs it: (.*)", "Une place du type {0} en a besoin : {1}"),
    Wording("contradictory", r"a seat of kind (.*) alone has it", "Seule une place du type {0} en a."),
    Wording("contradictory", "an AI has a level, and nobody else", "Une IA a un niveau ; les autres n'en ont pas."),
    Wording("contradictory", "not for an AI", "Une IA n'en a pas."),
    Wording(
        "contradictory", "goes with `player` or `level`: whose result it is", "`result` accompagne `player` ou `level`."
    ),
)


def field_error(error: FieldError, language: str) -> dict[str, Any]:
    """Returns the error as a problem document lists it."""
    code, detail = worded(error.said, language)
    return {"in": error.place, "pointer": error.pointer, "code": code, "detail": detail}


@lru_cache(1024)
def worded(said: str, language: str) -> tuple[str, str]:
    """Returns the code of an English sentence, and the sentence in the language; `invalid` if there is no wording."""
    for code, english, translation in WORDINGS:
        if found := re.fullmatch(english, said, re.DOTALL):
            return code, french(translation.format(*found.groups())) if language == "fr" else said
    return "invalid", said
