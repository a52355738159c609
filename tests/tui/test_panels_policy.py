"""The page of policies tells its numbers whole in every width, or says that it does not."""

from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.report.spans import plain
from qmon_tui.tui.object_panels.policy_panels import PolicyView
from tests.tui.screen_harness import opened
from tests.tui.test_panels_calendar_sharetree import go

CLUSTER = """\
hosts: {n1: {}}
complexes: {slots: {shortcut: s, type: INT, relop: <=, requestable: YES, consumable: YES, default: 1, urgency: 1000}}
queues: {all.q: {hostlist: n1, slots: 1, load_thresholds: NONE}}
users: {ann: {oticket: 4000}, bob: {oticket: 500}}
scheduler: {weight_ticket: 1.0, weight_urgency: 0.0, weight_priority: 0.0}
now: 2026-11-17T09:00:00
jobs:
- {id: 1, owner: ann, submitted: 2026-11-17T08:10:00, qsub: -t 1-4 sleep 9}
- {id: 2, owner: bob, submitted: 2026-11-17T08:11:00, qsub: -t 1-4 sleep 9}
"""


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (140, 40), (200, 50)])
async def test_numbers_of_policies_are_whole(tmp_path: Path, size: tuple[int, int]) -> None:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    async with opened(tmp_path, size=size) as it:
        await go(it, Kind.SCHEDULER, "Weights")
        grid = it.main.query_one(PolicyView).grid
        rows = grid.grid_rows
        now = [column.key for column in rows.columns].index("now")
        texts = [row.cells[now].text for row in rows.rows]
        assert {"0.062–1.000", "slots 1000", "6000, 5 tasks"} <= set(texts)
        drawn = [plain(rows.line(at, grid.inner_width - 1)) for at in range(len(rows))]
        assert [text for text, line in zip(texts, drawn, strict=True) if text not in line] == []
        assert drawn[0].rstrip() in it.text
