"""Why a job waits, what its priority is made of, and what would let it run."""

from dataclasses import replace

import pytest

from qmon_tui.explain import Explainer, Explanation, ReasonKind
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.scheduling import schedule, simulate
from qmon_tui.report.reason_text import no_change_words
from qmon_tui.scheduler.scheduling_run import RunUntil
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    configuration,
    environment,
    host,
    job,
    project,
    queue,
    running,
    scheduler,
    state,
    user,
)

LIC = attribute("lic lic INT <= YES YES 0")
GPU = attribute("gpu gpu INT <= YES YES 0")
MEM = attribute("mem mem MEMORY <= YES YES 0")
PRIVILEGED = config_object(Kind.MANAGERS, "managers", {"entries": "root"})


def why(on: Cluster, number: int, *jobs: Job, **more: object) -> Explanation:
    task = more.pop("task", None)
    assert task is None or isinstance(task, int)
    return explain(on, state(jobs, **more), number, task)


def descriptions(explanation: Explanation) -> list[str]:
    return [change.description for change in explanation.changes]


def test_terms_add_up_to_the_priority() -> None:
    on = cluster(queue("all.q", "h1", 1), scheduler(weight_tickets_functional=100), user("anna", fshare=7))
    explanation = why(on, 3, running(1, "all.q@h1"), job(2, "-p -7", owner="bert"), job(3))
    assert sum(term.value for term in explanation.terms) == pytest.approx(explanation.prior)
    assert [term.name for term in explanation.terms] == ["urgency", "tickets", "POSIX priority"]
    assert dict(explanation.terms[0].detail)["rrcontr"] == 1000
    assert dict(explanation.terms[1].detail)["ftckt"] == 12.5
    assert (explanation.rank, explanation.pending) == (1, 2)


@pytest.mark.parametrize(
    ("urgencies", "words"),
    [
        ((0, 0), "All 2 pending and running jobs are equally urgent"),
        ((0, 5), "1000 lies between 1000 (job 1) and 1005 (job 2)"),
    ],
)
def test_urgency_in_words(urgencies: tuple[int, int], words: str) -> None:
    on = cluster(attribute("n n INT <= YES NO 0 1"), queue("all.q", "h1", 1))
    jobs = [job(number, f"-l n={amount}") for number, amount in enumerate(urgencies, 1)]
    assert words in why(on, 1, *jobs).terms[0].explanation


def test_a_host_that_reports_nothing_is_not_taken_for_one_that_does() -> None:
    # Both are alike for who does not ask for what is reported, and stay apart for who does.
    on = cluster(queue("all.q", "h1 h2"), host("h1"), host("h2"))
    explanation = why(on, 1, job(1, "-l arch=a"), job(2), loads={"h1": {"arch": "b"}})
    assert [(group.message.rpartition("because ")[2], group.instances) for group in explanation.groups] == [
        ("it offers only hl:arch=b", ("all.q@h1",)),
        ("job requests unknown resource (arch)", ("all.q@h2",)),
    ]


def test_each_instance_says_why() -> None:
    hosts = (host("h1", "lic=1"), host("h2", "lic=0"), host("h3", "lic=1"))
    on = cluster(LIC, queue("all.q", "h1 h2 h3 h4 h5", 1), *hosts)
    explanation = why(
        on, 2, running(1, "all.q@h1"), job(2, "-l lic=1"), queue_states={"all.q@h3": "d", "all.q@h5": "d"},
    )  # fmt: skip
    assert [(reason.instance, reason.level, reason.attribute, reason.why) for reason in explanation.instances] == [
        ("all.q@h1", "queue", None, ReasonKind.BUSY),
        ("all.q@h2", "host", "lic", ReasonKind.NEVER),
        ("all.q@h3", "queue", None, ReasonKind.STATE),
        ("all.q@h4", "queue", "lic", ReasonKind.NEVER),
        ("all.q@h5", "queue", "lic", ReasonKind.NEVER),
    ]
    assert explanation.instances[0].message == 'queue instance "all.q@h1" dropped because it is full'
    assert 'queue instance "all.q@h1" dropped because it is full' in explanation.reasons


