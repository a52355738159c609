"""A task that several files or rows tell of, and the arrays that tasks come from."""

import pytest

from qmon_tui.formats.records import job_builders
from qmon_tui.formats.records.job_builders import UNKNOWN_PLACE, JobBuilder, JobBuilders, TaskBuilder, task_numbers
from qmon_tui.model import PeRequest, TaskRange


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", [1]),
        (" 7 ", [7]),
        ("5-8", [5, 6, 7, 8]),
        ("1-7:2", [1, 3, 5, 7]),
        ("1,8-10", [1, 8, 9, 10]),
        ("1-5", None),
        ("1-9:2", None),
        ("1-2,8-10", None),
    ],
)
def test_only_so_many_tasks_are_counted(monkeypatch: pytest.MonkeyPatch, text: str, numbers: list[int] | None) -> None:
    monkeypatch.setattr(job_builders, "MOST_TASKS", 4)
    if numbers is not None:
        assert task_numbers(text) == numbers
        return
    with pytest.raises(ValueError, match="are more than 4 tasks"):
        task_numbers(text)


@pytest.mark.parametrize(
    ("pending", "array"),
    [
        ([], TaskRange(1, 1)),
        ([3], TaskRange(3, 3)),
        ([3, 5], TaskRange(3, 5, 2)),
        ([3, 9, 5], TaskRange(3, 9, 2)),
        ([2, 8, 14], TaskRange(2, 14, 6)),
        ([2, 3, 9], TaskRange(2, 9)),
    ],
)
def test_an_array_has_the_tasks_that_are_known_of_it(pending: list[int], array: TaskRange) -> None:
    assert JobBuilder(7, is_array=True, pending=set(pending)).job(0).request.array == array


def test_what_one_file_said_of_a_place_is_forgotten_where_another_tells_it() -> None:
    task = TaskBuilder("r")
    task.begin("a")
    task.whole["a.q@n1"] = 2
    task.begin("a")
    task.whole["a.q@n2"] = 1
    assert task.granted == {"a.q@n1": 2, "a.q@n2": 1}
    task.begin("b")
    assert task.granted == {}
    task.master, task.slaves = "a.q@n1", {"a.q@n2": 2}
    task.begin("b")
    assert task.granted == {"a.q@n1": 1, "a.q@n2": 2}
    task.begin("a")
    assert task.granted == {}


@pytest.mark.parametrize(
    ("draft", "submitted", "owner", "name", "runtime", "runtimes"),
    [
        (JobBuilder(7), 99, "unknown", "STDIN", None, {}),
        (JobBuilder(7, "anna", "blast", submitted=0), 0, "anna", "blast", None, {}),
        (JobBuilder(7, runtime=0, request={"command": ("sleep", "60")}), 99, "unknown", "STDIN", 0, {}),
        (JobBuilder(7, request={"command": ("sleep", "60")}), 99, "unknown", "STDIN", 60, {}),
        (JobBuilder(7, runtime=9, runtimes={1: 9, 2: 5}), 99, "unknown", "STDIN", 9, {}),
        (JobBuilder(7, runtime=9, runtimes={3: 4, 1: 9, 2: 5}, is_array=True), 99, "unknown", "STDIN", 9, {2: 5, 3: 4}),
    ],
)
def test_what_is_not_said_of_a_job(
    draft: JobBuilder, submitted: int, owner: str, name: str, runtime: int | None, runtimes: dict[int, int]
) -> None:
    job = draft.job(99)
    assert (job.submitted, job.owner, job.name, job.runtime) == (submitted, owner, name, runtime)
    assert list(job.runtimes.items()) == list(runtimes.items())


