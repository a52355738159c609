"""Resource quota sets during a run: what is used, and what a limit still lets through.

What follows from the configuration alone is in `configuration`: `quota_rules` (a rule taken apart), `quota_filters`
(who passes one), `quota_rule_matching` (the first matching rule of each queue instance), `quota_references` (what
categories must tell apart). Here: `quota_usage` (all counters behind one object), and the questions to it: `slot_quota`
(one slot), `parallel_quota` (a parallel job), `ruled_out` (what else an exceeded limit rules out), `limit_check` (one
limit and one request), `hit_test` (which rule counts for whom), `qquota` (what qquota shows).
"""

from qmon_tui.scheduler.quotas.hit_test import FilterMismatch, QuotaSetMatch, RuleMatch, hit_test
from qmon_tui.scheduler.quotas.matched_rules import (
    MatchedLimit,
    MatchedRule,
    exceeded_rules,
    filters_by_rule,
    rule_scope_text,
)
from qmon_tui.scheduler.quotas.parallel_quota import QuotaRequest, RemainingQuota
from qmon_tui.scheduler.quotas.qquota import QuotaUses
from qmon_tui.scheduler.quotas.quota_usage import (
    QuotaUsage,
    RuleUsage,
    counter_key,
    limit_amounts_of,
    subject_of,
    subject_of_job,
)
from qmon_tui.scheduler.quotas.ruled_out import RuledOut
from qmon_tui.scheduler.quotas.slot_quota import ExceededRule, SlotQuota, SlotQuotaAttempt

__all__ = [
    "ExceededRule",
    "FilterMismatch",
    "MatchedLimit",
    "MatchedRule",
    "QuotaRequest",
    "QuotaSetMatch",
    "QuotaUsage",
    "QuotaUses",
    "RemainingQuota",
    "RuleMatch",
    "RuleUsage",
    "RuledOut",
    "SlotQuota",
    "SlotQuotaAttempt",
    "counter_key",
    "exceeded_rules",
    "filters_by_rule",
    "hit_test",
    "limit_amounts_of",
    "rule_scope_text",
    "subject_of",
    "subject_of_job",
]
