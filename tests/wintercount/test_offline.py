"""Archives checked and decided again from the command line, without a server."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from events.store import RedisLog
from projections.history import TableHistory
from rulings.archive_format import lines
from rulings.cases import case_files, parse_case
from service.command_handler import CommandHandler
from service.tables.archive_transfer import store_table
from tests import corpus
from tests.damage import Change, damage, lost, renamed, torn, unsealed, widened
from tests.disputed_tables import Court, ruling_by
from tests.events.test_verify import closed
from tests.long import quick_first
from tests.tables import ANN, Visit
from wintercount.cli import main as cli
from wintercount.operations.verifying import Status, verdict
from worker.ai_process import think_here

NAME = "big-manitou-3-uniform"
OTHER = "big-manitou-2-uniform"

Keep = Callable[[bytes], str]


@pytest.fixture
def keep(tmp_path: Path) -> Keep:
    """Writes a file; gives its path."""

    def write(data: bytes) -> str:
        path = tmp_path / "table.ndjson"
        path.write_bytes(data)
        return str(path)

    return write


def run(*words: str, **environment: str) -> Result:
    """What `wintercount` answers to these words."""
    return CliRunner().invoke(cli.main, words, env=environment)


def test_a_complete_archive_holds(keep: Keep) -> None:
    """Said with its figures, in two lines."""
    history = corpus.history_of(NAME)
    seals = sum(len(event.sealed) for event in history.events)
    moves = sum("move" in event.sealed for event in history.events)
    result = run("verify", keep(b"".join(corpus.lines_of(NAME))))
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{history.table.id}: {history.table.version} events, head {history.table.head.hash.hex()}",
        f"chain, {seals} commitments, 12 draws and {moves} decisions hold",
        f"0 of {moves} AI moves recomputed, 0 differ; {moves} were made by versions of players that are gone",
    ]


@pytest.fixture(scope="module")
def played() -> TableHistory:
    """A game of AI players of today."""
    visit = Visit()
    return visit.play_to_the_end(visit.open("manitou", "greedy uniform"))


@pytest.fixture
def archive(played: TableHistory, keep: Keep) -> str:
    """Its archive."""
    return keep(b"".join(lines(played, None, over=True)))


def test_some_ai_moves_of_an_archive_are_computed_again(played: TableHistory, archive: str) -> None:
    """Three, or as many as are asked for."""
    moves = sum("ai_seed" in event.sealed for event in played.events)
    for words, count in (((), 3), (("--ai-moves", "1000"), moves)):
        told = run("verify", archive, *words).stdout.splitlines()[2]
        assert told.startswith(f"{count} of {moves} AI moves recomputed, 0 differ; 0 were")


def test_an_archive_whose_ai_moves_are_another_s_does_not_hold(archive: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is named with its version."""
    monkeypatch.setattr(
        "wintercount.operations.verifying.think_here", lambda asked: think_here(asked)._replace(move=None)
    )
    result = run("verify", archive)
    assert result.exit_code == 1
    assert result.stdout.count("its player chooses another move") == 3


def test_an_ai_move_is_explained(played: TableHistory, archive: str) -> None:
    """Who made it, the move as recorded, whether it is chosen again, and what was weighed."""
    event = [event for event in played.events if "ai_seed" in event.sealed][9]
    told = run("explain-move", archive, str(event.version)).stdout
    assert f"version {event.version}, seat {event.envelope.by['seat']}: " in told
    assert "asked again, the player chooses the recorded move" in told
    assert told.count('{"type":"') >= 2


def test_what_cannot_be_explained_is_said(archive: str) -> None:
    """In a word, without a trace of the program."""
    for words, why in (
        ((archive, "1"), "event 1 was not caused by an AI's move"),
        ((str(corpus.path_of(NAME)), "10"), None),
    ):
        result = run("explain-move", *words)
        assert result.exit_code == (1 if why else 0)
        assert (why or "no longer exists") in result.output
        assert "Traceback" not in result.output


def test_findings_are_told_to_programs_as_json(played: TableHistory, archive: str) -> None:
    """One value a line, with the same findings; the exit status stays."""
    result = run("verify", archive, "--json")
    assert (result.exit_code, json.loads(result.stdout)) == (
        0,
        {"table": archive, "status": "holds", "lines": run("verify", archive).stdout.splitlines()},
    )
    version = next(event.version for event in played.events if "ai_seed" in event.sealed)
    explained = json.loads(run("explain-move", archive, str(version), "--json").stdout)
    assert (explained["version"], explained["same"]) == (version, True)


