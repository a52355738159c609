"""Commands are values: they say their line, are read back from it, can be sent, and do what the functions do."""

import pickle
from dataclasses import replace

import pytest

from qmon_tui.model.catalogue.qconf_options import QCONF
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster import (
    MODIFY,
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
    editor_line,
    new_job,
    read_command,
    show_line,
)
from qmon_tui.qmaster.commands.qconf import QconfAdd, QconfDelete, QconfListName, QconfModify
from tests.unit.scheduler.building import attribute, cluster, environment, host, job, project, queue

CLUSTER = cluster(host("n1"), host("n2"), queue("a.q", "n1 n2"), queue("b.q", "n1"), environment("mpi"), project("sea"))
STATE = State(now=1_760_000_000, jobs=(job(1, "-N one"), job(2, "-N two"), job(3, "-N three -t 1-9")))
ONE, TWO, TASKS = Target(1), Target(2), Target(3, (2, 3, 4))
LINES: tuple[tuple[Command, str], ...] = (
    (Qhold((ONE, TWO), "o"), "qhold -h o 1 2"),
    (Qhold((TASKS,)), "qhold -h u 3.2-4"),
    (Qrls((ONE,), "u"), "qrls -h u 1"),
    (QmodJobs((ONE, TASKS), JobCommand.SUSPEND), "qmod -sj 1 3.2-4"),
    (QmodJobs((ONE,), JobCommand.FORCE_RESCHEDULE), "qmod -f -rj 1"),
    (Qdel((ONE, TWO)), "qdel 1 2"),
    (Qdel((ONE, TASKS), force=True), "qdel -f 1 && qdel -f 3 -t 2-4"),
    (Qalter((ONE,), "-p -10"), "qalter -p -10 1"),
    (Qalter((ONE, TWO), "-p 10"), "qalter -p 10 1 2"),
    (Qalter((ONE,), "-l 'h_vmem=2G,arch=lx*'"), "qalter -l 'h_vmem=2G,arch=lx*' 1"),
    (QmodQueues(InstanceCommand.DISABLE, ("a.q@n1", "a.q@n2")), "qmod -d a.q@n1 a.q@n2"),
    (QmodReschedule(("b.q@n1",)), "qmod -rq b.q@n1"),
    (QmodReschedule(("b.q@n1",), force=True), "qmod -f -rq b.q@n1"),
    (Qrsub("anna", "-a 202601011200 -d 3600 -pe mpi 4"), "qrsub -a 202601011200 -d 3600 -pe mpi 4"),
    (Qrdel((7, 8)), "qrdel 7 8"),
    (Qrdel((7,), force=True), "qrdel -f 7"),
    (QconfAttribute(Kind.QUEUE, "a.q", "slots", "4,[n1=8]"), "qconf -rattr queue slots '4,[n1=8]' a.q"),
    (
        QconfAttribute(Kind.HOST, "n1", "complex_values", "lic=1", "-mattr"),
        "qconf -mattr exechost complex_values lic=1 n1",
    ),
    (QconfDelete(Kind.QUEUE, "b.q"), "qconf -dq b.q"),
    (QconfDelete(Kind.SHARETREE, "sharetree"), "qconf -dstree"),
    (QconfListName(Kind.MANAGERS, "anna"), "qconf -am anna"),
    (QconfListName(Kind.SUBMIT_HOSTS, "n1", adds=False), "qconf -ds n1"),
)
OTHERS: tuple[tuple[Command, str], ...] = (
    (Qsub(new_job(STATE, "anna", "-N four sleep 5")), "qsub -N four sleep 5"),
    (CleanUp((ONE,)), ""),
    (QconfAdd(queue("c.q", "n1")), "qconf -Aq c.q"),
    (QconfModify(queue("a.q", "n1")), "qconf -Mq a.q"),
    (QconfAdd(CLUSTER.single(Kind.SCHEDULER)), ""),
    (QconfModify(CLUSTER.single(Kind.MANAGERS)), ""),
    (QconfDelete(Kind.SCHEDULER, "scheduler"), ""),
)


