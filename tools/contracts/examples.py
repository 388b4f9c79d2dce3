"""Recorded examples: what the service answers in a story that `make openapi` plays."""

import json
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).with_name("examples.json")
EXAMPLES: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
"""By operation: the body of a request, and the answers by media type."""
