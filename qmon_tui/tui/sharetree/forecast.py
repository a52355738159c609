"""The panel "Forecast" of the share tree: how much of everybody's usage will be left if nobody uses more."""

from collections.abc import Sequence

from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.run import Run
from qmon_tui.scheduler.share_report import usage_ahead
from qmon_tui.tui.present.sharetree import FORECAST_COLUMNS, FORECAST_TIMES, decay_lines, forecast_rows
from qmon_tui.tui.present.spans import Line, TextRole, wrap
from qmon_tui.tui.table_panel import TablePanel
from qmon_tui.workspace.workspace import Workspace

_FIELDS = ("usage_weight_list", "halftime", "halflife_decay_list", "compensation_factor")


class ForecastView(TablePanel):
    """A row per node; below them how usage is weighed and forgotten."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, FORECAST_COLUMNS, empty="There is no share tree, so usage is not looked at.")
        self._run: Run | None = None

    def refresh_from(self) -> None:
        """Look ahead from the last run; the same run is looked at once."""
        self.draw_about()
        result = self.workspace.result
        if result is None or result.outcome is None or result.explainer is None:
            return
        run = result.explainer.run
        if run is not self._run:
            self._run = run
            ahead = usage_ahead(run, [seconds for _, seconds in FORECAST_TIMES])
            self.grid.show_rows(forecast_rows(result.outcome.sharetree, ahead))

    def about(self, cells: int) -> Sequence[Line]:
        """How usage is weighed and forgotten."""
        scheduler = self.workspace.cluster.single(Kind.SCHEDULER)
        texts = decay_lines({name: scheduler.text(name) for name in _FIELDS})
        return [line for text in texts for line in wrap(text, cells, TextRole.DIM, rest="  ")]
