"""Resource quota sets: which rule counts for whom and where, what is used, and what a limit still lets through.

What follows from the configuration and is kept between runs: `rules` (a rule taken apart), `filters` (who passes one),
`territory` (the first matching rule of each queue instance), `references` (what categories must tell apart).
The state of a run: `ledger` (all counters behind one object). Questions to it: `toll` (one slot), `purse` (a parallel
job), `reach` (what else an exceeded limit rules out), `limits` (one limit and one request), `usage` (qquota).
"""
