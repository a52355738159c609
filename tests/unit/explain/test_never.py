"""What can never be, whatever ends, is told first, and nothing else is told to be so."""

import pytest

from qmon_tui.explain import Explainer, Explanation, ReasonKind
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import Job
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import schedule, simulate
from qmon_tui.report.reason_text import by_heading, heading, is_never
from tests.unit.explain.test_next_slot import quota
from tests.unit.explain.test_properties import SCENARIOS, explained
from tests.unit.scheduler.building import attribute, cluster, environment, host, job, queue, running, state

LIC = attribute("lic lic INT <= YES YES 0")
SITE = (LIC, queue("all.q", "h1", 9, pe_list="mp"), host("global", "lic=9"), environment("mp"))


def why(on: Cluster, number: int, *jobs: Job, **more: object) -> Explanation:
    return explain(on, state(jobs, **more), number)


def headings(explanation: Explanation) -> list[str]:
    return [heading(kind, explanation.groups) for kind in by_heading(explanation.groups)]


def test_what_a_quota_never_lets_in_is_not_told_to_wait() -> None:
    on = cluster(*SITE, quota("users {*} to lic=3"))
    explanation = why(on, 2, running(1, "all.q@h1", "-l lic=2", owner="anna"), job(2, "-l lic=4"))
    assert headings(explanation) == ["Can never run, even when other jobs end"]
    assert ReasonKind.IMPOSSIBLE not in {
        group.why for group in why(on, 2, running(1, "all.q@h1", "-l lic=2"), job(2, "-l lic=3")).groups
    }


def test_a_quota_and_a_consumable_are_raised_together() -> None:
    on = cluster(*SITE, quota("users {*} to lic=3"))
    jobs = (running(1, "all.q@h1", "-l lic=6", owner="bert"), job(2, "-pe mp 6 -l lic=1"))
    explanation = why(on, 2, *jobs)
    assert headings(explanation) == ["Can never run, even when other jobs end", "Nothing free now"]
    assert [[part.description for part in (change, *change.also)] for change in explanation.changes] == [
        ["let job 2 ask for 3 instead of 6 slots"],
        ["drop the request lic=1 of job 2"],
        ["raise lic of the global host from 9 to 12", "raise lic from 3 to 6 in quota rule q/1"],
    ]


def test_of_the_genome_cluster_the_quota_is_told_before_what_is_in_use() -> None:
    reading = read_folder("configs/genome")
    explanation = explain(*reading, 2009)
    first = explanation.groups[0]
    assert (first.why, headings(explanation)[0]) == (ReasonKind.IMPOSSIBLE, "Can never run, even when other jobs end")
    assert "io: quota rule streams_by_user/1 (user jonas) allows 16" in explanation.groups[1].message
    assert any(len(change.also) == 1 for change in explanation.changes)


def read_folder(path: str) -> tuple[Cluster, State]:
    from qmon_tui.cli.cluster_folder import read_cluster

    reading, _ = read_cluster(path)
    return reading.cluster, reading.state


def test_queue_instances_that_never_take_a_job_are_told_apart_from_a_job_that_never_runs() -> None:
    on = cluster(queue("a.q", "h1", 1), queue("b.q", "h2", 1, qtype="INTERACTIVE"))
    explanation = why(on, 2, running(1, "a.q@h1"), job(2))
    assert headings(explanation) == ["Nothing free now", "Never on these"]
    assert not is_never(explanation.groups)
    alone = why(on, 2, job(2, "-q b.q"))
    assert headings(alone) == ["Can never run"]
    held = why(on, 2, job(2, "-q b.q -h"))
    assert headings(held) == ["Can never run", "Held"]


def test_other_tasks_of_an_array_do_not_make_a_task_impossible() -> None:
    on = cluster(queue("all.q", "h1", 6, pe_list="mp"), environment("mp"))
    explanation = why(on, 1, job(1, "-t 1-2 -pe mp 4"))
    assert [(group.why, group.message) for group in explanation.groups] == [
        (ReasonKind.BUSY, "together they have room for 2 of 4 slots in mp")
    ]


def test_what_a_load_keeps_out_may_start_one_day() -> None:
    on = cluster(LIC, queue("all.q", "h1", 2, load_thresholds="np_load_avg=1"))
    explanation = why(on, 1, job(1), loads={"h1": {"np_load_avg": "2", "num_proc": "1"}})
    assert headings(explanation) == ["Policy", "Queue state"]


BIG = (environment("fill", slots=100), environment("smp", "$pe_slots", slots=100))
TWO = queue("all.q", "h1 h2", 12, pe_list="fill smp", load_thresholds="np_load_avg=1.75")


@pytest.mark.parametrize("letters", ["", "u", "d", "s", "E", "au"])
@pytest.mark.parametrize("reported", [{"np_load_avg": "0.01", "num_proc": "12"}, {}])
def test_a_queue_state_or_a_silent_host_hides_nothing_that_never_fits(letters: str, reported: dict[str, str]) -> None:
    """qsub -w v of 8.1.9 on this cluster: cannot run in PE "fill" because it only offers 24 slots."""
    loads = {"h1": {"np_load_avg": "0.01", "num_proc": "12"}, "h2": reported}
    states = {"all.q@h2": letters} if letters else {}
    fits, exceeds = (
        why(cluster(*BIG, TWO), 1, job(1, f"-pe fill {slots}"), loads=loads, queue_states=states) for slots in (24, 30)
    )
    assert not any(name.startswith("Can never run") for name in headings(fits))
    assert headings(exceeds)[0].startswith("Can never run")
    assert exceeds.groups[0].message == "together they have room for 24 of 30 slots in fill"


