"""Placement: the order of queue instances and the search among them.

Source: dispatch.md#search-for-one-slot and parallel.md#one-attempt.
"""

from qmon_tui.scheduler.placement.plain_queue_list import PlainQueueList as PlainQueueList
from qmon_tui.scheduler.placement.queue_order import (
    HostRanks as HostRanks,
    QueueList as QueueList,
    QueueOrder as QueueOrder,
)
from qmon_tui.scheduler.placement.sequential_fast_path import (
    KnownChecks as KnownChecks,
    SequentialFastPath as SequentialFastPath,
)
from qmon_tui.scheduler.placement.sequential_search import (
    GLOBAL_SCOPE as GLOBAL_SCOPE,
    HOST_SCOPE as HOST_SCOPE,
    INSTANCE_SCOPE as INSTANCE_SCOPE,
    QUEUE_SCOPE as QUEUE_SCOPE,
    QUOTA_SCOPE as QUOTA_SCOPE,
    Attempt as Attempt,
    Rejection as Rejection,
    SequentialSearch as SequentialSearch,
    free_slots as free_slots,
)
