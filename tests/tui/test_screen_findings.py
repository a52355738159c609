"""What a form says of its object follows the jobs, too."""

from pathlib import Path

from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.commands import Target
from tests.edits import delete_jobs
from tests.tui.screen_harness import opened


async def test_a_project_is_said_to_be_unused_once_its_last_job_is_gone(tmp_path: Path) -> None:
    text = "projects: {sea: {}}\njobs: [{id: 1, owner: ann, submitted: 2026-11-21T11:00:00, qsub: -P sea sleep 1}]\n"
    (tmp_path / "cluster.yaml").write_text(text)
    async with opened(tmp_path, size=(140, 30)) as it:
        await it.go_to(Kind.PROJECT, "sea")
        assert "Nothing uses project" not in it.text
        assert it.main.apply(delete_jobs([Target(1)], force=True))
        await it.settle()
        assert "Nothing uses project" in it.text
