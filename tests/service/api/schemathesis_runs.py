"""What schemathesis sends to a real web server on a real store with a real token, and how its findings are read."""

import copy
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema_rs
import schemathesis
from marshmallow import ValidationError
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import from_schema
from schemathesis.engine.events import EngineEvent, NonFatalError, ScenarioFinished
from schemathesis.engine.recorder import ScenarioRecorder
from schemathesis.transport.serialization import Binary

from events.lifecycle import RatingRange
from service.accounts.allowed_names import checked_name, checked_text
from service.api.request_parsing import MAX_INTEGER
from service.api.schemas.opening import ClockSchema, SeatRequest, SittingRequest
from tests.servers import PATIENCE_S
from tests.service.api.document import CLOSED
from tests.service.api.world import Somebody, World

FEW = 2
CHECKS = """
allow_header_conformance content_type_conformance ensure_resource_availability ignored_auth missing_required_header
negative_data_rejection not_a_server_error object_level_authorization positive_data_acceptance
response_headers_conformance response_schema_conformance status_code_conformance unsupported_method use_after_free
"""
ALL_CHECKS = set(CHECKS.split())


@schemathesis.serializer("application/x-ndjson")
def as_lines(_: schemathesis.SerializationContext, value: Any) -> Any:
    """An archive is sent as it is."""
    return value if isinstance(value, bytes) else str(value).encode(errors="surrogatepass")


Case = schemathesis.Case[Any]
FRAMING = {"transfer-encoding", "content-length"}


@schemathesis.hook
def filter_case(_: schemathesis.HookContext, case: Case) -> bool:
    """A header by which nobody knows where a request ends is refused below what the document tells of."""
    return not FRAMING & {name.lower() for name in case.headers or {}}


@schemathesis.check
def fits_its_schema(_: schemathesis.CheckContext, response: schemathesis.Response, case: Case) -> None:
    """What the schema allows is never refused as malformed or as not fitting the schema."""
    is_positive = case.meta is not None and case.meta.generation.mode.is_positive
    if is_positive and response.status_code in (400, 422) and body_is_valid(case) and can_be_told(case):
        problem = response.json()
        is_of_the_game = "rule" in problem  # which says itself what is no move of it
        assert is_of_the_game or problem["code"] not in ("malformed", "invalid"), (
            f"a valid request is refused: {problem}"
        )


def with_listed_names() -> dict[str, Any]:
    """The document, whose games and levels are those of today: others are strings as good as any to a schema."""
    document = copy.deepcopy(CLOSED)
    for name in ("GameName", "LevelName"):
        schema = document["components"]["schemas"][name]
        schema["enum"] = schema.pop("x-extensible-enum")
    return document


def body_is_valid(case: Case) -> bool:
    """Whether the body fits its schema, integers being written as such (JSON Schema also takes 3.0 for one).

    Schemathesis sends what does not as valid, where names are free but their values are not. A schema of bytes cannot
    say that they are a text.
    """
    if isinstance(case.body, Binary):
        return is_text(case.body.data)
    operation = CLOSED["paths"][case.operation.path][case.operation.method]
    media = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if media is None or case.media_type != "application/json":
        return True
    schema = media["schema"] | {"components": CLOSED["components"]}
    return jsonschema_rs.Draft202012Validator(schema).is_valid(with_fractions(case.body))


def is_text(body: bytes) -> bool:
    """Whether the bytes are UTF-8, and any at all."""
    try:
        return body.decode() != ""
    except UnicodeDecodeError:
        return False


def can_be_told(case: Case) -> bool:
    """Whether a schema can say that this is right.

    It cannot say which characters a text may have, which fields a clock or a seat of a kind has, that a name is taken
    for another, that a cursor was given, that a range bounds something, that a text is JSON, that a result is
    somebody's, how large a number in a move or a correction is, or how deep lies what WebAuthn specifies.
    """
    body = case.body if isinstance(case.body, dict) else {}
    if case.operation.path == "/v1/tables/{table}/seats/{seat}" and not accepts(SittingRequest().load, body):
        return False
    return query_can_be_told(case) and body_can_be_told(body)


