"""Every option that a job can be submitted with is a column of the job table, and can be filtered by."""

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.report.jobtable.job_columns import BY_KEY
from qmon_tui.report.jobtable.job_filter import parse_filter
from qmon_tui.report.jobtable.job_rows import table_rows

LINE = (
    "-js 3 -tc 2 -t 1-4 -R y -r n -ckpt ck -ar 5 -a 202701010101 -q all.q -soft -q b.q -hard -masterq all.q -pe mpi 2 "
    "-cwd -o /o -e /e -j y -m bea -M a@b -notify -ac a=1 -S /bin/sh -v A=1 -h uo run.sh 5"
)
CONTENTS = read_texts(Layout.YAML, "options", {"all.yaml": f"""
now: 2026-01-01T09:00:00
queues: {{all.q: {{hostlist: sim1}}}}
jobs:
- {{id: 1, owner: anna, submitted: 2026-01-01T08:00:00, qsub: "{LINE}", tasks: {{1: {{state: hqw, hold: s}}}}}}
- {{id: 2, owner: anna, submitted: 2026-01-01T08:00:00, qsub: sleep 5}}
"""})  # fmt: skip
FIRST, *_, LAST = table_rows(schedule(CONTENTS.cluster, CONTENTS.state), CONTENTS.state)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("js", "3"), ("tc", "2"), ("reserve", "y"), ("rerun", "n"), ("ckpt", "ck"), ("ar", "5"),
        ("before", "01/01/2027 01:01:00"), ("hardq", "all.q"), ("softq", "b.q"), ("masterq", "all.q"),
        ("command", "run.sh 5"), ("cwd", "y"), ("stdout", "/o"), ("stderr", "/e"), ("merge", "y"), ("mail", "bea"),
        ("mailto", "a@b"), ("notify", "y"), ("context", "a=1"), ("shell", "/bin/sh"), ("env", "A=1"),
    ],
)  # fmt: skip
def test_each_option_has_its_text(key: str, text: str) -> None:
    by_job = {row.job.id: row for row in (FIRST, LAST)}
    assert BY_KEY[key].text(by_job[1]) == text
    assert BY_KEY[key].text(by_job[2]) in ("", "sleep 5")
    test = parse_filter(f"{key}={text.split()[0]}")
    assert not test.problem


def test_holds_are_those_of_the_task() -> None:
    row = next(row for row in (FIRST, LAST) if row.job.id == 1)
    assert BY_KEY["hold"].text(row) == "s"
