"""Queue instances and tasks that stand still because others on their host run.

Source: suspension.md#queue-wise-subordination and suspension.md#slot-wise-subordination.
"""

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.kinds import Kind
from qmon_tui.model.outcome import Outcome
from qmon_tui.scheduler.suspension.state_letters import with_letters
from tests.unit.scheduler.building import cluster, job, places, queue, run, running

HIGH = queue("high.q", "h1 h2", 4, subordinate_list="low.q=2")
LOW = queue("low.q", "h1 h2", 4)


def there(number: int, instance: str, state: str = "r", started: int = 100) -> Job:
    return job(number, tasks={1: Task(state, {instance: 1}, started)})


def states(outcome: Outcome) -> dict[str, str]:
    return {
        instance_outcome.name: instance_outcome.state
        for instance_outcome in outcome.queue_instances
        if instance_outcome.state
    }


def tasks(outcome: Outcome) -> dict[int, str]:
    return {job_outcome.id: job_outcome.tasks[0].state for job_outcome in outcome.jobs}


def test_a_queue_is_suspended_while_its_superordinate_has_slots_enough_in_use() -> None:
    both = cluster(HIGH, LOW)
    idle = run(both, running(1, "low.q@h1"), running(2, "high.q@h1"), job(3, "-q low.q@h1"))
    assert states(idle) == {}
    assert places(idle) == {3: "low.q@h1"}
    busy = run(both, running(1, "low.q@h1"), running(2, "high.q@h1"), running(3, "high.q@h1"), job(4, "-q low.q"))
    assert states(busy) == {"low.q@h1": "S"}
    assert tasks(busy)[1] == "S"
    assert places(busy) == {4: "low.q@h2"}


def test_without_a_threshold_all_slots_have_to_be_in_use() -> None:
    both = cluster(queue("high.q", "h1", 2, subordinate_list="low.q,high.q"), LOW)
    assert states(run(both, running(1, "high.q@h1"))) == {}
    assert states(run(both, running(1, "high.q@h1"), running(2, "high.q@h1"))) == {"low.q@h1": "S"}


def test_the_start_that_suspends_a_queue_drops_it() -> None:
    both = cluster(HIGH, LOW)
    outcome = run(both, job(1, "-q low.q@h1"), job(2, "-q high.q@h1"), job(3, "-q high.q@h1"), job(4, "-q low.q@h1"))
    assert outcome.messages == ('queue instance "low.q@h1" dropped because it is suspended',)
    assert tasks(outcome) == {1: "St", 2: "t", 3: "t", 4: "qw"}
    assert states(outcome) == {"low.q@h1": "S"}


@pytest.mark.parametrize(("action", "suspended"), [("sr", 2), ("lr", 1)])
def test_slot_wise_the_action_chooses_by_age(action: str, suspended: int) -> None:
    tree = cluster(queue("a.q", "h1", 9, subordinate_list=f"slots=2(b.q:0:{action})"), queue("b.q", "h1", 9))
    before = [there(1, "b.q@h1", started=100), there(2, "b.q@h1", started=200)]
    outcome = run(tree, *before, job(3, "-q a.q"))
    assert {number for number, state in tasks(outcome).items() if "S" in state} == {suspended}
    assert states(outcome) == {}


def test_a_task_of_the_root_is_never_suspended_and_one_that_stands_still_counts_no_more() -> None:
    tree = cluster(queue("a.q", "h1", 9, subordinate_list="slots=1(b.q)"), queue("b.q", "h1", 9))
    outcome = run(tree, there(1, "b.q@h1", "S"), running(2, "a.q@h1"), job(3, "-q a.q"), job(4, "-q b.q"))
    assert tasks(outcome) == {1: "S", 2: "r", 3: "t", 4: "St"}


@pytest.mark.parametrize(("state", "suspends"), [("r", True), ("s", False), ("T", False), ("E", False)])
def test_what_stands_still_by_hand_or_a_threshold_counts_in_no_tree(state: str, suspends: bool) -> None:
    tree = cluster(queue("a.q", "h1", 9, subordinate_list="slots=2(b.q:0:sr)"), queue("b.q", "h1", 9))
    outcome = run(tree, there(1, "a.q@h1", state), there(2, "b.q@h1"), job(3, "-q a.q"))
    assert tasks(outcome) == {1: state, 2: "S" if suspends else "r", 3: "t"}


@pytest.mark.parametrize(
    ("state", "added", "shown"),
    [("r", "S", "S"), ("t", "S", "St"), ("Rr", "S", "SR"), ("dr", "S", "dS"), ("S", "S", "S"), ("St", "T", "STt")],
)
def test_letters_of_what_stands_still(state: str, added: str, shown: str) -> None:
    assert with_letters(state, added) == shown


@pytest.mark.parametrize(
    ("subordinates", "state"), [("low.q=1", "S"), ("slots=1(low.q:1:sr)", "S"), ("other.q=1", "r"), ("NONE", "r")]
)
def test_what_stands_still_goes_on_once_nobody_has_it_in_its_list(subordinates: str, state: str) -> None:
    """As tried with 8.1.9: an edit of a subordinate_list has what it suspended go on at once."""
    queues = (queue("high.q", "h1", 2, subordinate_list=subordinates), queue("low.q", "h1", 2), queue("other.q", "h1"))
    outcome = run(cluster(*queues), running(1, "high.q@h1"), there(2, "low.q@h1", "S"), queue_states={"low.q@h1": "S"})
    assert tasks(outcome)[2] == state


@pytest.mark.parametrize(("now", "state"), [("NONE", "S"), ("day", "r"), ("night", "S")])
def test_what_a_calendar_has_suspended_is_forgotten_without_one(now: str, state: str) -> None:
    """As tried with 8.1.9, `calendar_taken_away` among the recorded runs."""
    weeks = (("day", "NONE"), ("night", "mon-sun=suspended"))
    calendars = [config_object(Kind.CALENDAR, name, {"calendar_name": name, "week": week}) for name, week in weeks]
    on = cluster(*calendars, queue("all.q", "h1", 2, calendar=now))
    assert tasks(run(on, there(1, "all.q@h1", "S"), queue_states={"all.q@h1": "C"}))[1] == state


def test_what_a_tree_has_suspended_goes_on_without_the_tree() -> None:
    """As tried with 8.1.9: `qconf -mq` with another slot-wise list lets all go on that the old one had suspended."""
    on = cluster(queue("low.q", "h1", 4), queue("high.q", "h1", 4))
    outcome = run(on, there(1, "low.q@h1", "S"), there(2, "high.q@h1", "r"))
    assert [tasks(outcome)[number] for number in (1, 2)] == ["r", "r"]
