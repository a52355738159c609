"""Parallel jobs: the rules and examples of parallel.md#allocation-rules, and what a real qmaster 8.1.9 answered."""

import pytest

from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.model.outcome import Outcome
from qmon_tui.qmaster import simulate
from qmon_tui.scheduler.parallel.collected_slots import CollectedSlots
from qmon_tui.scheduler.parallel.pe_range_alg import RangeSearch
from qmon_tui.scheduler.parallel.slot_collection import SlotCollection
from tests.unit.scheduler.building import (
    attribute,
    cluster,
    environment,
    host,
    job,
    queue,
    reasons,
    run,
    running,
    scheduler,
    state,
    the_job,
    userset,
)

LIC = attribute("lic lic INT <= YES YES 0")
PER_JOB = attribute("j j INT <= YES JOB 0")
RULES = (environment("fill"), environment("robin", "$round_robin"), environment("one", "$pe_slots"))
TWO = queue("all.q", "h1 h2", 4, pe_list="fill robin one two")


def granted(outcome: Outcome, number: int) -> dict[str, int]:
    """What a job was given, the master queue first."""
    return dict(the_job(outcome, number).tasks[0].granted)


@pytest.mark.parametrize(
    ("option", "places"),
    [
        ("fill 6", {"all.q@h1": 4, "all.q@h2": 2}),
        ("fill 3", {"all.q@h1": 3}),
        ("robin 6", {"all.q@h1": 3, "all.q@h2": 3}),
        ("robin 3", {"all.q@h1": 2, "all.q@h2": 1}),
        ("one 4", {"all.q@h1": 4}),
        ("one 5", {}),
        ("two 4", {"all.q@h1": 2, "all.q@h2": 2}),
        ("two 6", {}),
        ("two 5", {}),
        ("two 4-6", {"all.q@h1": 2, "all.q@h2": 2}),
        ("fill 5-", {"all.q@h1": 4, "all.q@h2": 4}),
        ("one 1-9", {"all.q@h1": 4}),
        ("fill 1,3,9", {"all.q@h1": 3}),
        ("t* 2", {"all.q@h1": 2}),
    ],
)
def test_allocation_rules(option: str, places: dict[str, int]) -> None:
    on = cluster(TWO, *RULES, environment("two", "2"))
    assert granted(run(on, job(1, f"-pe {option}")), 1) == places


def test_slots_are_booked_in_the_environment_and_in_the_queues() -> None:
    on = cluster(TWO, environment("fill", slots=5))
    outcome = run(on, job(1, "-pe fill 3"), job(2, "-pe fill 3"), job(3, "-pe fill 2"))
    assert (granted(outcome, 1), granted(outcome, 3)) == ({"all.q@h1": 3}, {"all.q@h1": 1, "all.q@h2": 1})
    assert reasons(outcome, 2) == ('cannot run in PE "fill" because it only offers 2 slots',)
    assert {instance_outcome.name: instance_outcome.used for instance_outcome in outcome.queue_instances} == {
        "all.q@h1": 4,
        "all.q@h2": 1,
    }


def test_running_parallel_jobs_use_their_environment() -> None:
    on = cluster(queue("all.q", "h1", 9, pe_list="fill"), environment("fill", slots=5))
    outcome = run(on, running(1, "all.q@h1", "-pe fill 4", slots=4), job(2, "-pe fill 2"))
    assert reasons(outcome, 2) == ('cannot run in PE "fill" because it only offers 1 slots',)


def test_consumables_count_per_slot_and_say_so_as_in_a_queue() -> None:
    on = cluster(LIC, TWO, *RULES, host("h1", "lic=3"), host("h2", "lic=2"))
    assert granted(run(on, job(1, "-pe fill 5 -l lic=1")), 1) == {"all.q@h1": 3, "all.q@h2": 2}
    outcome = run(on, job(1, "-pe fill 4 -l lic=2"))
    assert reasons(outcome, 1) == ('cannot run in PE "fill" because it only offers 2 slots',)
    outcome = run(on, job(1, "-pe fill 2 -l lic=3"))
    assert reasons(outcome, 1) == (
        '(-l lic=3) cannot run in queue "h2" because it offers only hc:lic=2.000000',
        'cannot run in PE "fill" because it only offers 1 slots',
    )


