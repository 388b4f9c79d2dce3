"""The progress of an analysis as a stream: the store is asked every second, as workers tell it there."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from typing import Any

import msgspec

from service.analyses import Analyses, AnalysisStatus, Name
from service.streams.follows import FollowAnalysis
from service.streams.frames import STILL_HERE, end

PAUSE_S = 1.0
LOOK_S = 15.0  # how often a stream looks whether it may go on, and says that it is there


def progress_of(name: Name, analysis: AnalysisStatus) -> dict[str, Any]:
    """How far an analysis is, as the API tells it."""
    of = None if analysis.versions is None else len(analysis.versions)
    return {"table": name.table, "kind": name.kind, "status": analysis.status, "done": analysis.done, "of": of}


async def progress_frames(
    analyses: Analyses, follow: FollowAnalysis, stands: Callable[[], bool]
) -> AsyncGenerator[bytes, None]:
    """A frame whenever it has come further, until it is over, or its table does not stand as it was.

    Raises `Refused` when the caller has no access.
    """
    told, looked = None, time.monotonic()
    while True:
        found = await asyncio.to_thread(analyses.find, follow.name)
        if found is None or found.analysis.head != follow.head:
            yield end("analysis_gone")
            return
        now = progress_of(follow.name, found.analysis)
        if now != told:
            yield b"event: progress\ndata: %s\n\n" % msgspec.json.encode(now)
            told = now
        if found.analysis.over:
            yield end("analysis_over")
            return
        if time.monotonic() >= looked + LOOK_S:
            if not await asyncio.to_thread(stands):
                yield end("analysis_gone")
                return
            yield STILL_HERE
            looked = time.monotonic()
        await asyncio.sleep(PAUSE_S)
