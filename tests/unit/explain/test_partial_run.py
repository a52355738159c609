"""What stands in a task's way is told as it was when the task was tried, and for all its slots."""

from dataclasses import replace

import pytest

from qmon_tui.explain import Explainer, Explanation, ReasonKind
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.jobs import AdvanceReservation, Job, Task
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.run import Run
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.values.times import format_time
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    environment,
    host,
    job,
    queue,
    running,
    scheduler,
    state,
    userset,
)

LIC = attribute("lic lic INT <= YES YES 0")
MEM = attribute("mem mem MEMORY <= YES YES 0")
IO = attribute("io io INT <= YES YES 1")
RESERVING = scheduler(max_reservation=5, default_duration="2:0:0")


def quota(name: str, rule: str) -> ConfigObject:
    return config_object(Kind.QUOTA, name, {"name": name, "enabled": "TRUE", "limit": rule})


def why(on: Cluster, number: int, *jobs: Job, task: int | None = None) -> Explanation:
    return explain(on, state(jobs), number, task)


def descriptions(explanation: Explanation) -> list[str]:
    return [" + ".join(one.description for one in (change, *change.also)) for change in explanation.changes]


def messages(explanation: Explanation, *whys: ReasonKind) -> list[str]:
    return [group.message for group in explanation.groups if not whys or group.why in whys]


def test_what_starts_after_a_job_does_not_count_against_it() -> None:
    on = cluster(LIC, queue("all.q", "h1", 9), host("global", "lic=6"))
    explanation = why(on, 2, running(1, "all.q@h1", "-l lic=4"), job(2, "-l lic=3"), job(3, "-p -1 -l lic=1"))
    assert explanation.nearest is not None
    assert [missing.words for missing in explanation.nearest.missing] == ["lic: 3 wanted, 2 of 6 free"]
    assert descriptions(explanation)[:2] == [
        "let job 2 ask for lic=2 instead of 3",
        "raise lic of the global host from 6 to 7",
    ]


BACKFILLED = cluster(queue("all.q", "h1 h2", 4, pe_list="mp"), environment("mp"), RESERVING)
OCCUPIED = Job(
    1, "joe", NOW - 1800, job(1, "-pe mp 4 -l h_rt=3600").request, "a",
    tasks={1: Task("r", {"all.q@h1": 4}, NOW - 1800)},
)  # fmt: skip
IN_FRONT = job(2, "-R y -pe mp 8 -l h_rt=3600")


def test_a_job_that_ends_too_late_is_told_so_whoever_comes_after_it() -> None:
    explanation = why(BACKFILLED, 3, OCCUPIED, IN_FRONT, job(3, "-l h_rt=1801"), job(4, "-p -1 -t 1-4 -l h_rt=60"))
    assert messages(explanation) == ["it fits now, but would overlap the reservation of job 2"]
    assert (
        descriptions(explanation)[0] == "let job 3 ask for h_rt=00:30:00 instead of 1801: over before the reservation"
    )
    assert explanation.nearest is None


@pytest.mark.parametrize("options", ["-h", "-a 203001010000", "-hold_jid 3"])
def test_a_job_that_takes_no_part_is_not_said_to_run_into_a_reservation(options: str) -> None:
    explanation = why(BACKFILLED, 4, OCCUPIED, IN_FRONT, job(3, "-h"), job(4, f"{options} -l h_rt=60"))
    assert len(explanation.groups) == 1
    assert "reserved" not in explanation.groups[0].message
    assert explanation.nearest is None
    assert explanation.changes[0].starts_on == ("all.q@h2",)


def test_a_job_is_not_in_the_way_of_its_own_reservation() -> None:
    explanation = why(BACKFILLED, 2, OCCUPIED, IN_FRONT)
    assert [one.words for one in explanation.nearest.missing] == ["slots: 8 wanted, 4 offered"]  # type: ignore[union-attr]
    assert "together they have room for 4 of 8 slots in mp" in messages(explanation)
    assert descriptions(explanation)[0] == "let job 2 ask for 4 instead of 8 slots"


def test_what_a_held_job_would_find_when_its_turn_came() -> None:
    on = cluster(queue("all.q", "h1 h2", 1))
    explanation = why(on, 1, job(1, "-h"), job(2, "-p -1"), job(3, "-p -1"))
    assert [group.why for group in explanation.groups] == [ReasonKind.HELD]
    full = why(on, 3, running(1, "all.q@h1"), running(2, "all.q@h2"), job(3, "-h"))
    assert [group.why for group in full.groups] == [ReasonKind.HELD, ReasonKind.BUSY]
    assert descriptions(full)[0] == "release the hold of job 3 + raise the slots of queue instance all.q@h1 from 1 to 2"