@pytest.mark.parametrize(
    ("command", "line"), [*LINES, *OTHERS], ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_command_says_its_line_and_can_be_sent(command: Command, line: str) -> None:
    assert command.line == line
    assert command.words
    arrived = pickle.loads(pickle.dumps(command))
    assert arrived == command
    assert arrived.apply(CLUSTER, STATE) == command.apply(CLUSTER, STATE)


@pytest.mark.parametrize(("command", "line"), LINES, ids=[line for _, line in LINES])
def test_a_command_is_read_back_from_its_line(command: Command, line: str) -> None:
    assert read_command(CLUSTER, line, owner="anna") == command


@pytest.mark.parametrize(
    "line",
    ["", "ls -l", "qdel", "qdel one", "qmod -x 1", "qalter 1", "qconf -dq", "qhold '", "qrdel x", "qrdel ²", "qdel ²"]
    + [f"{program} {'9' * 4301}" for program in ("qdel", "qhold", "qrdel")],
)
def test_what_is_no_command_is_none(line: str) -> None:
    assert read_command(CLUSTER, line) is None


def test_one_command_for_several_jobs_does_what_one_after_the_other_do() -> None:
    together = Qhold((ONE, TWO, TASKS), "u").apply(CLUSTER, STATE)
    state, said = STATE, tuple[str, ...]()
    for target in (ONE, TWO, TASKS):
        reply = Qhold((target,), "u").apply(CLUSTER, state)
        state, said = reply.state, (*said, *reply.messages)
    assert (together.state, together.messages) == (state, said)
    assert together.messages[0] == "modified hold of job 1"


def test_qconf_changes_the_configuration_or_says_why_not() -> None:
    added = QconfAdd(queue("c.q", "n1")).apply(CLUSTER, STATE)
    assert added.cluster is not None
    assert added.cluster.get(Kind.QUEUE, "c.q") == queue("c.q", "n1")
    assert QconfAdd(queue("a.q", "n1")).apply(CLUSTER, STATE).messages == ('cluster queue "a.q" already exists',)
    assert QconfModify(queue("x.q", "n1")).apply(CLUSTER, STATE).cluster is None
    changed = QconfAttribute(Kind.QUEUE, "a.q", "seq_no", "5").apply(CLUSTER, STATE)
    assert changed.cluster is not None
    assert changed.cluster.objects(Kind.QUEUE)["a.q"].text("seq_no") == "5"
    assert QconfAttribute(Kind.QUEUE, "a.q", "seq_no", "x").apply(CLUSTER, STATE).cluster is None
    gone = QconfDelete(Kind.QUEUE, "b.q").apply(CLUSTER, STATE)
    assert gone.cluster is not None
    assert gone.cluster.get(Kind.QUEUE, "b.q") is None
    assert QconfDelete(Kind.QUEUE, "x.q").apply(CLUSTER, STATE).messages


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_its_names_in_qconf(kind: Kind) -> None:
    options = QCONF[kind]
    assert show_line(kind, "x") == f"qconf {options.show}" + (" x" if options.is_named else "")
    line = editor_line(kind, "x")
    assert (
        line is None
        if options.modify is None
        else line == f"qconf {options.modify}" + (" x" if options.is_named else "")
    )


def test_the_file_of_a_new_object_is_what_qconf_reads() -> None:
    command = QconfAdd(config_object(Kind.PROJECT, "land", {"name": "land"}))
    assert command.text.startswith("name land\n")


def test_a_name_is_added_to_a_list_and_taken_from_it() -> None:
    added = QconfListName(Kind.OPERATORS, "anna").apply(CLUSTER, STATE)
    assert added.cluster is not None
    assert "anna" in added.cluster.single(Kind.OPERATORS).text("entries").split()
    assert QconfListName(Kind.OPERATORS, "anna").apply(added.cluster, STATE).messages == (
        'operator "anna" already exists',
    )
    gone = QconfListName(Kind.OPERATORS, "anna", adds=False).apply(added.cluster, STATE)
    assert gone.cluster is not None
    assert "anna" not in gone.cluster.single(Kind.OPERATORS).text("entries").split()
    assert QconfListName(Kind.MANAGERS, "root", adds=False).apply(CLUSTER, STATE).cluster is None


def test_lines_are_divided_where_the_shell_divides_them() -> None:
    assert read_command(CLUSTER, "qdel 1 && qdel 2") == Qdel((ONE, TWO))
    assert read_command(CLUSTER, "qalter -N 'a && b' 1") == Qalter((ONE,), "-N 'a && b'")


def text_after(command: QconfAttribute, on: Cluster) -> str:
    reply = command.apply(on, STATE)
    assert reply.cluster is not None, reply.messages
    name = command.name.partition("@")[0].partition("/")[0]
    return reply.cluster.objects(command.kind)[name].text(command.field)


def test_one_entry_one_host_or_one_rule_is_changed_and_the_rest_stays() -> None:
    limits = "users anna to slots=2,mem=4G\nname rest users {*} to slots=9"
    quota = config_object(Kind.QUOTA, "q", {"name": "q", "enabled": "TRUE", "limit": limits})
    on = CLUSTER.with_objects((attribute("mem mem MEMORY <= YES YES 0"), host("n1", "mem=4G,slots=8"), quota))
    mattr = QconfAttribute(Kind.HOST, "n1", "complex_values", "slots=3", MODIFY)
    assert text_after(mattr, on) == "mem=4G,slots=3"
    assert text_after(replace(mattr, option="-rattr"), on) == "slots=3"
    before = on.objects(Kind.QUEUE)["a.q"].text("seq_no")
    assert text_after(QconfAttribute(Kind.QUEUE, "a.q@n1", "seq_no", "7"), on) == f"{before},[n1=7]"
    first = QconfAttribute(Kind.QUOTA, "q/1", "limit", "slots=5", MODIFY)
    assert text_after(first, on).splitlines() == ["users anna to mem=4G,slots=5", "name rest users {*} to slots=9"]
    named = QconfAttribute(Kind.QUOTA, "q/rest", "limit", "slots=5", MODIFY)
    assert text_after(named, on).splitlines()[1] == "name rest users {*} to slots=5"
    assert QconfAttribute(Kind.QUOTA, "q/3", "limit", "slots=5", MODIFY).apply(on, STATE).cluster is None
