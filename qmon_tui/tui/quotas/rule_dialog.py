"""The questions about the rules of a quota set: one rule clause by clause, an exception, all of them as text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from qmon_tui.checks import check_object, is_about
from qmon_tui.model import (
    FILTERS,
    Cluster,
    ConfigObject,
    Finding,
    QuotaFilter,
    State,
    changed,
    clause_words,
    exception_rule,
    inserted,
    parse_rule,
    with_clause,
)
from qmon_tui.report import Cell, Column, GridRow, TextRole, filter_words
from qmon_tui.tui.base import Grid, LineTable, key_hints, local_bindings
from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.tui.forms.dialogs import LinesDialog, TableDialog, ValueDialog
from qmon_tui.tui.quotas.filter_dialog import FilterDialog, choices_for, limits_table

if TYPE_CHECKING:
    from qmon_tui.tui.quotas.quota_panels import RulesView

_CLAUSES = ("name", *FILTERS, "to")
_TITLES = {"to": "limits"}
_NOTHING = {"name": "named by its number", "to": "limits nothing"}
_COLUMNS = (Column("clause", ""), Column("word", "", minimum=12), Column("means", "", minimum=8, rank=1))


class RuleDialog(ValueDialog):
    """Dialog for one rule, a row per clause; answers the rule's text."""

    DEFAULT_CSS = """
    RuleDialog Grid { height: 7; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *local_bindings({"dialog.accept": "accept"}, priority=True),
        *local_bindings({"delete": "clear", "dialog.remove": "clear"}),
    ]
    FIRST_FOCUS = "Grid"

    def __init__(
        self, cluster: Cluster, state: State, obj: ConfigObject, rules: Sequence[str], place: int, rule: str
    ) -> None:
        super().__init__(f"Rule {place + 1} of {obj.name}", self._findings)
        self._cluster, self._state, self._obj = cluster, state, obj
        self._rules, self._place = tuple(rules), place
        self._rule = rule
        self._grid = Grid(_COLUMNS, show_head=False)

    @property
    def text(self) -> str:
        return self._rule

    def keys(self) -> tuple[str, ...]:
        return key_hints(
            self, ("open", "edit the clause"), ("delete", "remove it"), ("dialog.accept", "keep"),
            ("dialog.leave", "cancel"),
        )  # fmt: skip

    def content(self) -> ComposeResult:
        yield self._grid

    def on_mount(self) -> None:
        self._fill()
        self._grid.move_to("to")
        super().on_mount()

    def _fill(self) -> None:
        words = clause_words(self._rule)
        self._grid.show_rows([self._row(keyword, words.get(keyword, "")) for keyword in _CLAUSES])
        if self.is_mounted:
            self.preview()

    def _row(self, keyword: str, word: str) -> GridRow:
        clause = self._clause(keyword)
        means = (
            filter_words(keyword, clause) if clause is not None else "" if word else _NOTHING.get(keyword, "for all")
        )
        shown = Cell(word, TextRole.STRONG) if word else Cell("-", TextRole.DIM)
        return GridRow(keyword, (Cell(_TITLES.get(keyword, keyword)), shown, Cell(means, TextRole.DIM)))

    def _clause(self, keyword: str) -> QuotaFilter | None:
        word = clause_words(self._rule).get(keyword)
        try:
            return parse_rule(f"{keyword} {word} to slots=1").filters.get(keyword) if word else None
        except ValueError:
            return None

    def _findings(self, rule: str) -> tuple[Finding, ...]:
        candidate = self._obj.with_value("limit", changed(self._rules, self._place, rule))
        return tuple(finding for finding in check_object(self._cluster, candidate) if is_about(finding, rule))

    @on(LineTable.Opened)
    def _opened(self, event: Grid.Opened) -> None:
        event.stop()
        keyword = str(event.key)
        word = clause_words(self._rule).get(keyword, "")
        title = f"{_TITLES.get(keyword, keyword)} of rule {self._place + 1} of {self._obj.name}"

        def keep(text: str) -> None:
            self._rule = with_clause(self._rule, keyword, text)
            self._fill()

        def check(text: str) -> tuple[Finding, ...]:
            return self._findings(with_clause(self._rule, keyword, text))

        if keyword == "name":
            explanation = "Messages name the rule SET/NAME. One word."
            NameDialog(
                title, explanation, lambda name: None if len(name.split()) == 1 else "A name is one word.", word
            ).ask(self.app, keep)
        elif keyword == "to":
            table = limits_table(self._cluster, word)
            if table is not None:
                TableDialog(title, table, check).ask(self.app, keep)
        else:
            choices = choices_for(self._cluster, self._state, keyword)
            FilterDialog(keyword, self._clause(keyword), choices, check, title).ask(self.app, keep)

    def action_clear(self) -> None:
        """Remove the clause under the cursor; the limits cannot be removed, as each rule needs some."""
        keyword = self._grid.chosen
        if keyword == "to":
            self.app.bell()
        elif keyword is not None:
            self._rule = with_clause(self._rule, keyword, None)
            self._fill()


def ask_rule(view: "RulesView", place: int, rule: str, *, new: bool) -> None:
    """Edit the rule at an index, or a new one to be inserted there."""
    obj, rules = view.quota_set, view.rules
    if obj is None:
        return
    others = (*rules[:place], rule, *rules[place:]) if new else rules

    dialog = RuleDialog(view.workspace.cluster, view.workspace.state, obj, others, place, rule)
    dialog.is_new = new
    dialog.ask(
        view.app,
        lambda text: view.replace_rules(inserted(rules, place, text) if new else changed(rules, place, text), place),
    )


def ask_exception(view: "RulesView") -> None:
    """Ask for user and last day of an exception to the chosen rule, then for its limits."""
    rules, place, now = view.rules, view.at, view.workspace.state.now

    def problem(text: str) -> str | None:
        words = text.split()
        try:
            exception_rule(rules[place], words[0], words[1] if len(words) > 1 else "", now)
        except (ValueError, IndexError) as error:
            return str(error)
        return None

    def keep(text: str) -> None:
        user, day, *_ = text.split()
        ask_rule(view, place, exception_rule(rules[place], user, day, now), new=True)

    words = (
        "Write a user or an access list and the last day, such as bela 2026-12-01. Check and Attention name it when the"
        " day is over."
    )
    NameDialog("An exception to this rule", words, problem).ask(view.app, keep)


def ask_rules_as_text(view: "RulesView") -> None:
    """Edit all rules as text."""
    obj, cluster = view.quota_set, view.workspace.cluster
    if obj is None:
        return

    title = f"Rules of {obj.name}, one a line, without the word limit"
    LinesDialog(title, obj.text("limit"), lambda text: check_object(cluster, obj.with_value("limit", text))).ask(
        view.app, view.replace_rules
    )
