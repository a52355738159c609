"""Where a job goes: the order of queue instances and the search among them.

Source: dispatch.md#search-for-one-slot and parallel.md#one-attempt.
"""
