"""Generates the clients' code from `openapi.yaml`, and builds the clients.

`python -m tools.clients.building` generates it; `--build FOLDER` builds the packages of what was generated.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from tools.clients import operations
from tools.node import NODE

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = "openapi.yaml"
PYTHON, TYPESCRIPT = Path("clients/python"), Path("clients/typescript")
PACKAGE = PYTHON / "src/wintercount_client"
SYNCHRONOUS = {  # of the words of the asynchronous client
    "The asynchronous client. `make clients` generates the synchronous one, `client.py`, from this module.": (
        "The synchronous client, generated from `aio.py`: `make clients` writes it anew."
    ),
    "from asyncio import sleep": "from time import sleep",
    "asynccontextmanager": "contextmanager",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "aiter_sse": "iter_sse",
    "aclose": "close",
    "aread": "read",
    "Async": "",
    "async ": "",
    "await ": "",
}
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
    "--use-title-as-name",
    "--no-use-closed-typed-dict",  # a newer server may add fields
]


def run(*command: str | Path, folder: Path, **settings: str) -> None:
    """Runs a command; raises `subprocess.CalledProcessError` with what it said if it fails."""
    environment = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}"} | settings
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        done.check_returncode()


def generate(root: Path) -> None:
    """Writes into a tree what is generated from its document; the models come last, which `make` looks at."""
    document = yaml.load((root / DOCUMENT).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    write_version(root, document["info"]["version"])
    run("node_modules/.bin/openapi-ts", folder=root / TYPESCRIPT)
    write_python(root, document)


def write_python(root: Path, document: Mapping[str, Any]) -> None:
    """Writes the operations, the synchronous client and the models in Python."""
    models, calls, client = (root / PACKAGE / name for name in ("models.py", "operations.py", "client.py"))
    calls.write_text(operations.written(document), encoding="utf-8")
    client.write_text(synchronous((root / PACKAGE / "aio.py").read_text(encoding="utf-8")), encoding="utf-8")
    ruff: list[str | Path] = [BIN / "ruff"]
    run(*ruff, "check", "--quiet", "--isolated", "--fix", "--select", "F401,I001", calls, client, folder=root)
    run(*ruff, "format", "--quiet", "--isolated", "--line-length", "120", calls, client, folder=root)
    run(BIN.parent / "clients/bin/datamodel-codegen", "--input", DOCUMENT, "--output", models, *MODELS, folder=root)


def synchronous(source: str) -> str:
    """Returns the asynchronous client's source as that of the synchronous one."""
    for word, plain in SYNCHRONOUS.items():
        source = source.replace(word, plain)
    return source


def write_version(root: Path, version: str) -> None:
    """The version of the document in the files of npm, which name it themselves."""
    for name in ("package.json", "package-lock.json"):
        path = root / TYPESCRIPT / name
        said = json.loads(path.read_text(encoding="utf-8"))
        for place in (said, said.get("packages", {}).get("", {})):
            if "version" in place:
                place["version"] = version
        path.write_text(json.dumps(said, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def build(source: Path, target: Path, environment: dict[str, str]) -> None:
    """Builds the wheel and the npm package of a tree into a folder; the tree has what npm installed."""
    ours = ["--no-build-isolation", "--offline", "--python", sys.executable]
    uv = str(BIN / "uv")
    run(uv, "build", "--quiet", "--wheel", *ours, "--out-dir", target, folder=source / PYTHON, **environment)
    shutil.rmtree(source / TYPESCRIPT / "dist", ignore_errors=True)
    run(NODE, "node_modules/typescript/bin/tsc", "--project", "tsconfig.json", folder=source / TYPESCRIPT)
    run("npm", "pack", "--silent", "--pack-destination", target, folder=source / TYPESCRIPT)


def main(words: Sequence[str]) -> None:
    """Does what the command line says."""
    if not words:
        generate(ROOT)
        return
    target = Path(words[1]).resolve()
    target.mkdir(parents=True, exist_ok=True)
    build(ROOT, target, {})


if __name__ == "__main__":
    main(sys.argv[1:])
