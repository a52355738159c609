"""Actions of the panels of quota sets."""

from typing import TYPE_CHECKING

from qmon_tui.model import NEW_RULE, Kind, inserted, moved, removed, without_name
from qmon_tui.tui.keys import ActionSet, Pane
from qmon_tui.tui.quotas import rule_dialog

if TYPE_CHECKING:
    from qmon_tui.tui.quotas.hit_test_panel import HitTestView
    from qmon_tui.tui.quotas.quota_panels import RulesView

_FORM = (Pane.FORM,)

RULES_ACTIONS: "ActionSet[RulesView]" = ActionSet("rules")


def _no_rule(view: "RulesView") -> str | None:
    if view.rules and view.grid.chosen is None:
        return "No rule is in sight: Esc drops the filter."
    return None if view.rules else view.NO_RULE


def _alone(view: "RulesView") -> str | None:
    return _no_rule(view) or ("The set has only this rule: a set needs one." if len(view.rules) == 1 else None)


def _first(view: "RulesView") -> str | None:
    return _no_rule(view) or ("This is the first rule." if view.at == 0 else None)


def _last(view: "RulesView") -> str | None:
    return _no_rule(view) or ("This is the last rule." if view.at == len(view.rules) - 1 else None)


@RULES_ACTIONS.action(
    "edit", "e", text="Edit this rule clause by clause", refused=_no_rule, dangerous=True, footer=_FORM
)
def _edit(view: "RulesView") -> None:
    if view.rules:
        rule_dialog.ask_rule(view, view.at, view.rules[view.at], new=False)


@RULES_ACTIONS.action("add", "a", text="Add a rule after this one", dangerous=True, footer=_FORM)
def _add(view: "RulesView") -> None:
    rule_dialog.ask_rule(view, view.at + 1 if view.rules else 0, NEW_RULE, new=True)


@RULES_ACTIONS.action(
    "clone",
    "c",
    text="Add a copy of this rule after it",
    refused=_no_rule,
    dangerous=True,
    footer=_FORM,
)
def _clone(view: "RulesView") -> None:
    view.replace_rules(inserted(view.rules, view.at + 1, without_name(view.rules[view.at])), view.at + 1)


@RULES_ACTIONS.action(
    "except",
    "Y",
    text="Add an exception for a user before this rule, with an end date in its name",
    refused=_no_rule,
    dangerous=True,
    footer=_FORM,
)
def _except(view: "RulesView") -> None:
    rule_dialog.ask_exception(view)


@RULES_ACTIONS.action(
    "delete",
    "d",
    "delete",
    text="Delete this rule; undo undoes it",
    refused=_alone,
    dangerous=True,
    footer=_FORM,
)
def _delete(view: "RulesView") -> None:
    view.replace_rules(removed(view.rules, view.at))


@RULES_ACTIONS.action(
    "up",
    "less_than_sign",
    "shift+up",
    refused=_first,
    dangerous=True,
    footer=_FORM,
    text="Move this rule up: the first that matches applies",
)
def _up(view: "RulesView") -> None:
    view.replace_rules(*moved(view.rules, view.at, -1))


@RULES_ACTIONS.action(
    "down",
    "greater_than_sign",
    "shift+down",
    text="Move this rule down",
    refused=_last,
    dangerous=True,
    footer=_FORM,
)
def _down(view: "RulesView") -> None:
    view.replace_rules(*moved(view.rules, view.at, 1))


@RULES_ACTIONS.action(
    "text",
    "ctrl+e",
    text="Edit all rules as text, as resource_quota writes them",
    dangerous=True,
    footer=_FORM,
)
def _text(view: "RulesView") -> None:
    rule_dialog.ask_rules_as_text(view)


@RULES_ACTIONS.action(
    "enable", "0", label="on/off", text="Enable or disable the whole set", dangerous=True, footer=_FORM
)
def _enable(view: "RulesView") -> None:
    obj = view.quota_set
    if obj is not None:
        view.edit_field(Kind.QUOTA, obj.name, "enabled", "FALSE" if view.is_enabled else "TRUE")


HIT_TEST_ACTIONS: "ActionSet[HitTestView]" = ActionSet("hit")


@HIT_TEST_ACTIONS.action(
    "job",
    "b",
    label="of job",
    footer=_FORM,
    text="Ask about a job: its owner, project, parallel environment, and its place",
)
def _ask_about_job(view: "HitTestView") -> None:
    view.pick_job()
