"""One command for several jobs, of which some stay as they are."""

from qmon_tui.qmaster import JobCommand, Qdel, Qhold, QmodJobs, Target
from tests.unit.scheduler.building import cluster, job, queue, running, state

ON = cluster(queue("a.q", "h1", 4))
BEFORE = state([job(1), running(2, "a.q@h1"), job(3), job(4)])


def test_those_that_cannot_be_changed_hide_none_behind_them() -> None:
    targets = (Target(9), Target(1), Target(8, (1,)), Target(3))
    assert [each.id for each in Qdel(targets).apply(ON, BEFORE).state.jobs] == [2, 4]
    reply = QmodJobs((Target(1), Target(2)), JobCommand.SUSPEND).apply(ON, BEFORE)
    assert len(reply.messages) == 2
    assert reply.state.jobs[1].tasks[1].state == "s"


def test_each_is_sent_after_those_before_it() -> None:
    after = Qhold((Target(3), Target(9), Target(1))).apply(ON, BEFORE).state
    dated = {each.id: each.changed for each in after.jobs if each.changed is not None}
    assert sorted(dated, key=dated.__getitem__) == [3, 1]
    assert Qhold((Target(9),)).apply(ON, BEFORE).state is BEFORE
