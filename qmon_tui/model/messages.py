"""All scheduling messages with their numbers in the message catalogue (messages.md#catalogue-of-texts).

Every inserted text is truncated to 100 characters, except the reason of an alarm, and the message to 255.
"""

AT_HOST = 47042
NO_PERMISSION = 47043
WRONG_PROJECT = 47044
NO_PROJECT = 47045
EXCLUDED_PROJECT = 47046
QUEUES_NOT_REQUESTABLE = 47047
NOT_IN_QUEUE_LIST = 47048
NOT_PARALLEL_QUEUE = 47049
NOT_IN_PE_LIST = 47050
NOT_CHECKPOINTING_QUEUE = 47051
NOT_IN_CKPT_LIST = 47052
NOT_INTERACTIVE = 47053
NOT_BATCH = 47054
JOB_NOT_PARALLEL = 47055
FORCED_IN_QUEUE = 47056
IN_QUEUE = 47059
GLOBALLY = 47061
FORCED_ON_HOST = 47062
NO_CKPT = 47064
PE_SLOTS = 47065
NO_PE_ACCESS = 47066
SUSPEND_ALARM = 47067
OVERLOADED = 47068
ALL_DROPPED = 47069
START_TIME = 47072
ERROR_STATE = 47073
HOLD_STATE = 47074
USER_LIMIT = 47075
DEPENDENCIES = 47076
FULL = 47078
SUSPENDED = 47079
DISABLED = 47080
NOT_AVAILABLE = 47081
NO_PE = 47084
NOT_CLEAN = 47085
TASK_LIMIT = 47086
NOT_REQUESTED = 47101
TURNED_OFF = 47115
JOB_LIST = 47116
NO_MESSAGES = 47122
NO_SLOTS_IN_PE = 47134
QUOTA = 47144
QUEUE_NOT_RESERVED = 47146
NOT_RESERVED = 47148
RESERVATION_IN_ERROR = 47150

_TEXTS = {
    AT_HOST: '(-l {}) cannot run at host "{}" because {}',
    NO_PERMISSION: 'has no permission for {} "{}"',
    WRONG_PROJECT: '(project {}) does not have the correct project to run in {} "{}"',
    NO_PROJECT: '(no project) does not have the correct project to run in {} "{}"',
    EXCLUDED_PROJECT: '(project {}) is not allowed to run in {} "{}" based on the excluded project list',
    QUEUES_NOT_REQUESTABLE: 'cannot run in queue instance "{}" because queues are non requestable',
    NOT_IN_QUEUE_LIST: 'cannot run in queue "{}" because it is not contained in its hard queue list (-q)',
    NOT_PARALLEL_QUEUE: 'cannot run in queue instance "{}" because it is not of parallel type',
    NOT_IN_PE_LIST: 'cannot run in queue "{}" because PE "{}" is not in PE list',
    NOT_CHECKPOINTING_QUEUE: 'cannot run in queue instance "{}" because it is not of type checkpointing',
    NOT_IN_CKPT_LIST: 'cannot run in queue instance "{}" because ckpt object "{}" is not in ckpt list of queue',
    NOT_INTERACTIVE: 'cannot run in queue "{}" because it is not of type interactive',
    NOT_BATCH: 'cannot run in queue instance "{}" because it is not of type batch',
    JOB_NOT_PARALLEL: 'cannot run in queue instance "{}" because the job is not parallel',
    FORCED_IN_QUEUE: "does not request 'forced' resource \"{}\" of queue instance {}",
    IN_QUEUE: '(-l {}) cannot run in queue "{}" because {}',
    GLOBALLY: "(-l {}) cannot run globally because {}",
    NOT_CLEAN: 'cannot run on host "{}" until clean up of a previous run has finished',
    FORCED_ON_HOST: "does not request 'forced' resource \"{}\" of host {}",
    NO_CKPT: "cannot run because requested ckpt object not found",
    PE_SLOTS: 'cannot run in PE "{}" because it only offers {} slots',
    NO_PE_ACCESS: 'cannot run because no access to PE "{}"',
    SUSPEND_ALARM: 'queue instance "{}" is in suspend alarm: {}',
    OVERLOADED: 'queue instance "{}" dropped because it is overloaded: {}',
    ALL_DROPPED: "All queues dropped because of overload or full",
    START_TIME: "execution time not reached",
    ERROR_STATE: "Job is in error state",
    HOLD_STATE: "Job is in hold state",
    USER_LIMIT: "job dropped because of user limitations",
    DEPENDENCIES: "job dropped because of job dependencies",
    FULL: 'queue instance "{}" dropped because it is full',
    SUSPENDED: 'queue instance "{}" dropped because it is suspended',
    DISABLED: 'queue instance "{}" dropped because it is disabled',
    NOT_AVAILABLE: 'queue instance "{}" dropped because it is temporarily not available',
    NO_PE: "no matching PE found",
    TASK_LIMIT: "not all array tasks may be started due to 'max_aj_instances'",
    NOT_REQUESTED: "Jobs can not run because they do not request 'forced' resource",
    TURNED_OFF: "(Collecting of scheduler job information is turned off)",
    JOB_LIST: "(Scheduler job information not available for every job)",
    NO_MESSAGES: "There are no messages available",
    NO_SLOTS_IN_PE: 'cannot run because total slots of PE "{}" not in range of job',
    QUOTA: 'cannot run because it exceeds limit "{}" in rule "{}"',
    QUEUE_NOT_RESERVED: 'cannot run in queue instance "{}" because it was not reserved by advance reservation {}',
    NOT_RESERVED: 'cannot run in queue "{}" because it was not reserved by advance reservation {}',
    RESERVATION_IN_ERROR: "cannot run because requested advance reservation {} is in error state",
}

