"""What can be done in the panels of quota sets."""

from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.keys.action_context import Pane

_FORM = (Pane.FORM,)

RULES_ACTIONS = (
    Action("rules.edit", ("e",), "edit", "Edit this rule clause by clause", dangerous=True, footer=_FORM),
    Action("rules.add", ("a",), "add", "Add a rule behind this one", dangerous=True, footer=_FORM),
    Action("rules.clone", ("c",), "clone", "Add a copy of this rule behind it", dangerous=True, footer=_FORM),
    Action("rules.delete", ("d", "delete"), "delete", "Delete this rule; undo takes it back", dangerous=True,
           footer=_FORM),
    Action("rules.up", ("less_than_sign", "shift+up"), "up", "Move this rule up: of all that match the first counts",
           dangerous=True, footer=_FORM),
    Action("rules.down", ("greater_than_sign", "shift+down"), "down", "Move this rule down", dangerous=True,
           footer=_FORM),
    Action("rules.text", ("ctrl+e",), "text", "Edit all rules as text, as resource_quota writes them", dangerous=True,
           footer=_FORM),
    Action("rules.enable", ("0",), "on/off", "Enable or disable the whole set", dangerous=True, footer=_FORM),
)  # fmt: skip

HIT_TEST_ACTIONS = (
    Action("hit.job", ("b",), "of job", "Ask for a job: its owner, project and environment, and where it is or may be",
           footer=_FORM),
)  # fmt: skip
