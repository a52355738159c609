import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.findings import Severity
from qmon_tui.model.jobs import AdvanceReservation
from qmon_tui.model.kinds import Kind
from qmon_tui.model.outcome import Outcome
from qmon_tui.sources import read_folder
from qmon_tui.workspace import ChangeOrigin, Event, Result, SetField, Workspace, evaluate
from tests.unit.workspace.samples import broken, cluster, queue, reading
from tests.unit.workspace.test_schedule_changes import job, run as outcome_of

TEACHING = Path(__file__).parents[3] / "configs" / "teaching"


@pytest.fixture
def workspace() -> Workspace:
    return Workspace(read_folder(TEACHING))


def run(workspace: Workspace) -> bool:
    return workspace.accept(evaluate(workspace.snapshot()))


def test_a_run_tells_findings_outcome_time_and_where_the_change_came_from(workspace: Workspace) -> None:
    assert run(workspace)
    result = workspace.result
    assert result is not None
    assert result.outcome is not None
    assert {job.id for job in result.outcome.jobs} == set(range(1, 9))
    assert (result.origin, result.error, result.stale) == (ChangeOrigin.FILE, None, False)
    assert 0 < result.seconds < 60


def test_an_edit_in_the_form_moves_jobs_before_it_is_saved(workspace: Workspace) -> None:
    run(workspace)
    assert workspace.moves == {}
    workspace.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "100"))
    run(workspace)
    assert workspace.result is not None
    assert workspace.result.origin is ChangeOrigin.FORM
    assert workspace.moves[6, 1].up == 4
    assert all(move.up == -1 for key, move in workspace.moves.items() if key != (6, 1))


def test_a_licence_more_starts_the_first_job_in_line(workspace: Workspace) -> None:
    run(workspace)
    workspace.apply(SetField(Kind.HOST, "global", "complex_values", "lic=4"))
    run(workspace)
    assert [key for key, move in workspace.moves.items() if move.starts] == [(7, 1)]
    workspace.undo()
    run(workspace)
    assert [key for key, move in workspace.moves.items() if move.no_longer_starts] == [(7, 1)]


def test_a_pinned_schedule_is_what_later_ones_are_compared_with(workspace: Workspace) -> None:
    run(workspace)
    assert workspace.result is not None
    workspace.baseline.pin(workspace.result.outcome)
    workspace.compare_again()
    run(workspace)
    assert workspace.baseline.moment.since.value == "pinned"
    for urgency, text in (("gpu", "100"), ("lic", "1")):
        workspace.apply(SetField(Kind.COMPLEX, urgency, "urgency", text))
        run(workspace)
    assert workspace.moves[6, 1].up == 4, "the last edit did not move it"
    workspace.baseline.pin(None)
    workspace.compare_again()
    run(workspace)
    assert workspace.baseline.moment.since.value == "change"
    assert (6, 1) not in workspace.moves


def test_what_is_opened_or_saved_can_be_what_is_compared_with(tmp_path: Path) -> None:
    workspace = Workspace(read_folder(shutil.copytree(TEACHING, tmp_path / "teaching")))
    workspace.baseline.of_saved = True
    run(workspace)
    assert workspace.baseline.moment.since.value == "opened"
    for text in ("50", "100"):
        workspace.apply(SetField(Kind.COMPLEX, "gpu", "urgency", text))
        run(workspace)
    assert workspace.moves[6, 1].up == 4
    workspace.save()
    run(workspace)
    assert workspace.baseline.moment.since.value == "saved"
    assert workspace.moves == {}
    workspace.undo()
    workspace.undo()
    run(workspace)
    assert workspace.moves[6, 1].up < 0


def test_while_a_value_is_typed_the_moves_are_counted_from_before_the_typing(workspace: Workspace) -> None:
    run(workspace)
    for text in ("1", "10", "100"):
        workspace.apply(SetField(Kind.COMPLEX, "gpu", "urgency", text), typing=True)
        run(workspace)
    assert workspace.moves[6, 1].up == 4


def test_the_result_of_an_older_revision_is_dropped(workspace: Workspace) -> None:
    late = evaluate(workspace.snapshot())
    workspace.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "100"))
    told: list[Event] = []
    workspace.subscribe(told.append)
    assert not workspace.accept(late)
    assert workspace.result is None
    assert told == []


