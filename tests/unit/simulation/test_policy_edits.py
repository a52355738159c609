"""What is varied: fields, work, more hosts."""

from pathlib import Path

import pytest

from qmon_tui.model import Cluster, Kind, State
from qmon_tui.simulation import EditError, Subject, apply_edits, read_edit
from qmon_tui.sources import read_folder

FOLDER = """
hosts: {h01: {complex_values: slots=8}, h02: {complex_values: "slots=8,h_vmem=4G"}}
hostgroups: {"@all": {hostlist: h01 h02}}
queues: {all.q: {hostlist: "@all", slots: "2,[h02=5]"}, own.q: {hostlist: h02, slots: 1}}
projects: {climate: {fshare: 10}}
loads: {h02: {np_load_avg: 0.2}}
jobs:
- {id: 1, owner: anna, submitted: 2026-11-24T08:00:00, qsub: "sleep 100", runtime: 100}
- {id: 2, owner: anna, submitted: 2026-11-24T09:00:00, qsub: "-a 11240930 sleep 100", runtime: 50}
now: 2026-11-24T08:00:00
"""


@pytest.fixture
def subject(tmp_path: Path) -> Subject:
    (tmp_path / "c.yaml").write_text(FOLDER)
    reading = read_folder(str(tmp_path))
    return Subject(reading.cluster, reading.state)


def edited(subject: Subject, text: str) -> tuple[Cluster, State]:
    return apply_edits(subject, [read_edit(subject.cluster, text)])


@pytest.mark.parametrize(
    ("text", "kind", "name", "field", "value"),
    [
        ("scheduler.weight_urgency=1", Kind.SCHEDULER, "scheduler", "weight_urgency", "1"),
        ("queues.all.q.slots=4", Kind.QUEUE, "all.q", "slots", "4"),
        ("queue.all.q.slots=3,[h01=1]", Kind.QUEUE, "all.q", "slots", "3,[h01=1]"),
        ("projects.climate.fshare=200", Kind.PROJECT, "climate", "fshare", "200"),
        ("hosts.h01.complex_values=slots=4", Kind.HOST, "h01", "complex_values", "slots=4"),
        ("hosts.global.complex_values=slots=4", Kind.HOST, "global", "complex_values", "slots=4"),
    ],
)
def test_a_field_is_set(subject: Subject, text: str, kind: Kind, name: str, field: str, value: str) -> None:
    cluster, state = edited(subject, text)
    obj = cluster.single(kind) if kind is Kind.SCHEDULER else cluster.get(kind, name)
    assert obj is not None
    assert obj.text(field) == value
    assert state is subject.state
    assert read_edit(subject.cluster, text).text == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing", '"nothing" is not an edit: write what and its value, such as scheduler.weight_urgency=1'),
        ("schedulr.x=1", 'schedulr.x: "schedulr" is not a kind of object; did you mean scheduler?'),
        ("scheduler.weight_urgncy=1", "scheduler.weight_urgncy: scheduler has no field weight_urgncy; "
         "did you mean weight_urgency?"),
        ("queues.al.q.slots=1", "queues.al.q.slots: there is no queue al.q; did you mean all.q?"),
        ("queues=1", "queues: name the queue and the field, such as queues.all.q.FIELD"),
        ("queues.all.q.qname=x.q", "queues.all.q.qname: the name of a queue cannot be varied"),
        ("queues.all.q.slots=x", 'queues.all.q.slots=x: error: error parsing unsigned long value from string "x"'),
        ("workload.load=0", 'workload.load: "0" is not a factor, write a number above 0 such as 1.2'),
        ("workload.load=nan", 'workload.load: "nan" is not a factor, write a number above 0 such as 1.2'),
        ("workload.size=2", "workload.size: write workload.load, workload.runtime"),
        ("hosts=many", 'hosts: "many" is not a number of hosts, write +10, or +10:HOST for ten like HOST'),
        ("hosts=+1:h99", "hosts=+1:h99: there is no host h99"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said(subject: Subject, text: str, said: str) -> None:
    with pytest.raises(EditError) as refused:
        edited(subject, text)
    assert str(refused.value) == said


def test_what_was_wrong_before_does_not_stop_another_edit(subject: Subject) -> None:
    queue = subject.cluster.get(Kind.QUEUE, "all.q")
    assert queue is not None
    wrong = subject.cluster.with_object(queue.with_value("slots", "x"))
    edited(Subject(wrong, subject.state), "scheduler.weight_urgency=1")


def test_more_hosts_stand_where_the_one_stands_that_they_are_like(subject: Subject) -> None:
    cluster, state = edited(subject, "hosts=+2")
    assert list(cluster.objects(Kind.HOST)) == ["h01", "h02", "h03", "h04"]
    assert cluster.objects(Kind.HOST)["h04"].text("complex_values") == "slots=8,h_vmem=4G"
    assert cluster.objects(Kind.HOSTGROUP)["@all"].text("hostlist") == "h01 h02 h03 h04"
    assert cluster.objects(Kind.QUEUE)["all.q"].text("slots") == "2,[h02=5],[h03=5],[h04=5]"
    assert cluster.objects(Kind.QUEUE)["own.q"].text("hostlist") == "h02 h03 h04"
    assert state.loads["h04"] == state.loads["h02"]
    like, _ = edited(subject, "hosts=+1:h01")
    assert like.objects(Kind.HOST)["h03"].text("complex_values") == "slots=8"
    assert like.objects(Kind.QUEUE)["own.q"].text("hostlist") == "h02"


def test_work_comes_faster_and_lasts_longer(subject: Subject) -> None:
    now = subject.state.now
    _, faster = edited(subject, "workload.load=2")
    assert [job.submitted - now for job in faster.jobs] == [0, 1800]
    before, after = subject.state.jobs[1].request.start_time, faster.jobs[1].request.start_time
    assert before is not None
    assert after == before - 1800
    _, longer = edited(subject, "workload.runtime=x1.5")
    assert [job.runtime for job in longer.jobs] == [150, 75]
