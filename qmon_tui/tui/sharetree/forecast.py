"""The panel "Forecast" of the share tree: how much of everybody's usage will be left if nobody uses more."""

from textual.app import ComposeResult

from qmon_tui.model.kinds import Kind
from qmon_tui.scheduler.run import Run
from qmon_tui.scheduler.share_report import usage_ahead
from qmon_tui.tui.base.grid import Grid
from qmon_tui.tui.base.lines import QLines
from qmon_tui.tui.present.sharetree import AHEAD, FORECAST_COLUMNS, decay_lines, forecast_grid
from qmon_tui.tui.present.spans import Idea, wrap
from qmon_tui.tui.views import PanelView
from qmon_tui.workspace.workspace import Workspace

_FIELDS = ("usage_weight_list", "halftime", "halflife_decay_list", "compensation_factor")


class ForecastView(PanelView):
    """How usage is weighed and forgotten, then a row per node."""

    DEFAULT_CSS = """
    ForecastView Grid { height: 1fr; min-height: 3; }
    ForecastView QLines { padding: 0 1; margin-bottom: 1; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._about = QLines()
        self._grid = Grid(FORECAST_COLUMNS, empty="There is no share tree, so usage is not looked at.")
        self._run: Run | None = None

    def compose(self) -> ComposeResult:
        """The policy, then the nodes."""
        yield self._about
        yield self._grid

    def refresh_from(self) -> None:
        """Look ahead from the last run; the same run is looked at once."""
        self._draw_policy()
        result = self.workspace.result
        if result is None or result.outcome is None or result.explainer is None:
            return
        run = result.explainer.run
        if run is not self._run:
            self._run = run
            ahead = usage_ahead(run, [seconds for _, seconds in AHEAD])
            self._grid.show_rows(forecast_grid(result.outcome.sharetree, ahead))

    def _draw_policy(self) -> None:
        scheduler = self.workspace.cluster.single(Kind.SCHEDULER)
        cells = max(self.size.width - 4, 30)
        texts = decay_lines({name: scheduler.text(name) for name in _FIELDS})
        self._about.show([line for text in texts for line in wrap(text, cells, Idea.DIM, rest="  ")])

    def on_resize(self) -> None:
        """The policy wraps to the width."""
        self._draw_policy()

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "ForecastView":
        """Give the focus to the nodes."""
        self._grid.focus(scroll_visible)
        return self

    @property
    def copied(self) -> str:
        """The row under the cursor."""
        return self._grid.cursor_text