def test_a_consumable_per_job_decides_about_the_master_queue_only() -> None:
    on = cluster(PER_JOB, queue("a.q", "h1", 4, pe_list="fill", seq_no="1"), RULES[0],
                 queue("b.q", "h1", 4, pe_list="fill", seq_no="2", complex_values="j=1"))  # fmt: skip
    outcome = run(on, job(1, "-pe fill 3 -l j=1"), job(2, "-pe fill 3 -l j=1"))
    # One slot is kept for the queue that can be the master.
    assert list(granted(outcome, 1).items()) == [("b.q@h1", 1), ("a.q@h1", 2)]
    # Slots alone do not help where nothing can be the master any more.
    assert reasons(outcome, 2) == ('cannot run in PE "fill" because it only offers 2 slots',)


def test_master_queues() -> None:
    on = cluster(queue("a.q", "h1", 4, pe_list="fill", seq_no="1"), RULES[0],
                 queue("b.q", "h1", 4, pe_list="fill", seq_no="2"))  # fmt: skip
    free = run(on, job(1, "-pe fill 3 -masterq b.q"))
    assert list(granted(free, 1).items()) == [("b.q@h1", 1), ("a.q@h1", 2)]
    bound = run(on, job(1, "-pe fill 3 -masterq b.q -q a.q"))
    assert list(granted(bound, 1).items()) == [("b.q@h1", 1), ("a.q@h1", 2)]
    lone = run(on, job(1, "-pe fill 6 -masterq b.q -q a.q"))
    assert granted(lone, 1) == {}


def test_an_unsuitable_queue_gives_a_slot_to_the_next_job_of_its_kind() -> None:
    """8.1.9 skips it where it counts the slots of a host, and forgets that where it takes them."""
    on = cluster(LIC, queue("a.q", "h1", 4, pe_list="fill", seq_no="1", complex_values="lic=0"), RULES[0],
                 queue("b.q", "h1", 8, pe_list="fill", seq_no="2", complex_values="lic=8"))  # fmt: skip
    outcome = run(on, job(1, "-pe fill 2 -l lic=1"), job(2, "-pe fill 2 -l lic=1"))
    assert granted(outcome, 1) == {"b.q@h1": 2}
    assert list(granted(outcome, 2).items()) == [("b.q@h1", 1), ("a.q@h1", 1)]
    alone = run(on, job(1, "-pe fill 2 -l lic=1"))
    assert granted(alone, 1) == {"b.q@h1": 2}


def test_each_round_says_again_what_does_not_fit() -> None:
    on = cluster(LIC, queue("a.q", "h1", 4, pe_list="robin", complex_values="lic=0", seq_no="1"), RULES[1],
                 queue("b.q", "h1 h2", 2, pe_list="robin", complex_values="lic=9", seq_no="2"))  # fmt: skip
    outcome = run(on, job(1, "-pe robin 30 -l lic=1"))
    short = '(-l lic=1) cannot run in queue "a.q@h1" because it offers only qc:lic=0.000000'
    assert reasons(outcome, 1) == (*([short] * 3), 'cannot run in PE "robin" because it only offers 4 slots')


