"""What is done before a request that can be sent once alone: what it needs is made, and named as it says it."""

import json
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import msgspec

from benchmarks.charging.before_people import NOTHING, PEOPLE, Names, NothingLeft, sent
from benchmarks.charging.hall import Hall
from benchmarks.charging.place import Place
from events.lifecycle import SeatOffer
from service.analyses.keeping import Name
from service.errors import Refused
from service.tables import takebacks
from service.tables.clocks import expire
from service.tables.opening import Opening, open_table
from worker.analysis.slices import go_on

# --- tables ---


def _free_seat(hall: Hall, place: Place) -> Names:
    """A table of the same game with a free seat."""
    person = hall.people[0]
    offers = (SeatOffer(1, "player", person.player.id), SeatOffer(2, "open"))
    table = open_table(hall.handler, hall.sent(person), Opening(place.names["game"], offers)).table
    return {"table": table.id, "seat": 2, "token": person.token}


def _guest(hall: Hall, place: Place) -> Names:
    return _free_seat(hall, place) | {"token": hall.people[1].token}


def _seated_guest(hall: Hall, place: Place) -> Names:
    return _free_seat(hall, place) | {"seat": 1}


def _invited(hall: Hall, place: Place) -> Names:
    found = _free_seat(hall, place)
    path = f"/v1/tables/{found['table']}/invitations"
    return found | {"invitation": sent(hall, "POST", path, found["token"], json={"name": "Bea"})["invitation"]}


def _expired(hall: Hall, place: Place) -> Names:
    """A seat whose clock has run out, and somebody else who sits there."""
    table = hall.opened(place.names["game"], 2, clock=hall.now(place.names["table"]).opened.clock)
    hall.play(table, 4)
    decision = hall.now(table).decisions[0]
    later = SimpleNamespace(
        now_ms=lambda: hall.handler.now_ms() + 3_600_000, change=hall.handler.change, history=hall.handler.history
    )
    expire(later, table, decision.seat, decision.recorded_id)  # its clock runs ahead
    return {"table": table, "seat": decision.seat, "token": hall.people[2 - decision.seat].token}


def _move(hall: Hall, place: Place) -> Names:
    """A legal move of somebody who has to decide."""
    table = place.names["table"]
    for _ in range(20):
        now = hall.now(table)
        if now.over or now.paused or not now.decisions:
            break
        decision = now.decisions[0]
        if person := hall.holder(now, decision.seat):
            move = msgspec.to_builtins(hall.move(now, decision.seat))
            body = {"game": place.names["game"], "seat": decision.seat, "decision": decision.public_id, "move": move}
            return {"move": body, "seat": decision.seat, "token": person.token}
        hall.play_ai(table)
    raise NothingLeft(table)


def _moved(hall: Hall, place: Place) -> Names:
    """A move was made that may be taken back; nothing else waits."""
    hall.agree(place.names["table"])
    found = _move(hall, place)
    sent(hall, "POST", f"/v1/tables/{place.names['table']}/moves", found["token"], json=found["move"])
    return found


def _asked(hall: Hall, place: Place) -> Names:
    """A takeback waits for somebody's answer."""
    for _ in range(20):
        found, table = _moved(hall, place), place.names["table"]
        person = next(one for one in hall.people if one.token == found["token"])
        takebacks.ask(hall.handler, table, hall.sent(person), found["seat"])
        if asked := hall.now(table).takeback:
            holder = hall.holder(hall.now(table), asked.missing[0])
            if holder:
                return {"takeback": asked.takeback, "seat": asked.missing[0], "token": holder.token}
    raise NothingLeft("nobody is asked")


def _ruling(hall: Hall, place: Place) -> Names:
    """A ruling that may be disputed, and was not."""
    table = place.names["table"]
    while found := hall.disputable(table):
        if not any(one.version == found[0] for one in hall.now(table).disputes):
            return {"ruling": found[0], "rule": found[1], "token": hall.people[0].token}
        if hall.step(table) is None:
            break
    raise NothingLeft(table)


def _another_text(hall: Hall, place: Place) -> Names:
    """The same text with a comment of its own: one that is kept is not replayed again."""
    hall.numbers += 1
    return {"text": f"{place.names['text'].rstrip()}\n{{{hall.numbers}}}\n"}


