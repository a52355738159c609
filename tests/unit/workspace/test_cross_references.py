"""From names to objects and back, jobs included; and jobs that follow a new name."""

from dataclasses import replace

import pytest

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.model.cluster import config_object
from qmon_tui.model.exceptions import Drain
from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.workspace import (
    Document,
    RenameInState,
    definitions,
    definitions_of_job,
    jobs_to_update,
    uses,
    uses_of_job,
)
from tests.unit.workspace.samples import cluster, queue

CLUSTER = cluster(
    queue("a.q", hostlist="@rack Node9", complex_values="g=2,[node9=g=1]", pe_list="mpi gone", user_lists="staff"),
    config_object(Kind.COMPLEX, "gpu", {"name": "gpu", "shortcut": "g"}),
    config_object(Kind.HOSTGROUP, "@rack", {"hostlist": "node1"}),
    config_object(Kind.HOST, "node1", {}),
    config_object(Kind.HOST, "node9", {}),
    config_object(Kind.PE, "mpi", {}),
    config_object(Kind.PROJECT, "apollo", {}),
    config_object(Kind.USERSET, "staff", {}),
    config_object(Kind.USER, "anna", {}),
)


def job(number: int, qsub: str, tasks: dict[int, Task] | None = None) -> Job:
    return Job(number, "anna", 0, parse_qsub(qsub).request, f"job{number}", tasks=tasks or {}, qsub=qsub)


STATE = State(
    now=100,
    jobs=(
        job(1, "-q a.q@node1 -l g=1 -pe mpi 2 -P apollo x", {1: Task("r", {"a.q@node9": 2}, 50, environment="mpi")}),
        job(2, "-q 'a.*' -l gpu=1,h=node1 x"),
        job(3, "-soft -q other.q,a.q@@rack -hard -masterq a.q -hold_jid 1,job2 x"),
    ),
    loads={"node1": {"np_load_avg": "0.1"}},
    queue_states={"a.q@node9": "d"},
)


def found(kind: Kind, name: str) -> list[tuple[int, str]]:
    return [(place.job, place.note) for place in uses(CLUSTER, STATE, kind, name) if place.job is not None]


@pytest.mark.parametrize(
    ("kind", "name", "jobs"),
    [
        (Kind.QUEUE, "a.q", [(1, "-q a.q@node1"), (2, "-q a.*"), (3, "-soft -q a.q@@rack")]),
        (Kind.COMPLEX, "gpu", [(1, "-l g=1"), (2, "-l gpu=1")]),
        (Kind.HOST, "Node1", [(1, "-q a.q@node1"), (2, "-l h=node1")]),
        (Kind.HOST, "node9", [(1, "runs in a.q@node9")]),
        (Kind.HOSTGROUP, "@rack", [(3, "-soft -q a.q@@rack")]),
        (Kind.PE, "mpi", [(1, "-pe mpi")]),
        (Kind.PROJECT, "apollo", [(1, "-P apollo")]),
        (Kind.USER, "anna", [(1, "owner"), (2, "owner"), (3, "owner")]),
        (Kind.USERSET, "staff", []),
    ],
)
def test_jobs_that_name_an_object(kind: Kind, name: str, jobs: list[tuple[int, str]]) -> None:
    assert found(kind, name) == jobs


def test_objects_come_before_jobs_and_say_the_field() -> None:
    first = uses(CLUSTER, STATE, Kind.HOSTGROUP, "@rack")[0]
    assert (first.words, first.kind, first.name, first.field) == ("queue a.q: hostlist", Kind.QUEUE, "a.q", "hostlist")


def test_a_field_leads_to_all_that_it_names_and_there_is() -> None:
    a_q = CLUSTER.objects(Kind.QUEUE)["a.q"]
    assert [(place.kind, place.name) for place in definitions(CLUSTER, a_q, "complex_values")] == [
        (Kind.COMPLEX, "gpu"), (Kind.HOST, "node9"),
    ]  # fmt: skip
    assert [place.name for place in definitions(CLUSTER, a_q, "pe_list")] == ["mpi"], "gone is nowhere defined"
    assert {place.name for place in definitions(CLUSTER, a_q, None)} == {"@rack", "node9", "gpu", "mpi", "staff"}
    assert definitions(CLUSTER, a_q, "seq_no") == ()