@pytest.mark.parametrize(
    ("options", "texts"),
    [
        ("-pe fill 1 -q nix.q", ()),
        ("-pe one 9", ('cannot run in PE "one" because it only offers 0 slots',)),
        (
            "-pe closed 1",
            ('cannot run because no access to PE "closed"', 'cannot run in PE "closed" because it only offers 0 slots'),
        ),
        (
            "-pe nowhere 1",
            (
                'cannot run in queue "all.q" because PE "nowhere" is not in PE list',
                'cannot run in PE "nowhere" because it only offers 0 slots',
            ),
        ),
        ("-pe idle 1", ('cannot run in PE "idle" because it only offers 0 slots',)),
        (
            "-pe fill 1 -l s=b",
            (
                '(-l s=b) cannot run in queue "global" because it offers only gf:s=a',
                'cannot run in PE "fill" because it only offers 0 slots',
            ),
        ),
        (
            "-pe *e 20",
            (
                'cannot run in PE "one" because it only offers 0 slots',
                'cannot run in queue "all.q" because PE "nowhere" is not in PE list',
                'cannot run in PE "nowhere" because it only offers 0 slots',
                'cannot run in PE "idle" because it only offers 0 slots',
            ),
        ),
    ],
)
def test_reasons(options: str, texts: tuple[str, ...]) -> None:
    on = cluster(
        attribute("s s STRING == YES NO NONE"), TWO, *RULES, host("global", "s=a"), userset("few", "bert"),
        environment("closed", user_lists="few"), environment("nowhere"), environment("idle", slots=0),
    )  # fmt: skip
    outcome = run(on, job(1, options))
    if not texts:
        assert the_job(outcome, 1).rejected
    else:
        assert reasons(outcome, 1) == texts


def test_soft_requests_decide_which_queue_instances_come_first() -> None:
    on = cluster(
        attribute("gpu gpu BOOL == YES NO FALSE"), TWO, RULES[0], host("h1", "gpu=FALSE"), host("h2", "gpu=TRUE")
    )
    outcome = run(on, job(1, "-pe fill 5 -soft -l gpu=TRUE"))
    assert list(granted(outcome, 1).items()) == [("all.q@h2", 4), ("all.q@h1", 1)]


def test_the_environment_with_most_slots_wins() -> None:
    on = cluster(TWO, environment("fill", slots=3), environment("one", "$pe_slots"))
    assert sum(granted(run(on, job(1, "-pe * 2-")), 1).values()) == 4


def test_load_thresholds_limit_the_slots_of_a_host() -> None:
    fields = {"load_thresholds": "np_load_avg=1.75"}
    on = cluster(
        queue("all.q", "h1", 20, pe_list="fill", **fields), RULES[0], scheduler(job_load_adjustments="np_load_avg=0.50")
    )
    loads = {"h1": {"np_load_avg": "0.2", "num_proc": "4"}}
    # (1.75 - 0.2) / 0.125 = 12.4, and one more may take the host into alarm.
    assert granted(run(on, job(1, "-pe fill 13"), loads=loads), 1) == {"all.q@h1": 13}
    assert granted(run(on, job(1, "-pe fill 14"), loads=loads), 1) == {}
    # A search that has found some number of slots forgets this for higher ones: see the scenario pe_thresholds.
    assert granted(run(on, job(1, "-pe fill 1-"), loads=loads), 1) == {"all.q@h1": 20}


def test_exclusive_use_of_hosts() -> None:
    on = cluster(attribute("x x BOOL EXCL YES YES 0"), TWO, RULES[0], host("h1", "x=TRUE"), host("h2", "x=TRUE"))
    outcome = run(on, running(1, "all.q@h1"), job(2, "-pe fill 2 -l x=TRUE"))
    assert granted(outcome, 2) == {"all.q@h2": 2}
    full = run(on, running(1, "all.q@h1"), running(2, "all.q@h2"), job(3, "-pe fill 2 -l x=TRUE"))
    assert (
        reasons(full, 3)[0] == '(-l x=TRUE) cannot run in queue "h1" because exclusive resource (x) is already in use'
    )


def test_an_amount_that_no_int_can_hold_leaves_no_slot() -> None:
    on = cluster(attribute("m m MEMORY <= YES YES 1"), TWO, RULES[0], host("global", "m=2G"))
    text = 'cannot run in PE "fill" because it only offers 2147483648 slots'
    assert reasons(run(on, job(1, "-pe fill 2")), 1) == (text,)


