from collections.abc import Mapping

from qmon_tui.model.outcome import JobOutcome, Outcome, PendingKind, TaskOutcome
from qmon_tui.workspace.evaluation import changes_of_schedule


def job(
    number: int,
    granted: Mapping[str, int] | None = None,
    tasks: tuple[int, ...] = (1,),
    kind: PendingKind | None = PendingKind.WAITING,
) -> JobOutcome:
    return JobOutcome(
        id=number,
        name=f"job{number}",
        owner="usera",
        project=None,
        department="defaultdepartment",
        slots=1,
        prior=0.5,
        nurg=0.0,
        npprior=0.5,
        ntckts=0.0,
        ppri=0,
        urg=0.0,
        rrcontr=0.0,
        wtcontr=0.0,
        dlcontr=0.0,
        tckts=0.0,
        ovrts=0.0,
        otckt=0.0,
        ftckt=0.0,
        stckt=0.0,
        share=0.0,
        tasks=tuple(TaskOutcome(task, "t" if granted else "qw", granted or {}, {}, pending=kind) for task in tasks),
        rejected=None,
        reasons=(),
    )


def run(*jobs: JobOutcome) -> Outcome:
    return Outcome(0, jobs, (), ())


def test_a_job_that_overtakes_two_others_moves_and_so_do_they() -> None:
    moves = changes_of_schedule(run(job(1), job(2), job(3)), run(job(3), job(1), job(2)))
    assert {key: move.up for key, move in moves.items()} == {(3, 1): 2, (1, 1): -1, (2, 1): -1}


def test_nothing_moves_where_nothing_changed() -> None:
    assert changes_of_schedule(run(job(1), job(2)), run(job(1), job(2))) == {}
    assert changes_of_schedule(None, run(job(1))) == {}


def test_jobs_of_one_run_only_neither_move_nor_push() -> None:
    assert changes_of_schedule(run(job(1), job(2)), run(job(9), job(1), job(2))) == {}
    assert changes_of_schedule(run(job(9), job(1), job(2)), run(job(1), job(2))) == {}


def test_starting_no_longer_starting_and_another_place_are_told_apart() -> None:
    here, there = {"all.q@sim1": 1}, {"all.q@sim2": 1}
    moves = changes_of_schedule(run(job(1), job(2, here), job(3, here)), run(job(1, here), job(2), job(3, there)))
    assert [(m.starts, m.no_longer_starts, m.elsewhere) for m in moves.values()] == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]


def test_every_task_of_an_array_moves_with_its_job() -> None:
    moves = changes_of_schedule(run(job(1), job(2, tasks=(1, 2))), run(job(2, tasks=(1, 2)), job(1)))
    assert set(moves) == {(1, 1), (2, 1), (2, 2)}


def test_of_tasks_only_those_that_are_in_both_runs_are_told() -> None:
    here, there = {"all.q@sim1": 1}, {"all.q@sim2": 1}
    moves = changes_of_schedule(run(job(1, here, (1, 2))), run(job(1, there, (2, 3))))
    assert {key: (move.granted_before, move.granted_after) for key, move in moves.items()} == {(1, 2): (here, there)}


def test_a_held_job_and_those_that_run_neither_move_nor_push() -> None:
    here = {"all.q@sim1": 1}
    others = [job(number, here, kind=None) for number in (5, 6)]
    held = job(1, kind=PendingKind.HELD)
    assert changes_of_schedule(run(job(1), job(2), job(3), *others), run(job(2), job(3), held, *others)) == {}
    started = run(job(1, here), job(2), job(3), *others)
    moves = changes_of_schedule(started, run(job(3), job(2), job(1, here, kind=None), *reversed(others)))
    assert {key: move.up for key, move in moves.items()} == {(3, 1): 1, (2, 1): -1}