def test_names_lead_to_hosts_and_groups_in_whatever_case_and_say_where_they_stand() -> None:
    asking = queue("a.q", hostlist="@rack node9", pe_list="mpi", complex_values="g=2,[node9=gpu=1,lic=2]")
    on = cluster(
        asking,
        *(config_object(Kind.HOSTGROUP, name, {}) for name in ("@row", "@Rack")),
        *(config_object(Kind.HOST, name, {}) for name in ("node1", "Node9")),
        config_object(Kind.PE, "MPI", {}),
        *(config_object(Kind.COMPLEX, name, {"name": name, "shortcut": name[0]}) for name in ("gpu", "lic")),
    )
    assert [(place.name, place.note) for place in definitions(on, asking, "hostlist")] == [
        ("@Rack", "hostlist"), ("Node9", "hostlist"),
    ]  # fmt: skip
    assert [(place.name, place.note) for place in definitions(on, asking, "complex_values")] == [
        ("gpu", "complex_values"), ("Node9", "complex_values [node9]"), ("lic", "complex_values [node9]"),
    ]  # fmt: skip
    assert definitions(on, asking, "pe_list") == (), "of an environment the case counts"
    assert {(place.words, place.note) for place in uses(on, State(), Kind.COMPLEX, "gpu")} == {
        ("queue a.q: complex_values", "g"), ("queue a.q: complex_values [node9]", ""),
    }  # fmt: skip
    assert [place.note for place in uses(on, State(), Kind.HOSTGROUP, "@Rack")] == [""]


def test_a_job_leads_to_what_it_asks_for_and_to_those_that_wait_for_it() -> None:
    first, second, third = STATE.jobs
    assert {place.name for place in definitions_of_job(CLUSTER, first)} == {
        "a.q", "node1", "node9", "gpu", "mpi", "apollo", "anna",
    }  # fmt: skip
    assert [(place.job, place.note) for place in uses_of_job(STATE, first)] == [(3, "-hold_jid 1")]
    assert [place.note for place in uses_of_job(STATE, second)] == ["-hold_jid job2"]
    assert uses_of_job(STATE, third) == ()


@pytest.mark.parametrize(
    ("kind", "old", "new", "lines"),
    [
        (Kind.QUEUE, "a.q", "main.q", {
            1: "-l g=1 -pe mpi 2 -P apollo -q main.q@node1 x",
            3: "-hold_jid 1,job2 -soft -q other.q,main.q@@rack -hard -masterq main.q x",
        }),
        (Kind.HOST, "node1", "n1", {1: "-l g=1 -pe mpi 2 -P apollo -q a.q@n1 x", 2: "-q 'a.*' -l gpu=1,h=n1 x"}),
        (Kind.HOSTGROUP, "@rack", "@row", {3: "-masterq a.q -hold_jid 1,job2 -soft -q other.q,a.q@@row x"}),
        (Kind.COMPLEX, "gpu", "gpus", {2: "-q 'a.*' -l gpus=1,h=node1 x"}),
        (Kind.PE, "mpi", "openmpi", {1: "-q a.q@node1 -l g=1 -P apollo -pe openmpi 2 x"}),
        (Kind.PROJECT, "apollo", "gemini", {1: "-q a.q@node1 -l g=1 -pe mpi 2 -P gemini x"}),
    ],
)  # fmt: skip
def test_jobs_follow_a_new_name(kind: Kind, old: str, new: str, lines: dict[int, str]) -> None:
    after = RenameInState(kind, old, new).made(Document(CLUSTER, STATE)).state
    for before, now in zip(STATE.jobs, after.jobs, strict=True):
        assert parse_qsub(now.qsub).request == now.request, "the line says what the job asks for"
        expected = lines.get(now.id)
        assert (now.request != before.request) == (expected is not None)
        if expected is not None:
            assert parse_qsub(expected).request == now.request
    assert set(lines) <= {use.job.id for use in jobs_to_update(CLUSTER, STATE, kind, old, new)}


