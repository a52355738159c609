"""The panels of the share tree: "Tree", all nodes with their shares, and "Forecast", what is left of usage."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from qmon_tui.checks import check_object
from qmon_tui.model import sharetree_editing as editing
from qmon_tui.model.kinds import Kind
from qmon_tui.model.outcome import ShareNodeOutcome
from qmon_tui.model.sharetree_editing import NodePosition, TreeRow, tree_rows
from qmon_tui.qmaster import Run, usage_ahead
from qmon_tui.tui.base.messages import FieldEdited
from qmon_tui.tui.base.table_panel import TablePanel
from qmon_tui.tui.dialogs.question_dialogs import NameDialog
from qmon_tui.tui.forms.dialogs.pick_dialogs import Pick, PickOne
from qmon_tui.tui.forms.dialogs.value_dialog import LinesDialog
from qmon_tui.tui.present.findings import field_finding_lines
from qmon_tui.tui.present.number_steps import shares_problem, stepped
from qmon_tui.tui.present.sharetree import (
    FORECAST_COLUMNS,
    FORECAST_TIMES,
    TREE_COLUMNS,
    decay_lines,
    forecast_rows,
    key_of,
    node_lines,
    node_rows,
    place_of,
)
from qmon_tui.tui.present.spans import Line, TextRole, wrap
from qmon_tui.tui.sharetree.node_choices import names_for
from qmon_tui.tui.sharetree.usage_prompts import ask_to_clear_usage, ask_usage
from qmon_tui.workspace.usage_edits import UsageOwner
from qmon_tui.workspace.workspace import Workspace

_NOTHING = "There is no share tree yet: a begins one."
_USER = "This user has no node: the shares are those of default."
_ROOT = "This is the root."
_NOBODY = "This node is no user's and no project's: it has no usage of its own."
_NEW_SHARES = 10


class TreeView(TablePanel):
    """A row per node, and one for each user below a `default` node; below them the chosen one in words."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, TREE_COLUMNS, empty=_NOTHING)
        self.handlers = {
            "tree.edit": self._edit,
            "tree.add": self._add,
            "tree.delete": self._delete,
            "tree.more": partial(self._step, 1),
            "tree.less": partial(self._step, -1),
            "tree.rename": self._rename,
            "tree.move": self._move,
            "tree.clone": self._clone,
            "tree.up": partial(self._shift, -1),
            "tree.down": partial(self._shift, 1),
            "tree.usage": self._usage,
            "tree.clear": self._clear_usage,
            "tree.find": self._find,
            "tree.text": self._edit_text,
        }
        self._rows: tuple[TreeRow, ...] = ()
        self._wanted: NodePosition | None = None
        """Where the cursor goes when the last edit is there."""

    @property
    def _text(self) -> str:
        return self.workspace.cluster.single(Kind.SHARETREE).text("tree")

    @property
    def _outcomes(self) -> tuple[ShareNodeOutcome, ...]:
        result = self.workspace.result
        return tuple(result.outcome.sharetree) if result and result.outcome else ()

    def refresh_from(self) -> None:
        """List all nodes anew."""
        self._rows = tree_rows(self._text)
        self.grid.show_rows(node_rows(self.workspace.cluster, self._rows, self._outcomes))
        if self._wanted is not None and self.grid.move_to(key_of(self._wanted)):
            self._wanted = None
        self.draw_about()

    def about(self, cells: int) -> Sequence[Line]:
        """What the chosen node's numbers say, and what is wrong with the tree."""
        row = self._row
        lines: list[Line] = []
        if row is not None:
            outcome = next((node_outcome for node_outcome in self._outcomes if node_outcome.path == row.path), None)
            lines += node_lines(row, self.workspace.cluster, outcome)
        tree = self.workspace.cluster.get(Kind.SHARETREE, self.object_name or "")
        findings = check_object(self.workspace.cluster, tree) if tree is not None else ()
        return [*lines, *(line for finding in findings[:2] for line in field_finding_lines(finding, cells, 0))]

    @property
    def _place(self) -> NodePosition | None:
        return place_of(self.grid.chosen or "-")

    @property
    def _row(self) -> TreeRow | None:
        place = self._place
        return next((row for row in self._rows if row.place == place), None) if place is not None else None

    def refusals(self) -> Mapping[str, str]:
        """What needs a node of the tree, or one that is not its root."""
        needing = ("edit", "delete", "more", "less", "rename", "move", "clone", "up", "down")
        if not self._rows:
            return dict.fromkeys((f"tree.{name}" for name in (*needing, "find", "usage")), _NOTHING)
        place = self._place
        nobody = {} if self._holder is not None else {"tree.usage": _NOBODY}
        if not self.workspace.state.usage:
            nobody["tree.clear"] = "Nobody has used anything."
        if place is None:
            return nobody | dict.fromkeys((*(f"tree.{name}" for name in needing), "tree.add"), _USER)
        if not place:
            return nobody | dict.fromkeys(("tree.move", "tree.clone", "tree.up", "tree.down"), _ROOT)
        return nobody

    @property
    def copied(self) -> str:
        """The path of the chosen node."""
        row = self._row
        return row.path if row else self.grid.cursor_text

    def opened(self, key: str) -> None:
        """Edit it."""
        if self._row is not None and not self.workspace.read_only:
            self._edit()

    # Editing ----------------------------------------------------------------------------------------------------

    def _post(self, text: str, place: NodePosition | None = None, *, typing: bool = False) -> None:
        """Give the cluster another tree; the cursor goes to a node's new place."""
        name = self.object_name or Kind.SHARETREE.value
        self.post_message(FieldEdited(Kind.SHARETREE, name, "tree", text, typing))
        self._wanted = place

    def _edit(self) -> None:
        row = self._row
        if row is None:
            return

        def keep(shares: str | None) -> None:
            if shares is not None:
                self._post(editing.with_field(self._text, row.place, "shares", shares))

        explanation = "Shares count against those of its neighbours: a whole number."
        self.app.push_screen(NameDialog(f"Shares of {row.path}", explanation, shares_problem, str(row.shares)), keep)

    def _usage(self) -> None:
        holder = self._holder
        if holder is not None:
            ask_usage(self, self.workspace, holder)

    def _clear_usage(self) -> None:
        ask_to_clear_usage(self, self.workspace, self._holder)

    @property
    def _holder(self) -> UsageOwner | None:
        """Whose usage the chosen node stands for; None for a node that is but a place for others."""
        row, key = self._row, self.grid.chosen or ""
        path = row.path if row is not None else key.removeprefix("user ")
        outcome = next((node_outcome for node_outcome in self._outcomes if node_outcome.path == path), None)
        if outcome is not None and (outcome.user is not None or outcome.project == outcome.name):
            return UsageOwner(outcome.user, outcome.project)
        return None

    def _step(self, by: int) -> None:
        row = self._row
        shares = stepped(str(row.shares), by) if row is not None else None
        if row is not None and shares is not None and shares != str(row.shares):
            self._post(editing.with_field(self._text, row.place, "shares", shares), typing=True)

    def _add(self) -> None:
        if not self._rows:
            self._post(editing.NEW_TREE, (0,))
            return
        row = self._row
        if row is None:
            return
        # A user or `default` has no nodes below it: what is added there becomes its neighbour.
        inner = not row.is_leaf or self.workspace.cluster.get(Kind.PROJECT, row.name) is not None or not row.place
        parent = row.place if inner else row.place[:-1]

        def keep(name: str | None) -> None:
            if name:
                self._post(*editing.added(self._text, parent, name, _NEW_SHARES))

        picks = [Pick(name, note) for name, note in names_for(self.workspace.cluster, self._rows)]
        self.app.push_screen(PickOne(f"Add below {self._path(parent)}", picks, free=True), keep)

    def _rename(self) -> None:
        row = self._row
        if row is None:
            return

        def keep(name: str | None) -> None:
            if name:
                self._post(editing.with_field(self._text, row.place, "name", name))

        picks = [Pick(name, note) for name, note in names_for(self.workspace.cluster, self._rows)]
        self.app.push_screen(PickOne(f"Rename {row.path}", picks, row.name, free=True), keep)

    def _delete(self) -> None:
        if (place := self._place) is not None:
            self._post(editing.removed(self._text, place))

    def _shift(self, by: int) -> None:
        if (place := self._place) is not None:
            self._post(*editing.shifted(self._text, place, by))

    def _move(self) -> None:
        row = self._row
        if row is not None:
            goals = [tree_row for tree_row in self._goals() if not editing.is_below(tree_row.place, row.place)]
            self._pick_goal(f"Move {row.path} below", goals, lambda goal: editing.moved(self._text, row.place, goal))

    def _clone(self) -> None:
        row = self._row
        if row is not None:
            goals = self._goals()
            self._pick_goal(f"Copy {row.path} below", goals, lambda goal: editing.copied(self._text, row.place, goal))

    def _goals(self) -> list[TreeRow]:
        """The nodes that may have nodes below them."""
        users = self.workspace.cluster.objects(Kind.USER)
        return [row for row in self._rows if row.name != "default" and row.name not in users]

    def _pick_goal(
        self, title: str, goals: list[TreeRow], change: Callable[[NodePosition], tuple[str, NodePosition]]
    ) -> None:
        places = {row.path: row.place for row in goals}

        def keep(path: str | None) -> None:
            if path is not None:
                self._post(*change(places[path]))

        self.app.push_screen(PickOne(title, [Pick(path) for path in places]), keep)

    def _find(self) -> None:
        places = {row.path: row.place for row in self._rows}

        def go(path: str | None) -> None:
            if path is not None:
                self.grid.move_to(key_of(places[path]))

        self.app.push_screen(PickOne("Find a node", [Pick(path) for path in places]), go)

    def _edit_text(self) -> None:
        cluster, tree = self.workspace.cluster, self.workspace.cluster.single(Kind.SHARETREE)

        def keep(text: str | None) -> None:
            if text is not None:
                self._post(text)

        dialog = LinesDialog(
            "The share tree", tree.text("tree"), lambda text: check_object(cluster, tree.with_value("tree", text))
        )
        self.app.push_screen(dialog, keep)

    def _path(self, place: NodePosition) -> str:
        return next(row.path for row in self._rows if row.place == place)


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