PLACE = {
    **dict.fromkeys((AT_HOST, NO_PERMISSION, NO_PROJECT, FORCED_IN_QUEUE, IN_QUEUE, FORCED_ON_HOST), 1),
    **dict.fromkeys((WRONG_PROJECT, EXCLUDED_PROJECT), 2),
    **dict.fromkeys((QUEUES_NOT_REQUESTABLE, NOT_IN_QUEUE_LIST, NOT_PARALLEL_QUEUE, NOT_IN_PE_LIST), 0),
    **dict.fromkeys((NOT_CHECKPOINTING_QUEUE, NOT_IN_CKPT_LIST, NOT_INTERACTIVE, NOT_BATCH, JOB_NOT_PARALLEL), 0),
    NOT_CLEAN: 0,
    **dict.fromkeys(
        (SUSPEND_ALARM, OVERLOADED, FULL, SUSPENDED, DISABLED, NOT_AVAILABLE, QUEUE_NOT_RESERVED, NOT_RESERVED), 0
    ),
}
"""Message -> index of the insert that names its queue, queue instance or host."""

_UNLIMITED = frozenset({SUSPEND_ALARM, OVERLOADED})
_LONGEST_INSERT = 100
_LONGEST_MESSAGE = 255


def message(number: int, *inserts: str) -> str:
    """Return the text of a scheduling message as qstat -j prints it."""
    if number in _UNLIMITED:
        parts = (inserts[0][:_LONGEST_INSERT], *inserts[1:])
    else:
        parts = tuple(insert[:_LONGEST_INSERT] for insert in inserts)
    return _TEXTS[number].format(*parts)[:_LONGEST_MESSAGE]


def not_simulated(what: str) -> str:
    """Return the reason shown for a job that needs a feature which is not simulated."""
    return f"not simulated yet: {what}"


OFFERS_ONLY = "it offers only "
FOR_DEFAULT_REQUEST = "for default request "
EXCLUSIVE_IN_USE = "exclusive resource ({}) is already in use"
UNKNOWN_RESOURCE = "job requests unknown resource ({})"
NOT_REQUESTABLE = 'job requests non requestable resource {}"'
MISSING_ATTRIBUTE = 'missing attribute "{}" in complexes'
DUE_TO_RESERVATION = " due to a reservation"
OF_CLUSTER_QUEUE = "of cluster queue"
