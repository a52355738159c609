"""The run as a whole: states, full queues, -q, categories and who is told what.

Source: dispatch.md#usable-queue-instances and dispatch.md#main-loop.
"""

from collections.abc import Mapping

import pytest

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import Task
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import schedule
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    host,
    job,
    places,
    queue,
    reasons,
    run,
    running,
    scheduler,
    state,
    the_job,
)

LIC = attribute("lic lic INT <= YES YES 0")
FULL = 'queue instance "all.q@{}" dropped because it is full'


@pytest.mark.parametrize(
    ("letters", "text"),
    [
        ("d", "it is disabled"),
        ("s", "it is temporarily not available"),
        ("E", "it is temporarily not available"),
        ("u", "it is temporarily not available"),
        ("du", "it is temporarily not available"),
    ],
)
def test_states_of_queue_instances(letters: str, text: str) -> None:
    outcome = run(cluster(queue("all.q", "h1 h2", 1)), job(1), queue_states={"all.q@h1": letters})
    assert outcome.messages == (
        f'queue instance "all.q@h1" dropped because {text}',
        FULL.format("h2"),
    )
    assert places(outcome) == {1: "all.q@h2"}
    assert outcome.queue_instances[0].state == letters


@pytest.mark.parametrize("letters", ["D", "C", "c", "o", "S"])
def test_letters_that_the_configuration_does_not_bear_out_are_gone(letters: str) -> None:
    """An edit of a calendar, of what is ambiguous, of a host list or of a subordinate list changes them at once."""
    outcome = run(cluster(queue("all.q", "h1 h2", 1)), job(1), queue_states={"all.q@h1": f"d{letters}"})
    assert [instance_outcome.state for instance_outcome in outcome.queue_instances] == ["d", ""]


@pytest.mark.parametrize(
    ("subordinates", "stands_still"), [("all.q=1", True), ("slots=3(all.q)", False), ("NONE", False)]
)
def test_a_queue_instance_stands_still_only_where_another_one_may_suspend_it(
    subordinates: str, stands_still: bool
) -> None:
    on = cluster(queue("all.q", "h1", 1), queue("high.q", "h1", 1, subordinate_list=subordinates, qtype="INTERACTIVE"))
    outcome = run(on, job(1), queue_states={"all.q@h1": "S"})
    assert ("temporarily not available" in str(outcome.messages)) is stands_still
    assert (outcome.jobs[0].tasks[0].state == "qw") is stands_still


def test_a_queue_that_is_born_disabled() -> None:
    on = cluster(queue("all.q", "h1", 1, initial_state="disabled"))
    assert places(run(on, job(1))) == {}
    assert places(run(on, job(1), queue_states={"all.q@h1": ""})) == {1: "all.q@h1"}


def test_a_calendar_tells_the_state_whatever_is_given() -> None:
    closed = config_object(Kind.CALENDAR, "closed", {"calendar_name": "closed", "year": "NONE", "week": "off"})
    asleep = config_object(Kind.CALENDAR, "asleep", {"calendar_name": "asleep", "year": "suspended", "week": "on"})
    both = cluster(
        queue("off.q", "h1", calendar="closed"), queue("all.q", "h1,h2", calendar="NONE,[h1=asleep]"), closed
    )
    both = both.with_object(asleep)
    assert [instance_outcome.state for instance_outcome in run(both, job(1)).queue_instances] == ["D", "C", ""]
    given = run(both, job(1), queue_states={"off.q@h1": "d", "all.q@h1": "D"})
    assert [instance_outcome.state for instance_outcome in given.queue_instances] == ["Dd", "C", ""]


def test_a_calendar_that_is_missing_or_wrong_closes_nothing() -> None:
    wrong = config_object(Kind.CALENDAR, "wrong", {"calendar_name": "wrong", "year": "NONE", "week": "someday"})
    odd = cluster(queue("a.q", "h1", calendar="wrong"), queue("b.q", "h1", calendar="gone"), wrong)
    assert [instance_outcome.state for instance_outcome in run(odd, job(1)).queue_instances] == ["", ""]
    given = run(odd, job(1), queue_states={"a.q@h1": "D", "b.q@h1": "C"})
    assert [instance_outcome.state for instance_outcome in given.queue_instances] == ["", "C"]


