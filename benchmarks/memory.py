"""How much memory each process takes: `python -m benchmarks --only memory --name memory`."""

import psutil

from benchmarks.cost import scripts_at, store_of
from benchmarks.figures import Figures, Size
from benchmarks.host import ADDRESS, Host, launched
from benchmarks.http import FASTEST
from benchmarks.load import Lane, drive

MIB = 1 << 20
UNBOUNDED = {f"WINTERCOUNT_{name}": "1000000000" for name in ("READS", "ACCOUNTS", "CHANGES")}


def memory(redis_url: str, size: Size) -> Figures:
    """What two web processes, their parent, dispatcher, worker and store take, before and after people play."""
    commands = [["wintercount", name] for name in ("serve", "dispatch", "worker")]
    with launched(redis_url, commands, **UNBOUNDED, WINTERCOUNT_WEB_PROCESSES="2") as host:
        before = taken(host)
        scripts, _ = scripts_at(host, size.tables[-1])
        for script in scripts:
            script.prepare(int(FASTEST * size.seconds / len(scripts)) + 5)
        lanes = [Lane(ADDRESS, host.port, script) for script in scripts]
        drive(lanes, size.seconds)
        after = taken(host)
        for lane in lanes:
            lane.close()
    rows = [{"": name, "MiB at the start": before[name], "MiB then": after[name]} for name in before]
    note = (
        f"Memory that a process shares with no other: at its start, and when {len(scripts)} tables have been played at."
    )
    return Figures("Memory of each process", note, rows)


def taken(host: Host) -> dict[str, float]:
    """The memory of each process that it alone has, in MiB."""
    serve, dispatch, worker = map(psutil.Process, host.processes)
    web = [one for one in serve.children() if "resource_tracker" not in " ".join(one.cmdline())]
    named = {"parent of the web processes": serve}
    named |= {f"web process {number}": one for number, one in enumerate(web, 1)}
    named |= {"dispatcher": dispatch, "worker": worker, "store": psutil.Process(store_of(host.redis_url))}
    return {name: one.memory_full_info().uss / MIB for name, one in named.items()}