@pytest.mark.parametrize(("number", "licences"), [(4, 3), (5, 4), (6, 5)])
def test_as_many_licences_as_the_jobs_ahead_need_too(number: int, licences: int) -> None:
    on = cluster(LIC, queue("all.q", "h1", 9), host("global", "lic=2"))
    busy = [running(1, "all.q@h1", "-l lic=1"), running(2, "all.q@h1", "-l lic=1")]
    explanation = why(on, number, *busy, job(4, "-l lic=1"), job(5, "-l lic=1"), job(6, "-l lic=1"))
    assert descriptions(explanation)[0] == f"raise lic of the global host from 2 to {licences}"
    (change,) = [change for change in explanation.changes if change.field == "complex_values"]
    assert (change.kind, change.name, change.before, change.after) == ("host", "global", "lic=2", f"lic={licences}")


@pytest.mark.parametrize(
    ("options", "tasks", "expected"),
    [
        ("-h", {}, "release the hold of job 2"),
        ("", {1: Task("hqw")}, "release the hold of job 2"),
        ("-hold_jid 1", {}, "do not let job 2 wait for 1"),
        ("-a 203001010000", {}, "let job 2 start at once"),
        ("", {1: Task("Eqw")}, "clear the error of job 2"),
    ],
)
def test_jobs_that_take_no_part(options: str, tasks: dict[int, Task], expected: str) -> None:
    on = cluster(queue("all.q", "h1", 9))
    explanation = why(on, 2, running(1, "all.q@h1"), job(2, options, tasks=tasks))
    assert descriptions(explanation) == [expected]
    assert explanation.rank is None


def test_limits_on_tasks() -> None:
    on = cluster(queue("all.q", "h1", 9), configuration(max_aj_instances=2))
    assert descriptions(why(on, 1, job(1, "-t 1-9"), task=4)) == ["raise max_aj_instances from 2 to 4"]
    tight = why(on, 1, running(1, "all.q@h1", "-t 1-9 -tc 1"), task=2)
    assert descriptions(tight) == ["let job 1 run 2 tasks at a time"]


def test_maxujobs() -> None:
    on = cluster(queue("all.q", "h1", 9), scheduler(maxujobs=1))
    explanation = why(on, 3, running(1, "all.q@h1"), job(2), job(3))
    assert descriptions(explanation) == ["raise maxujobs from 1 to 3"]


def test_a_queue_list_is_widened_once_for_host_and_instance() -> None:
    on = cluster(queue("all.q", "h1 h2", 1), host("h1"), host("h2"))
    explanation = why(on, 2, running(1, "all.q@h2"), job(2, "-q all.q@h2"))
    (change,) = (change for change in explanation.changes if "too" in change.description)
    assert (change.description, change.also) == ("let job 2 run in queue all.q, too", ())
    assert change.starts_on == ("all.q@h1",)


def test_a_disabled_queue() -> None:
    on = cluster(queue("all.q", "h1", 9))
    explanation = why(on, 1, job(1), queue_states={"all.q@h1": "d"})
    assert descriptions(explanation) == ["enable queue instance all.q@h1"]
    assert explanation.changes[0].kind == "queue instance"


def test_a_full_queue() -> None:
    on = cluster(queue("all.q", "h1 h2", 1))
    explanation = why(on, 4, running(1, "all.q@h1"), running(2, "all.q@h2"), job(3), job(4))
    assert descriptions(explanation) == ["raise the slots of queue instance all.q@h1 from 1 to 3"]
    assert explanation.changes[0].after == "1,[h1=3]"


def test_an_overloaded_queue() -> None:
    explanation = why(cluster(queue("all.q", "h1", 1, load_thresholds="np_load_avg=1.75")), 1, job(1))
    assert descriptions(explanation) == ["remove the load thresholds from queue instance all.q@h1"]


def test_no_threshold_is_above_a_load_without_an_end() -> None:
    on = cluster(queue("all.q", "h1", 1, load_thresholds="np_load_avg=1.75"))
    explanation = why(on, 1, job(1), loads={"h1": {"np_load_avg": "INFINITY"}})
    assert descriptions(explanation) == ["remove the load thresholds from queue instance all.q@h1"]


def test_the_host_that_misses_least_is_taken_and_less_may_be_asked_for() -> None:
    on = cluster(MEM, queue("all.q", "h1 h2", 9), host("h1", "mem=2G"), host("h2", "mem=6G"))
    explanation = why(on, 1, job(1, "-l mem=8G"))
    assert descriptions(explanation) == [
        "let job 1 ask for mem=6G instead of 8G",
        "raise mem of host h2 from 6G to 8G",
    ]
    # -rattr would take away what somebody else has put into the list meanwhile.
    assert explanation.changes[1].command == "qconf -mattr exechost complex_values mem=8G h2"


