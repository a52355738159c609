"""Past usage in YAML: users, projects, users within projects, and what tasks have used and is not booked yet."""

import pytest

from qmon_tui.formats.folder_reader import Contents, read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.state_writer import state_text
from qmon_tui.model.state import Usage
from qmon_tui.values.times import parse_time

TEXT = """\
now: 2026-11-21T09:00:00
usage:
  users:
    anna: {cpu: 3600, mem: 1.5, time: 2026-11-21T08:00:00, projects: {sea: {cpu: 100.25}}}
    "1st": {finished_jobs: 3}
  projects:
    sea: {cpu: 100.25, time: 2026-11-21T08:30:00}
jobs:
- id: 1
  owner: anna
  qsub: sleep 60
  tasks:
    1: {state: r, granted: {all.q@sim1: 1}, used: {cpu: 60, io: 0.001}}
- id: 2
  owner: anna
  qsub: -t 1-3 sleep 60
  tasks:
    1: {state: x, used: {}}
    2: {state: z}
"""


def contents(text: str) -> Contents:
    return read_texts(Layout.YAML, "c", {"jobs.yaml": text})


def test_who_is_written_twice_is_said_and_all_others_are_read() -> None:
    found = contents(TEXT.replace('    "1st"', '    anna: {cpu: 1}\n    "1st"'))
    assert [finding.message for finding in found.findings][:1] == ["the usage of anna is written twice"]
    assert found.state.usage.users["anna"].amounts["cpu"] == 3600
    assert "1st" in found.state.usage.users


def test_usage_is_read() -> None:
    found = contents(TEXT)
    assert found.findings == ()
    usage = found.state.usage
    eight = parse_time("2026-11-21T08:00:00")
    assert usage.users["anna"] == Usage({"cpu": 3600, "mem": 1.5}, {"sea": {"cpu": 100.25}}, eight)
    assert usage.users["1st"] == Usage({"finished_jobs": 3})
    assert usage.projects == {"sea": Usage({"cpu": 100.25}, time=parse_time("2026-11-21T08:30:00"))}
    running, array = found.state.jobs
    assert running.tasks[1].used == {"cpu": 60, "io": 0.001}
    assert (array.tasks[1].used, array.tasks[2].used) == ({}, None)


def test_usage_is_written_as_it_is_read() -> None:
    first = contents(TEXT).state
    again = contents(state_text(first))
    assert again.findings == ()
    assert (again.state.usage, again.state.jobs[0].tasks) == (first.usage, first.jobs[0].tasks)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("  users: {anna: {cpu: -5}}", '"-5" is not an amount of cpu'),
        ("  users: {anna: {cpu: nan}}", '"nan" is not an amount of cpu'),
        ("  users: {anna: {cpu: [1]}}", "cpu is one value"),
        ("  users: {anna: 5}", "anna holds names and values"),
        ("  user: {anna: {cpu: 5}}", 'usage has no "user"'),
        ("  users: {anna: {time: yesterday}}", '"yesterday" is not a time'),
    ],
)
def test_what_is_wrong_with_usage_is_said(line: str, message: str) -> None:
    (finding,) = contents(f"usage:\n{line}\n").findings
    assert message in finding.message
    assert (finding.file, finding.line) == ("jobs.yaml", 2)
