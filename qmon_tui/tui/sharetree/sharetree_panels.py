"""The panels of the share tree: "Tree" of all nodes with their shares, and "Forecast" of the decay of usage."""

from collections.abc import Sequence

from qmon_tui.checks import check_object
from qmon_tui.model import Kind, NodePosition, ShareNodeOutcome, TreeRow, tree_rows
from qmon_tui.qmaster import Run, usage_ahead
from qmon_tui.report import Line, TextRole, field_finding_lines, sharetree, wrap
from qmon_tui.tui.base import TablePanel
from qmon_tui.workspace import UsageOwner, Workspace


class TreeView(TablePanel):
    """A row per node, and one for each user below a `default` node; below the table the chosen node in words."""

    NOTHING = "There is no share tree yet: a starts one."

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, sharetree.TREE_COLUMNS, empty=self.NOTHING)
        self.rows: tuple[TreeRow, ...] = ()
        self._wanted: NodePosition | None = None
        """Node to which the cursor goes after the last edit; None if it stays."""

    @property
    def text(self) -> str:
        """The tree, as qconf -sstree prints it."""
        return self.workspace.cluster.single(Kind.SHARETREE).text("tree")

    @property
    def _outcomes(self) -> tuple[ShareNodeOutcome, ...]:
        result = self.workspace.result
        return tuple(result.outcome.sharetree) if result and result.outcome else ()

    def refresh_from(self) -> None:
        self.rows = tree_rows(self.text)
        self.fill(sharetree.node_rows(self.workspace.cluster, self.rows, self._outcomes), empty=self.NOTHING)
        if self._wanted is not None and self.grid.move_to(sharetree.key_of(self._wanted)):
            self._wanted = None
        self.draw_about()

    def about(self, cells: int) -> Sequence[Line]:
        """Return lines about the chosen node's numbers, and the findings of the tree."""
        row = self.row
        lines = [*_unknown_usage(self.workspace, cells)]
        if row is not None:
            outcome = next((node_outcome for node_outcome in self._outcomes if node_outcome.path == row.path), None)
            lines += sharetree.node_lines(row, self.workspace.cluster, outcome)
        tree = self.workspace.cluster.get(Kind.SHARETREE, self.object_name or "")
        findings = check_object(self.workspace.cluster, tree) if tree is not None else ()
        return [*lines, *(line for finding in findings[:2] for line in field_finding_lines(finding, cells, 0))]

    @property
    def place(self) -> NodePosition | None:
        """Position of the node under the cursor; None for a user without a node."""
        return sharetree.place_of(self.grid.chosen or "-")

    @property
    def row(self) -> TreeRow | None:
        place = self.place
        return next((row for row in self.rows if row.place == place), None) if place is not None else None

    @property
    def copied(self) -> str:
        """The path of the chosen node."""
        row = self.row
        return row.path if row else self.grid.cursor_text

    def opened(self, key: str) -> None:
        if self.row is not None and not self.workspace.read_only:
            self.actions.run("tree.edit")

    # Editing ----------------------------------------------------------------------------------------------------

    def replace_tree(self, text: str, place: NodePosition | None = None, *, typing: bool = False) -> None:
        """Replace the tree; the cursor then goes to the node at `place`, or stays (None)."""
        name = self.object_name or Kind.SHARETREE.value
        self.edit_field(Kind.SHARETREE, name, "tree", text, typing=typing)
        self._wanted = place

    @property
    def usage_owner(self) -> UsageOwner | None:
        """User or project of the chosen node; None for a node that is neither."""
        row, key = self.row, self.grid.chosen or ""
        path = row.path if row is not None else key.removeprefix("user ")
        outcome = next((node_outcome for node_outcome in self._outcomes if node_outcome.path == path), None)
        if outcome is not None and (outcome.user is not None or outcome.project == outcome.name):
            return UsageOwner(outcome.user, outcome.project)
        return None

    def move_to(self, place: NodePosition) -> None:
        self.grid.move_to(sharetree.key_of(place))


_FIELDS = ("usage_weight_list", "halftime", "halflife_decay_list", "compensation_factor")


class ForecastView(TablePanel):
    """A row per node; below the table how usage is weighted and decays."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(
            workspace, sharetree.FORECAST_COLUMNS, empty="There is no share tree, so past usage has no effect."
        )
        self._run: Run | None = None

    def refresh_from(self) -> None:
        """Compute the forecast from the last run, unless it is computed already."""
        self.draw_about()
        result = self.workspace.result
        if result is None or result.outcome is None or result.explainer is None:
            return
        run = result.explainer.run
        if run is not self._run:
            self._run = run
            ahead = usage_ahead(run, [seconds for _, seconds in sharetree.FORECAST_TIMES])
            self.fill(sharetree.forecast_rows(result.outcome.sharetree, ahead))

    def about(self, cells: int) -> Sequence[Line]:
        """Return lines about how usage is weighted and decays."""
        scheduler = self.workspace.cluster.single(Kind.SCHEDULER)
        texts = sharetree.decay_lines({name: scheduler.text(name) for name in _FIELDS})
        decay = [line for text in texts for line in wrap(text, cells, TextRole.DIM, rest="  ")]
        return [*_unknown_usage(self.workspace, cells), *decay]


def _unknown_usage(workspace: Workspace, cells: int) -> Sequence[Line]:
    """Return a warning on a running cluster that past usage is unknown; empty for a folder."""
    if workspace.reading.live is None:
        return ()
    return wrap("No client prints the past usage: it is unknown, and counts as none here.", cells, TextRole.WARNING)