def test_the_closest_of_many_hosts_is_found() -> None:
    # Three full hosts come before the one that has most to give; what none of them has weighs the same everywhere.
    hosts = "h1 h2 h3 h4 h5"
    on = cluster(GPU, queue("all.q", hosts, 9), *(host(name, "gpu=4") for name in hosts.split()))
    used = enumerate((4, 4, 4, 0, 1), start=1)
    jobs = [running(number, f"all.q@h{number}", f"-l gpu={amount}") for number, amount in used if amount]
    explanation = why(on, 7, *jobs, job(7, "-l gpu=5"))
    assert explanation.nearest is not None
    assert (explanation.nearest.place, explanation.nearest.missing[0].words) == (
        "all.q@h4",
        "gpu: 5 wanted, 4 of 4 free",
    )
    assert descriptions(explanation)[:2] == ["let job 7 ask for gpu=4 instead of 5", "raise gpu of host h4 from 4 to 5"]


def test_a_project_that_is_not_let_in_is_told_from_none() -> None:
    """8.1.9 tells of a whole cluster queue "(no project)", also if the job has one."""
    lists = (queue("sea.q", "h1", projects="sea lake"), queue("big.q", "h2", xprojects="sky"))
    on = cluster(*lists, *(project(name) for name in ("sea", "lake", "sky")))
    told = {group.message: group.details for group in why(on, 1, job(1, "-P sky")).groups}
    assert told == {
        "(no project) does not have the correct project to run in cluster queue …": (
            "project sky is not among the projects (sea lake) of sea.q",
            "project sky is in the xprojects of big.q",
        )
    }
    assert why(on, 1, job(1, "-q sea.q")).groups[-1].details == ()


def test_who_asks_for_too_much_on_two_levels_may_ask_for_what_both_have() -> None:
    on = cluster(GPU, queue("all.q", "h1", 9), host("h1", "gpu=4"), host("global", "gpu=3"))
    assert descriptions(why(on, 1, job(1, "-l gpu=5")))[0] == "let job 1 ask for gpu=3 instead of 5"


def test_what_was_tried_in_vain_is_counted() -> None:
    helpless = why(cluster(), 1, job(1))
    assert (helpless.changes, helpless.tried) == ((), ())
    assert no_change_words(0) == "no change is known that would let it start now"
    silent = why(cluster(queue("all.q", "h1", 1)), 1, job(1, "-h"), queue_states={"all.q@h1": "u"})
    assert (silent.changes, silent.tried) == ((), ("release the hold of job 1",))
    assert no_change_words(1) == "the one change tried would not let it start now"
    assert no_change_words(3) == "none of the 3 changes tried would let it start now"


def test_every_change_is_true() -> None:
    on = cluster(MEM, LIC, queue("all.q", "h1 h2", 1), host("h1", "mem=2G"), host("global", "lic=0"))
    waiting = job(1, "-l mem=3G,lic=1")
    # Two things are missing, so that no single change helps: each comes with another.
    for change in why(on, 1, waiting).changes:
        assert len(change.also) == 1
        assert {change.field, change.also[0].field} != {"complex_values"} or change.name != change.also[0].name


@pytest.mark.parametrize("number", [2, 3])
def test_changes_can_be_made_by_hand(number: int) -> None:
    on = cluster(LIC, queue("all.q", "h1", 9), host("global", "lic=1"))
    jobs = (running(1, "all.q@h1", "-l lic=1"), job(2, "-l lic=1"), job(3, "-l lic=1"))
    change = why(on, number, *jobs).changes[0]
    obj = on.get(Kind(change.kind), change.name)
    assert obj is not None
    changed = on.with_object(obj.with_value(change.field, change.after))
    after = schedule(changed, state(jobs)).job(number)
    assert after is not None
    assert after.tasks[0].state == "t"


def test_a_running_job_needs_nothing() -> None:
    explanation = why(cluster(queue("all.q", "h1", 9)), 1, running(1, "all.q@h1"))
    assert (explanation.state, explanation.rank, explanation.instances, explanation.changes) == ("r", None, (), ())


