"""What the figures were measured on."""

import os
import platform
import statistics
import subprocess
import tempfile
import time
from datetime import UTC, datetime
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import psutil

from benchmarks.host import DATA, Host
from worker.players.search import manitou_family

RESULTS = "benchmarks/results/"
CHANGED = "-dirty"


def machine(redis_url: str) -> dict[str, str]:
    """The machine, the versions, the time and the commit."""
    return {
        "processor": processor(),
        "cores": f"{len(os.sched_getaffinity(0))}",
        "memory": f"{psutil.virtual_memory().total / 2**30:.0f} GiB",
        "fsync of 1 KiB": f"{1000 * fsync_s():.2f} ms",
        "load before": f"{os.getloadavg()[0]:.2f}",
        "system": f"{platform.system()} {platform.release()}",
        "Python": platform.python_version(),
        "store": store_version(redis_url),
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": commit(),
    }


def processor() -> str:
    """The processor's model."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def how_players_run() -> str:
    """Whether what AI players take longest for runs as machine code."""
    return "compiled" if manitou_family.__file__.endswith(tuple(EXTENSION_SUFFIXES)) else "not compiled"


def fsync_s(times: int = 50) -> float:
    """How long the disk takes to keep a kilobyte: the floor under everything that is durable."""
    taken = []
    DATA.mkdir(exist_ok=True)
    with tempfile.TemporaryFile(dir=DATA) as file:
        for _ in range(times):
            begun = time.perf_counter()
            file.write(b"x" * 1024)
            file.flush()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def store_version(redis_url: str) -> str:
    """The name and version of the store's server."""
    info = Host(redis_url, 0).log().client.info("server")
    name = info.get("server_name", "redis")
    return f"{name} {info.get(f'{name}_version', info.get('redis_version'))}"


def commit() -> str:
    """The commit, with a word if files differ from it; results do not count, as each part of a run writes them."""
    described = _git("describe", "--always", "--exclude=*")
    others = [
        line for line in _git("status", "--porcelain", "--untracked-files=no").splitlines() if RESULTS not in line
    ]
    return described.strip() + (CHANGED if others else "") or "unknown"


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=False).stdout