def query_can_be_told(case: Case) -> bool:
    """Whether a schema can say that the query, and where a stream goes on, are right."""
    query = case.query or {}
    if "cursor" in query or (case.operation.path == "/v1/feed" and "Last-Event-ID" in (case.headers or {})):
        return False
    if case.operation.path == "/v1/tables" and not accepts(checked_text, str(query.get("player", ""))):
        return False
    return "options" not in query and ("result" not in query or bool({"player", "level"} & query.keys()))


def accepts(check: Callable[[Any], object], value: Any) -> bool:
    """Whether the service's own check of a part takes it."""
    try:
        check(value)
    except ValidationError:
        return False
    return True


def body_can_be_told(body: dict[str, Any]) -> bool:
    """Whether a schema can say that the body is right."""
    name, ratings = body.get("name"), body.get("ratings")
    texts = [body.get(field) or "" for field in ("text", "claim", "label", "contribution")]
    parts = [
        accepts(checked_name, name if isinstance(name, str) else "Ann"),
        *(accepts(checked_text, text) for text in texts),
        *(accepts(SeatRequest().load, seat) for seat in body.get("seats") or ()),
        not body.get("clock") or accepts(ClockSchema().load, body["clock"]),
        has_exact_numbers(body),
    ]
    if not all(parts):
        return False
    if "passkey" in body:
        return False
    return ratings is None or RatingRange(ratings.get("least"), ratings.get("most")).is_whole


def has_exact_numbers(value: Any) -> bool:
    """Whether every reader of JSON keeps each of the integers."""
    if isinstance(value, int):
        return abs(value) < MAX_INTEGER
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(has_exact_numbers(part) for part in parts)


def with_fractions(value: Any) -> Any:
    """The value with every number that is written with a fraction having one."""
    if isinstance(value, float):
        return 0.5
    if isinstance(value, list):
        return [with_fractions(item) for item in value]
    return {name: with_fractions(item) for name, item in value.items()} if isinstance(value, dict) else value


FOR_PEOPLE = r"^/v1/(players|invitations|reports|sign-ins)|^/v1/tables$|/(invitations|analysis|beliefs)$"
ENDS_THE_ACCOUNT = ("eraseMe",)
SLOW_TO_MAKE_UP = "createPlayer"  # each character of a name is one of 700,000: random names take half the time of all


class Run(NamedTuple):
    """Who sends how many random requests to each operation, to which ones, and what is there to be named in them."""

    world: World
    who: Somebody
    examples: int
    tables: list[str]
    known: Mapping[str, Sequence[str]] = {}  # values of other parameters of paths
    only: str | None = None  # a pattern of paths
    never: Sequence[str] = ()  # operations
    without: Sequence[str] = ()  # phases
    seed: int | None = None  # of what is made up; by default always the same

    def asked(self, address: str) -> list[EngineEvent]:
        """What schemathesis finds."""
        schema = schemathesis.openapi.from_dict(with_listed_names(), config=self._config(address))
        chosen = schema.include(path_regex=self.only) if self.only else schema
        for operation in self.never:
            chosen = chosen.exclude(operation_id=operation)
        return list(from_schema(chosen).execute())

    def _config(self, address: str) -> SchemathesisConfig:
        """The file beside this one, with what is known only now; answers are waited for as everywhere in the tests."""
        raw: dict[str, Any] = tomllib.loads((Path(__file__).parent / "schemathesis.toml").read_text(encoding="utf-8"))
        raw |= {"request-timeout": PATIENCE_S, "base-url": address}
        raw["dictionaries"] |= {name: {"values": values} for name, values in self._known().items() if values}
        raw["parameters"] |= {f"path.{name}": {"dictionary": name, "probability": 0.7} for name in self.known}
        raw["auth"] = {"openapi": {"token": {"bearer": self.who.token}}}
        raw["generation"] |= {"max-examples": self.examples, "deterministic": self.seed is None}
        for phase in self.without:
            raw["phases"].setdefault(phase, {})["enabled"] = False
        if self.examples == FEW:  # in a run of all operations alone: where some are left out, this would take them in
            raw["operations"].append(
                {"include-operation-id": SLOW_TO_MAKE_UP, "phases": {"fuzzing": {"enabled": False}}}
            )
        return SchemathesisConfig.from_dict(raw if self.seed is None else raw | {"seed": self.seed})

    def _known(self) -> dict[str, list[Any]]:
        answer = self.world.nobody.get(f"/v1/tables/{self.tables[0]}/rulings").json
        rulings = [row["version"] for row in answer["rulings"]]
        own = {name: list(values) for name, values in self.known.items()}
        return {"tables": self.tables, "rulings": rulings} | own


