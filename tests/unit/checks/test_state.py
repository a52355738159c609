"""What is said of load values, jobs and states together with the configuration."""

from collections.abc import Mapping

import pytest

from qmon_tui.checks import check, check_object
from qmon_tui.checks.state import state_findings
from qmon_tui.formats import Layout, read_texts
from qmon_tui.model.cluster import Origin, config_object
from qmon_tui.model.exceptions import Drain
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import CHANGED_AT, SEEN_AT, PastUsage, State, Usage
from qmon_tui.values import format_time
from tests.unit.checks.recorded import context
from tests.unit.scheduler.building import job, project, state


def unmeasured(values: Mapping[str, str], loads: Mapping[str, Mapping[str, str]]) -> list[str]:
    """What is said of thresholds of the queue q, which has two hosts, one of them in a group of its own."""
    group = config_object(Kind.HOSTGROUP, "@second", {"hostlist": "vs2"})
    queue = config_object(Kind.QUEUE, "q", {"hostlist": "vs1 vs2", **values})
    findings = state_findings(context().with_objects([group, queue]), State(loads=loads))
    return [finding.message for finding in findings if finding.rule == "queue.thresholds.unmeasured"]


@pytest.mark.parametrize("key", ["vs2", "VS2", "@second"])
def test_a_threshold_for_some_hosts_is_not_missed_on_others(key: str) -> None:
    thresholds = {"load_thresholds": f"np_load_avg=1.75,[{key}=load_short=3]"}
    measured = {"vs1": {"np_load_avg": "0.2"}, "vs2": {"load_short": "1"}}
    assert unmeasured(thresholds, measured) == []
    backwards = {"vs1": {"load_short": "1"}, "vs2": {"np_load_avg": "0.2"}}
    assert unmeasured(thresholds, backwards) == [
        'the load value "load_short" of vs2 is not known: q@vs2 is in alarm',
        'the load value "np_load_avg" of vs1 is not known: q@vs1 is in alarm',
    ]


def test_what_is_measured_hides_nothing_that_is_not() -> None:
    loads = {"vs1": {"load_short": "1"}, "vs2": {"arch": "lx"}, "global": {"load_medium": "1"}}
    told = ['the load value "load_short" of vs2 is not known: q@vs2 is in alarm']
    for first in ("load_short=3", "load_medium=3,load_short=3", "aaa=1,load_short=3"):
        assert unmeasured({"load_thresholds": first}, loads) == told


def test_of_many_hosts_the_first_is_named_for_each_load_value() -> None:
    loads = {"vs1": {"arch": "lx"}, "vs2": {"arch": "lx"}}
    assert unmeasured({"load_thresholds": "load_short=3,np_load_avg=1.75"}, loads) == [
        'the load value "load_short" of vs1 is not known: q@vs1 is in alarm',
        'the load value "np_load_avg" of vs1 is not known: q@vs1 is in alarm',
    ]


def test_what_a_queue_offers_on_one_host_is_not_measured_on_others() -> None:
    loads = {"vs1": {"np_load_avg": "0.2"}, "vs2": {"np_load_avg": "0.2"}}
    values = {"load_thresholds": "load_short=3", "complex_values": "NONE,[vs1=load_short=1]"}
    assert unmeasured(values, loads) == ['the load value "load_short" of vs2 is not known: q@vs2 is in alarm']
    assert unmeasured({**values, "complex_values": "load_short=1"}, loads) == []


def test_a_project_in_which_there_are_jobs_is_named() -> None:
    named, given, spare = (project(name) for name in ("named", "given", "spare"))
    cluster = context().with_objects([named, given, spare])
    moving = state([job(1, "-P named"), job(2, project="given"), job(3)])
    unused = [finding.name for finding in check(cluster, moving) if finding.rule == "project.unused"]
    assert "spare" in unused
    assert not {"named", "given"} & set(unused)
    assert not check_object(cluster, named, moving)
    assert [finding.rule for finding in check_object(cluster, named, state([]))] == ["project.unused"]


def test_jobs_that_ask_for_a_reservation_that_nobody_makes_are_counted() -> None:
    asking = [job(number, "-R y") for number in range(4, 7)]
    told = [
        [finding.message for finding in check(context(), state(jobs)) if finding.rule == "scheduler.reservation.off"]
        for jobs in (asking, asking[:1])
    ]
    assert told == [
        ["job 4 and 2 more asked for a reservation (-R y), but max_reservation is 0"],
        ["job 4 asked for a reservation (-R y), but max_reservation is 0"],
    ]


ON_TWO = context().with_objects(
    [
        config_object(Kind.QUEUE, "q", {"hostlist": "vs1 vs2", "load_thresholds": "NONE"}),
        config_object(Kind.USER, "anna", {}),
    ]
)


def told(given: State, *rules: str) -> list[str]:
    return [finding.message for finding in state_findings(ON_TWO, given) if finding.rule in rules]


