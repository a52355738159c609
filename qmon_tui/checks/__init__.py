"""Cluster -> findings: what the qmaster refuses, what the specification forbids, what looks wrong."""

from qmon_tui.checks.check_cluster import check, check_object
from qmon_tui.checks.complex_choices import ColumnChoices, allowed, canonical, default_fits, implied_values
from qmon_tui.checks.deletion import deletion_refusals
from qmon_tui.checks.existence import addition_findings, change_findings, exists
from qmon_tui.checks.lone_objects import lone_findings
from qmon_tui.checks.name_lists import entry_addition, entry_removal, is_same_name, name_in_list
from qmon_tui.checks.quotas import is_about
from qmon_tui.checks.refused_for_reservations import REFUSED_FOR_RESERVATIONS
from qmon_tui.checks.rules import RULES, Rule
from qmon_tui.checks.stored_objects import same_value, stored

__all__ = [
    "REFUSED_FOR_RESERVATIONS",
    "RULES",
    "ColumnChoices",
    "Rule",
    "addition_findings",
    "allowed",
    "canonical",
    "change_findings",
    "check",
    "check_object",
    "default_fits",
    "deletion_refusals",
    "entry_addition",
    "entry_removal",
    "exists",
    "implied_values",
    "is_about",
    "is_same_name",
    "lone_findings",
    "name_in_list",
    "same_value",
    "stored",
]