@pytest.mark.parametrize(
    ("states", "pending", "request_of_it", "held", "left"),
    [
        ({1: "hqw", 2: "hqw"}, set(), {}, "u", {}),
        ({1: "hqw", 2: "r"}, set(), {}, "u", {2: "r"}),
        ({1: "hqw", 2: "Eqw"}, set(), {}, "", {1: "hqw", 2: "Eqw"}),
        ({1: "hqw"}, {2}, {}, "", {1: "hqw"}),
        ({1: "hqw", 2: "hqw"}, set(), {"hold": "o"}, "o", {1: "hqw", 2: "hqw"}),
        # What waits for other jobs is shown as held.
        ({1: "hqw", 2: "hqw"}, set(), {"hold_jid": ("3",)}, "", {}),
        ({1: "hqw", 2: "hqw"}, set(), {"hold_jid_ad": ("3",)}, "", {}),
        ({1: "r", 2: "r"}, set(), {}, "", {1: "r", 2: "r"}),
        ({1: "qw", 2: "r"}, set(), {}, "", {2: "r"}),
    ],
)
def test_a_job_is_held_where_all_that_waits_is_and_nothing_else_says_why(
    states: dict[int, str], pending: set[int], request_of_it: dict[str, object], held: str, left: dict[int, str]
) -> None:
    tasks = {number: TaskBuilder(state, whole={"a.q@n1": 1}) for number, state in states.items()}
    job = JobBuilder(7, is_array=True, tasks=tasks, pending=pending, request=dict(request_of_it)).job(0)
    assert (job.request.hold, {number: task.state for number, task in job.tasks.items()}) == (held, left)


@pytest.mark.parametrize(
    ("state", "whole", "slots", "ranges", "granted"),
    [
        ("r", {}, 1, None, {UNKNOWN_PLACE: 1}),
        ("r", {}, 4, None, {UNKNOWN_PLACE: 4}),
        ("r", {}, 4, ((2, 8, 1), (16, 16, 1)), {UNKNOWN_PLACE: 2}),
        ("r", {}, 0, None, {UNKNOWN_PLACE: 1}),
        ("dr", {}, 1, None, {UNKNOWN_PLACE: 1}),
        ("dqw", {}, 1, None, {}),
        ("hqw", {}, 1, None, {}),
        ("r", {"a.q@n1": 3}, 1, None, {"a.q@n1": 3}),
    ],
)
def test_what_runs_nobody_knows_where_has_the_fewest_slots_that_it_may_have(
    state: str,
    whole: dict[str, int],
    slots: int,
    ranges: tuple[tuple[int, int, int], ...] | None,
    granted: dict[str, int],
) -> None:
    draft = JobBuilder(7, slots=slots, request={} if ranges is None else {"pe": PeRequest("mpi", ranges)})
    draft.task(1, state).whole = whole
    assert draft.runs_nowhere is (UNKNOWN_PLACE in granted)
    draft.settle()
    assert draft.task(1, state).granted == granted


@pytest.mark.parametrize(("last", "left"), [(4, {1: "gone", 2: "r", 4: "gone"}), (5, {2: "r"})])
def test_of_a_large_array_tasks_that_are_gone_are_not_told(
    monkeypatch: pytest.MonkeyPatch, last: int, left: dict[int, str]
) -> None:
    monkeypatch.setattr(job_builders, "MOST_TASKS", 4)
    draft = JobBuilder(7, tasks={2: TaskBuilder("r", whole={"a.q@n1": 1})}, pending={3}, array=TaskRange(1, last))
    assert {number: task.state for number, task in draft.job(0).tasks.items()} == left


def test_the_time_of_a_record_is_the_newest_in_it_and_nobody_started_before_it_was_submitted() -> None:
    builders = JobBuilders()
    builders.of(9).submitted = 50
    builders.of(7).task(1, "r").started = 80
    builders.of(7).task(2, "r").started = 70
    builders.of(8)
    state = builders.state()
    assert (state.now, [(job.id, job.submitted) for job in state.jobs]) == (80, [(7, 70), (8, 80), (9, 50)])
    assert JobBuilders().state().now == 0
