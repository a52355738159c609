"""Checks and engine answer whatever a cluster holds: the site with deletions and rubbish, its jobs with nonsense."""

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given, strategies as st

from qmon_tui.checks import check, check_object, deletion_refusals
from qmon_tui.explain import Explainer
from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.model.catalogue import specs
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.jobs import Job, Task, TaskRange
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import schedule, simulate
from qmon_tui.report import json_report
from qmon_tui.sources import Reading, read_folder
from tests.examples import examples

CONFIGS = Path(__file__).parents[3] / "configs"

RUBBISH = (
    *("", " ", "NONE", "-1", "0", "9" * 30, "9" * 5000, "0" * 5000, "1e400", "nan", "-inf", "INFINITY", "0x", "²"),
    *("a=b=c", "=", "=1", "slots=-5", "slots=inf,mem=nan", "np_load_avg=1e400", "slots", "slots-slots", ",", "1,,2"),
    *("[", "]", "[[[", "[@x=1", "1,[@x=2],[@x=3]", "0,[big01=9999999999]", "@nope", "@allhosts", "@a"),
    *("*", "!*", "|&!", "\\", "/", "(", "é\x00\n", "1:2:3:4", "1M", "TRUE", "x=" * 30),
)
PAGES = ("", "@", "x", "nope.q@nowhere", "short.q@node01", "gpu.q@nope")
OPTIONS = (
    *("-l lic=1e400", "-l lic=INFINITY", "-l lic=-5", "-l lic", "-l gpu=nan", "-l nope=1", "-l slots=5", "-l h_rt=::"),
    *("-l qname=*", "-l hostname=!*", "-l arch=|", "-l tmpdir=/x", "-l num_proc=0x", "-l h_vmem=9999999999999G"),
    *("-q *@*", "-q @x@y", "-q [[", "-q all.q@@allhosts", "-masterq x", "-pe * 1-", "-pe smp 1-99999", "-ckpt y"),
    *("-hold_jid *,999", "-hold_jid_ad 103", "-t 1-999:3 -tc 2", "-p 1024", "-P nope", "-ar 3", "-R y"),
    *("-js 999999999", "-a 203001010000", "-dl 197001010101", "-soft -l lic=3 -q x"),
)  # fmt: skip
STATES = ("r", "t", "qw", "hqw", "Eqw", "dr", "", "zzz", "Rr", "s", "S", "T", "é")


@cache
def reading(name: str) -> Reading:
    return read_folder(CONFIGS / name)


def everything(cluster: Cluster) -> list[ConfigObject]:
    return [obj for kind in specs() for obj in cluster.objects(kind).values()]


def answer(cluster: Cluster, state: State, jobs: Iterable[int] = ()) -> None:
    """All answers are given, and can be written down as JSON."""
    json.dumps(json_report.check_json(check(cluster, state)))
    explainer = Explainer(simulate(cluster, state))
    outcome = explainer.outcome
    json.dumps(json_report.schedule_json(outcome), allow_nan=False)
    # Of two jobs with one number either may be meant.
    shown = {job.id for job in outcome.jobs if job.tasks} - {job.id for job in outcome.jobs if not job.tasks}
    for number in shown.intersection(jobs):
        json.dumps(json_report.why_json(explainer.explanation(number, with_changes=True)), allow_nan=False)


# What once ended in an error.
@pytest.mark.parametrize(
    ("kind", "name", "field", "text"),
    [
        (Kind.SCHEDULER, "scheduler", "load_adjustment_decay_time", "1e400"),
        (Kind.SCHEDULER, "scheduler", "max_pending_tasks_per_job", " "),
        (Kind.SCHEDULER, "scheduler", "max_reservation", " "),
        (Kind.USERSET, "defaultdepartment", "fshare", " "),
        (Kind.USERSET, "arusers", "fshare", " "),
        (Kind.PE, "smp", "slots", " "),
        (Kind.PE, "smp", "urgency_slots", "9" * 5000),
        (Kind.QUEUE, "short.q", "slots", "1,[@x=2],[@x=3]"),
        (Kind.QUEUE, "short.q", "complex_values", "NONE,[@x=a=1],[@x=a=2]"),
        (Kind.QUEUE, "short.q", "priority", "9" * 5000),
        (Kind.COMPLEX, "h_vmem", "default", "0" * 5000),
    ],
    ids=lambda value: str(value)[:12],
)
def test_what_once_broke(kind: Kind, name: str, field: str, text: str) -> None:
    site = reading("site")
    obj = site.cluster.get(kind, name)
    assert obj is not None
    cluster = site.cluster.with_object(obj.with_value(field, text))
    answer(cluster, site.state, [job.id for job in site.state.jobs][::4])


def test_no_qmaster_is_without_slots() -> None:
    site = reading("site")
    without = site.cluster.without(Kind.COMPLEX, "slots")
    answer(without, site.state, [job.id for job in site.state.jobs])
    ours, theirs = schedule(without, site.state), schedule(site.cluster, site.state)
    assert [job.tasks for job in ours.jobs] == [job.tasks for job in theirs.jobs]


@pytest.mark.parametrize("name", ["teaching", "site"])
def test_each_object_may_be_missing(name: str) -> None:
    cluster, state = reading(name).cluster, reading(name).state
    for number, obj in enumerate(everything(cluster)):
        deletion_refusals(cluster, obj.kind, obj.name)
        # All kinds, but not all 50 complexes that nobody uses.
        if obj.kind is not Kind.COMPLEX or number % 8 == 0:
            answer(cluster.without(obj.kind, obj.name), state)


