"""House rules: declared by a game, read from JSON, and compared between tables."""

from collections.abc import Collection, Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from games.from_json import fault
from games.kernel import AnyGame, Option, OptionsRefused, OptionValueRefused

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)
SHAPES_SETUP = True  # marks a house rule that is fixed once a game has started


def options_of(options: type[msgspec.Struct]) -> tuple[Option, ...]:
    """Returns the house rules that a struct declares: for each field, its values (default first) and its ruling.

    The type of a field is `Annotated[its values, ruling]`, then `SHAPES_SETUP`, or a list with what it `shows` in.
    """
    defaults, hints = options(), get_type_hints(options, include_extras=True).items()
    return tuple(_option(name, hint, getattr(defaults, name)) for name, hint in hints)


def _option(name: str, hint: Any, default: Any) -> Option:
    ruling, *mark = hint.__metadata__
    shows = tuple(mark[0]) if mark and mark[0] is not SHAPES_SETUP else ()
    return Option(name, _values(hint.__origin__, default), ruling, SHAPES_SETUP in mark, shows)


def _values(hint: Any, default: Any) -> tuple[Any, ...]:
    """Returns the values of a house rule; none if they are not listed."""
    if hint is bool:
        return default, not default
    return get_args(hint) if get_origin(hint) is Literal else ()


def check_players(players: int, allowed: Collection[int], sentence: str) -> None:
    """Refuses a number of players that is not allowed; `sentence` names the allowed ones."""
    if type(players) is not int or players not in allowed:
        raise OptionsRefused("players", f"{sentence}, not {players}")


def options_for(
    options: type[OptionsT], allowed: Collection[int], sentence: str, raw: Mapping[str, Any], players: int
) -> OptionsT:
    """Parses the options of a table for so many seats; raises `OptionsRefused`, also by `check_players`."""
    check_players(players, allowed, sentence)
    return options_from(raw, options)


def options_from(raw: Mapping[str, Any], options: type[OptionsT]) -> OptionsT:
    """Parses options, filling in defaults; raises `OptionsRefused` for unknown names and values."""
    unknown = sorted(set(raw) - set(options.__struct_fields__))
    if unknown:
        raise OptionsRefused(unknown[0], f"there is no option {unknown[0]!r}")
    for name, value in raw.items():
        try:
            msgspec.convert({name: value}, options, strict=True)
        except msgspec.ValidationError as error:
            raise OptionValueRefused(name, fault(options, str(error))) from None
    return msgspec.convert(dict(raw), options, strict=True)


def other_defaults(game: AnyGame) -> dict[str, list[dict[str, Any]]]:
    """Returns, by house rule, where its default differs: with another house rule, or another number of `players`."""
    least, *more = game.players
    usual = msgspec.to_builtins(game.read_options({}, least))
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in usual}
    cases: list[tuple[str, Any, dict[str, Any], int]] = [("players", count, {}, count) for count in more]
    cases += [(other.name, value, {other.name: value}, least) for other in game.options for value in other.values[1:]]
    for other, value, chosen, players in cases:
        for name, default in msgspec.to_builtins(game.read_options(chosen, players)).items():
            if name not in chosen and default != usual[name]:
                found[name].append({"option": other, "value": value, "default": default})
    return found


def reshaped(game: AnyGame, was: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """Returns the first house rule that differs but cannot change during a game, because it shapes the set-up."""
    shaping = [option.name for option in game.options if option.shapes_setup]
    return next((name for name in shaping if _as_json(now.get(name, was[name])) != _as_json(was[name])), None)


def _as_json(value: Any) -> Any:
    """Returns a value in its recorded form, with lists for tuples."""
    return list(value) if isinstance(value, tuple) else value
