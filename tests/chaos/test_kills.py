"""Processes are killed under load: nothing acknowledged is lost, no batch torn, no AI turn lost or played twice."""

from tests.chaos.kills import IS, chaos

KILLS = 25


def test_nothing_is_lost_when_processes_are_killed() -> None:
    """SIGKILL hits the store, the web server, the dispatcher and the worker in turn while eight clients play."""
    found = chaos(KILLS, seed=1)

    assert found.faults == []
    assert set(found.kills) == set(IS)
    assert found.in_doubt > 0
    assert found.events > found.acknowledged > KILLS
