"""Where a job goes: the order of queue instances and the search among them.

Source: dispatch.md#search-for-one-slot and parallel.md#one-attempt.
"""

from qmon_tui.scheduler.placement.plain_queue_list import PlainQueueList
from qmon_tui.scheduler.placement.queue_order import HostRanks, QueueList, QueueOrder
from qmon_tui.scheduler.placement.sequential_search import (
    GLOBAL_SCOPE,
    HOST_SCOPE,
    INSTANCE_SCOPE,
    QUEUE_SCOPE,
    QUOTA_SCOPE,
    Attempt,
    Rejection,
    SequentialSearch,
    SequentialShortcuts,
    free_slots,
)

__all__ = [
    "GLOBAL_SCOPE",
    "HOST_SCOPE",
    "INSTANCE_SCOPE",
    "QUEUE_SCOPE",
    "QUOTA_SCOPE",
    "Attempt",
    "HostRanks",
    "PlainQueueList",
    "QueueList",
    "QueueOrder",
    "Rejection",
    "SequentialSearch",
    "SequentialShortcuts",
    "free_slots",
]
