"""Numbers in a state: as long as a sensible one can be, and what is longer is told."""

import pytest

from qmon_tui.formats.folder_reader import Contents, read_texts
from qmon_tui.formats.layout import Layout


def job(line: str) -> Contents:
    return read_texts(Layout.YAML, "c", {"jobs.yaml": f"jobs:\n- owner: anna\n  qsub: sleep 5\n  {line}\n"})


@pytest.mark.parametrize(("field", "digits"), [("runtime", 11), ("category_ar", 7)])
def test_a_number_has_so_many_digits_at_most(field: str, digits: int) -> None:
    assert not job(f"{field}: {'9' * digits}").findings
    assert [finding.field for finding in job(f"{field}: {'9' * (digits + 1)}").findings] == [field]


def test_a_run_time_is_taken_as_it_is() -> None:
    assert job("runtime: 99999999999").state.jobs[0].runtime == 99_999_999_999


@pytest.mark.parametrize(("slots", "is_read"), [("9999999", True), ("99999999", False), ("0", False)])
def test_slots_of_what_runs_have_seven_digits_at_most(slots: str, is_read: bool) -> None:
    contents = job(f"tasks: {{1: {{state: r, granted: {{a.q@n1: {slots}}}}}}}")
    assert bool(contents.findings) is not is_read
    assert bool(contents.state.jobs[0].tasks) is is_read
