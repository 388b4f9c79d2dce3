"""The OpenAPI document, made once for all tests: reading `openapi.yaml`, which is the same, takes much longer."""

from typing import Any

import msgspec

from service.app import document

DOCUMENT: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document()))