def test_rejected_jobs() -> None:
    on = cluster(queue("all.q", "h1", 9))
    explanation = why(on, 1, job(1, "-l nosuch=1"))
    assert (explanation.rejected, explanation.state, explanation.terms) == ('unknown resource "nosuch"', "", ())
    assert why(on, 2, job(2, "-ar 7")).rejected == "the advance reservation id 7 is invalid"


def test_unknown_jobs_and_tasks() -> None:
    on = cluster(queue("all.q", "h1", 9))
    with pytest.raises(LookupError, match="no job 7"):
        why(on, 7, job(1))
    with pytest.raises(LookupError, match="no task 2"):
        why(on, 1, job(1), task=2)


def test_a_reservation_in_front() -> None:
    on = cluster(queue("all.q", "h1", 2, pe_list="smp"), environment("smp", "$pe_slots"), scheduler(max_reservation=5))
    now_running = job(1, "-l h_rt=0:10:0", tasks={1: Task("r", {"all.q@h1": 1}, NOW)})
    jobs = (now_running, job(2, "-pe smp 2 -R y"), job(3, "-l h_rt=1:0:0"))
    explanation = why(on, 3, *jobs)
    assert [(group.why, group.level) for group in explanation.groups] == [(ReasonKind.POLICY, "job")]
    assert "overlap the reservation of job 2" in explanation.groups[0].message
    assert "let job 3 ask for h_rt=00:10:00" in descriptions(explanation)[0]
    assert "cancel the reservation of job 2" in descriptions(explanation)
    assert "it has a reservation that begins at" in why(on, 2, *jobs).groups[0].message


def test_a_kept_run_is_only_read() -> None:
    on = cluster(LIC, queue("all.q", "h1 h2", 2, pe_list="smp"), environment("smp"), host("global", "lic=1"))
    jobs = (running(1, "all.q@h1", "-l lic=1"), job(2, "-l lic=1"), job(3, "-pe smp 9"), job(4))
    explainer = Explainer(simulate(on, state(jobs)))
    before = repr(explainer.outcome)
    first = [explainer.explanation(number, with_changes=True) for number in (2, 3, 4)]
    again = [explainer.explanation(number, with_changes=True) for number in (2, 3, 4)]
    assert [replace(explanation, instances=tuple(explanation.instances)) for explanation in first] == [
        replace(explanation, instances=tuple(explanation.instances)) for explanation in again
    ]
    assert repr(explainer.outcome) == before
    assert tuple(explainer.changes(2)) == first[0].changes


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_run_that_ends_at_a_task_decides_it_as_the_whole_run_does(number: int) -> None:
    on = cluster(queue("all.q", "h1", 2))
    jobs = (job(1), job(2), job(3))
    whole = {(start.run_job.id, start.task) for start in simulate(on, state(jobs)).dispatch.starts}
    short = simulate(on, state(jobs), until=RunUntil(number, 1)).dispatch.starts
    assert ((number, 1) in whole) == any((start.run_job.id, start.task) == (number, 1) for start in short)
    assert len(short) <= number


def test_who_is_ahead_and_by_which_term() -> None:
    on = cluster(queue("all.q", "h1", 1), scheduler(weight_tickets_functional=100), user("bert", fshare=7), PRIVILEGED)
    jobs = (job(1), job(2, owner="bert"), job(3, "-p 10", owner="root"), job(4, submitted=NOW - 5000))
    explanation = why(on, 1, *jobs)
    assert [(ahead.job, ahead.by, ahead.cause) for ahead in explanation.ahead] == [
        (2, "tickets", "ftckt"), (3, "POSIX priority", "ppri"), (4, "submission time", ""),
    ]  # fmt: skip
    assert [ahead.place for ahead in explanation.ahead] == ["all.q@h1", "", ""]


def test_the_weight_with_which_a_job_would_be_first() -> None:
    on = cluster(
        attribute("n n INT <= YES NO 0 1000"), queue("all.q", "h1", 1), host("h1", "n=9"), user("bert", fshare=7),
        scheduler(weight_tickets_functional=100, weight_urgency=0, weight_ticket=1),
    )  # fmt: skip
    explanation = why(on, 1, job(1, "-l n=5"), job(2, owner="bert"))
    assert "raise weight_urgency from 0 to 2" in descriptions(explanation)


