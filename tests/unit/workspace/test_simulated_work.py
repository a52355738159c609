"""Jobs of a file of work beside those that the folder has already."""

from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.model import Severity, SimulationPlan, Workload
from qmon_tui.model.state import State
from qmon_tui.sources import SourceError, read_folder
from qmon_tui.workspace import Document
from qmon_tui.workspace.simulated_work import WorkSource, day_simulator, read_work_source
from tests.unit.scheduler.building import job
from tests.unit.workspace.samples import cluster, queue, reading

NOW = 1_767_258_000
"""2026-01-01T09:00:00."""


def source(here: list[int], text: str | bytes, path: Path) -> WorkSource:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_work_source(reading(cluster(), State(NOW, tuple(job(number) for number in here))), str(path))


@pytest.mark.parametrize(
    ("here", "coming", "all_of_them"),
    [([], [5], [5]), ([4, 5], [1, 6], [4, 5, 1, 6]), ([2, 5], [5, 9], [2, 5, 6, 7]), ([7, 3], [3], [7, 3, 8])],
)
def test_jobs_of_a_file_get_other_numbers_where_one_is_taken(
    here: list[int], coming: list[int], all_of_them: list[int], tmp_path: Path
) -> None:
    jobs = (f"- {{id: {number}, owner: anna, submitted: +5s, qsub: sleep 60}}\n" for number in coming)
    assert [one.id for one in source(here, "jobs:\n" + "".join(jobs), tmp_path / "w.yaml").state.jobs] == all_of_them


@pytest.mark.parametrize("name", ["w.yaml", "now.yaml", "w"])
@pytest.mark.parametrize(
    ("submitted", "more", "is_early"),
    [
        ("2026-01-01T08:59:59", "", True),
        ("2026-01-01T09:00:00", "", False),
        ("+0s", "", False),
        ("2026-01-01T08:59:59", ", tasks: {1: {state: r, granted: all.q@h1}}", False),
    ],
)
def test_a_job_of_a_file_is_early_before_now_and_while_it_has_not_begun(
    submitted: str, more: str, is_early: bool, name: str, tmp_path: Path
) -> None:
    text = f"jobs:\n- {{id: 3, owner: anna, submitted: {submitted}, qsub: sleep 60{more}}}\n"
    findings = source([], text, tmp_path / name).findings
    said = [(finding.file, finding.line, finding.name, finding.message) for finding in findings]
    file = name if "." in name else "workload.yaml"
    early = (file, 2, "3", "job 3 came before the simulation begins, it waits from its beginning")
    assert said == ([early] if is_early else [])


@pytest.mark.parametrize(("text", "said"), [(b"\xff", ""), ("a: b\nc: d", "; w.yaml:1: "), ("# nothing", "")])
def test_a_file_without_work_says_what_work_is(text: str | bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError) as error:
        source([], text, tmp_path / "w.yaml")
    begin, _, end = str(error.value).partition(": no work in there: write YAML with workload or jobs, or give an SWF ")
    assert begin == str(tmp_path / "w.yaml")
    assert end.removeprefix("trace or accounting records").startswith(said)
    assert end.count("; w.yaml:") == bool(said)


TRACE = "; UnixStartTime: 1767258000\n1 0 -1 60 1 -1 -1 -1 -1 -1 -1 7 -1 -1 -1 -1 -1 -1\n"


def test_a_seed_that_is_given_goes_before_that_of_the_folder() -> None:
    folder = reading(cluster(), State(NOW, simulation=SimulationPlan(seed=3)))
    assert [read_work_source(folder, seed=seed).state.simulation.seed for seed in (None, 7, 0)] == [3, 7, 0]
    assert read_work_source(folder).trace is None


def test_for_a_trace_the_workload_of_the_folder_says_how_things_are_called_here(tmp_path: Path) -> None:
    path = tmp_path / "day.swf"
    path.write_text(TRACE)
    for workload in (None, Workload(rate=0.5)):
        folder = reading(cluster(), State(NOW, simulation=SimulationPlan(workload=workload)))
        taken = read_work_source(folder, str(path))
        assert taken.state.simulation.workload == replace(workload or Workload(), trace=str(path))
        assert taken.file == path
        assert taken.trace is not None
        assert [job.id for job in taken.trace.state.jobs] == [1]


def test_a_trace_that_a_file_of_work_names_stands_beside_it(tmp_path: Path) -> None:
    (tmp_path / "day.swf").write_text(TRACE)
    taken = source([], "workload: {trace: day.swf}\n", tmp_path / "w.yaml")
    assert (taken.file, taken.findings) == (tmp_path / "day.swf", ())
    assert taken.trace is not None


JOBS = "jobs:\n- {id: 3, owner: anna, submitted: +5s, qsub: sleep 60}\n"


@pytest.mark.parametrize(
    ("more", "plan", "said"),
    [
        ("", SimulationPlan(), []),
        ("queues: {a.q: {}}\nhosts: {n1: {}}\n", SimulationPlan(), ["it holds objects of a cluster (host, queue)"]),
        ("simulation: {seed: 5}\n", SimulationPlan(), ["its key simulation is not taken"]),
        # What the folder says as well need not be taken.
        ("simulation: {seed: 5}\n", SimulationPlan(seed=5), []),
        ("simulation: {seed: 5}\n", SimulationPlan(seed=5, workload=Workload()), []),
    ],
)
def test_of_a_file_of_work_only_its_work_is_taken(
    more: str, plan: SimulationPlan, said: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "w.yaml"
    path.write_text(JOBS + more)
    taken = read_work_source(reading(cluster(), State(NOW, simulation=plan)), str(path))
    assert [finding.message[: len(text)] for finding, text in zip(taken.findings, said, strict=True)] == said
    assert {(finding.file, finding.severity) for finding in taken.findings} <= {("w.yaml", Severity.WARNING)}
    assert [job.id for job in taken.state.jobs] == [3]
    assert taken.state.simulation.workload is None


def test_the_day_of_a_document_begins_with_its_jobs_in_its_cluster(tmp_path: Path) -> None:
    (tmp_path / "all.yaml").write_text("now: 2026-01-01T09:00:00\nqueues: {a.q: {}}\n")
    read, on = read_folder(tmp_path), cluster(queue("a.q"))
    day = day_simulator(read, Document(on, State(NOW, (job(4, submitted=NOW),))))
    assert day.cluster is on
    assert [each.id for each in day.state.jobs] == [4]


def test_a_folder_without_a_time_begins_with_the_first_job_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "a.yaml").write_text("hosts: {h1: {}}\n")
    path = tmp_path / "work.yaml"
    days = "".join(f"- {{owner: ada, submitted: 2026-01-0{day}T09:00:00, qsub: x}}\n" for day in (2, 1))
    path.write_text(f"jobs:\n{days}")
    made = read_work_source(read_folder(tmp_path / "here"), str(path))
    assert (made.state.now, made.state.beginning, made.findings) == (NOW, None, ())
