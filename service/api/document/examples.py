"""Requests and answers for the document, recorded from a table that was played: tests renew `examples.json`."""

import json
from importlib.resources import files
from typing import Any

EXAMPLES: dict[str, dict[str, Any]] = json.loads(
    files("service.api.document").joinpath("examples.json").read_text(encoding="utf-8")
)
