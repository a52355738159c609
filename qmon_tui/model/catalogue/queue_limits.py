"""The sixteen resource limits of a cluster queue. Source: queue_conf(5), setrlimit(2)."""

from functools import partial

from qmon_tui.model.fields import Field, ValueType

_field = partial(Field, group="Limits", per_host=True, infinity=True, source="queue_conf(5)")

LIMITS = (
    _field(
        "s_rt", ValueType.TIME, "INFINITY", "Wall clock time after which a job is warned, then ended after `notify`."
    ),
    _field("h_rt", ValueType.TIME, "INFINITY", "Wall clock time after which a job is killed."),
    _field("s_cpu", ValueType.TIME, "INFINITY", "CPU time of the whole job, per slot, after which it is warned."),
    _field("h_cpu", ValueType.TIME, "INFINITY", "CPU time of the whole job, per slot, after which it is killed."),
    _field("s_fsize", ValueType.MEMORY, "INFINITY", "Largest file a job may write; it may raise this up to h_fsize."),
    _field("h_fsize", ValueType.MEMORY, "INFINITY", "Largest file a job may ever write."),
    _field("s_data", ValueType.MEMORY, "INFINITY", "Data segment of a process; it may raise this up to h_data."),
    _field("h_data", ValueType.MEMORY, "INFINITY", "Largest data segment of a process."),
    _field("s_stack", ValueType.MEMORY, "INFINITY", "Stack of a process; it may raise this up to h_stack."),
    _field("h_stack", ValueType.MEMORY, "INFINITY", "Largest stack of a process."),
    _field("s_core", ValueType.MEMORY, "INFINITY", "Core dump of a process; it may raise this up to h_core. 0: none."),
    _field("h_core", ValueType.MEMORY, "INFINITY", "Largest core dump of a process. 0: none."),
    _field("s_rss", ValueType.MEMORY, "INFINITY", "Resident memory of a process; it may raise this up to h_rss."),
    _field("h_rss", ValueType.MEMORY, "INFINITY", "Largest resident memory of a process."),
    _field(
        "s_vmem", ValueType.MEMORY, "INFINITY", "Virtual memory of the whole job, per slot: beyond it, it is warned."
    ),
    _field(
        "h_vmem", ValueType.MEMORY, "INFINITY", "Virtual memory of the whole job, per slot: beyond it, it is killed."
    ),
)
