"""Jobs for whose category no reservation is tried any more, when qalter gives them another one."""

import pytest

from qmon_tui.formats.folder import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.simulation.commands import alter

JOBS = """\
hosts: {n1: {}}
queues: {all.q: {hostlist: n1}}
now: 2026-11-21T19:00:00
jobs:
- {id: 1, owner: anna, submitted: 2026-11-21T18:00:00, qsub: "-R y -l h_rt=60 x", reservation: rejected}
- {id: 2, owner: anna, submitted: 2026-11-21T18:00:00, qsub: "-R y -l h_rt=60 x", reservation: rejected}
- {id: 3, owner: anna, submitted: 2026-11-21T18:00:00, qsub: "-R y -l h_rt=90 x", reservation: rejected}
"""


@pytest.mark.parametrize(
    ("job", "options", "stays"),
    [
        (1, "-p -5", True),
        (1, "-l h_rt=60", True),
        (1, "-l h_rt=90", False),
        (1, "-q all.q", False),
        # The only one of its category: that is made anew, whatever is altered.
        (3, "-p -5", False),
    ],
)
def test_what_is_remembered_of_a_category_stays_with_it(job: int, options: str, stays: bool) -> None:
    contents = read_texts(Layout.YAML, "rejected", {"jobs.yaml": JOBS})
    assert not contents.findings
    state = contents.state
    after = alter(contents.cluster, state, job, options).state
    assert [one.reservation_rejected for one in after.jobs] == [one.id != job or stays for one in state.jobs]
