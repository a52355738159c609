"""The place of the jobs: all of them as qstat lists them."""

from textual import on
from textual.app import ComposeResult

from qmon_tui.tui.base.grid import Grid
from qmon_tui.tui.messages import JobWanted
from qmon_tui.tui.present.jobs import job_rows
from qmon_tui.tui.present.qstat import QSTAT_COLUMNS, qstat_row
from qmon_tui.tui.views import PlaceView
from qmon_tui.workspace.workspace import Workspace


class JobsView(PlaceView):
    """One row per job or task. The job under the cursor is the one that the live pane explains."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.deeds = {"jobs.why": self._why}
        self._grid = Grid(QSTAT_COLUMNS, empty="No jobs: add them under `jobs:` in a YAML file.")

    def compose(self) -> ComposeResult:
        """The table."""
        yield self._grid

    def refresh_from(self) -> None:
        """List the jobs of the last run."""
        result = self.workspace.result
        outcome = result.outcome if result else None
        jobs = {job.id: job for job in self.workspace.state.jobs}
        self._grid.show_rows([qstat_row(row, jobs) for row in job_rows(outcome)] if outcome else [])
        self.border_title = f"Jobs  {len(jobs)}"

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "JobsView":
        """Give the focus to the table."""
        self._grid.focus(scroll_visible)
        return self

    @property
    def selected(self) -> str | None:
        """The job under the cursor, as qstat would be asked for it."""
        return self._grid.chosen

    @property
    def copied(self) -> str:
        """The row under the cursor."""
        return self._grid.cursor_text

    @on(Grid.Moved)
    def _moved(self, event: Grid.Moved) -> None:
        event.stop()
        self._announce()

    @on(Grid.Opened)
    def _opened(self, event: Grid.Opened) -> None:
        event.stop()
        self._why()

    def _announce(self, *, explain: bool = False) -> None:
        if self.selected is not None:
            job, _, task = self.selected.partition(".")
            self.post_message(JobWanted(int(job), int(task), explain))

    def _why(self) -> None:
        self._announce(explain=True)
