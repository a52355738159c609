"""Sending back jobs with a checkpointing environment (qmod -rj): `when` has to have an r."""

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.commands import JobCommand, Target, modify
from tests.unit.scheduler.building import cluster, queue, running, state

REFUSED = "1 requests ckpt object c. Therefore this job is not restartable."


@pytest.mark.parametrize(
    ("when", "rerun", "said"),
    [
        ("sr", "", "Pushed rescheduling of job 1 on host h1"),
        ("r", "-r y", "Pushed rescheduling of job 1 on host h1"),
        ("s", "", REFUSED),
        ("s", "-r y", REFUSED),
        ("r", "-r n", "The job 1 is not restartable"),
        (None, "", REFUSED),
    ],
)
def test_only_what_may_be_sent_back_is(when: str | None, rerun: str, said: str) -> None:
    objects = [] if when is None else [config_object(Kind.CKPT, "c", {"ckpt_name": "c", "when": when})]
    on = cluster(queue("all.q", "h1", 2, rerun="TRUE", ckpt_list="c"), *objects)
    reply = modify(on, state([running(1, "all.q@h1", f"-ckpt c {rerun}")]), JobCommand.RESCHEDULE, Target(1))
    assert [str(message) for message in reply.messages] == [said]
    assert reply.state.jobs[0].tasks[1].state == ("Rq" if said.startswith("Pushed") else "r")