def test_contradicting_groups_make_an_instance_ambiguous() -> None:
    groups = [config_object(Kind.HOSTGROUP, name, {"group_name": name, "hostlist": "h1"}) for name in ("@a", "@b")]
    outcome = run(cluster(queue("all.q", "h1", "1,[@a=2],[@b=2]"), *groups), job(1))
    assert outcome.queue_instances[0].state == "c"
    assert outcome.messages[0] == 'queue instance "all.q@h1" dropped because it is temporarily not available'


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"complex_values": "NONE,[@a=g=1],[@b=g=2]"}, ""),
        ({"complex_values": "slots=2,[@a=g=1],[@b=g=2]"}, "c"),
        ({"complex_values": "NONE,[@a=g=1],[@b=g=2]", "slots": "1,[h1=2]"}, "c"),
        ({"complex_values": "NONE,[@a=g=1],[@b=g=2]", "slots": "1,[@a=2]"}, ""),
        ({"complex_values": "NONE,[@a=g=1],[@b=g=2]", "seq_no": "1,[@a=2],[@b=3]"}, "c"),
    ],
)
def test_contradicting_complex_values_count_with_slots_only(fields: dict[str, str], state: str) -> None:
    groups = [config_object(Kind.HOSTGROUP, name, {"group_name": name, "hostlist": "h1"}) for name in ("@a", "@b")]
    on = cluster(attribute("g g INT <= YES YES 0"), queue("all.q", "h1", **fields), *groups)
    assert run(on).queue_instances[0].state == state


def test_full_queues_are_named_before_and_during_the_run() -> None:
    on = cluster(queue("all.q", "h1 h2", 1))
    outcome = run(on, running(1, "all.q@h1"), job(2), job(3))
    assert outcome.messages == (FULL.format("h1"), FULL.format("h2"))
    # Nobody looks at the rest once all queues are gone.
    assert reasons(outcome, 3) == ()
    later = run(on, running(1, "all.q@h1"), running(2, "all.q@h2"), job(3))
    assert later.messages[-1] == "All queues dropped because of overload or full"


def test_nothing_to_say() -> None:
    outcome = run(cluster(queue("all.q", "h1", 5)), job(1))
    assert outcome.messages == ("There are no messages available",)


def test_queue_requests() -> None:
    groups = config_object(Kind.HOSTGROUP, "@big", {"group_name": "@big", "hostlist": "h3"})
    on = cluster(queue("a.q", "h1 h2", 5), queue("b.q", "h2 h3", 5), groups)
    wanted = {1: "b.q", 2: "*@h2", 3: "a.q@h2", 4: "*@@big", 5: "a.q@h1,b.q@h2", 6: "b*"}
    outcome = run(on, *(job(number, f"-q {text}") for number, text in wanted.items()))
    assert places(outcome) == {
        1: "b.q@h2", 2: "a.q@h2", 3: "a.q@h2", 4: "b.q@h3", 5: "a.q@h1", 6: "b.q@h2",
    }  # fmt: skip


def test_reasons_of_queue_requests_name_queue_host_or_instance() -> None:
    on = cluster(LIC, queue("a.q", "h1 h2", 5), queue("b.q", "h2", 5))
    outcome = run(on, job(1, "-q a.q@h1,b.q@h2 -l lic=1"))
    assert reasons(outcome, 1) == (
        '(-l lic=1) cannot run in queue "a.q@h1" because job requests unknown resource (lic)',
        'cannot run in queue "a.q@h2" because it is not contained in its hard queue list (-q)',
        '(-l lic=1) cannot run in queue "b.q@h2" because job requests unknown resource (lic)',
    )
    hosts = run(on, job(1, "-q *@h1 -l lic=1"))
    assert reasons(hosts, 1) == (
        '(-l lic=1) cannot run in queue "a.q@h1" because job requests unknown resource (lic)',
        'cannot run in queue "h2" because it is not contained in its hard queue list (-q)',
    )
    queues = run(on, job(1, "-q b.q -l lic=1"))
    assert reasons(queues, 1)[0] == (
        'cannot run in queue "a.q" because it is not contained in its hard queue list (-q)'
    )


def test_interactive_queues_take_no_batch_jobs() -> None:
    outcome = run(cluster(queue("all.q", "h1", 5, qtype="INTERACTIVE")), job(1))
    assert reasons(outcome, 1) == ('cannot run in queue instance "all.q@h1" because it is not of type batch',)


def test_jobs_of_a_category_share_their_reasons_and_others_do_not() -> None:
    on = cluster(LIC, queue("all.q", "h1 h2", 5), host("h1", "lic=0"))
    outcome = run(on, job(1, "-l lic=1"), job(2, "-l lic=1", owner="bert"), job(3, "-l lic=2"))
    first = (
        '(-l lic=1) cannot run at host "h1" because it offers only hc:lic=0.000000',
        '(-l lic=1) cannot run in queue "all.q@h2" because job requests unknown resource (lic)',
    )
    assert reasons(outcome, 1) == reasons(outcome, 2) == first
    assert reasons(outcome, 3)[0].startswith("(-l lic=2)")