def _loaded_text(hall: Hall, place: Place) -> Names:
    made = sent(hall, "POST", "/v1/transcripts", place.token, json=_another_text(hall, place))
    return {"table": made["table"]}


def _archive(hall: Hall, place: Place) -> Names:
    """All of a table's archive."""
    path, found = f"/v1/tables/{place.names['table']}/archive", b""
    while path:
        answer = hall.served.open("GET", path, place.token)
        if answer.status_code >= 300:
            raise NothingLeft(answer.text)
        found += answer.data
        path = answer.headers.get("Link", "").partition("<")[2].partition(">")[0]
    return {"archive": found}


# --- analyses ---


def _none(hall: Hall, place: Place, kind: str) -> Names:
    """Nothing is known of an analysis."""
    analyses = hall.served.services.analyses
    history = hall.handler.history(place.names["table"])
    if analyses.stands(history, kind):
        try:
            analyses.cancel(history, kind, hall.asked(hall.people[0]).caller)
        except Refused as refusal:
            raise NothingLeft(str(refusal)) from None
    return NOTHING


def _no_analysis(hall: Hall, place: Place) -> Names:
    return _none(hall, place, "deep")


def _analysis(hall: Hall, place: Place) -> Names:
    """One that has begun."""
    table = place.names["table"]
    sent(hall, "POST", f"/v1/tables/{table}/analysis", place.token, json={"kind": "deep"})
    go_on(hall.served.services.analyses.analyses, Name(table, "deep"), hall.handler.history(table), lambda: False)
    return NOTHING


def _no_worth(hall: Hall, place: Place) -> Names:
    if place.names["dispute"] == "d1":
        raise NothingLeft("no dispute")
    dispute = hall.now(place.names["table"]).disputes[-1].dispute
    return _none(hall, place, dispute)


def _worth(hall: Hall, place: Place) -> Names:
    _no_worth(hall, place)
    path = f"/v1/tables/{place.names['table']}/disputes/{place.names['dispute']}/worth"
    sent(hall, "POST", path, place.token)
    return NOTHING


# --- lists ---


def _middle_of_the_feed(hall: Hall, place: Place) -> Names:
    """A place behind which there is much, and before which there is as much."""
    if "cursor" not in place.names:
        found = sent(hall, "GET", "/v1/feed?limit=200", None)
        for _ in range(5):
            found = sent(hall, "GET", f"/v1/feed?limit=200&cursor={found['next']}", None)
        place.names["cursor"] = found["next"]
    return {"cursor": place.names["cursor"]}


BEFORE: Mapping[str, Callable[[Hall, Place], Names]] = {
    **PEOPLE,
    "": lambda _hall, _place: NOTHING,
    "free seat": _free_seat,
    "guest": _guest,
    "seated guest": _seated_guest,
    "invited": _invited,
    "expired": _expired,
    "move": _move,
    "moved": _moved,
    "asked": _asked,
    "ruling": _ruling,
    "another text": _another_text,
    "loaded text": _loaded_text,
    "archive": _archive,
    "no analysis": _no_analysis,
    "analysis": _analysis,
    "no worth": _no_worth,
    "worth": _worth,
    "middle of the feed": _middle_of_the_feed,
}


def token_of(who: str, names: Mapping[str, Any], token: str | None, admin: str) -> str | None:
    """Whose token a case is sent with."""
    fixed = {"nobody": None, "operator": admin, "": names.get("token", token)}
    return fixed[who] if who in fixed else str(names[who])


def filled(value: Any, names: Mapping[str, Any]) -> Any:
    """A value with the names of a place in it: a text that is a name alone becomes what it names."""
    if isinstance(value, dict):
        return {key: filled(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [filled(one, names) for one in value]
    if isinstance(value, str) and value[:1] == "{" and value[1:-1].isidentifier():
        return names[value[1:-1]]
    return value


def written(body: Any) -> dict[str, Any]:
    """A body as a request says it."""
    if body is None:
        return {}
    if isinstance(body, bytes):
        return {"data": body, "content_type": "application/x-ndjson"}
    return {"data": json.dumps(body), "content_type": "application/json"}
