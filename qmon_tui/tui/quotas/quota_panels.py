"""The panels of a quota set: "Rules", edited clause by clause or as text, and "Usage", as qquota shows it."""

from collections.abc import Sequence

from textual.app import ComposeResult

from qmon_tui.checks import check_object
from qmon_tui.model import ConfigObject, Finding, Kind, rules_of
from qmon_tui.report import Line, quotas
from qmon_tui.scheduler.configuration import boolean
from qmon_tui.tui.base import OneLine, TablePanel
from qmon_tui.workspace import Workspace


class RulesView(TablePanel):
    """A row per rule; below the table the chosen rule in full."""

    DEFAULT_CSS = "RulesView OneLine { padding: 0 1; }"

    NO_RULE = "The set has no rules yet: a adds one."

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, empty=self.NO_RULE)
        self._head = OneLine()
        self._findings: tuple[Finding, ...] = ()
        self._wanted: int | None = None
        """Index of the rule to which the cursor goes after the last edit; None if it stays."""

    def compose(self) -> ComposeResult:
        yield self._head
        yield from super().compose()

    @property
    def quota_set(self) -> ConfigObject | None:
        return self.workspace.cluster.get(Kind.QUOTA, self.object_name or "")

    @property
    def rules(self) -> tuple[str, ...]:
        """Its rules, as resource_quota writes them."""
        obj = self.quota_set
        return rules_of(obj.text("limit")) if obj is not None else ()

    @property
    def is_enabled(self) -> bool:
        """True if the set is enabled, so that its limits count."""
        obj = self.quota_set
        return obj is not None and boolean(obj.text("enabled"))

    @property
    def at(self) -> int:
        """Index of the rule under the cursor, among all rules."""
        return min(int(self.grid.chosen or 0), max(0, len(self.rules) - 1))

    def refresh_from(self) -> None:
        obj = self.quota_set
        if obj is None:
            return
        rules = self.rules
        result = self.workspace.result
        uses = quotas.shown_uses(self.workspace.figures, result.outcome if result else None)
        self._findings = check_object(self.workspace.cluster, obj)
        head = quotas.set_line(len(rules), enabled=self.is_enabled)
        self._head.show(lambda _: head)
        self.fill(
            quotas.rule_rows(rules, obj.name, uses, self._findings),
            columns=quotas.rule_columns(rules),
            empty=self.NO_RULE,
        )
        if self._wanted is not None and self.grid.move_to(str(self._wanted)):
            self._wanted = None
        self.draw_about()

    def about(self, cells: int) -> Sequence[Line]:
        """Return lines with the chosen rule in full, in words, and its findings."""
        rules = self.rules
        return quotas.rule_lines(self.workspace.cluster, rules[self.at], self._findings, cells) if rules else ()

    @property
    def copied(self) -> str:
        rules = self.rules
        return f"limit {rules[self.at]}" if rules else ""

    def opened(self, key: str) -> None:
        if not self.workspace.read_only:
            self.actions.run("rules.edit")

    # Editing ----------------------------------------------------------------------------------------------------

    def replace_rules(self, text: str, at: int | None = None) -> None:
        """Replace the rules of the set; the cursor then goes to the rule at index `at`, or stays (None)."""
        if self.object_name is None:
            return
        self.edit_field(Kind.QUOTA, self.object_name, "limit", text)
        self._wanted = at


_DISABLED = "The set is disabled: nothing is counted. 0 in the tab Rules enables it."


class UsageView(TablePanel):
    """A row per counter of each limit, the most used first."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, quotas.QUOTA_USAGE_COLUMNS)

    def refresh_from(self) -> None:
        obj = self.workspace.cluster.get(Kind.QUOTA, self.object_name or "")
        result = self.workspace.result
        if obj is None or result is None or result.outcome is None:
            return
        enabled = boolean(obj.text("enabled"))
        uses = quotas.shown_uses(self.workspace.figures, result.outcome)
        rows = quotas.quota_usage_rows(rules_of(obj.text("limit")), obj.name, uses) if enabled else []
        self.fill(rows, empty=_DISABLED)
        self.draw_about()