# Hosts that an earlier job of the category had found unsuitable are skipped without a word.
def test_what_a_job_that_started_had_found_out_is_not_said_again() -> None:
    on = cluster(LIC, queue("all.q", "h1 h2", 5), host("h1", "lic=0"), host("h2", "lic=1"))
    two = run(on, job(1, "-l lic=1"), job(2, "-l lic=1"))
    assert places(two) == {1: "all.q@h2"}
    assert reasons(two, 2) == ('(-l lic=1) cannot run at host "h2" because it offers only hc:lic=0.000000',)
    # An array is one job: nothing is remembered from one of its tasks to the next.
    array = run(on, job(1, "-l lic=1 -t 1-2"))
    assert [text.split('"')[1] for text in reasons(array, 1)] == ["h1", "h2"]


def test_partly_started_arrays_get_the_reasons_of_the_rest() -> None:
    on = cluster(LIC, queue("all.q", "h1", 9), host("global", "lic=2"))
    outcome = run(on, job(1, "-l lic=1 -t 1-4"))
    assert [task.state for task in the_job(outcome, 1).tasks] == ["t", "t", "qw", "qw"]
    assert reasons(outcome, 1) == ("(-l lic=1) cannot run globally because it offers only gc:lic=0.000000",)


def test_maxujobs() -> None:
    on = cluster(queue("all.q", "h1", 9), scheduler(maxujobs=2))
    outcome = run(on, running(1, "all.q@h1"), job(2, "-t 1-3"), job(3), job(4, owner="bert"))
    assert places(outcome) == {2: "all.q@h1", 4: "all.q@h1"}
    # The limit is reached by a start after which bert's job starts: what was kept back for anna's is forgotten.
    assert reasons(outcome, 3) == ("job dropped because of user limitations",)
    full = run(on, running(1, "all.q@h1"), running(2, "all.q@h1"), job(3), job(4))
    assert reasons(full, 3) == reasons(full, 4) == ("job dropped because of user limitations",) * 3


def test_maxujobs_excludes_only_jobs_that_are_still_pending() -> None:
    on = cluster(LIC, queue("all.q", "h1", 9), scheduler(maxujobs=1))
    outcome = run(on, job(1, "-l lic=1"), job(2), job(3))
    assert places(outcome) == {2: "all.q@h1"}
    assert reasons(outcome, 1)[0].startswith("(-l lic=1)")
    assert the_job(outcome, 1).prior > 0
    assert the_job(outcome, 3).prior == 0


@pytest.mark.parametrize(
    ("info", "messages", "told"),
    [
        ("true", (), True),
        ("false", ("(Collecting of scheduler job information is turned off)",), False),
        ("job_list 1-5", ("(Scheduler job information not available for every job)",), True),
        ("job_list 7", ("(Scheduler job information not available for every job)",), False),
        ("job_list 7 1", ("(Scheduler job information not available for every job)",), True),
        ("true 1", (), True),
        ("false x", ("(Collecting of scheduler job information is turned off)",), False),
    ],
)
def test_schedd_job_info(info: str, messages: tuple[str, ...], told: bool) -> None:
    on = cluster(LIC, queue("all.q", "h1", 9), scheduler(schedd_job_info=info))
    outcome = run(on, job(1, "-l lic=1"))
    assert outcome.messages == messages
    assert bool(reasons(outcome, 1)) is told


def test_a_job_list_asks_about_the_first_of_a_category_only() -> None:
    on = cluster(LIC, queue("all.q", "h1", 9), scheduler(schedd_job_info="job_list 2"))
    outcome = run(on, job(1, "-l lic=1"), job(2, "-l lic=1"), job(3, "-l lic=2"))
    assert [bool(reasons(outcome, number)) for number in (1, 2, 3)] == [False, False, False]
    first = run(on, job(2, "-l lic=1"), job(3, "-l lic=1"))
    assert [bool(reasons(first, number)) for number in (2, 3)] == [True, True]


def test_what_is_not_simulated_is_said_and_left_pending() -> None:
    on = cluster(queue("all.q", "h1", 9), scheduler(halflife_decay_list="cpu=0.5"))
    what = "half-life of cpu below 42 seconds (halflife_decay_list)"
    outcome = run(on, job(1))
    assert not places(outcome)
    assert the_job(outcome, 1).not_simulated == (what,)
    assert reasons(outcome, 1) == (f"not simulated yet: {what}",)


def test_the_time_of_the_run() -> None:
    on = cluster(queue("all.q", "h1", 9))
    late = job(1, "-a 203001010000")
    assert late.request.start_time is not None
    assert places(schedule(on, state([late]))) == {}
    outcome = schedule(on, state([late]), at=late.request.start_time)
    assert outcome.at == late.request.start_time
    assert places(outcome) == {1: "all.q@h1"}


