"""The questions of the panel of a quota set's rules: one rule clause by clause, all of them as text."""

from typing import TYPE_CHECKING

from qmon_tui.checks import check_object
from qmon_tui.model import changed, exception_rule, inserted
from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.tui.forms.dialogs import LinesDialog
from qmon_tui.tui.quotas.rule_dialog import RuleDialog

if TYPE_CHECKING:
    from qmon_tui.tui.quotas.quota_panels import RulesView


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
