"""Ways out where a place is closed for a while, or taken by somebody; and where a rule rules a parallel job out."""

import pytest

from qmon_tui.explain import Change
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.kinds import Kind
from tests.unit.scheduler.building import attribute, cluster, environment, host, job, queue, running, state

EXCLUSIVE = attribute("exclusive excl BOOL EXCL YES YES 0 1000")
ALONE = cluster(EXCLUSIVE, queue("all.q", "h1", 4), host("h1", "exclusive=TRUE"))


def changes(on: Cluster, number: int, *jobs: Job, **more: object) -> list[Change]:
    return list(explain(on, state(jobs, **more), number).changes)


def parts(change: Change) -> list[str]:
    return [one.description for one in (change, *change.also)]


def test_a_calendar_that_closes_is_taken_away_with_the_state_that_somebody_gave() -> None:
    off = config_object(Kind.CALENDAR, "never", {"calendar_name": "never", "week": "mon-sun=0-24=off"})
    on = cluster(off, queue("all.q", "h1", 4, calendar="never"))
    (change,) = changes(on, 1, job(1))
    assert parts(change) == ["remove the calendar never from queue instance all.q@h1"]
    assert change.command == "qconf -rattr queue calendar NONE all.q"
    (change,) = changes(on, 1, job(1), queue_states={"all.q@h1": "d"})
    assert parts(change) == [
        "enable queue instance all.q@h1",
        "remove the calendar never from queue instance all.q@h1",
    ]


def test_a_default_request_stops_at_exclusive_use() -> None:
    offered = changes(ALONE, 2, running(1, "all.q@h1", "-l excl"), job(2))
    assert [parts(change) for change in offered] == [["remove exclusive from host h1"], ["delete job 1"]]
    assert [change.command for change in offered] == ["qconf -rattr exechost complex_values NONE h1", "qdel 1"]


def test_a_job_that_wants_to_be_alone_does_without_it_or_waits_for_the_end_of_the_others() -> None:
    offered = changes(ALONE, 3, running(1, "all.q@h1"), running(2, "all.q@h1"), job(3, "-l excl"))
    assert [parts(change) for change in offered] == [
        ["drop the request exclusive=TRUE of job 3"],
        ["delete job 1", "delete job 2"],
    ]


def test_of_two_jobs_that_want_to_be_alone_only_the_end_of_the_first_helps() -> None:
    offered = changes(ALONE, 2, running(1, "all.q@h1", "-l excl"), job(2, "-l excl"))
    assert [parts(change) for change in offered] == [["delete job 1"]]


def test_in_many_peoples_use_nothing_is_to_end() -> None:
    others = [running(number, "all.q@h1") for number in range(1, 5)]
    on = cluster(EXCLUSIVE, queue("all.q", "h1", 9), host("h1", "exclusive=TRUE"))
    assert [parts(change) for change in changes(on, 9, *others, job(9, "-l excl"))] == [
        ["drop the request exclusive=TRUE of job 9"]
    ]


def test_a_task_that_was_sent_back_waits_for_its_hosts_to_be_cleaned_up() -> None:
    on = cluster(queue("all.q", "h1 h2", 4), queue("b.q", "h3", 4))
    back = job(1, "-q all.q", tasks={1: Task("Rq", unclean=("h1", "h2"))})
    explanation = explain(on, state([back]), 1)
    first = explanation.groups[0]
    assert first.message == "cannot run on host … until clean up of a previous run has finished"
    assert (first.why, first.instances) == ("state", ("all.q@h1", "all.q@h2"))
    assert [change.description for change in explanation.changes] == [
        "wait until earlier runs of job 1 are cleaned up on h1, h2",
        "let job 1 run in queue b.q, too",
    ]


def test_a_parallel_job_stops_at_a_default_request_of_what_nobody_may_request() -> None:
    """Recorded as pe_not_requestable: sequential jobs do not."""
    four = attribute("four fo INT <= NO YES 1")
    on = cluster(four, queue("all.q", "h1", 4, pe_list="x"), environment("x"), host("global", "four=90"))
    explanation = explain(on, state([job(1, "-pe x 2")]), 1)
    assert (
        explanation.groups[0].message
        == '(-l NONE) cannot run globally because job requests non requestable resource four"'
    )
    assert [change.description for change in explanation.changes] == [
        "make the attribute four requestable (YES instead of NO)"
    ]