def test_queue_instances_show_slots_and_values() -> None:
    on = cluster(
        LIC,
        attribute("mem mem MEMORY <= YES YES 0"),
        queue("all.q", "h1", 4, complex_values="mem=2G"),
        host("global", "lic=5"),
        host("h1", "mem=8G"),
    )
    (instance,) = run(on, job(1, "-l lic=2,mem=512M")).queue_instances
    assert (instance.name, instance.used, instance.total) == ("all.q@h1", 1, 4)
    values = instance.values
    assert values["gc:lic"] == "3"
    assert values["qc:mem"] == "1.500G"
    assert values["qc:slots"] == "3"
    assert values["qf:h_rt"] == "infinity"
    assert values["qf:qname"] == "all.q"


def test_load_values_are_shown() -> None:
    loads: Mapping[str, Mapping[str, str]] = {"h1": {"mem_free": "3G", "arch": "lx", "num_proc": "8"}}
    (instance,) = run(cluster(queue("all.q", "h1", 1)), loads=loads).queue_instances
    assert [instance.values[key] for key in ("hl:mem_free", "hl:arch", "hl:num_proc")] == ["3.000G", "lx", "8"]


def test_finished_tasks_are_gone_and_jobs_without_tasks_too() -> None:
    on = cluster(queue("all.q", "h1", 9))
    outcome = run(on, job(1, tasks={1: Task("z")}), job(2, "-t 1-2", tasks={1: Task("z")}))
    assert [job_outcome.id for job_outcome in outcome.jobs] == [2]
    assert [task.task for task in the_job(outcome, 2).tasks] == [2]


def test_bad_configurations_do_no_harm() -> None:
    on = cluster(
        queue("all.q", "h1 @nosuch", "x", seq_no="-", complex_values="lic==,=", load_thresholds="a"),
        host("h1", "nosuch=1,,=3"),
        scheduler(load_formula="*+(", job_load_adjustments="=", weight_ticket="x", maxujobs="?", policy_hierarchy="?"),
        config_object(Kind.USERSET, "u", {"name": "u", "type": "?", "entries": ",,"}),
        config_object(Kind.COMPLEX, "odd", {"name": "odd"}),
    )
    outcome = run(on, job(1), job(2, "-l nosuch=1"), job(3, "-q x(|*@h9"))
    assert {job_outcome.id for job_outcome in outcome.jobs} == {1, 2, 3}


def test_nothing_at_all() -> None:
    outcome = schedule(Cluster(), State(now=NOW))
    assert (outcome.jobs, outcome.queue_instances) == ((), ())
    assert outcome.messages == ("All queues dropped because of overload or full",)


def test_immediate_jobs_start_at_once_in_interactive_queues_or_are_gone() -> None:
    on = cluster(queue("all.q", "h1", 2), queue("b.q", "h1", 9, qtype="BATCH"))
    outcome = run(on, job(1, "-now y"), job(2, "-now y -t 1-2"), job(3, "-now y"))
    assert places(outcome) == {1: "all.q@h1"}
    again = "Your qsub request could not be scheduled; try again later."
    assert [job_outcome.rejected for job_outcome in outcome.jobs] == [None, again, again]
    assert outcome.queue_instances[0].used == 1


def test_checkpointing_jobs_need_their_environment_in_the_queue() -> None:
    known = [config_object(Kind.CKPT, name, {"ckpt_name": name}) for name in ("c", "other")]
    queues = [queue("a.q", "h1", 9), queue("b.q", "h1", 9, ckpt_list="other")]
    on = cluster(*known, *queues, queue("c.q", "h1", 1, ckpt_list="other c", qtype="INTERACTIVE"))
    assert places(run(on, job(1, "-ckpt c"), job(2, "-ckpt gone"))) == {1: "c.q@h1"}
    full = run(on, running(1, "c.q@h1", "-ckpt c"), job(2, "-ckpt c"))
    assert reasons(full, 2) == (
        'cannot run in queue instance "a.q@h1" because it is not of type checkpointing',
        'cannot run in queue instance "b.q@h1" because ckpt object "c" is not in ckpt list of queue',
    )


def test_with_jc_filter_as_many_jobs_of_a_kind_take_part_as_have_room() -> None:
    """Of alike jobs, those for the free slots of queue instances that are looked at; five at least."""
    on = cluster(queue("all.q", "h1", 8), queue("off.q", "h1", 4), scheduler(params="JC_FILTER=true"))
    outcome = run(on, *(job(number) for number in range(1, 15)), queue_states={"off.q@h1": "s"})
    assert sorted(places(outcome)) == [*range(1, 9)]
    taking_part = [job_outcome.id for job_outcome in outcome.jobs if job_outcome.prior]
    assert taking_part == [*range(1, 9)]


def test_there_is_no_job_0_to_wait_for() -> None:
    on = cluster(queue("all.q", "h1", 2))
    assert sorted(places(run(on, job(1), job(2, "-hold_jid 0")))) == [1, 2]
