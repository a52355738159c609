"""Resource quota sets during a run: usage, and what a limit still allows.

`quota_usage` has all counters. The other modules read them: `slot_quota` (check of one slot), `parallel_quota` (of a
parallel job), `limit_check` (one limit and one request), `ruled_out` (what else an exceeded limit rules out),
`rule_matching` (which rule counts for a subject at a place), `qquota` (qquota's output). Rules and filters are parsed
in `configuration` (`quota_rules`, `quota_rule_matching`).
"""

from qmon_tui.scheduler.quotas.matched_rules import (
    MatchedLimit as MatchedLimit,
    MatchedRule as MatchedRule,
    exceeded_rules as exceeded_rules,
    filters_by_rule as filters_by_rule,
    rule_scope_text as rule_scope_text,
)
from qmon_tui.scheduler.quotas.parallel_quota import QuotaRequest as QuotaRequest, RemainingQuota as RemainingQuota
from qmon_tui.scheduler.quotas.qquota import QuotaUses as QuotaUses
from qmon_tui.scheduler.quotas.quota_usage import (
    QuotaUsage as QuotaUsage,
    RuleUsage as RuleUsage,
    counter_key as counter_key,
    limit_amounts_of as limit_amounts_of,
    subject_of as subject_of,
    subject_of_job as subject_of_job,
)
from qmon_tui.scheduler.quotas.rule_matching import (
    FilterMismatch as FilterMismatch,
    QuotaSetMatch as QuotaSetMatch,
    RuleMatch as RuleMatch,
    match_rules as match_rules,
)
from qmon_tui.scheduler.quotas.ruled_out import RuledOut as RuledOut
from qmon_tui.scheduler.quotas.slot_quota import (
    ExceededRule as ExceededRule,
    SlotQuota as SlotQuota,
    SlotQuotaAttempt as SlotQuotaAttempt,
)