def test_a_table_of_the_store_is_explained(played: TableHistory, valkey_log: RedisLog, valkey_url: str) -> None:
    """Named by its id; another id is no table."""
    store_table(CommandHandler(valkey_log), played)
    environment = {"WINTERCOUNT_REDIS_URL": valkey_url}
    assert "recorded: " in run("explain-move", played.table.id, str(played.table.version - 5), **environment).output
    assert "there is no table" in run("explain-move", "t_none", "7", **environment).output


def test_a_table_of_the_store_is_verified(played: TableHistory, valkey_log: RedisLog, valkey_url: str) -> None:
    """As its archive is, by the bytes that the store holds, whether its game is over or not."""
    finished = Visit(valkey_log).play_to_the_end(Visit(valkey_log).open("tomahawk", "ai ai")).table.id
    running = Visit(valkey_log).open("manitou", "ann ai")
    for table in (finished, running):
        result = run("verify", table, WINTERCOUNT_REDIS_URL=valkey_url)
        assert (result.exit_code, result.stdout.splitlines()[0].split(":")[0]) == (0, table), result.output


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lost, "version 5: the hash does not match the event"),
        (torn, "{table} version 5 is not a valid event (DecodeError)"),
        (renamed, "version 5: the hash does not match the event"),
        (unsealed, "version 5: the secret `large_order` is missing"),
        (widened, "version 5: the hash does not match the event"),
    ],
)
def test_damage_to_a_stored_table_is_named(valkey_log: RedisLog, valkey_url: str, change: Change, told: str) -> None:
    """Whatever was done to its bytes, the version that is not what was written is told."""
    visit = Visit(valkey_log)
    table = visit.open("manitou", "ann ai")
    visit.play(table, ANN)
    damage(valkey_log, table, 5, change)
    result = run("verify", table, WINTERCOUNT_REDIS_URL=valkey_url)
    assert result.exit_code == 1
    assert told.format(table=table) in result.stdout.splitlines()[:2]


def test_a_stream_that_lost_its_end_is_found(valkey_log: RedisLog, valkey_url: str) -> None:
    """What is left of it holds, but the next append would not go on from there."""
    table = Visit(valkey_log).open("manitou", "ann ai")
    newest = valkey_log.head(table).version
    damage(valkey_log, table, newest, lost)
    result = run("verify", table, WINTERCOUNT_REDIS_URL=valkey_url)
    told = f"version {newest}: the head, at version {newest}, is not where the stream ends\n"
    assert (result.exit_code, result.stdout) == (1, told)


@pytest.mark.parametrize("what", ["no-such-file.ndjson", "t_aaaaaaaaaaaaaaaa"])
def test_what_is_not_there_is_said(valkey_url: str, what: str) -> None:
    result = run("verify", what, WINTERCOUNT_REDIS_URL=valkey_url)
    assert result.exit_code == 1
    assert f"{what!r}" in result.output


@pytest.mark.parametrize(
    "content", [b"", b"\x89PNG\r\n\x1a\n", b'{"a": 1}\n', b"PK\x03\x04", gzip.compress(b"a", mtime=0), None]
)
def test_what_is_no_archive_is_told_by_what_makes_one(tmp_path: Path, content: bytes | None) -> None:
    """A file of another kind, and a directory: with status 1, as for any fault."""
    path = tmp_path / "x"
    path.mkdir() if content is None else path.write_bytes(content)
    result = run("verify", str(path))
    assert result.exit_code == 1
    assert "this is not the archive of a table; `wintercount export TABLE FILE`" in result.output
    assert "JSON" not in result.output


def test_a_closed_archive_is_checked_as_far_as_it_goes(keep: Keep) -> None:
    """Chain and opened secrets hold; of the decisions it says that they were not taken again, and why; status 2."""
    path = keep(b"".join(closed()))
    lines, status = verdict(path)
    assert status is Status.UNCHECKED
    assert lines == [
        "chain and opened secrets hold; decisions were not checked: "
        f"{path}: secrets are still closed: only the archive of a finished game can be imported"
    ]


