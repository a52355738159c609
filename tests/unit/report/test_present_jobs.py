"""The job table: order, rows of array jobs, selection across refreshes, columns for every width."""

from dataclasses import replace
from datetime import datetime

import pytest

from qmon_tui.model.outcome import JobOutcome, Outcome, PendingKind, TaskOutcome
from qmon_tui.report.live_jobs import LiveJobRows, job_columns, job_rows, widths_of
from qmon_tui.report.schedule_changes import DOWN, STARTS, STOPS, UP, mark, ordinal, summary, words
from qmon_tui.report.spans import TextRole, plain, width
from qmon_tui.report.task_counts import TaskCounts
from qmon_tui.workspace import ScheduleChange


def task(number: int = 1, state: str = "qw", granted: dict[str, int] | None = None, prior: float = 0.5) -> TaskOutcome:
    kind = PendingKind.ERROR if "E" in state else PendingKind.HELD if "h" in state else PendingKind.WAITING
    pending, before = (None, state) if granted and state != "t" else (kind, "qw" if state == "t" else state)
    return TaskOutcome(number, state, granted or {}, {}, prior=prior, ntckts=0.25, state_before=before, pending=pending)


def job(number: int, *tasks: TaskOutcome, name: str = "blast", rejected: str | None = None) -> JobOutcome:
    return JobOutcome(
        id=number, name=name, owner="usera", project=None, department="defaultdepartment", slots=1, prior=0.5,
        nurg=0.1, npprior=0.5, ntckts=0.25, ppri=0, urg=1000, rrcontr=1000, wtcontr=0, dlcontr=0, tckts=1, ovrts=0,
        otckt=0, ftckt=1, stckt=0, share=0, tasks=tasks or (task(),), rejected=rejected, reasons=(),
    )  # fmt: skip


def refused(number: int) -> JobOutcome:
    """As a run tells of a job that qsub refuses: without tasks."""
    return job(number, rejected="Unable to run job: unknown resource")._replace(tasks=())


def outcome(*jobs: JobOutcome) -> Outcome:
    return Outcome(0, jobs, (), ())


def test_rows_are_in_the_order_of_the_outcome() -> None:
    rows = job_rows(outcome(job(7), job(5), job(1, task(state="r", granted={"all.q@sim1": 1}))))
    assert [row.number for row in rows] == ["7", "5", "1"]
    assert rows[2].place == "all.q@sim1"


def test_pending_tasks_of_an_array_job_share_a_row() -> None:
    rows = job_rows(
        outcome(job(17, task(1, "r", {"a@h": 1}), task(2, "t", {"a@i": 1}), task(3), task(4), task(5, "hqw"), task(6)))
    )
    assert [(row.number, row.task.state) for row in rows] == [
        ("17.1", "r"), ("17.2", "t"), ("17.3-4", "qw"), ("17.5", "hqw"), ("17.6", "qw"),
    ]  # fmt: skip


def test_two_tasks_in_the_same_queue_instance_are_two_rows() -> None:
    rows = job_rows(outcome(job(3, task(1, "r", {"a@h": 1}), task(2, "r", {"a@h": 1}))))
    assert [row.number for row in rows] == ["3.1", "3.2"]


def test_selection_follows_its_task_into_the_row_that_holds_it() -> None:
    rows = LiveJobRows(job_rows(outcome(job(9), job(17, task(1, "t", {"a@h": 1}), task(2), task(3)))))
    assert rows.find((17, 3)) == 2
    assert rows.find((17, 9)) == 1, "a task that is gone: the first row of its job"
    assert rows.find((99, 1)) is None


def test_a_job_that_qsub_refuses_has_a_row() -> None:
    rows = job_rows(outcome(job(7), refused(5)))
    assert [(row.number, row.task.state, row.place) for row in rows] == [
        ("7", "qw", ""),
        ("5", "✗", "✗ qsub refuses it"),
    ]


def test_counts_by_condition() -> None:
    counts = TaskCounts.of(
        outcome(
            job(1, task(state="r", granted={"a@h": 1})),
            job(2, task(state="t", granted={"a@h": 1})),
            job(3, task(1), task(2, "hqw")),
            job(4, task(state="Eqw")),
            refused(5),
        )
    )
    assert counts.now == {"running": 1, "waiting": 2, "held": 1, "in error": 1, "refused": 1}
    assert counts.after == {"running": 2, "waiting": 1, "held": 1, "in error": 1, "refused": 1}


