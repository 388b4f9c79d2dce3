"""What is done before a request about people: accounts, tokens, passkeys and reports are made."""

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.charging.hall import Hall
from benchmarks.charging.place import Place
from events.lifecycle import SeatOffer
from service.tables.opening import Opening, open_table
from tests.service.api.authenticator import Authenticator

ME = "/v1/players/me"
Names = dict[str, Any]
NOTHING: Names = {}


class NothingLeft(Exception):
    """It cannot be made here: a game is over, say."""


def sent(hall: Hall, method: str, path: str, token: str | None, **request: Any) -> Any:
    """What is answered to a request that is accepted."""
    answer = hall.served.open(method, path, token, **request)
    if answer.status_code >= 300:
        raise NothingLeft(f"{method} {path}: {answer.text}")
    return answer.get_json()


def _account(hall: Hall, _: Place) -> Names:
    person = hall.served.person("Mato Luta")
    return {"token": person.token, "player": person.player.id}


def _bot(hall: Hall, _: Place) -> Names:
    return {"token": hall.served.person("Mato Luta", bot=True).token}


def _webhook(hall: Hall, place: Place) -> Names:
    found = _bot(hall, place)
    sent(hall, "PUT", f"{ME}/webhook", found["token"], json={"url": "https://bots.example/turn"})
    return found


def _guest_account(hall: Hall, _: Place) -> Names:
    return {"token": hall.served.person("Guest", guest=True).token}


def _account_at_tables(hall: Hall, _: Place) -> Names:
    """Somebody who sits at many tables, running and waiting."""
    person, other = hall.served.person("Mato Luta"), hall.people[1]
    for number in range(20):
        offers = (SeatOffer(1, "player", person.player.id), SeatOffer(2, "player", other.player.id))
        table = open_table(hall.handler, hall.sent(person), Opening("manitou", offers)).table.id
        if number % 2:
            hall.sit(table, 2, other)
    hall.served.catch_up()
    return {"token": person.token}


def _token(hall: Hall, place: Place) -> Names:
    made = sent(hall, "POST", f"{ME}/tokens", place.token, json={"scopes": ["watch"], "label": "once"})
    return {"made": made["token"]}


def _other(hall: Hall, _: Place) -> Names:
    return {"player": hall.served.person("Tatanka").player.id}


def _code(hall: Hall, _: Place) -> Names:
    person = hall.served.person("Mato Luta")
    return {"code": sent(hall, "POST", f"{ME}/sign-in-codes", person.token)["code"]}


def _prepared_passkey(hall: Hall, _: Place) -> Names:
    person = hall.served.person("Mato Luta")
    options = sent(hall, "POST", f"{ME}/passkeys/options", person.token)
    body = {"passkey": Authenticator().make(options["options"]), "label": "telephone"}
    return {"token": person.token, "credential": body}


def _passkey(hall: Hall, place: Place) -> Names:
    found = _prepared_passkey(hall, place)
    made = sent(hall, "POST", f"{ME}/passkeys", found["token"], json=found["credential"])
    return found | {"passkey": made["passkey"]}


def _reported(hall: Hall, place: Place) -> Names:
    told = {"player": hall.served.person("Rex").player.id, "reason": "abuse", "text": "No."}
    return {"item": sent(hall, "POST", "/v1/reports", place.token, json=told)["item"]}


PEOPLE: Mapping[str, Callable[[Hall, Place], Names]] = {
    "account": _account,
    "bot": _bot,
    "webhook": _webhook,
    "guest account": _guest_account,
    "account at tables": _account_at_tables,
    "token": _token,
    "other": _other,
    "code": _code,
    "prepared passkey": _prepared_passkey,
    "passkey": _passkey,
    "reported": _reported,
}
