"""Which command a line is, where it may be several or none."""

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster import (
    Command,
    InstanceCommand,
    JobCommand,
    Qalter,
    QconfAttribute,
    Qdel,
    Qhold,
    QmodJobs,
    QmodQueues,
    QmodReschedule,
    Qrsub,
    Target,
    read_command,
)
from qmon_tui.qmaster.commands.qconf import QconfAccess
from tests.unit.scheduler.building import cluster, host, queue

CLUSTER = cluster(host("n1"), host("n2"), queue("a.q", "n1 n2"), queue("b.q", "n1"))
ONE, TWO, TASKS = Target(1), Target(2), Target(3, (2, 3, 4))
SUSPEND, RESCHEDULE = InstanceCommand.SUSPEND, JobCommand.FORCE_RESCHEDULE


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("qdel 3 -t 2-4", Qdel((TASKS,))),
        ("qdel -t 2-4 3", None),
        ("qdel 3 -t 2-4 5", None),
        ("qdel 1,2", Qdel((ONE, TWO))),
        ("qdel 1,", None),
        ("qdel 3.2,3-4", Qdel((TASKS,))),
        ("qdel -f 1 && qdel 2", None),
        ("qdel 1 && qhold 2", None),
        ("qdel -f 1 && qdel -f 2", Qdel((ONE, TWO), force=True)),
        ("qhold -h o 1", Qhold((ONE,), "o")),
        ("qhold -h 1", None),
        ("qhold 1 2 3.2-4", Qhold((ONE, TWO, TASKS), "u")),
        ("qalter -hold_jid 1 2", Qalter((TWO,), "-hold_jid 1")),
        ("qalter -p 5 1 2", Qalter((ONE, TWO), "-p 5")),
        ("qalter -h u 3.2-4", Qalter((TASKS,), "-h u", of_tasks=True)),
        ("qmod -s 1 3.2-4", QmodJobs((ONE, TASKS), JobCommand.SUSPEND)),
        ("qmod -s a.q", QmodQueues(SUSPEND, ("a.q@n1", "a.q@n2"))),
        ("qmod -s 1 b.q@n1", QmodQueues(SUSPEND, ("1", "b.q@n1"), unknown=frozenset("1"))),
        ("qmod -s x b.q,y", QmodQueues(SUSPEND, ("x", "b.q@n1", "y"), unknown=frozenset("xy"))),
        ("qmod -s x y", None),
        ("qmod -f -r 1", QmodJobs((ONE,), RESCHEDULE)),
        ("qmod -f -r b.q", QmodReschedule(("b.q@n1",), force=True)),
        ("qmod -rq x b.q", QmodReschedule(("b.q@n1",))),
        ("qmod -f", None),
        ("qmod -sj 1,2", None),
        ("qmod -sj", None),
        ("qrdel -f", None),
        ("qrdel 7 x", None),
        ("qrsub", Qrsub("anna", "")),
        ("qconf -rattr queue slots 4", None),
        ("qconf -rattr room slots 4 a.q", None),
        ("qconf -rattr queue slots 4 a.q b.q", QconfAttribute(Kind.QUEUE, "a.q", "slots", "4", others=("b.q",))),
        ("qconf -purge queue slots", None),
        ("qconf -purge room slots a.q@n1", None),
        ("qconf -xattr queue slots a.q@n1", None),
        ("qconf -purge queue slots a.q@n1", QconfAttribute(Kind.QUEUE, "a.q@n1", "slots", "", "-purge")),
        ("qconf -purge queue slots a.q@n1 x", QconfAttribute(Kind.QUEUE, "a.q@n1", "slots", "", "-purge", ("x",))),
        ("qconf -au anna,@sea ai,ki", QconfAccess(("anna", "@sea"), ("ai", "ki"))),
        ("qconf -du anna ai", QconfAccess(("anna",), ("ai",), adds=False)),
        ("qconf -xu anna ai", None),
        ("qconf -au anna", None),
        ("qconf -au anna ai ki", None),
        ("qconf -au , ai", None),
        ("qconf -au anna ,", None),
        ("qconf -am anna bob", None),
        ("qconf -dq a.q b.q", None),
        ("qconf -dq", None),
    ],
)
def test_lines(line: str, command: Command | None) -> None:
    assert read_command(CLUSTER, line, owner="anna") == command