def test_slots_that_the_allocation_rule_cannot_divide() -> None:
    on = cluster(queue("all.q", "h1 h2", 4, pe_list="two"), environment("two", "2"))
    explanation = explain(on, state([job(1, "-pe two 3")]), 1)
    assert (
        explanation.groups[0].message
        == "3 slots cannot be divided among hosts: allocation_rule 2 of parallel environment two"
    )
    assert [(change.description, change.command) for change in explanation.changes] == [
        ("let job 1 ask for 2 instead of 3 slots", "qalter -pe two 2 1"),
        ("let job 1 ask for 4 instead of 3 slots", "qalter -pe two 4 1"),
    ]


def test_of_a_range_the_numbers_count_that_can_be_divided() -> None:
    on = cluster(queue("all.q", "h1 h2", 2, pe_list="two"), environment("two", "2"))
    explanation = explain(on, state([job(1, "-pe two 5-8")]), 1)
    assert explanation.groups[0].message == "together they have room for 4 of 6 slots in two, 2 on each host"


def test_alarms_are_told_as_one_where_one_threshold_is_reached() -> None:
    on = cluster(queue("all.q", "h1 h2 h3 h4 h5", 1, load_thresholds="np_load_avg=1.75,[h4=load_short=3]"))
    loads = {"h1": {"np_load_avg": "3.5"}, "h2": {"np_load_avg": "9"}, "h3": {}, "h4": {"load_short": "7"},
             "h5": {"np_load_avg": "2"}}  # fmt: skip
    explanation = explain(on, state([job(1)], loads=loads), 1)
    told = [(group.message.rpartition("overloaded: ")[2], group.instances) for group in explanation.groups[1:]]
    assert told == [
        ("np_load_avg=2.000000 to 9.000000 >= 1.75", ("all.q@h1", "all.q@h2", "all.q@h5")),
        ('no value for complex attribute "np_load_avg"', ("all.q@h3",)),
        ("load_short=7.000000 (no load adjustment) >= 3", ("all.q@h4",)),
    ]


def test_a_host_that_is_not_heard_from_is_freed_by_no_command() -> None:
    on = cluster(queue("all.q", "h1 h2", 1))
    explanation = explain(on, state([job(1)], queue_states={"all.q@h1": "u", "all.q@h2": "d"}), 1)
    assert [change.command for change in explanation.changes] == ["qmod -e all.q@h2"]
    words = "its host does not report (u): it takes jobs as soon as the execution daemon there reports"
    assert [group.instances for group in explanation.groups if group.state == words] == [("all.q@h1",)]


def test_the_reasons_of_errors_are_told_of_three_queue_instances() -> None:
    on = cluster(queue("all.q", "h1 h2 h3 h4 h5 h6", 1))
    names = [f"all.q@h{number}" for number in range(1, 7)]
    reasons = {name: f"result of job {number}" for number, name in enumerate(names)} | {"all.q@h6": "old"}
    letters = dict.fromkeys(names[:5], "E") | {"all.q@h6": "d"}
    explanation = explain(on, state([job(1)], queue_states=letters, error_reasons=reasons), 1)
    assert [group.details for group in explanation.groups if group.details] == [
        (*(f"all.q@h{number + 1}: result of job {number}" for number in range(3)), "and 2 more reasons"),
    ]


@pytest.mark.parametrize(
    ("limits", "loads", "offered"),
    [
        ({"load_thresholds": "np_load_avg=1.75"}, {"np_load_avg": "2"},
         "raise the load threshold np_load_avg of queue instance all.q@h1 from 1.75 to 2.01"),
        ({"load_thresholds": "np_load_avg=1.75,mem_free=1G"}, {"np_load_avg": "0.1", "mem_free": "512M"},
         "lower the load threshold mem_free of queue instance all.q@h1 from 1G to 506M"),
        ({"suspend_thresholds": "np_load_avg=2"}, {"np_load_avg": "2.5"},
         "raise the suspend threshold np_load_avg of queue instance all.q@h1 from 2 to 2.51"),
    ],
)  # fmt: skip
def test_a_threshold_is_moved_just_beyond_the_load(limits: dict[str, str], loads: dict[str, str], offered: str) -> None:
    on = cluster(queue("all.q", "h1", 2, **limits))
    assert parts(changes(on, 1, job(1), loads={"h1": loads})[0]) == [offered]


def test_a_superordinate_may_suspend_later() -> None:
    on = cluster(queue("hi.q", "h1", 2, subordinate_list="lo.q=1"), queue("lo.q", "h1", 2))
    (change,) = changes(on, 2, running(1, "hi.q@h1"), job(2, "-q lo.q"), queue_states={"lo.q@h1": "S"})[1:]
    assert parts(change) == ["let hi.q@h1 suspend lo.q only with 2 slots in use"]
    assert change.command == "qconf -rattr queue subordinate_list lo.q=2 hi.q"
