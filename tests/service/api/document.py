"""`openapi.yaml`, read once for all tests: it is long."""

from typing import Any

import yaml

from service.api.document.openapi import OPENAPI

DOCUMENT: dict[str, Any] = yaml.load(OPENAPI.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
