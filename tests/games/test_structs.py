"""Structs are learned before threads ask for them; in a process of its own, which a fault would end."""

import subprocess
import sys

import pytest

TIMES, THREADS, PARTS = 100, 4, 8
FIRST_READ_BY_MANY = f"""
import sys, threading
import msgspec
from games.msgspec_threads import learn_structs

sys.setswitchinterval(1e-6)
DATA = {{f"part{{part}}": {{"value": 1}} for part in range({PARTS})}}
for turn in range({TIMES}):
    parts = [(f"part{{part}}", msgspec.defstruct("Part", [("value", int)])) for part in range({PARTS})]
    whole = msgspec.defstruct("Whole", parts)
    learn_structs()
    begin = threading.Barrier({THREADS})
    def read():
        begin.wait()
        msgspec.convert(DATA, whole)
    threads = [threading.Thread(target=read) for _ in range({THREADS})]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


@pytest.mark.slow
def test_a_struct_that_was_learned_is_first_read_by_many_threads() -> None:
    """Without learning, this ends by SIGSEGV."""
    subprocess.run([sys.executable, "-c", FIRST_READ_BY_MANY], check=True, timeout=120)
