"""The fast path: what is known of places that are alike is not found out again.

Each module stands beside a rule that is stated elsewhere in full, and knows no answer wherever it is not certain that
the rule would come to the same; then the rule is asked. `tests/plain` compares both.

    gist             Checker.check            one demand against all levels with equal values
    lanes            placement.sequential     the search for one slot
    parallel_lanes   placement.harvest        the search for the slots of a parallel job
    glance           placement.offers         the visit of one host
    twins            Harvest._visit           visits that come to nothing
"""