def test_the_cheapest_search_is_preferred() -> None:
    search = RangeSearch()
    tried: list[int] = []

    def attempt(slots: int, _: bool) -> int | None:
        tried.append(slots)
        return slots if slots <= 1 else None

    assert search.highest(range(1, 17), attempt) == 1
    assert tried == [8, 4, 2, 1]
    assert search.scores == (-34, -136, -578)
    tried.clear()
    assert search.highest(range(1, 17), attempt) == 1
    assert tried == [1, 2]
    tried.clear()
    assert RangeSearch("auto", (-35, -136, -34)).highest([1, 2, 3], attempt) == 1
    assert tried == [3, 2, 1]
    tried.clear()
    assert RangeSearch("highest").highest([1, 2, 3], attempt) == 1
    assert tried == [3, 2, 1]


def test_arrays_of_parallel_tasks() -> None:
    on = cluster(TWO, *RULES)
    outcome = run(on, job(1, "-t 1-3 -pe fill 3"))
    tasks = the_job(outcome, 1).tasks
    assert [dict(task.granted) for task in tasks] == [{"all.q@h1": 3}, {"all.q@h1": 1, "all.q@h2": 2}, {}]


def test_what_would_let_a_parallel_job_start() -> None:
    on = cluster(TWO, environment("fill", slots=6))
    explanation = explain(on, state([job(1, "-pe fill 8")]), 1)
    assert [reason.message for reason in explanation.instances] == ["has room for 4 of 8 slots"] * 2
    assert [change.description for change in explanation.changes] == [
        "let job 1 ask for 6 instead of 8 slots",
        "raise the slots of parallel environment fill from 6 to 8",
    ]
    wide = cluster(TWO, environment("fill"))
    explanation = explain(wide, state([job(1, "-pe fill 9")]), 1)
    assert [change.description for change in explanation.changes] == [
        "let job 1 ask for 8 instead of 9 slots",
        "raise the slots of queue instance all.q@h1 from 4 to 5",
    ]


def test_the_qmaster_refuses_what_the_host_of_the_master_queue_lacks() -> None:
    """The scheduler sees enough in the queue and does not mind the host: recorded as pe_refused."""
    on = cluster(PER_JOB, queue("all.q", "h1", 4, pe_list="fill", complex_values="j=4"), RULES[0], host("h1", "j=1"))
    outcome = run(on, job(1, "-pe fill 2 -l j=2"), job(2, "-pe fill 2 -l j=1"))
    assert granted(outcome, 1) == {}
    assert reasons(outcome, 1) == ()
    # For the scheduler its slots were taken: the queue instance is full, and yet half of it stays free.
    assert granted(outcome, 2) == {"all.q@h1": 2}
    assert outcome.messages == ('queue instance "all.q@h1" dropped because it is full',)
    assert [instance_outcome.used for instance_outcome in outcome.queue_instances] == [2]
    explanation = explain(on, state([job(1, "-pe fill 2 -l j=2")]), 1)
    assert "the qmaster refuses it" in explanation.groups[0].message
    assert "let job 1 ask for j=1 instead of 2" in [change.description for change in explanation.changes]


def test_a_pattern_with_different_urgencies_is_refused() -> None:
    on = cluster(TWO, environment("a", urgency_slots="min"), environment("b", urgency_slots="max"))
    text = '"job" rejected: PEs matching wildcard and jobs slot range would cause ambiguous urgency slot amount'
    assert the_job(run(on, job(1, "-pe * 1-4")), 1).rejected == text
    assert the_job(run(on, job(1, "-pe * 4")), 1).rejected is None


