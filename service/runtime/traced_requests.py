"""A span of each request, for a process that has a tracer."""

from flask import Flask, Response, g, request

from events import tracing
from service.runtime.http import asked_for


def trace_requests(app: Flask) -> None:
    """Makes a span of each request, if this process has a tracer."""
    if not tracing.in_use():
        return

    @app.before_request
    def _begin() -> None:
        g.span = tracing.request(" ".join(asked_for()), request.headers.get("traceparent"))
        g.note = g.span.__enter__()

    @app.after_request
    def _tell(response: Response) -> Response:
        method, route = asked_for()
        g.note(method=method, route=route, status=response.status_code, request_id=g.request_id)
        return response

    @app.teardown_request
    def _end(_error: BaseException | None) -> None:
        if "span" in g:
            g.pop("span").__exit__(None, None, None)