def some_tables(world: World, who: Somebody) -> list[str]:
    """Somebody's tables: in the middle of a game, finished, transcribed, and waiting for somebody."""
    bob = world.somebody("Bob")
    running, finished = world.open(who, bob, aids=True), world.open(who, bob, game="tomahawk")
    world.play(running, who, bob, moves=40)
    world.play(finished, who, bob, moves=1000)
    text = who.get(f"/v1/tables/{finished}/notation").text
    texts = (f"{text}\n{{copy {number}}}\n" for number in range(3))  # some are soon deleted
    transcripts = [who.post("/v1/transcripts", {"text": one}).json["id"] for one in texts]
    seats = [{"kind": "me"}, *[{"kind": "open"}] * 3]
    waiting = [who.post("/v1/tables", {"game": "manitou", "seats": seats}).json["id"] for _ in range(4)]
    return [running, finished, *transcripts, *waiting]


def failures(event: EngineEvent) -> list[str]:
    """What went wrong, in words."""
    if isinstance(event, NonFatalError):
        return [f"{event.label}: {event.info.format()}"]
    if not isinstance(event, ScenarioFinished):
        return []
    return [
        f"{event.label} [{event.phase.value}] {check.name}: {check.failure_info.failure.message}\n"
        f"  {check.failure_info.code_sample}"
        for case, checks in event.recorder.checks.items()
        for check in checks
        if check.failure_info is not None and not is_rightly_so(check.name, case, event.recorder)
    ]


def is_rightly_so(check: str, case: str, recorder: ScenarioRecorder) -> bool:
    """Whether the service is right where the check sees a failure.

    A request that fits no schema may be refused; a repeated Idempotency-Key gets the first answer, which may name
    a token that has been revoked since; who asks whether a move is allowed is told by which rule something that is no
    move at all is not; and the schema of a stream is of its whole text, which the check holds to each of its frames.
    """
    if check == "response_schema_conformance":
        answer = recorder.interactions[case].response
        return answer is not None and "text/event-stream" in answer.headers.get("content-type", [""])[0]
    if check == "negative_data_rejection":
        answer = recorder.interactions[case].response
        asks = recorder.cases[case].value.operation.path.endswith("/moves/check")
        return asks and answer is not None and not answer.json()["legal"]
    if check == "ensure_resource_availability":
        parent = recorder.find_parent(case_id=case)
        return parent is not None and "Idempotency-Key" in (parent.headers or {})
    sent = recorder.cases[case].value
    return check == "positive_data_acceptance" and not (body_is_valid(sent) and can_be_told(sent))


def labels(document: dict[str, Any]) -> set[str]:
    """The names of all operations."""
    return {f"{m.upper()} {path}" for path, item in document["paths"].items() for m in item if m != "parameters"}


def accepted(events: list[EngineEvent]) -> set[str]:
    """The operations of which a request was accepted: what is only ever refused was not tried."""
    finished = [event for event in events if isinstance(event, ScenarioFinished)]
    return {
        event.recorder.cases[case].value.operation.label
        for event in finished
        for case, interaction in event.recorder.interactions.items()
        if interaction.response is not None and interaction.response.status_code < 300
    }


def checks_made(events: list[EngineEvent]) -> set[str]:
    """The names of all checks that were made of some answer."""
    finished = [event for event in events if isinstance(event, ScenarioFinished)]
    return {check.name for event in finished for checks in event.recorder.checks.values() for check in checks}
