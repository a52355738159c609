"""What our readers make of the real qstat is the state that we know: the next run of the engine is the same on both."""

from dataclasses import replace

import pytest

from qmon_tui.formats.records.record_reader import read_records
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import schedule
from tests.differential.folders import contents_of
from tests.differential.observing import observe
from tests.differential.qmaster import Qmaster
from tests.differential.running import real_runs
from tests.differential.scenarios import scenarios

PLAYED = ("arrays", "control_slaves", "override", "soft", "states")
AS_TEXT = tuple(name for name in PLAYED if name != "control_slaves")
"""Which tickets stay as they were only -ext tells, whose columns for people are not read."""


def from_qstat(qmaster: Qmaster) -> State:
    """The state as two calls of qstat tell it."""
    listing = qmaster.must("qstat", "-f", "-xml", "-u", "*", "-ext", "-urg", "-pri", "-r", "-F")
    details = qmaster.must("qstat", "-xml", "-j", "*")
    recorded = read_records({"details": details.encode(), "listing": listing.encode()})
    assert not recorded.findings
    return recorded.state


def from_texts(qmaster: Qmaster) -> State:
    """The state as the same calls tell it to people."""
    listing = qmaster.must("qstat", "-f", "-u", "*", "-r", "-F")
    details = qmaster.must("qstat", "-j", "*")
    recorded = read_records({"details": details.encode(), "listing": listing.encode()})
    assert not recorded.findings
    return recorded.state


def decisions(cluster: object, state: State) -> object:
    outcome = schedule(cluster, state)  # type: ignore[arg-type]
    return [
        (job.id, job.owner, job.name, job.project, job.department, round(job.prior, 9), job.reasons, job.tasks)
        for job in outcome.jobs
        if any(task.state != "z" for task in job.tasks)
    ]


@pytest.mark.qmaster
@pytest.mark.parametrize("name", PLAYED)
def test_the_state_read_from_qstat_leads_to_the_same_decisions(qmaster: Qmaster, name: str) -> None:
    scenario = scenarios()[name]
    *_, last = real_runs(qmaster, scenario)
    read = from_qstat(qmaster)
    # On a busy machine the look after the run may have come while its jobs were still on their way.
    known = contents_of(replace(last, before=observe(qmaster)), scenario.files)
    same_time = replace(read, now=known.state.now, loads=known.state.loads)
    assert decisions(known.cluster, same_time) == decisions(known.cluster, known.state)
    if name in AS_TEXT:
        told = replace(from_texts(qmaster), now=known.state.now, loads=known.state.loads)
        assert decisions(known.cluster, told) == decisions(known.cluster, known.state)