def _standing(on: Cluster, number: int, *jobs: Job, **more: object) -> list[tuple[ReasonKind, str]]:
    return [(group.why, group.message) for group in why(on, number, *jobs, **more).groups]


def test_a_running_task_has_no_reason_to_stand_still() -> None:
    assert _standing(cluster(queue("all.q", "h1", 1)), 1, running(1, "all.q@h1")) == []


def test_what_a_queue_suspends_tells_which_other_one_is_in_use() -> None:
    on = cluster(queue("high.q", "h1", 2, subordinate_list="low.q=1"), queue("low.q", "h1", 2))
    assert _standing(on, 1, running(1, "low.q@h1"), running(2, "high.q@h1")) == [
        (ReasonKind.STATE, "queue instance low.q@h1 is suspended while a slot of high.q@h1 is in use")
    ]


def test_what_makes_room_slot_wise_tells_for_whom() -> None:
    on = cluster(queue("high.q", "h1", 2, subordinate_list="slots=1(low.q:1:sr)"), queue("low.q", "h1", 2))
    ((kind, message),) = _standing(on, 1, running(1, "low.q@h1"), job(2, "-q high.q"))
    assert kind is ReasonKind.STATE
    assert "slot-wise subordinate_list of queue instance high.q@h1" in message


@pytest.mark.parametrize(("letter", "words"), [("s", "by hand (qmod -sq)"), ("C", "by its calendar gone")])
def test_what_stands_still_with_its_queue_tells_why_that_does(letter: str, words: str) -> None:
    on = cluster(queue("all.q", "h1", 2, calendar="gone"))
    assert _standing(on, 1, running(1, "all.q@h1"), queue_states={"all.q@h1": letter}) == [
        (ReasonKind.STATE, f"queue instance all.q@h1 is suspended {words}")
    ]


def test_a_job_suspended_by_hand_has_no_priority_and_says_why() -> None:
    by_hand = job(1, tasks={1: Task("s", {"all.q@h1": 1}, NOW)})
    explanation = why(cluster(queue("all.q", "h1", 2)), 1, by_hand)
    assert not explanation.terms
    assert [group.why for group in explanation.groups] == [ReasonKind.HELD, ReasonKind.POLICY]
    assert "qmod -sj" in explanation.groups[0].message
    assert "no priority" in explanation.groups[1].message


def test_a_task_that_this_run_halts_still_has_the_priority_that_it_was_given() -> None:
    on = cluster(queue("all.q", "h1", 2, suspend_thresholds="np_load_avg=1", nsuspend="1"))
    world = state((running(1, "all.q@h1"),), loads={"h1": {"np_load_avg": "3"}})
    task = schedule(on, world).jobs[0].tasks[0]
    assert task.state == "T"
    assert task.prior > 0
    explanation = explain(on, world, 1)
    assert explanation.prior == task.prior
    assert [group.message for group in explanation.groups] == ["suspended by a suspend threshold of its queue instance"]


@pytest.mark.parametrize(("most", "told"), [("0", True), ("5", False)])
def test_who_asks_for_a_reservation_learns_that_none_is_made(most: str, told: bool) -> None:
    on = cluster(queue("all.q", "h1", 1), scheduler(max_reservation=most))
    explanation = why(on, 2, running(1, "all.q@h1"), job(2, "-R y"))
    assert any("max_reservation is 0" in group.message for group in explanation.groups) is told


def test_a_quota_that_counts_each_host_is_one_reason_with_the_key_of_each_instance() -> None:
    limit = "users {*} hosts {*} to slots=1"
    quota = config_object(Kind.QUOTA, "each", {"name": "each", "enabled": "TRUE", "limit": limit})
    on = cluster(queue("a.q", "n1 n2 n3", 2), quota)
    jobs = [running(number, f"a.q@n{number}") for number in (1, 2, 3)]
    explanation = why(on, 4, *jobs, job(4))
    text = 'cannot run because it exceeds limit "anna////{}/" in rule "each/1"'
    assert [(group.why, group.message, len(group.instances)) for group in explanation.groups] == [
        (ReasonKind.QUOTA, text.format("…"), 3)
    ]
    assert [reason.message for reason in explanation.instances] == [text.format(f"n{number}") for number in (1, 2, 3)]
    two = why(on, 3, *jobs[:2], job(3, "-q a.q@n2"))
    assert text.format("n2") in [group.message for group in two.groups]