@pytest.mark.parametrize(
    ("hosts", "expected"),
    [
        (("VS1", "global"), []),
        (("a",), ['load values are given for "a", which is not a host of this cluster']),
        (("vs1", "a", "b"), ["load values are given for 2 hosts that this cluster does not have: a, b"]),
        (tuple("abcde"), ["load values are given for 5 hosts that this cluster does not have: a, b, c, d, e"]),
        (
            tuple("abcdef"),
            ["load values are given for 6 hosts that this cluster does not have: a, b, c, d, e and 1 more"],
        ),
    ],
)
def test_five_of_those_that_do_not_exist_are_named(hosts: tuple[str, ...], expected: list[str]) -> None:
    assert told(State(loads={host: {"arch": "lx"} for host in hosts}), "host.loads") == expected


def test_usage_of_those_who_are_neither_users_nor_have_jobs() -> None:
    users = {name: Usage() for name in ("anna", "bert", "eve", "ida")}
    assert told(state([job(1, owner="bert")], usage=PastUsage(users)), "user.usage") == [
        "usage is given for 2 people who are not users and have no jobs: eve, ida"
    ]
    assert told(State(usage=PastUsage({"eve": Usage()})), "user.usage") == [
        'usage is given for "eve", who is not a user and has no job'
    ]
    projects = {name: Usage() for name in ("val_prj", "sea")}
    assert told(State(usage=PastUsage(projects=projects)), "user.usage") == [
        'usage is given for "sea", which is not a project'
    ]


STATE_OF, REASON_OF, CHANGE_OF, SEEN_OF = (
    'a state is given for "{}", which is not a queue instance',
    'a reason is given for "{}", which is not a queue instance',
    'a time of change is given for "{}", which does not exist',
    'seen is given for "{}", which is not a queue instance',
)


@pytest.mark.parametrize("name", ["q@VS2", "q@vs3", "q@x", "p@vs1"])
def test_each_thing_that_is_told_of_queue_instances_is_looked_at_by_itself(name: str) -> None:
    expected = [] if name == "q@VS2" else [name]
    rules = "queue.states", "queue.changed"
    assert told(State(queue_states={name: "d"}), *rules) == [STATE_OF.format(name) for name in expected]
    assert told(State(error_reasons={name: "x"}), *rules) == [REASON_OF.format(name) for name in expected]
    assert told(State(changed={name: 1.0}), *rules) == [CHANGE_OF.format(name) for name in expected]
    assert told(State(seen_suspended=frozenset({name})), *rules) == [SEEN_OF.format(name) for name in expected]


@pytest.mark.parametrize(
    ("place", "drain", "letters", "expected"),
    [
        ("vs2", Drain("psu"), "d", []),
        ("VS2", Drain("psu"), "d", []),
        ("q@vs2", Drain("psu", until=100), "d", []),
        ("vs2", Drain("psu", "anna", until=99), "d", ["the drain of vs2 (anna: psu) was to be over by {}"]),
        ("vs2", Drain("psu"), "", ["vs2 is drained (psu), but enabled"]),
        ("q@vs2", Drain("psu"), "", ["q@vs2 is drained (psu), but enabled"]),
        ("x", Drain("psu"), "d", ['a drain names "x", which is not a host of this cluster']),
        ("p@vs2", Drain("psu"), "d", ['a drain names "p@vs2", which is not a queue instance of this cluster']),
    ],
)
def test_drains_are_of_disabled_places_that_exist_and_not_overdue(
    place: str, drain: Drain, letters: str, expected: list[str]
) -> None:
    state = State(now=100, drains={place: (drain,)}, queue_states={"q@vs2": letters})
    words = told(state, "host.drain", "host.drain.overdue", "host.drain.enabled")
    assert words == [message.format(format_time(99)) for message in expected]


@pytest.mark.parametrize(
    ("name", "exists"),
    [("q", True), ("p", False), ("pes/val_pe", True), ("pes/x", False), ("hosts/vs3", True), ("hosts/x", False)],
)
def test_changes_are_dated_of_more_than_queue_instances(name: str, exists: bool) -> None:
    assert told(State(changed={name: 1.0}), "queue.changed") == [CHANGE_OF.format(name)] * (not exists)


def test_what_does_not_exist_is_told_where_it_was_read() -> None:
    strange, names = ("q@x", "q@y"), ("", CHANGED_AT, SEEN_AT)
    places = {at + name: Origin("state.yaml", line) for line, at in enumerate(names, 1) for name in strange[:1]}
    given = State(
        queue_states=dict.fromkeys(strange, "d"),
        changed=dict.fromkeys(strange, 1.0),
        seen_suspended=frozenset(strange),
        places=places,
    )
    findings = [
        finding for finding in state_findings(ON_TWO, given) if finding.rule in ("queue.states", "queue.changed")
    ]
    assert [(finding.name, finding.line, finding.message) for finding in findings] == [
        ("q", 1, "states are given for 2 queue instances that do not exist: q@x, q@y"),
        ("q", 2, "times of change are given for 2 things that do not exist: q@x, q@y"),
        ("q", 3, "seen is given for 2 queue instances that do not exist: q@x, q@y"),
    ]


