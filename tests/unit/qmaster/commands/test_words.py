"""What commands are called in the list of undo steps, and the lines of those that have several forms."""

from time import process_time

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster import (
    CleanUp,
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
    Qrdel,
    Qrls,
    Qrsub,
    Qsub,
    Target,
)
from qmon_tui.qmaster.commands.qconf import QconfAccess, QconfAdd, QconfDelete, QconfListName, QconfModify
from qmon_tui.qmaster.commands.qdel import id_list
from tests.unit.scheduler.building import job, queue

ONE, TASKS = Target(1), Target(3, (2, 3, 4))
BOTH = (ONE, TASKS)
DISABLE = InstanceCommand.DISABLE


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (Qsub(job(4, "-N four")), "submit job 4 four"),
        (Qhold((ONE,), "o"), "hold job 1 (o)"),
        (Qhold(BOTH), "hold 2 jobs (u)"),
        (Qrls((TASKS,)), "release job 3.2-4"),
        (QmodJobs((ONE,), JobCommand.UNSUSPEND), "resume job 1"),
        (Qdel((Target(3, (2, 4)),)), "delete job 3.2,4"),
        (Qalter((TASKS,), "-p 5"), "qalter -p 5 of job 3"),
        (Qalter((TASKS,), "-h u", of_tasks=True), "qalter -h u of job 3.2-4"),
        (CleanUp(BOTH), "clean up after 2 jobs"),
        (QmodQueues(DISABLE, ("a.q@n1",)), "disable a.q@n1"),
        (QmodQueues(DISABLE, ("a.q@n1", "a.q@n2")), "disable 2 queue instances"),
        (QmodReschedule(("a.q@n1",)), "reschedule what runs in a.q@n1"),
        (QmodReschedule(("a.q@n1",), force=True), "reschedule by force what runs in a.q@n1"),
        (Qrsub("anna", "-d 60"), "reserve -d 60 for anna"),
        (Qrdel((7,)), "delete advance reservation 7"),
        (Qrdel((7, 8)), "delete advance 2 reservations"),
        (QconfAdd(queue("a.q", "n1")), "add queue a.q"),
        (QconfModify(queue("a.q", "n1")), "change queue a.q"),
        (QconfDelete(Kind.QUEUE, "a.q"), "delete queue a.q"),
        (QconfDelete(Kind.SHARETREE, "sharetree"), "delete sharetree"),
        (QconfAttribute(Kind.QUEUE, "a.q", "slots", "2", others=("b.q",)), "set slots of queue a.q, b.q"),
        (QconfListName(Kind.MANAGERS, "anna"), "add anna to managers"),
        (QconfListName(Kind.MANAGERS, "anna", adds=False), "take anna from managers"),
        (QconfAccess(("anna", "bert"), ("ai",)), "add anna, bert to userset ai"),
        (QconfAccess(("anna",), ("ai", "ki"), adds=False), "take anna from userset ai, ki"),
    ],
)
def test_words(command: Command, words: str) -> None:
    assert command.words == words


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (QconfAccess(("anna", "@staff"), ("ai", "ki")), "qconf -au anna,@staff ai,ki"),
        (QconfAccess(("anna",), ("ai",), adds=False), "qconf -du anna ai"),
        (QconfAttribute(Kind.QUEUE, "a.q@n1", "slots", "", "-purge"), "qconf -purge queue slots a.q@n1"),
        (QconfAttribute(Kind.QUOTA, "q/1", "limit", "slots=1\nmem=2"), ""),
        (Qdel((TASKS, ONE), force=True), "qdel -f 1 && qdel -f 3 -t 2-4"),
    ],
)
def test_lines(command: Command, line: str) -> None:
    assert command.line == line


@pytest.mark.parametrize(
    ("targets", "count"), [((ONE,), 1), (BOTH, 2), ((Target(3, (2,)), Target(3, (4,))), 1), ((ONE, TASKS, ONE), 2)]
)
def test_options_are_altered_once_in_each_job(targets: tuple[Target, ...], count: int) -> None:
    assert Qalter(targets, "-p 5").count == count
    assert Qalter(targets, "-h u", of_tasks=True).count == Qhold(targets).count == len(targets)


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((), ""),
        ((4,), "4"),
        ((5, 4), "4,5"),
        ((4, 5, 6), "4-6:1"),
        ((1, 3, 5, 7), "1-7:2"),
        ((1, 3), "1,3"),
        ((1, 3, 4, 5), "1,3-5:1"),
        ((1, 2, 3, 5), "1-3:1,5"),
        ((1, 2, 3, 5, 7, 9), "1-3:1,5-9:2"),
        ((1, 2, 4, 8), "1,2,4,8"),
    ],
)
def test_numbers_of_deleted_tasks(numbers: tuple[int, ...], text: str) -> None:
    assert id_list(numbers) == text


def test_many_numbers_that_lie_unevenly_are_told_in_a_moment() -> None:
    numbers = [step * (step + 1) // 2 for step in range(60_000)]
    begun = process_time()
    assert id_list(numbers).count(",") == 59_999
    assert process_time() - begun < 2
