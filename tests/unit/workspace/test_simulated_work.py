"""Jobs of a file of work beside those that the folder has already."""

from pathlib import Path

import pytest

from qmon_tui.model.state import State
from qmon_tui.sources import SourceError
from qmon_tui.workspace.simulated_work import WorkSource, read_work_source
from tests.unit.scheduler.building import job
from tests.unit.workspace.samples import cluster, reading

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