def test_all_that_keeps_a_job_from_taking_part_is_told_and_ended() -> None:
    on = cluster(queue("all.q", "h1", 2))
    explanation = why(on, 2, running(1, "all.q@h1"), job(2, "-h -a 203001010000 -hold_jid 1"))
    assert [group.why for group in explanation.groups] == [ReasonKind.HELD, ReasonKind.NOT_YET, ReasonKind.NOT_YET]
    assert descriptions(explanation) == []
    two = why(on, 2, running(1, "all.q@h1"), job(2, "-h -hold_jid 1"))
    assert descriptions(two) == ["release the hold of job 2 + do not let job 2 wait for 1"]


def test_who_may_not_use_a_parallel_environment_is_told_so() -> None:
    on = cluster(
        queue("all.q", "h1", 4, pe_list="acl"),
        environment("acl", "$pe_slots", user_lists="friends"),
        userset("friends", "zoe"),
    )
    explanation = why(on, 1, job(1, "-pe acl 2"))
    assert [(group.why, group.message) for group in explanation.groups] == [
        (ReasonKind.NEVER, 'cannot run because no access to PE "acl"')
    ]
    assert explanation.nearest is not None
    assert explanation.nearest.missing[0].what == "access"
    assert descriptions(explanation) == [
        "add anna to the access list friends",
        "let everybody use parallel environment acl: clear user_lists",
    ]


def test_banned_from_a_parallel_environment() -> None:
    on = cluster(
        queue("all.q", "h1", 4, pe_list="acl"), environment("acl", xuser_lists="foes"), userset("foes", "anna")
    )
    explanation = why(on, 1, job(1, "-pe acl 2"))
    assert descriptions(explanation) == ["remove foes from the xuser_lists of parallel environment acl"]


@pytest.mark.parametrize(("rule", "slots"), [("4", "4-9"), ("4", "8"), ("$pe_slots", "4")])
def test_what_a_host_has_to_have_for_all_slots_that_it_gives(rule: str, slots: str) -> None:
    on = cluster(
        MEM, queue("all.q", "h1 h2", 4, pe_list="four"), environment("four", rule), host("h1", "mem=8G"),
        host("h2", "mem=8G"),
    )  # fmt: skip
    explanation = why(on, 1, job(1, f"-pe four {slots} -l mem=3G"))
    assert [group.why for group in explanation.groups] == [ReasonKind.NEVER]
    assert explanation.nearest is not None
    assert [missing.words for missing in explanation.nearest.missing] == ["mem: 12G wanted (4 times 3G), 8G of 8G free"]
    assert descriptions(explanation)[0] == "let job 1 ask for mem=2G instead of 3G"


def test_what_the_global_host_has_to_have_for_all_slots() -> None:
    on = cluster(
        IO, queue("all.q", "h1 h2", 9, pe_list="mp"), environment("mp"), host("global", "io=10"),
    )  # fmt: skip
    explanation = why(on, 2, running(1, "all.q@h1", "-l io=4"), job(2, "-pe mp 8"))
    assert explanation.nearest is not None
    assert [missing.words for missing in explanation.nearest.missing] == ["io: 8 wanted (8 times 1), 6 of 10 free"]
    assert descriptions(explanation)[:2] == [
        "let job 2 ask for 6 instead of 8 slots",
        "raise io of the global host from 10 to 12",
    ]


def test_a_full_cluster_lacks_all_slots_of_a_parallel_job() -> None:
    on = cluster(queue("all.q", "h1 h2", 1, pe_list="mp"), environment("mp"))
    explanation = why(on, 3, running(1, "all.q@h1"), running(2, "all.q@h2"), job(3, "-pe mp 4"))
    assert explanation.nearest is not None
    assert (explanation.nearest.place, explanation.nearest.missing[0].words) == ("mp", "slots: 4 wanted, 0 offered")


def test_an_environment_that_is_too_small_for_ever() -> None:
    on = cluster(queue("all.q", "h1 h2", 9, pe_list="mp"), environment("mp", slots=10))
    explanation = why(on, 1, job(1, "-pe mp 11"))
    assert (ReasonKind.NEVER, "parallel environment mp has 10 of its 10 slots free, and 11 are wanted") in [
        (group.why, group.message) for group in explanation.groups
    ]


def test_a_job_that_would_be_suspended_at_once_is_not_offered_its_start() -> None:
    on = cluster(queue("hi.q", "h1", 4, subordinate_list="lo.q=2"), queue("lo.q", "h1", 4), scheduler(weight_ticket=1))
    explanation = why(on, 3, running(1, "hi.q@h1"), job(2, "-q hi.q"), job(3, "-q lo.q"))
    assert messages(explanation, ReasonKind.STATE) == ['queue instance "lo.q@h1" dropped because it is suspended']
    assert descriptions(explanation) == [
        "let job 3 run in queue hi.q, too",
        "let hi.q@h1 suspend lo.q only with 3 slots in use",
    ]


