"""Checks of a cluster: findings about what the qmaster refuses, what documents forbid and what looks wrong."""

from qmon_tui.checks.check_cluster import (
    check as check,
    check_object as check_object,
    single_file_findings as single_file_findings,
)
from qmon_tui.checks.complex_choices import (
    ColumnChoices as ColumnChoices,
    allowed as allowed,
    canonical as canonical,
    default_fits as default_fits,
    implied_values as implied_values,
)
from qmon_tui.checks.deletion import deletion_refusals as deletion_refusals, job_refusals as job_refusals
from qmon_tui.checks.existence import (
    addition_findings as addition_findings,
    change_findings as change_findings,
    exists as exists,
)
from qmon_tui.checks.name_lists import (
    entry_addition as entry_addition,
    entry_removal as entry_removal,
    is_same_name as is_same_name,
    name_in_list as name_in_list,
)
from qmon_tui.checks.quotas import is_about as is_about
from qmon_tui.checks.rules import REFUSED_FOR_RESERVATIONS as REFUSED_FOR_RESERVATIONS, RULES as RULES
from qmon_tui.checks.state import meant_hosts as meant_hosts
from qmon_tui.checks.stored_objects import (
    NAMING_ATTRIBUTES as NAMING_ATTRIBUTES,
    is_same_field as is_same_field,
    stored as stored,
    with_names as with_names,
)
