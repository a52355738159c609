"""One attempt to collect slots: what the global host rules out, and what hosts give (parallel.md#one-attempt)."""

import pytest

from qmon_tui.qmaster import simulate
from qmon_tui.scheduler.matching import FITS, LATER, NEVER
from qmon_tui.scheduler.parallel import PeAttempt
from qmon_tui.scheduler.parallel.collected_slots import CollectedSlots
from qmon_tui.scheduler.parallel.slot_collection import SlotCollection
from tests.unit.scheduler.building import attribute, cluster, environment, host, job, queue, running, state

RULES = {"fill": "$fill_up", "robin": "$round_robin", "one": "$pe_slots", "two": "2"}


def attempt(rule: str, slots: int, options: str = "") -> PeAttempt:
    """On two hosts with four slots each, one of the first in use, as is one of the six licences everywhere."""
    on = cluster(
        attribute("lic lic INT <= YES YES 0"),
        host("global", "lic=6"),
        queue("a.q", "h1 h2", 4, pe_list=" ".join(RULES), seq_no="0,[h2=1]"),
        *(environment(name, text) for name, text in RULES.items()),
    )
    jobs = [running(1, "a.q@h1", "-l lic=1"), job(2, f"-pe {rule} 98 {options}")]
    parallel = (run := simulate(on, state(jobs))).dispatch.parallel
    asking = next(run_job for run_job in run.jobs if run_job.id == 2)
    made = parallel.pe_attempt(asking, parallel.environments[rule], slots)
    made.pe_cache.__init__()  # type: ignore[misc]
    made.masters.clear()
    return made


@pytest.mark.parametrize(
    ("rule", "slots", "options", "result", "offered", "visited", "granted"),
    [
        ("fill", 5, "-l lic=1", FITS, 5, True, {0: 3, 1: 2}),
        ("fill", 6, "-l lic=1", LATER, 6, False, {}),
        ("fill", 7, "-l lic=1", NEVER, 6, False, {}),
        ("fill", 2, "-l lic=2", FITS, 2, True, {0: 2}),
        ("fill", 3, "-l lic=2", LATER, 3, False, {}),
        ("fill", 4, "-l lic=2", NEVER, 3, False, {}),
        ("fill", 7, "", FITS, 7, True, {0: 3, 1: 4}),
        ("fill", 8, "", LATER, 7, True, {0: 3, 1: 4}),
        ("fill", 9, "", NEVER, 7, True, {0: 3, 1: 4}),
        ("robin", 5, "", FITS, 5, True, {0: 3, 1: 2}),
        ("robin", 8, "", LATER, 7, True, {0: 3, 1: 4}),
        ("one", 4, "", FITS, 4, True, {1: 4}),
        ("one", 5, "", NEVER, 0, True, {}),
        ("two", 4, "", FITS, 4, True, {0: 2, 1: 2}),
        ("two", 6, "", NEVER, 4, True, {0: 2, 1: 2}),
    ],
)
def test_what_an_attempt_comes_to(
    rule: str, slots: int, options: str, result: int, offered: int, visited: bool, granted: dict[int, int]
) -> None:
    made = attempt(rule, slots, options)
    later_slots: dict[int, int] = {}
    collection = SlotCollection(made, later=CollectedSlots(made, later_slots), later_slots=later_slots)
    assert collection.succeeds() is (result == FITS)
    assert (collection.result, collection.offered, collection.has_visited_hosts) == (result, offered, visited)
    assert collection.granted_slots.granted == granted
    assert (collection.later is None) is (visited and result != NEVER)
    # Nobody asks about the time to come.
    collection = SlotCollection(attempt(rule, slots, options))
    assert collection.succeeds() is (result == FITS)
    assert (collection.result == LATER) is (result == LATER and not visited)
    assert (collection.offered, collection.granted_slots.granted) == (offered, granted)