@pytest.mark.parametrize(
    ("kind", "name", "jobs"),
    [
        (Kind.QUEUE, "a.q", [1, 3]),
        (Kind.QUEUE, "Big.q", [4]),
        (Kind.QUEUE, "big.q", []),
        (Kind.HOST, "NODE1", [1, 2]),
        (Kind.HOSTGROUP, "@rack", [3]),
        (Kind.COMPLEX, "gpu", [2]),
        (Kind.USERSET, "staff", []),
    ],
)
def test_jobs_that_a_new_name_would_change_are_counted_without_those_that_keep_a_pattern_or_a_shortcut(
    kind: Kind, name: str, jobs: list[int]
) -> None:
    on = CLUSTER.with_object(queue("Big.q", hostlist="node1"))
    state = replace(STATE, jobs=(*STATE.jobs, job(4, "-q Big.q x")))
    assert [use.job.id for use in jobs_to_update(on, state, kind, name, "@new" if name[0] == "@" else "new")] == jobs


def test_places_loads_and_states_follow_too() -> None:
    queue_renamed = RenameInState(Kind.QUEUE, "a.q", "main.q").made(Document(CLUSTER, STATE)).state
    assert dict(queue_renamed.jobs[0].tasks[1].granted) == {"main.q@node9": 2}
    assert dict(queue_renamed.queue_states) == {"main.q@node9": "d"}
    host_renamed = RenameInState(Kind.HOST, "Node1", "n1").made(Document(CLUSTER, STATE)).state
    assert list(host_renamed.loads) == ["n1"]
    user_renamed = RenameInState(Kind.USER, "anna", "anne").made(Document(CLUSTER, STATE)).state
    assert {job.owner for job in user_renamed.jobs} == {"anne"}


@pytest.mark.parametrize(
    ("kind", "old", "owner", "places", "environments"),
    [
        (Kind.PE, "mpi", "anna", ["mpi@node1", "b.q@node1"], ["new", "smp", None]),
        (Kind.QUEUE, "mpi", "anna", ["new@node1", "b.q@node1"], ["mpi", "smp", None]),
        (Kind.HOST, "NODE1", "anna", ["mpi@new", "b.q@new"], ["mpi", "smp", None]),
        (Kind.CKPT, "mpi", "anna", ["mpi@node1", "b.q@node1"], ["mpi", "smp", None]),
        (Kind.USER, "anna", "new", ["mpi@node1", "b.q@node1"], ["mpi", "smp", None]),
        (Kind.PROJECT, "anna", "anna", ["mpi@node1", "b.q@node1"], ["mpi", "smp", None]),
    ],
)
def test_what_has_started_follows_a_new_name_of_that_kind_alone(
    kind: Kind, old: str, owner: str, places: list[str], environments: list[str | None]
) -> None:
    """A queue may be called as an environment is, and a project as a user."""
    granted = {"mpi@node1": 1, "b.q@node1": 2}
    tasks = {number: Task("r", granted, 50, environment=name) for number, name in enumerate(("mpi", "smp", None), 1)}
    one = job(1, "-pe mpi 3 -ckpt mpi -P anna -t 1-3 x", tasks)
    document = Document(cluster(*CLUSTER, queue("mpi", hostlist="node1")), State(now=100, jobs=(one,)))
    (after,) = RenameInState(kind, old, "new").made(document).state.jobs
    assert after.owner == owner
    assert [list(task.granted) for task in after.tasks.values()] == [places] * 3
    assert [task.environment for task in after.tasks.values()] == environments


