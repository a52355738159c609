"""Cluster -> findings: what the qmaster refuses, what the specification forbids, what looks wrong."""

from qmon_tui.checks.check_cluster import check, check_object
from qmon_tui.checks.deletion import deletion_refusals
from qmon_tui.checks.existence import addition_findings, change_findings, exists
from qmon_tui.checks.name_lists import entry_addition, entry_removal
from qmon_tui.checks.refused_for_reservations import REFUSED_FOR_RESERVATIONS
from qmon_tui.checks.rules import RULES, Rule

__all__ = [
    "REFUSED_FOR_RESERVATIONS",
    "RULES",
    "Rule",
    "addition_findings",
    "change_findings",
    "check",
    "check_object",
    "deletion_refusals",
    "entry_addition",
    "entry_removal",
    "exists",
]
