"""Traces of this process for OpenTelemetry, if its own variables ask for them; otherwise nothing of it is imported.

Whatever is wrong with them is a warning: a game goes on without its traces.
"""

import logging
import os
from collections.abc import Mapping, Sequence
from importlib.util import find_spec

from events import tracing
from service import __version__

EXPORTER = "OTEL_TRACES_EXPORTER"
ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
HTTP = "http/protobuf"
NEEDED = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")

log = logging.getLogger(__name__)


def exporters(environment: Mapping[str, str] = os.environ) -> Sequence[str]:
    """The exporters that the variables of OpenTelemetry ask for; none where they ask for nothing."""
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return ()
    default = "otlp" if any(environment.get(name) for name in ENDPOINTS) else "none"
    named = (environment.get(EXPORTER) or default).split(",")
    return [name.strip() for name in named if name.strip() not in ("none", "")]


def fault(environment: Mapping[str, str] = os.environ) -> str | None:
    """Why the traces that are asked for cannot be sent, and what to do; None if they can, or if none are."""
    asked = exporters(environment)
    if asked and not all(map(_is_there, NEEDED)):
        return "OpenTelemetry is not installed here: pip install 'wintercount[telemetry]'"
    if unknown := sorted(set(asked) - {"otlp", "console"}):
        return f"{EXPORTER} names {', '.join(unknown)}: otlp, console and none are there"
    protocol = next((environment[name] for name in PROTOCOLS if environment.get(name)), HTTP)
    if "otlp" in asked and protocol != HTTP:
        return f"the protocol {protocol} of OTLP is not there: set {PROTOCOLS[1]}={HTTP}"
    return None


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of its parent
        return False


def set_up(process: str, *, follows: bool = False) -> None:
    """Has this process, a `web`, a `dispatcher` or a `worker`, send its spans as the variables ask.

    With `follows`, a request is part of the trace that its `traceparent` names.
    """
    if not exporters():
        return
    if found := fault():
        log.warning("no traces: %s", found)
        return
    from service.runtime.otel import tracer_for

    tracing.use(tracer_for(f"wintercount-{process}", __version__, exporters(), follows=follows))
