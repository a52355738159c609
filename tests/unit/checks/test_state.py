"""What is said of load values, jobs and states together with the configuration."""

from collections.abc import Mapping

import pytest

from qmon_tui.checks import check, check_object
from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from tests.unit.checks.recorded import context
from tests.unit.scheduler.building import job, project, state


def unmeasured(values: Mapping[str, str], loads: Mapping[str, Mapping[str, str]]) -> list[str]:
    """What is said of thresholds of the queue q, which has two hosts, one of them in a group of its own."""
    group = config_object(Kind.HOSTGROUP, "@second", {"hostlist": "vs2"})
    queue = config_object(Kind.QUEUE, "q", {"hostlist": "vs1 vs2", **values})
    findings = check(context().with_objects([group, queue]), State(loads=loads))
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