@pytest.mark.parametrize(
    ("options", "slots", "busy", "limit", "full", "over_quota", "too_small"),
    [
        ("two 6", 1, (), "", {0, 1, 2}, set(), {0, 1, 2}),
        ("two 6", 2, ("h1", "h2"), "", {0, 1}, set(), set()),
        ("two 6", 2, ("h1",), "hosts {*} to slots=1", set(), {1, 2}, {0, 1, 2}),
        ("two 6", 2, (), "users {*} to slots=1", set(), {0, 1, 2}, {0, 1, 2}),
        ("two 6", 4, (), "hosts {h1} to slots=1", set(), {0}, {0}),
        # The first host has taken of what would be enough for each of the others.
        ("two 6", 2, (), "users {*} to slots=3", set(), set(), set()),
        # Each host has a slot, but the last one is left for the master queue.
        ("fill 2 -masterq b.q", 1, (), "", set(), set(), set()),
        ("fill 2 -masterq b.q", 1, (), "hosts {*} to slots=5", set(), set(), set()),
        ("two 4 -masterq b.q", 2, (), "hosts {*} to slots=1", set(), {0, 1, 2}, {0, 1, 2}),
        ("two 6 -R y", 1, (), "", set(), set(), {0, 1, 2}),
        ("fill 2 -masterq b.q -R y", 1, (), "", set(), set(), {1, 2}),
        ("fill 2 -masterq b.q -R y", 1, ("h1",), "hosts {*} to slots=5", set(), set(), {0, 2}),
    ],
)
def test_hosts_that_have_too_little_are_not_visited_again(
    options: str,
    slots: int,
    busy: tuple[str, ...],
    limit: str,
    full: set[int],
    over_quota: set[int],
    too_small: set[int],
) -> None:
    quota = config_object(Kind.QUOTA, "few", {"name": "few", "enabled": "TRUE", "limit": limit})
    there = cluster(
        queue("a.q", "h1 h2 h3", slots, pe_list="two fill"), queue("b.q", "h4", pe_list="fill"), RULES[0],
        environment("two", "2"), scheduler(max_reservation=options.count("-R")), *([quota] if limit else ()),
    )  # fmt: skip
    jobs = [running(number, f"a.q@{name}") for number, name in enumerate(busy, 1)]
    jobs += [job(number, f"-pe {options}") for number in (8, 9)]
    run = simulate(there, state(jobs, queue_states={"b.q@h4": "d"}))
    known = run.jobs[-1].category.pe_caches[options.split()[0]]
    kind = (2 if "two" in options else 1, False, ())
    assert set(known.full_hosts.get(kind, ())) == full
    assert set(known.hosts_over_quota.get(kind, ())) == over_quota
    assert set(known.skipped_hosts) == too_small


def test_what_each_queue_instance_of_a_host_has_room_for() -> None:
    """One of a cluster queue that does not fit, one ruled out by quotas, one given up, one in use, and a free one."""
    names = ("a.q", "b.q", "c.q", "d.q", "e.q")
    quota = config_object(Kind.QUOTA, "all", {"name": "all", "enabled": "TRUE", "limit": "users {*} to slots=5"})
    on = cluster(LIC, RULES[0], quota, *(
        queue(name, "h1", 4, seq_no=str(number), pe_list="other" if name == "a.q" else "fill",
              complex_values="lic=2" if name == "d.q" else "lic=9")
        for number, name in enumerate(names, 1)
    ), environment("other"))  # fmt: skip
    jobs = [running(1, "d.q@h1", "-l lic=2"), *(job(number, "-pe fill 50 -l lic=1") for number in (2, 3))]
    parallel = (run := simulate(on, state(jobs))).dispatch.parallel
    attempt = parallel.pe_attempt(run.jobs[-1], parallel.environments["fill"], 4, asks_for_later=True)
    assert attempt.remaining_quota is not None
    attempt.pe_cache.skipped_instances.clear()
    attempt.pe_cache.skipped_instances[2] = None
    attempt.pe_cache.skipped_hosts.clear()
    attempt.remaining_quota.skipped_queues.add("b.q")
    later_slots: dict[int, int] = {}
    collection = SlotCollection(attempt, later=CollectedSlots(attempt, later_slots), later_slots=later_slots)
    assert collection.succeeds()
    # 8.1.9 takes one slot where it has not looked, and what it has not looked at is noted nowhere.
    assert collection.granted_slots.granted == {1: 1, 2: 1, 4: 2}
    assert later_slots == {0: 0, 1: 0, 4: 4}
    assert list(attempt.pe_cache.skipped_instances) == [2, 3]