def test_a_change_has_no_idle_parts() -> None:
    on = cluster(
        attribute("speed speed INT <= YES NO 0"), queue("all.q", "h1", 4),
        *(quota("dyn", "hosts {*} to slots=1"), quota("sp", "users {*} to speed=5")),
    )  # fmt: skip
    explanation = why(on, 2, running(1, "all.q@h1"), job(2, "-l speed=7"))
    assert descriptions(explanation)[:2] == [
        "drop the request speed=7 of job 2 + raise slots from 1 to 2 in quota rule dyn/1",
        "drop the request speed=7 of job 2 + disable the quota set dyn",
    ]


def test_a_sequential_job_may_ask_for_what_a_quota_has_left() -> None:
    on = cluster(MEM, queue("all.q", "h1", 4), host("h1", "mem=1T"), quota("big", "users {*} to mem=600G"))
    explanation = why(on, 2, running(1, "all.q@h1", "-l mem=240G"), job(2, "-l mem=400G"))
    assert descriptions(explanation)[:2] == [
        "let job 2 ask for mem=360G instead of 400G",
        "raise mem from 600.000G to 640G in quota rule big/1",
    ]


def test_what_may_be_the_master_queue_is_nearest() -> None:
    on = cluster(queue("all.q", "h1 h2", 4, pe_list="mp"), queue("t.q", "h1", 1, pe_list="mp"), environment("mp"))
    explanation = why(on, 2, running(1, "t.q@h1"), job(2, "-pe mp 2 -masterq t.q"))
    assert (ReasonKind.BUSY, "no queue instance that may be its master queue (-masterq) takes it", ("t.q@h1",)) in [
        (group.why, group.message, group.instances) for group in explanation.groups
    ]
    assert explanation.nearest is not None
    assert explanation.nearest.place == "t.q@h1"
    assert descriptions(explanation) == [
        "raise the slots of queue instance t.q@h1 from 1 to 2",
        "let the master queue of job 2 be any",
    ]
    assert explanation.changes[1].command == "qalter -masterq '*' 2"


def test_no_more_tasks_at_a_time_than_there_are() -> None:
    on = cluster(queue("all.q", "h1", 20), scheduler(maxujobs=2))
    explanation = why(on, 1, job(1, "-t 1-9 -tc 3"), task=9)
    assert descriptions(explanation) == ["let job 1 run 9 tasks at a time + raise maxujobs from 2 to 9"]
    assert [change.command for change in (explanation.changes[0], *explanation.changes[0].also)] == [
        "qalter -tc 9 1",
        "qconf -msconf  # maxujobs 9",
    ]


def test_a_task_that_runs_or_takes_no_part_has_no_place_among_the_pending() -> None:
    on = cluster(queue("all.q", "h1", 4))
    half = job(1, "-t 1-4 -tc 2", tasks={1: Task("r", {"all.q@h1": 1}, NOW - 9)})
    assert [why(on, 1, half, task=task).rank for task in (1, 2, 3)] == [None, 1, None]


@pytest.mark.parametrize(
    ("threshold", "words"),
    [("=1", "a slot of hi.q@h1 is"), ("=2", "2 or more slots of hi.q@h1 are"), ("", "all slots of hi.q@h1 are")],
)
def test_who_suspends_a_queue_instance_is_told(threshold: str, words: str) -> None:
    on = cluster(queue("hi.q", "h1", 3, subordinate_list=f"lo.q{threshold}"), queue("lo.q", "h1", 4))
    explanation = why(on, 2, running(1, "hi.q@h1", "-pe x 3", slots=3), job(2, "-q lo.q"))
    assert [group.state for group in explanation.groups if group.why is ReasonKind.STATE] == [f"while {words} in use"]


def test_what_reads_alike_is_said_once() -> None:
    on = cluster(queue("a.q", "h1 h2 h3", 1), queue("b.q", "h1", 1), queue("c.q", "h1", 1))
    explanation = why(on, 2, running(1, "a.q@h1"), job(2, "-q a.q@h1"))
    never = [group for group in explanation.groups if group.why is ReasonKind.NEVER]
    assert [group.instances for group in never] == [("a.q@h2", "a.q@h3", "b.q@h1", "c.q@h1")]