@pytest.mark.parametrize(
    ("kind", "line", "after"),
    [
        (Kind.QUEUE, "-l q=old,qname=old,h=old,hostname=old x", "-l q=new,qname=new,h=old,hostname=old x"),
        (Kind.HOST, "-l q=old,qname=old,h=OLD,hostname=old x", "-l q=old,qname=old,h=new,hostname=new x"),
        (Kind.HOSTGROUP, "-l q=@old,h=@old -q a.q@@old,@old x", "-l q=@old,h=@old -q a.q@@new,@old x"),
        (Kind.QUEUE, "-l q=old|b -soft -l q=old,h=o* -q old,old@h x", "-l q=old|b -soft -l q=new,h=o* -q new,new@h x"),
        (Kind.HOST, "-l h=old|b -q old -soft -q old@old,b@OLD x", "-l h=old|b -q old -soft -q old@new,b@new x"),
        (Kind.QUEUE, "-masterq old,old@h,older x", "-masterq new,new@h,older x"),
        (Kind.COMPLEX, "-l old=old,other=1 -soft -l old=2 x", "-l new=old,other=1 -soft -l new=2 x"),
        (Kind.CKPT, "-ckpt old -P old -pe old 2 x", "-ckpt new -P old -pe old 2 x"),
        (Kind.CKPT, "-ckpt older x", "-ckpt older x"),
        (Kind.PROJECT, "-ckpt old -P old -pe old 2 x", "-ckpt old -P new -pe old 2 x"),
        (Kind.PROJECT, "-P older x", "-P older x"),
        (Kind.PE, "-ckpt old -P old -pe old 2-4 x", "-ckpt old -P old -pe new 2-4 x"),
        (Kind.PE, "-pe old* 2 x", "-pe old* 2 x"),
        (Kind.USER, "-ckpt old -P old -pe old 2 x", "-ckpt old -P old -pe old 2 x"),
    ],
)  # fmt: skip
def test_only_what_a_request_calls_by_the_name_follows(kind: Kind, line: str, after: str) -> None:
    one = job(1, line, {1: Task("r", {"old@old": 1}, 50)})
    prefix = "@" if kind is Kind.HOSTGROUP else ""
    state = RenameInState(kind, f"{prefix}old", f"{prefix}new").made(Document(CLUSTER, State(jobs=(one,)))).state
    assert state.jobs[0].request == parse_qsub(after).request == parse_qsub(state.jobs[0].qsub).request


@pytest.mark.parametrize(
    ("kind", "instances", "dated", "loads"),
    [
        (Kind.QUEUE, {"new@old", "b@old"}, {"new", "pes/old", "hosts/old", "quotas/old"}, "old"),
        (Kind.HOST, {"old@new", "b@new"}, {"old", "pes/old", "hosts/new", "quotas/old"}, "new"),
        (Kind.PE, {"old@old", "b@old"}, {"old", "pes/new", "hosts/old", "quotas/old"}, "old"),
        (Kind.QUOTA, {"old@old", "b@old"}, {"old", "pes/old", "hosts/old", "quotas/new"}, "old"),
        (Kind.PROJECT, {"old@old", "b@old"}, {"old", "pes/old", "hosts/old", "quotas/old"}, "old"),
    ],
)
def test_what_the_state_says_of_an_object_is_said_of_its_new_name(
    kind: Kind, instances: set[str], dated: set[str], loads: str
) -> None:
    before = {"old@old", "b@old"}
    state = State(
        loads={"other": {"a": "0"}, "old": {"a": "1"}},
        queue_states=dict.fromkeys(before, "d"),
        changed=dict.fromkeys({*before, "old", "pes/old", "hosts/old", "quotas/old"}, 5.0),
        seen_suspended=frozenset(before),
        error_reasons=dict.fromkeys(before, "x"),
        drains=dict.fromkeys({*before, "old"}, (Drain("psu"),)),
    )
    after = RenameInState(kind, "old", "new").made(Document(CLUSTER, state)).state
    assert dict(after.queue_states) == dict.fromkeys(instances, "d")
    assert after.seen_suspended == after.error_reasons.keys() == instances
    assert dict(after.changed) == dict.fromkeys(instances | dated, 5.0)
    assert dict(after.drains) == dict.fromkeys(instances | {loads}, (Drain("psu"),))
    assert dict(after.loads) == {"other": {"a": "0"}, loads: {"a": "1"}}


@pytest.mark.parametrize(
    ("owner", "qsub", "notes"),
    [
        ("anna", "-hold_jid 1 x", ["-hold_jid 1"]),
        ("anna", "-hold_jid job1 x", ["-hold_jid job1"]),
        ("anna", "-hold_jid_ad 1 -t 1-2 x", ["-hold_jid_ad 1"]),
        ("anna", "-hold_jid 2,1,job1 x", ["-hold_jid 1", "-hold_jid job1"]),
        ("anna", "-hold_jid 11,job11 x", []),
        # A name is one of the owner's jobs, a number anybody's.
        ("bert", "-hold_jid job1 x", []),
        ("bert", "-hold_jid 1 x", ["-hold_jid 1"]),
    ],
)
def test_who_waits_for_a_job(owner: str, qsub: str, notes: list[str]) -> None:
    first = job(1, "-hold_jid job1 x")
    state = State(now=100, jobs=(first, replace(job(2, qsub), owner=owner)))
    assert [(place.job, place.note) for place in uses_of_job(state, first)] == [(2, note) for note in notes]