def test_a_parent_of_what_is_no_branch_proves_nothing() -> None:
    """Otherwise a user would take status 0 for an answer."""
    result = run("verify", str(corpus.path_of(NAME)), "--parent", str(corpus.path_of(NAME)))
    assert result.exit_code == 2, result.output
    assert "it is not a branch: nothing was compared" in result.output


def test_an_altered_archive_does_not_hold(keep: Keep) -> None:
    """The version is named, and the exit status tells a script."""
    path = keep(b"".join(corpus.lines_of(NAME)).replace(b"hunter-10", b"hunter-11", 1))
    result = run("verify", path)
    assert (result.exit_code, result.stdout.startswith(f"{path}: version ")) == (1, True)


def test_a_resolved_dispute_is_printed_as_a_case() -> None:
    """As the register has it."""
    kept = next(path for path in case_files("tomahawk") if path.name == "TO-R22-disputed.json")
    result = run("case", str(corpus.path_of("tomahawk-2-disputed")), "d43")
    assert result.exit_code == 0
    assert result.stdout == kept.read_text(encoding="utf-8")


def test_a_dispute_of_a_stored_table_is_printed_once_its_game_is_over(valkey_log: RedisLog, valkey_url: str) -> None:
    """Before that its secrets are not told."""
    court = Court(valkey_log)
    table, ruling = court.table_with(ruling_by("MA-5.2"), "manitou", "ann ben")
    dispute = court.dispute(table, ANN, ruling, "MA-5.2")
    court.resolve(table, dispute, "upheld")
    told = run("case", table, dispute, WINTERCOUNT_REDIS_URL=valkey_url)
    assert told.output == "Error: the game is not over: its secrets are not public yet\n"
    court.finish(table)
    told = run("case", table, dispute, WINTERCOUNT_REDIS_URL=valkey_url)
    assert (told.exit_code, parse_case(told.stdout.encode()).rule) == (0, "MA-5.2")


def test_an_archive_becomes_a_text_and_a_text_its_events(tmp_path: Path) -> None:
    """The text is the same again when it is converted; its events are those recorded."""
    archive, text = str(corpus.path_of(NAME)), tmp_path / "table.txt"
    first = run("convert", archive)
    assert (first.exit_code, first.output.splitlines()[1]) == (0, "[Game big-manitou]")
    text.write_text(first.output, encoding="utf-8")
    assert run("convert", str(text)).output == first.output
    events = [json.loads(line) for line in run("convert", str(text), "--to", "events").output.splitlines()]
    history = corpus.history_of(NAME)
    recorded = [event for event in history.events if event.envelope.type in history.table.game.kinds]
    assert [event["type"] for event in events] == [event.envelope.type for event in recorded]
    assert events == [json.loads(line) for line in run("convert", archive, "--to", "events").output.splitlines()]


@pytest.mark.parametrize("command", quick_first(["convert", "analyse", "verify", "import"]))
@pytest.mark.parametrize("first", [b" ", b"{"], ids=["text", "archive"])
def test_what_unpacks_to_more_than_any_game_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, first: bytes
) -> None:
    """No more of it is unpacked than may be read: a small file may hold gigabytes."""
    unpacked: list[int] = []

    class Counting(gzip.GzipFile):
        def parse_case(self, size: int | None = -1) -> bytes:
            unpacked.append(len(parse_case := super().read(size)))
            return parse_case

    file = tmp_path / "game.gz"
    file.write_bytes(gzip.compress(first + bytes(40 << 20), 1))
    monkeypatch.setattr(gzip, "open", lambda path, _mode="rb": Counting(path))
    refused = run(command, str(file))
    assert (refused.exit_code, type(refused.exception)) == (1, SystemExit), refused.output
    assert sum(unpacked) < 33 << 20


def test_a_text_that_is_wrong_is_refused_by_line_and_column(tmp_path: Path) -> None:
    """With status 1 and no traceback; so is an archive that is not whole."""
    text, archive = tmp_path / "table.txt", tmp_path / "table.ndjson"
    text.write_text("[Format 1]\n[Game chess]\n[Rules 1]\n[Players 2]\n", encoding="utf-8")
    archive.write_bytes(b"".join(corpus.lines_of(NAME)[:9]))
    for file, said in ((text, "line 2, column 1: 'chess' is not hosted here"), (archive, "Error: ")):
        refused = run("convert", str(file))
        assert (refused.exit_code, said in refused.output) == (1, True), refused.output