def test_jobs_of_one_category_share_the_run_that_tells_of_their_turn() -> None:
    on = cluster(LIC, queue("all.q", "h1", 9), host("global", "lic=6"))
    kind = [job(number, "-l lic=3") for number in (2, 3, 4)]
    jobs = (running(1, "all.q@h1", "-l lic=4"), *kind, job(5, "-p -1 -l lic=1"))
    run = simulate(on, state(jobs))
    alone = {number: Explainer(run).explanation(number) for number in (2, 3, 4)}
    runs: list[object] = []

    def counted(*args: object, **kwargs: object) -> Run:
        runs.append(args)
        return simulate(*args, **kwargs)  # type: ignore[arg-type]

    explainer = Explainer(replace(run, simulate=counted))
    for number in (4, 2, 3):
        explanation = explainer.explanation(number)
        assert (explanation.groups, explanation.nearest, explanation.reasons) == (
            alone[number].groups, alone[number].nearest, alone[number].reasons
        )  # fmt: skip
        assert list(explanation.instances) == list(alone[number].instances)
    assert len(runs) == 1


def test_a_job_of_a_reservation_that_has_not_begun_is_told_when_it_does() -> None:
    granted = AdvanceReservation(1, "anna", NOW + 1800, NOW + 5400, granted={"all.q@h1": 1})
    on = cluster(queue("all.q", "h1 h2", 1))
    explanation = explain(on, state((job(1, "-ar 1"), job(2)), reservations=(granted,)), 1)
    assert messages(explanation) == [
        "in its advance reservation: execution time not reached",
        f"advance reservation 1 begins at {format_time(NOW + 1800)}",
    ]


def test_before_an_advance_reservation_a_job_may_be_over_or_run_beside_it() -> None:
    granted = AdvanceReservation(1, "anna", NOW + 1800, NOW + 5400, granted={"all.q@h1": 1})
    on = cluster(queue("all.q", "h1", 1), scheduler(default_duration="1:0:0"))
    explanation = explain(on, state((job(2, "-l h_rt=2:0:0"),), reservations=(granted,)), 2)
    assert descriptions(explanation) == [
        "let job 2 ask for h_rt=00:29:00 instead of 7200: over before the reservation",
        "raise the slots of queue instance all.q@h1 from 1 to 2",
        "give back advance reservation 1, which no job uses",
    ]


def test_who_comes_after_too_many_of_his_own_jobs_is_told_of_no_other_reason() -> None:
    on = cluster(queue("all.q", "h1", 6), scheduler(maxujobs=1, weight_ticket=1))
    explanation = why(on, 3, running(1, "all.q@h1"), job(2, "-t 1-20"), job(3))
    assert messages(explanation) == ["job dropped because of user limitations"]
    assert descriptions(explanation)[0] == "raise maxujobs from 1 to 2 + raise the POSIX priority of job 3 from 0 to 1"


def test_what_a_task_beyond_a_limit_would_meet_is_told_with_all_its_limits() -> None:
    on = cluster(queue("all.q", "h1", 2))
    array = job(1, "-t 1-3 -tc 1", tasks={1: Task("r", {"all.q@h1": 1}, NOW - 60), 2: Task("hqw", hold="u")})
    explanation = why(on, 1, array, job(2), task=2)
    assert [group.why for group in explanation.groups] == [ReasonKind.HELD, ReasonKind.POLICY]
    assert (explanation.rank, explanation.ahead) == (None, ())
    assert descriptions(explanation) == ["release the hold of job 1 + let job 1 run 2 tasks at a time"]


def test_any_job_may_be_given_a_higher_priority_by_an_operator() -> None:
    on = cluster(queue("all.q", "h1", 1), scheduler(weight_priority=1, weight_ticket=0.01))
    explanation = why(on, 2, job(1), job(2))
    assert explanation.changes[0].command.startswith("qalter -p ")


def test_a_job_that_may_not_use_its_environment_may_take_one_like_it() -> None:
    on = cluster(
        queue("a.q", "h1", 4, pe_list="smp"), queue("b.q", "h2", 4, pe_list="mp vip"), userset("friends", "zoe"),
        environment("smp", "$pe_slots"), environment("mp"), environment("vip", user_lists="friends"),
    )  # fmt: skip
    assert descriptions(why(on, 1, job(1, "-pe vip 2")))[0] == "let job 1 run in the parallel environment mp"


def test_a_job_that_does_not_wait_is_told_what_it_would_have_waited_for() -> None:
    on = cluster(queue("all.q", "h1", 1), host("h1"))
    explanation = why(on, 2, running(1, "all.q@h1"), job(2, "-now y"))
    assert explanation.rejected == "Your qsub request could not be scheduled; try again later."
    assert messages(explanation, ReasonKind.BUSY) == ['queue instance "all.q@h1" dropped because it is full']
    assert descriptions(explanation) == ["raise the slots of queue instance all.q@h1 from 1 to 2"]