@pytest.mark.parametrize("cells", [44, 50, 60, 80, 100, 140, 200])
def test_columns_fit_every_width(cells: int) -> None:
    rows = job_rows(outcome(job(7, name="a_rather_long_job_name"), job(123456, task(1), task(2, "hqw"))))
    assert sum(column.cells + 1 for column in job_columns(widths_of(rows), cells)) + 1 <= cells
    table = LiveJobRows(rows)
    assert all(width(table.line(index, cells)) <= cells for index in range(len(table)))


def test_wide_tables_show_the_three_contributions() -> None:
    table = LiveJobRows(job_rows(outcome(job(7))))
    head = table.head(140)
    assert head is not None
    assert {"nurg", "ntckts", "npprior"} <= set(plain(head).split())
    narrow = table.head(46)
    assert narrow is not None
    assert plain(narrow).split() == ["prior", "job", "name", "owner", "st", "place"]


def test_filter_wants_all_words() -> None:
    table = LiveJobRows(job_rows(outcome(job(7, name="blast"), job(8, name="render"))))
    assert len(table.containing("usera REN")) == 1
    assert len(table.containing("usera nobody")) == 0
    assert table.containing(" ") is table


def move(
    before: int, after: int, had: dict[str, int] | None = None, has: dict[str, int] | None = None
) -> ScheduleChange:
    return ScheduleChange(before, after, had or {}, has or {})


def test_marks() -> None:
    assert mark(move(3, 1)) is UP
    assert mark(move(1, 3)) is DOWN
    assert mark(move(3, 1, has={"a@h": 1})) is STARTS, "getting slots outweighs a better place"
    assert mark(move(1, 3, had={"a@h": 1})) is STOPS
    assert mark(move(2, 2)) is None


def test_moves_in_words() -> None:
    assert words(move(6, 1)) == "6th → 1st in the list"
    assert words(move(2, 2, has={"all.q@sim1": 1})) == "now gets all.q@sim1"
    assert words(move(2, 3, {"a@x": 1}, {"a@y": 1, "a@z": 1})) == "a@y +1 instead of a@x, 2nd → 3rd in the list"


@pytest.mark.parametrize(
    ("number", "said"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (21, "21st"), (113, "113th")],
)
def test_ordinals(number: int, said: str) -> None:
    assert ordinal(number) == said


def test_summary_names_the_loudest_move() -> None:
    def name(key: tuple[int, int]) -> str:
        return f"{key[0]} C1"

    moves = {(7, 1): move(3, 1), (8, 1): move(1, 2), (9, 1): move(2, 3)}
    assert plain(summary(name, moves)) == "▲ 7 C1: 3rd → 1st in the list  and 2 others"
    assert summary(name, {}) == ()


def test_the_bar_is_made_of_the_contributions_or_bare() -> None:
    whole = task(prior=0.1 * 0.1 + 0.01 * 0.25 + 1.0 * 0.5)
    table = LiveJobRows(job_rows(outcome(job(7, whole), job(8, task(prior=0.3)))), (0.1, 0.01, 1.0))
    ideas = [{span.role for span in table.line(index, 90) if set(span.text) & set("━╍─┄")} for index in (0, 1)]
    assert ideas == [{TextRole.URGENCY, TextRole.TICKETS, TextRole.POSIX}, {TextRole.DIM}], (
        "8: the parts do not make up the priority"
    )


def test_a_reserved_task_tells_when_and_where() -> None:
    at = int(datetime(2026, 11, 20, 12, 1).timestamp())
    waiting = task()._replace(reserved={"all.q@sim1": 2, "all.q@sim2": 1}, reserved_from=at)
    (row,) = job_rows(replace(outcome(job(4, waiting)), at=at - 3600))
    assert row.place == "from 12:01 all.q@sim1 +1"
    (row,) = job_rows(replace(outcome(job(4, waiting)), at=at - 24 * 3600))
    assert row.place == "from 2026-11-20 12:01 all.q@sim1 +1"


def test_what_stands_still_is_not_counted_as_running() -> None:
    there = {"all.q@sim1": 1}
    jobs = job(1, task(1, "r", there)), job(2, task(1, "S", there)), job(3, task(1, "T", there))
    assert TaskCounts.of(outcome(*jobs)).now == {"running": 1, "suspended": 2}