@pytest.mark.parametrize(
    ("offered", "loads", "expected"),
    [
        ("val_int=4", {"val_int": "4"}, []),
        ("val_int=5", {"val_int": "4"}, ["val_int=5 is more than the load value 4 of vs1"]),
        ("vi=5", {"val_int": "4"}, ["val_int=5 is more than the load value 4 of vs1"]),
        ("val_int=5", {"val_int": "many"}, []),
        ("val_int=5", {}, []),
        ("val_exc=1", {"val_exc": "0"}, []),
        ("val_nci=5", {"val_nci": "4"}, []),
        ("nothing=5", {"nothing": "4"}, []),
        ("val_int=many", {"val_int": "4"}, []),
        ("val_int=5,val_mem", {"val_int": "4"}, []),
        ("nothing=5,val_int=5", {"val_int": "4"}, ["val_int=5 is more than the load value 4 of vs1"]),
    ],
)
def test_no_more_of_a_consumable_is_offered_than_is_reported(
    offered: str, loads: Mapping[str, str], expected: list[str]
) -> None:
    host = config_object(Kind.HOST, "vs1", {"complex_values": offered})
    findings = state_findings(
        context().with_object(host), State(loads={"elsewhere": loads, "vs2": loads, "vs1": loads})
    )
    assert [finding.message for finding in findings if finding.rule == "host.complex_values.exceeds"] == expected


@pytest.mark.parametrize("where", ["global load", "global", "host", "queue", "reported"])
def test_what_a_threshold_compares_may_come_from_anywhere(where: str) -> None:
    loads = {
        host: {"arch": "lx", "load_short": "1"} if where == "reported" else {"arch": "lx"} for host in ("vs1", "vs2")
    }
    if where == "global load":
        loads["global"] = {"load_short": "1"}
    offering = {"global": ["global"], "host": ["vs1", "vs2"]}.get(where, [])
    hosts = [config_object(Kind.HOST, name, {"complex_values": "load_short=1"}) for name in offering]
    queue = {"load_thresholds": "load_short=3", "complex_values": "load_short=1" if where == "queue" else "NONE"}
    cluster = context().with_objects([*hosts, config_object(Kind.QUEUE, "q", {"hostlist": "vs1 vs2", **queue})])
    assert [
        f.message for f in state_findings(cluster, State(loads=loads)) if f.rule == "queue.thresholds.unmeasured"
    ] == []


def test_hosts_of_which_nothing_is_reported_are_not_missed() -> None:
    assert unmeasured({"load_thresholds": "load_short=3"}, {"vs2": {"load_short": "1"}, "vs1": {}}) == []
    assert unmeasured({"load_thresholds": "load_short=3"}, {}) == []


@pytest.mark.parametrize(("most", "is_told"), [("0", True), ("0x", True), ("", True), ("5", False), ("5x", False)])
def test_a_reservation_is_asked_for_in_vain_where_there_are_none(most: str, is_told: bool) -> None:
    cluster = context().with_object(config_object(Kind.SCHEDULER, "scheduler", {"max_reservation": most}))
    for jobs, expected in (([job(1, "-R y")], is_told), ([job(1)], False)):
        rules = [finding.rule for finding in state_findings(cluster, state(jobs))]
        assert ("scheduler.reservation.off" in rules) == expected


SHORT = """
hosts: {node1.cluster.local: {}, node2.cluster.local: {}}
hostgroups: {"@allhosts": {hostlist: node1 node2.cluster.local}}
queues: {all.q: {hostlist: "node1 @allhosts", slots: "4,[node1.cluster.local=8]", load_thresholds: NONE}}
quotas: {few: {enabled: TRUE, limit: "hosts node2 to slots=1"}}
loads: {node1: {np_load_avg: 0.1}}
states: {all.q@node2: s}
now: 2026-01-01T09:00:00
jobs:
- {id: 1, owner: anna, qsub: sleep 60, submitted: 2026-01-01T08:00:00,
   tasks: {1: {state: r, granted: {all.q@node1: 1}}}}
- {id: 2, owner: anna, qsub: -l h=node1 sleep 60, submitted: 2026-01-01T08:00:00}
- {id: 3, owner: anna, qsub: -q all.q@node2 sleep 60, submitted: 2026-01-01T08:00:00}
"""


def test_short_and_long_names_of_hosts() -> None:
    contents = read_texts(Layout.YAML, "c", {"c.yaml": SHORT})
    hints = {finding.rule: finding.hint for finding in check(contents.cluster, contents.state)}
    first, second = (f"did you mean node{number}.cluster.local?" for number in (1, 2))
    assert hints["hostgroup.hostlist.unknown"] == hints["queue.hostlist.unknown"] == hints["host.loads"] == first
    assert hints["queue.overrides.unused"] == "did you mean node1.cluster.local in the host list?"
    assert hints["quota.filter"].startswith(second)
    assert hints["queue.states"] == hints["host.requested"] == second