@pytest.mark.parametrize("kind", specs())
def test_each_kind_may_be_missing_as_a_whole(kind: Kind) -> None:
    site = reading("site")
    cluster = site.cluster
    for name in site.cluster.objects(kind):
        cluster = cluster.without(kind, name)
    answer(cluster, site.state, (101, 105, 112))


@pytest.mark.parametrize("kind", specs())
def test_each_field_takes_rubbish(kind: Kind) -> None:
    """One object of the kind: the checks with each text in each field, the engine with one text in all fields."""
    site = reading("site")
    known = site.cluster.objects(kind)
    name = spec_name(kind) if not known else list(known)[-1]
    obj = known.get(name) or config_object(kind, name, {})
    for text in RUBBISH:
        for field in specs()[kind].fields:
            check_object(site.cluster, obj.with_value(field.name, text))
    for text in RUBBISH[::4]:
        changed = obj
        for field in specs()[kind].fields:
            changed = changed.with_value(field.name, text)
        answer(site.cluster.with_object(changed), site.state)


def spec_name(kind: Kind) -> str:
    return "@rubbish" if kind is Kind.HOSTGROUP else "rubbish"


def test_groups_in_a_circle_come_to_an_end() -> None:
    groups = [
        config_object(Kind.HOSTGROUP, name, {"group_name": name, "hostlist": hosts})
        for name, hosts in (("@a", "@b node01"), ("@b", "@c @a"), ("@c", "@b @c"))
    ]
    queue = config_object(Kind.QUEUE, "round.q", {"qname": "round.q", "hostlist": "@c", "slots": "1,[@a=2],[@b=3]"})
    cluster = reading("site").cluster.with_objects((*groups, queue))
    answer(cluster, reading("site").state, (101,))
    assert any(
        instance.name == "round.q@node01" for instance in schedule(cluster, reading("site").state).queue_instances
    )


edits = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6), st.sampled_from((None, *RUBBISH))), max_size=8)
tasks = st.dictionaries(
    st.sampled_from((0, -1, 1, 2, 10**9)),
    st.builds(
        Task,
        st.sampled_from(STATES),
        st.dictionaries(st.sampled_from(PAGES), st.sampled_from((1, 0, -3, 10**12)), max_size=2),
        st.sampled_from((None, 0, -5, 10**10)),
    ),
    max_size=3,
)
requests = st.lists(st.sampled_from(OPTIONS), max_size=3).map(
    lambda options: parse_qsub(" ".join((*options, "sleep 1")), now=0).request
)
arrays = st.sampled_from((None, TaskRange(1, 0, 1), TaskRange(5, 3, 2), TaskRange(1, 2000, 1)))
nonsense = st.fixed_dictionaries(
    {"id": st.sampled_from((0, -1, 101, 10**15)), "owner": st.sampled_from(("", "root", "dora", "é"))},
    optional={"submitted": st.sampled_from((0, -5, 10**10)), "tasks": tasks, "group": st.just("")},
)
jobs = st.lists(
    st.tuples(st.integers(0, 10**6), nonsense, requests, arrays, st.sampled_from((0, -(10**9), 10**9))), max_size=4
)
loads = st.dictionaries(
    st.sampled_from(("node01", "NODE01", "global", "nope", "")),
    st.dictionaries(st.sampled_from(("np_load_avg", "mem_free", "arch", "zz")), st.sampled_from(RUBBISH), max_size=2),
    max_size=2,
)
queue_states = st.dictionaries(st.sampled_from(PAGES), st.sampled_from(("d", "zz", "", "dEsSuoc", "é")), max_size=2)


def edited(cluster: Cluster, changes: Iterable[tuple[int, int, str | None]]) -> Cluster:
    """Each change gives one field of one object a text, or deletes the object."""
    for which, field, text in changes:
        objects = everything(cluster)
        obj = objects[which % len(objects)]
        fields = specs()[obj.kind].fields
        if text is None:
            cluster = cluster.without(obj.kind, obj.name)
        else:
            cluster = cluster.with_object(obj.with_value(fields[field % len(fields)].name, text))
    return cluster


@examples(60)
@example("broken", [(1990, 0, None)], [], {}, {})
@given(st.sampled_from(("site", "teaching", "broken", "broken-qconf")), edits, jobs, loads, queue_states)
def test_rubbish_of_every_kind_at_once(
    name: str,
    changes: list[tuple[int, int, str | None]],
    changed_jobs: list[tuple[int, dict[str, object], object, TaskRange | None, int]],
    load_values: dict[str, dict[str, str]],
    states: dict[str, str],
) -> None:
    base = reading(name)
    listed: list[Job] = list(base.state.jobs)
    for which, values, request, array, priority in changed_jobs:
        if listed:
            odd = replace(request, array=array, priority=priority)  # type: ignore[type-var]
            number = which % len(listed)
            listed[number] = replace(listed[number], request=odd, **values)  # type: ignore[arg-type]
    state = replace(base.state, jobs=tuple(listed), loads=load_values or base.state.loads, queue_states=states)
    answer(edited(base.cluster, changes), state, [job.id for job in listed[:2]])


def test_a_change_is_looked_for_where_two_jobs_have_one_number() -> None:
    base = reading("site")
    listed: list[Job] = list(base.state.jobs)
    request = parse_qsub("sleep 1").request
    for place in (0, 931742 % len(listed)):
        listed[place] = replace(listed[place], id=0, owner="", request=request, tasks={} if place else listed[0].tasks)
    state = replace(base.state, jobs=tuple(listed), loads={"node01": {}}, queue_states={})
    answer(base.cluster, state, [job.id for job in listed[:2]])