def test_a_closed_calendar_hides_nothing_that_never_fits() -> None:
    closed = config_object(Kind.CALENDAR, "closed", {"calendar_name": "closed", "week": "mon-sun=0-24"})
    on = cluster(*BIG, closed, queue("all.q", "h1 h2", 12, pe_list="fill", calendar="closed"))
    fits, exceeds = (headings(why(on, 1, job(1, f"-pe fill {slots}"))) for slots in (24, 30))
    assert fits == ["Policy", "Queue state"]
    assert exceeds == ["Can never run, even when other jobs end", "Policy", "Queue state"]


def test_another_environment_or_rule_is_offered_to_what_fits_on_no_host() -> None:
    on = cluster(*BIG, queue("all.q", "h1 h2", 12, pe_list="fill smp"))
    offered = [change.description for change in why(on, 1, job(1, "-pe smp 23")).changes]
    assert offered == [
        "let job 1 ask for 12 instead of 23 slots",
        "raise the slots of queue instance all.q@h1 from 12 to 23",
        "let parallel environment smp fill hosts: allocation_rule $fill_up instead of $pe_slots",
        "let job 1 run in the parallel environment fill",
    ]


CM = attribute("cm cm MEMORY <= YES YES 0")


def below_threshold(options: str, rule: str = "$pe_slots", **limits: str) -> Explanation:
    queues = [queue(f"{name}.q", "h1", 10, pe_list="ps", load_thresholds=limit) for name, limit in limits.items()]
    on = cluster(CM, environment("ps", rule, 10), host("h1", "cm=7G"), *queues)
    return why(on, 1, job(1, options))


def test_a_load_threshold_that_the_slots_would_cross_is_told() -> None:
    """8.1.9 starts it with load_thresholds cm=512M, and at once with -l cm=4G (parallel.md#one-attempt)."""
    explanation = below_threshold("-pe ps 1 -l cm=6G -q a.q", a="cm=2G", b="cm=2G")
    words = "a slot would bring cm of a.q@h1 from 7G to 1G, below its load threshold cm=2G"
    assert [group.message for group in explanation.groups if group.instances == ("a.q@h1",)] == [words]
    assert [change.description for change in explanation.changes] == [
        "let job 1 ask for cm=5G instead of 6G",
        "lower the load threshold cm of queue instance a.q@h1 from 2G to 1G",
        "remove the load thresholds from queue instance a.q@h1",
        "drop the request cm=6G of job 1",
    ]
    assert {change.starts_on for change in explanation.changes} == {("a.q@h1",)}


@pytest.mark.parametrize("rule", ["$pe_slots", "$fill_up", "$round_robin", "3"])
def test_several_slots_cross_a_threshold_together(rule: str) -> None:
    explanation = below_threshold("-pe ps 3 -l cm=2G", rule, a="cm=2G")
    assert any("load threshold cm=2G" in group.message for group in explanation.groups), explanation.groups
    assert not any("no host has room for more than 0" in group.message for group in explanation.groups)
    assert "lower the load threshold cm of queue instance a.q@h1 from 2G to 1G" in [
        change.description for change in explanation.changes
    ]


@pytest.mark.parametrize(("name", "number"), SCENARIOS)
def test_of_drawn_clusters_what_never_runs_does_not_start_on_the_empty_one(name: str, number: int) -> None:
    for world, given, explanation in explained(name, number):
        is_impossible = any(group.why is ReasonKind.IMPOSSIBLE for group in explanation.groups)
        job_outcome = next(one for one in given.jobs if one.id == explanation.job)
        started = schedule(world, State(now=given.now, jobs=(fresh(job_outcome),), loads=given.loads)).jobs[0]
        if is_impossible or is_never(explanation.groups):
            assert not any(task.granted for task in started.tasks), explanation.groups


def fresh(known: Job) -> Job:
    return Job(known.id, known.owner, known.submitted, known.request, known.name, known.group)


def test_what_waits_for_its_turn_is_not_told_that_it_never_runs() -> None:
    cluster_and_state = read_folder("configs/genome")
    explainer = Explainer(simulate(*cluster_and_state))
    waiting = [job.id for job in explainer.outcome.jobs if not any(task.granted for task in job.tasks)]
    never = [
        number
        for number in waiting
        if any(group.why is ReasonKind.IMPOSSIBLE for group in explainer.explanation(number).groups)
    ]
    assert never
    for number in never:  # changes are looked for in a second each: only where what they say could be wrong
        explanation = explainer.explanation(number, with_changes=True)
        assert any(group.why is ReasonKind.IMPOSSIBLE for group in explanation.groups)
        assert not [change for change in explanation.changes if change.field in ("-p", "-ot") and not change.also]


@pytest.mark.parametrize(("name", "number"), SCENARIOS)
def test_of_drawn_clusters_no_turn_helps_what_never_runs(name: str, number: int) -> None:
    for _, _, explanation in explained(name, number, with_changes=True):
        if any(group.why is ReasonKind.IMPOSSIBLE for group in explanation.groups):
            assert not [change for change in explanation.changes if change.field in ("-p", "-ot") and not change.also]
