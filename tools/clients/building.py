"""Generates the clients' code from `openapi.yaml`, and builds the clients.

`python -m tools.clients.building` writes it anew; `--check` says what differs, `--build FOLDER` puts packages there.
"""

import filecmp
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from tools.clients import operations
from tools.node import NODE

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = "openapi.yaml"
PYTHON, TYPESCRIPT = Path("clients/python"), Path("clients/typescript")
PACKAGE, GENERATED = PYTHON / "src/wintercount_client", TYPESCRIPT / "src/generated"
BIN = Path(sys.executable).parent
MODELS = [
    *("--input-file-type", "openapi", "--output-model-type", "typing.TypedDict", "--target-python-version", "3.11"),
    *(
        "--enum-field-as-literal",
        "all",
        "--use-union-operator",
        "--use-standard-collections",
        "--formatters",
        "builtin",
    ),
    *("--use-schema-description", "--use-field-description", "--use-single-line-docstring", "--disable-timestamp"),
    "--no-use-closed-typed-dict",  # a newer server may add fields
]


def run(*command: str | Path, folder: Path, **settings: str) -> None:
    """Runs a command; raises `subprocess.CalledProcessError` with what it said if it fails."""
    environment = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}"} | settings
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        done.check_returncode()


def generate(root: Path, target: Path) -> None:
    """Writes what is generated from the document of a tree into another tree, or into the same."""
    (target / PACKAGE).mkdir(parents=True, exist_ok=True)
    models, calls = target / PACKAGE / "models.py", target / PACKAGE / "operations.py"
    codegen = BIN.parent / "clients/bin/datamodel-codegen"
    run(codegen, "--input", DOCUMENT, "--output", models, *MODELS, folder=root)
    document = yaml.load((root / DOCUMENT).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    calls.write_text(operations.written(document), encoding="utf-8")
    ruff: list[str | Path] = [BIN / "ruff"]
    run(*ruff, "check", "--quiet", "--isolated", "--fix", "--select", "F401", calls, folder=root)
    run(*ruff, "format", "--quiet", "--isolated", "--line-length", "120", calls, folder=root)
    folder = str(target / GENERATED)
    run("node_modules/.bin/openapi-ts", folder=root / TYPESCRIPT, WINTERCOUNT_GENERATED=folder)
    write_version(root, target, document["info"]["version"])


def write_version(root: Path, target: Path, version: str) -> None:
    """The version of the document in the files of npm, which name it themselves."""
    for name in ("package.json", "package-lock.json"):
        said = json.loads((root / TYPESCRIPT / name).read_text(encoding="utf-8"))
        for place in (said, said.get("packages", {}).get("", {})):
            if "version" in place:
                place["version"] = version
        (target / TYPESCRIPT / name).write_text(json.dumps(said, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def differences(root: Path) -> Iterator[str]:
    """The files that would be generated otherwise than they stand there."""
    with TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(root, fresh)
        made = {path.relative_to(fresh) for path in fresh.rglob("*") if path.is_file()}
        kept = {path.relative_to(root) for path in (root / GENERATED).rglob("*") if path.is_file()}
        for name in sorted(made | kept):
            if not (root / name).is_file() or name not in made or not filecmp.cmp(root / name, fresh / name, False):
                yield str(name)


def build(source: Path, target: Path, environment: dict[str, str]) -> None:
    """Builds the wheel and the npm package of a tree into a folder; the tree has what npm installed."""
    ours = ["--no-build-isolation", "--offline", "--python", sys.executable]
    uv = str(BIN / "uv")
    run(uv, "build", "--quiet", "--wheel", *ours, "--out-dir", target, folder=source / PYTHON, **environment)
    shutil.rmtree(source / TYPESCRIPT / "dist", ignore_errors=True)
    run(NODE, "node_modules/typescript/bin/tsc", "--project", "tsconfig.json", folder=source / TYPESCRIPT)
    run("npm", "pack", "--silent", "--pack-destination", target, folder=source / TYPESCRIPT)


def main(words: Sequence[str]) -> str | None:
    """Does what the command line says; returns what is wrong."""
    if words and words[0] == "--build":
        target = Path(words[1]).resolve()
        target.mkdir(parents=True, exist_ok=True)
        build(ROOT, target, {})
        return None
    if words:
        found = list(differences(ROOT))
        return f"Generated otherwise than {DOCUMENT} says; run `make clients`: {', '.join(found)}" if found else None
    generate(ROOT, ROOT)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