def test_a_failing_engine_is_a_sentence_and_leaves_the_last_good_outcome(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(workspace)
    assert workspace.result is not None
    good = workspace.result.outcome

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("share of nobody")

    monkeypatch.setattr("qmon_tui.incremental.run_chain.carried_out", fail)
    workspace.apply(SetField(Kind.COMPLEX, "gpu", "relop", "nonsense"))
    assert run(workspace)
    assert workspace.result.error == (
        "The scheduling run failed, please report it: ZeroDivisionError: share of nobody."
    )
    assert workspace.result.outcome is good
    assert workspace.result.stale
    assert any(f.severity is Severity.ERROR and f.field == "relop" for f in workspace.result.findings)


def test_what_could_not_be_read_comes_first_and_marks_the_result_stale(workspace: Workspace) -> None:
    finding = broken("cluster.yaml")
    gone = workspace.reading.cluster
    for obj in workspace.reading.cluster:
        if obj.origin and obj.origin.file == "cluster.yaml":
            gone = gone.without(obj.kind, obj.name)
    workspace.disk_changed(replace(workspace.reading, cluster=gone, findings=(finding,)))
    run(workspace)
    assert workspace.result is not None
    assert workspace.result.findings[0] == finding
    assert workspace.result.stale
    assert workspace.result.stale_files == ("cluster.yaml",)
    assert workspace.result.outcome is not None
    assert len(workspace.result.outcome.queue_instances) == 4


def test_an_edit_that_breaks_an_advance_reservation_is_found_until_it_is_taken_back(workspace: Workspace) -> None:
    reservation = AdvanceReservation(1, "anna", workspace.state.now + 60, workspace.state.now + 120, {"all.q@sim4": 2})
    state = replace(workspace.state, reservations=(reservation,))
    edited = workspace.cluster.with_object(workspace.cluster.objects(Kind.QUEUE)["all.q"].with_value("slots", "1"))
    snapshot = replace(workspace.snapshot(), state=state)

    def promised(of: Cluster) -> list[str]:
        findings = evaluate(replace(snapshot, cluster=of)).findings
        return [f"{each.name} {each.message}" for each in findings if each.rule == "queue.promised"]

    said = "denied: 2 slots are already reserved in all.q@sim4 by an advance reservation"
    assert promised(edited) == [f"all.q a running qmaster refuses this edit: {said}"]
    assert promised(workspace.cluster) == []


def result(workspace: Workspace, outcome: Outcome | None) -> Result:
    return Result(workspace.revision, (), outcome, 0.0, workspace.origin)


def seen(*orders: tuple[int, ...]) -> tuple[Workspace, list[Outcome]]:
    """A workspace with one run for each order of jobs, the later ones after one edit each; and the runs."""
    workspace = Workspace(reading(cluster(queue("a.q", slots="0"))))
    outcomes = [outcome_of(*map(job, order)) for order in orders]
    for number, outcome in enumerate(outcomes):
        if number:
            workspace.apply(SetField(Kind.QUEUE, "a.q", "slots", str(number)))
        assert workspace.accept(result(workspace, outcome))
    return workspace, outcomes


def test_a_failed_run_moves_what_the_last_good_one_moved() -> None:
    workspace, (before, good) = seen((1, 2), (2, 1))
    workspace.baseline.pin(before)
    told: list[Event] = []
    workspace.subscribe(told.append)
    for _ in range(2):
        assert workspace.accept(result(workspace, None))
        assert workspace.result is not None
        assert (workspace.result.outcome, workspace.result.stale) == (good, True)
        assert {key: move.up for key, move in workspace.moves.items()} == {(2, 1): 1, (1, 1): -1}
    assert told == [Event.RESULT, Event.RESULT]


def test_where_no_run_has_been_good_nothing_moves() -> None:
    workspace = Workspace(reading(cluster(queue("a.q"))))
    workspace.baseline.pin(outcome_of(job(1)))
    for stale in (False, True):
        assert workspace.accept(result(workspace, None))
        assert workspace.result is not None
        assert (workspace.result.outcome, workspace.result.stale, workspace.moves) == (None, stale, {})


@pytest.mark.parametrize(
    ("action", "event"),
    [
        (lambda workspace: workspace.compute_by("other"), Event.CHANGED),
        (lambda workspace: workspace.show_moment(workspace.document), Event.MOMENT),
        (lambda workspace: workspace.undo(), Event.CHANGED),
        (lambda workspace: workspace.apply(SetField(Kind.QUEUE, "a.q", "slots", "9")), Event.CHANGED),
    ],
)
def test_what_asks_for_a_new_run_is_compared_with_the_last_one(
    action: Callable[[Workspace], object], event: Event
) -> None:
    workspace, (_, last) = seen((1, 2), (2, 1))
    assert workspace.baseline.outcome is not last
    told: list[Event] = []
    workspace.subscribe(told.append)
    revision = workspace.revision
    action(workspace)
    assert workspace.baseline.outcome is last
    assert (told, workspace.revision) == ([event], revision + 1)


def test_a_change_on_disk_is_compared_with_the_last_run() -> None:
    workspace, (last,) = seen((1, 2))
    workspace.disk_changed(reading(cluster(queue("a.q", slots="5"))))
    assert workspace.baseline.outcome is last


@pytest.mark.parametrize("decide", [Workspace.merge, Workspace.take_theirs, Workspace.keep_mine])
def test_a_change_on_disk_that_is_decided_about_is_compared_with_the_last_run(
    decide: Callable[[Workspace], object],
) -> None:
    workspace, (_, last) = seen((1, 2), (2, 1))
    workspace.disk_changed(reading(cluster(queue("a.q", slots="0", seq_no="5"))))
    assert workspace.baseline.outcome is not last
    decide(workspace)
    assert workspace.baseline.outcome is last


def test_another_baseline_asks_for_a_new_run_as_such() -> None:
    workspace, (before, _) = seen((1, 2), (2, 1))
    told: list[Event] = []
    workspace.subscribe(told.append)
    revision = workspace.revision
    workspace.compare_again()
    assert (told, workspace.revision, workspace.baseline.outcome) == ([Event.BASELINE], revision + 1, before)
    workspace.compute_by(workspace.formulas)
    assert (told, workspace.revision) == ([Event.BASELINE], revision + 1)
