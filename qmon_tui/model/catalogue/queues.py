"""The 49 fields of a cluster queue in print order. Source: queue_conf(5), queue.md#fields."""

from functools import partial

from qmon_tui.model.fields import Field, KindSpec, ValueType
from qmon_tui.model.kinds import Kind

_field = partial(Field, group="Limits", per_host=True, source="queue_conf(5)")

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


SOURCE = "queue_conf(5)"
SHELL_START_MODES = ("posix_compliant", "unix_behavior", "script_from_stdin")
MAX_SLOTS = 9999999

_field = partial(Field, source=SOURCE, per_host=True)

_GENERAL = "General"
_EXECUTION = "Execution"
_CKPT = "Checkpointing"
_PE = "Parallel environments"
_THRESHOLDS = "Thresholds"
_COMPLEXES = "Complexes"
_SUBORDINATES = "Subordinates"
_USERS = "User access"
_PROJECTS = "Project access"
_OWNERS = "Owners"
_names = partial(_field, type=ValueType.NAMES, default="NONE")
_usersets = partial(_names, group=_USERS, refers_to=Kind.USERSET)
_projects = partial(_names, group=_PROJECTS, refers_to=Kind.PROJECT)
_command = partial(_field, type=ValueType.STRING, default="NONE", group=_EXECUTION)
_attributes = partial(_field, type=ValueType.ENTRIES, default="NONE", refers_to=Kind.COMPLEX)

_FIELDS = (
    Field("qname", ValueType.NAME, "template", "Name of the cluster queue.", source=SOURCE),
    Field(
        "hostlist",
        ValueType.HOSTS,
        "NONE",
        "Hosts and @hostgroups that get an instance of this queue.",
        refers_to=Kind.HOST,
        source=SOURCE,
    ),
    _field("seq_no", ValueType.UNSIGNED, "0", "Place in the queue order; lower is filled first when sorting by seqno."),
    _attributes(
        "load_thresholds",
        default="np_load_avg=1.75",
        help="Load values that stop new jobs when one is reached (state a).",
        group=_THRESHOLDS,
    ),
    _attributes(
        "suspend_thresholds",
        help="Load values that make running jobs get suspended when one is reached (state A).",
        group=_THRESHOLDS,
    ),
    _field("nsuspend", ValueType.UNSIGNED, "1", "Jobs suspended or resumed per suspend interval.", _THRESHOLDS),
    _field("suspend_interval", ValueType.TIME, "00:05:00", "Time between two such suspensions.", _THRESHOLDS),
    _field(
        "priority",
        ValueType.STRING,
        "0",
        "nice value of the jobs' processes, -20 to 20; it does not touch the order of pending jobs.",
        minimum=-20,
        maximum=20,
    ),
    _field("min_cpu_interval", ValueType.TIME, "00:05:00", "Shortest time between two checkpoints of a job.", _CKPT),
    _field(
        "processors", ValueType.RANGES, "UNDEFINED", "Processor numbers to bind jobs to; UNDEFINED leaves them free."
    ),
    _field(
        "qtype",
        ValueType.FLAGS,
        "BATCH INTERACTIVE",
        "Kinds of job accepted; NONE leaves only parallel and checkpointing jobs.",
        choices=("BATCH", "INTERACTIVE"),
    ),
    _names("ckpt_list", help="Checkpointing environments offered here.", group=_CKPT, refers_to=Kind.CKPT),
    # The editor template lists `make smp mpi`, which a new cluster refuses; queue_conf(5) documents NONE.
    _names("pe_list", help="Parallel environments offered here.", group=_PE, refers_to=Kind.PE),
    _field("rerun", ValueType.BOOLEAN, "FALSE", "Start jobs again after a crash unless they were submitted with -r n."),
    _field(
        "slots",
        ValueType.UNSIGNED,
        "1",
        "Slots of each queue instance: how many single-slot jobs it runs at a time.",
        minimum=0,
        maximum=MAX_SLOTS,
    ),
    _field("tmpdir", ValueType.STRING, "/tmp", "Folder in which each job gets a scratch folder of its own ($TMPDIR)."),
    _field("shell", ValueType.PATH, "/bin/sh", "Shell that runs job scripts unless qsub -S names another.", _EXECUTION),
    _command("prolog", help="Command run before each job; a user may precede it: root@/path."),
    _command("epilog", help="Command run after each job; a user may precede it: root@/path."),
    _field(
        "shell_start_mode",
        ValueType.CHOICE,
        "posix_compliant",
        "How scripts start: by their #! line (unix_behavior), by the shell, or fed to the shell's input.",
        _EXECUTION,
        choices=SHELL_START_MODES,
    ),
    _command("starter_method", help="Command that starts the job in place of the shell."),
    _command("suspend_method", help="Signal or command that suspends a job."),
    _command("resume_method", help="Signal or command that resumes a job."),
    _command("terminate_method", help="Signal or command that ends a job."),
    _field(
        "notify", ValueType.TIME, "00:00:60", "Warning time between the notification and the signal (qsub -notify)."
    ),
    _names("owner_list", help="Users who may suspend, disable and enable the queue.", group=_OWNERS),
    _usersets("user_lists", help="Only members of these usersets may use the queue."),
    _usersets("xuser_lists", help="Members of these usersets may not use the queue; this wins over user_lists."),
    _field(
        "subordinate_list",
        ValueType.SUBORDINATES,
        "NONE",
        "Queues whose jobs are suspended on a host while this queue is busy there: low.q=4 or slots=8(low.q:1).",
        _SUBORDINATES,
        refers_to=Kind.QUEUE,
    ),
    _attributes(
        "complex_values",
        help="What each queue instance offers: amounts of consumables, fixed values of other attributes.",
        group=_COMPLEXES,
    ),
    _projects("projects", help="Only jobs of these projects may use the queue."),
    _projects("xprojects", help="Jobs of these projects may not use the queue; this wins over projects."),
    _field(
        "calendar",
        ValueType.REFERENCE,
        "NONE",
        "When the queue is off or suspended by itself.",
        refers_to=Kind.CALENDAR,
    ),
    _field(
        "initial_state",
        ValueType.CHOICE,
        "default",
        "State of a new queue instance and after its execution daemon starts.",
        choices=("default", "enabled", "disabled"),
    ),
)

GROUPS = (
    _GENERAL,
    _EXECUTION,
    _CKPT,
    _PE,
    _THRESHOLDS,
    "Limits",
    _COMPLEXES,
    _SUBORDINATES,
    _USERS,
    _PROJECTS,
    _OWNERS,
)

QUEUE = KindSpec(
    kind=Kind.QUEUE,
    title="Queues",
    yaml_key="queues",
    folder="cqueues",
    name_field="qname",
    name_width=21,
    help="Cluster queues: where jobs run, how many at a time, under which limits and for whom.",
    source=SOURCE,
    fields=_FIELDS + LIMITS,
    group_order=GROUPS,
)
