"""The panels of a quota set: "Rules", edited clause by clause or as text, and "Usage", as qquota shows it."""

from collections.abc import Mapping, Sequence

from textual.app import ComposeResult

from qmon_tui.checks import check_object
from qmon_tui.model.cluster import ConfigObject
from qmon_tui.model.findings import Finding
from qmon_tui.model.kinds import Kind
from qmon_tui.model.quota_rules import NEW_RULE, changed, inserted, moved, removed, rules_of, without_name
from qmon_tui.scheduler.configuration import boolean
from qmon_tui.tui.base.messages import FieldEdited
from qmon_tui.tui.base.span_widgets import OneLine
from qmon_tui.tui.base.table_panel import TablePanel
from qmon_tui.tui.present.quotas import (
    QUOTA_USAGE_COLUMNS,
    quota_usage_rows,
    rule_columns,
    rule_lines,
    rule_rows,
    set_line,
)
from qmon_tui.tui.present.spans import Line
from qmon_tui.workspace.workspace import Workspace

_ALONE = "The set has only this rule: a set needs one."
_NO_RULE = "The set has no rules yet: a adds one."


class RulesView(TablePanel):
    """A row per rule; below it the chosen one in full."""

    DEFAULT_CSS = "RulesView OneLine { padding: 0 1; }"

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, empty=_NO_RULE)
        self.handlers = {
            "rules.edit": self._edit,
            "rules.add": self._add,
            "rules.clone": self._clone,
            "rules.delete": self._delete,
            "rules.up": lambda: self._move(-1),
            "rules.down": lambda: self._move(1),
            "rules.text": self._edit_text,
            "rules.enable": self._switch,
        }
        self._head = OneLine()
        self._findings: tuple[Finding, ...] = ()
        self._wanted: int | None = None
        """Where the cursor goes when the last edit is there."""

    def compose(self) -> ComposeResult:
        """Whether the set counts, its rules, the chosen rule."""
        yield self._head
        yield from super().compose()

    @property
    def _set(self) -> ConfigObject | None:
        return self.workspace.cluster.get(Kind.QUOTA, self.object_name or "")

    @property
    def _rules(self) -> tuple[str, ...]:
        obj = self._set
        return rules_of(obj.text("limit")) if obj is not None else ()

    @property
    def _at(self) -> int:
        return min(self.grid.cursor, max(0, len(self._rules) - 1))

    def refresh_from(self) -> None:
        """List the rules anew."""
        obj = self._set
        if obj is None:
            return
        rules = self._rules
        result = self.workspace.result
        uses = (result.outcome.quotas if result and result.outcome else None) or ()
        self._findings = check_object(self.workspace.cluster, obj)
        head = set_line(len(rules), enabled=boolean(obj.text("enabled")))
        self._head.show(lambda _: head)
        self.grid.show_rows(rule_rows(rules, obj.name, uses, self._findings), columns=rule_columns(rules))
        if self._wanted is not None and self.grid.move_to(str(self._wanted)):
            self._wanted = None
        self.draw_about()

    def about(self, cells: int) -> Sequence[Line]:
        """The chosen rule in full, in words, and what is wrong with it."""
        rules = self._rules
        return rule_lines(self.workspace.cluster, rules[self._at], self._findings, cells) if rules else ()

    def refusals(self) -> Mapping[str, str]:
        """What needs a rule, or room to move."""
        rules = self._rules
        if not rules:
            return dict.fromkeys(("rules.edit", "rules.clone", "rules.delete", "rules.up", "rules.down"), _NO_RULE)
        refusals = {}
        if len(rules) == 1:
            refusals["rules.delete"] = _ALONE
        if self._at == 0:
            refusals["rules.up"] = "This is the first rule."
        if self._at == len(rules) - 1:
            refusals["rules.down"] = "This is the last rule."
        return refusals

    @property
    def copied(self) -> str:
        """The rule as resource_quota writes it."""
        rules = self._rules
        return f"limit {rules[self._at]}" if rules else ""

    def opened(self, key: str) -> None:
        """Edit it."""
        if not self.workspace.read_only:
            self._edit()

    # Editing ----------------------------------------------------------------------------------------------------

    def _post(self, text: str, at: int | None = None) -> None:
        """Give the set other rules; the cursor goes to the rule that was put somewhere."""
        if self.object_name is None:
            return
        self.post_message(FieldEdited(Kind.QUOTA, self.object_name, "limit", text))
        self._wanted = at

    def _ask(self, place: int, rule: str, *, new: bool) -> None:
        """Edit a rule that stands at a place, or is to stand there."""
        from qmon_tui.tui.quotas.rule_dialog import RuleDialog

        obj, rules = self._set, self._rules
        if obj is None:
            return
        others = (*rules[:place], rule, *rules[place:]) if new else rules

        def keep(text: str | None) -> None:
            if text is not None:
                self._post(inserted(rules, place, text) if new else changed(rules, place, text), place)

        dialog = RuleDialog(self.workspace.cluster, self.workspace.state, obj, others, place, rule)
        dialog.is_new = new
        self.app.push_screen(dialog, keep)

    def _edit(self) -> None:
        if self._rules:
            self._ask(self._at, self._rules[self._at], new=False)

    def _add(self) -> None:
        self._ask(self._at + 1 if self._rules else 0, NEW_RULE, new=True)

    def _clone(self) -> None:
        self._post(inserted(self._rules, self._at + 1, without_name(self._rules[self._at])), self._at + 1)

    def _delete(self) -> None:
        self._post(removed(self._rules, self._at))

    def _move(self, by: int) -> None:
        text, at = moved(self._rules, self._at, by)
        self._post(text, at)

    def _switch(self) -> None:
        obj = self._set
        if obj is not None:
            text = "FALSE" if boolean(obj.text("enabled")) else "TRUE"
            self.post_message(FieldEdited(Kind.QUOTA, obj.name, "enabled", text))

    def _edit_text(self) -> None:
        from qmon_tui.tui.forms.dialogs.value_dialog import LinesDialog

        obj, cluster = self._set, self.workspace.cluster
        if obj is None:
            return

        def keep(text: str | None) -> None:
            if text is not None:
                self._post(text)

        self.app.push_screen(
            LinesDialog(
                f"Rules of {obj.name}, one a line, without the word limit",
                obj.text("limit"),
                lambda text: check_object(cluster, obj.with_value("limit", text)),
            ),
            keep,
        )


_DISABLED = "The set is disabled: nothing is counted. 0 in the tab Rules enables it."


class UsageView(TablePanel):
    """A row per counter of each limit, the fullest first."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, QUOTA_USAGE_COLUMNS)

    def refresh_from(self) -> None:
        """List what the last run left in use."""
        obj = self.workspace.cluster.get(Kind.QUOTA, self.object_name or "")
        result = self.workspace.result
        if obj is None or result is None or result.outcome is None:
            return
        enabled = boolean(obj.text("enabled"))
        uses = result.outcome.quotas or ()
        rows = quota_usage_rows(rules_of(obj.text("limit")), obj.name, uses) if enabled else []
        self.grid.show_rows(rows, empty=_DISABLED)
        self.draw_about()
