"""Resource quota sets during a run: what is used, and what a limit still lets through.

What follows from the configuration alone is in `configuration`: `quota_rules` (a rule taken apart), `quota_filters`
(who passes one), `quota_rule_matching` (the first matching rule of each queue instance), `quota_references` (what
categories must tell apart). Here: `quota_usage` (all counters behind one object), and the questions to it: `slot_quota`
(one slot), `parallel_quota` (a parallel job), `ruled_out` (what else an exceeded limit rules out), `limit_check` (one
limit and one request), `hit_test` (which rule counts for whom), `qquota` (what qquota shows).
"""
