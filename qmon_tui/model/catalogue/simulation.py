"""Every field of the keys `simulation` and `workload`, declared once: reader, printer and document follow from it."""

from typing import Final

from qmon_tui.model.simulation_plan import CommandLine, HostFailure, LoadValue, SimulationPlan
from qmon_tui.model.state_fields import StateField, StateSpec, StateType
from qmon_tui.model.workload import Arrivals, JobKind, Workload

_LENGTH_WRONG: Final = '"{text}" is not a length of time, write seconds, 90m, 8h or 1:30:0'
_NUMBER_WRONG: Final = '"{text}" is not a number, write one such as 0.5 or 2G'
_POSITIVE_WRONG: Final = '"{text}" is not a number above 0'
_SWITCH: Final = ("true", "false")

SIMULATION: Final = StateSpec(
    "A simulation of the cluster",
    SimulationPlan,
    "Below `simulation`: what `qmon-tui simulate` needs besides; its options go before. Offsets count from `now`, the "
    "beginning. `load`, `commands` and `failures` are described below.",
    (
        StateField("until", StateType.TIME, "where it ends; without it, when nothing happens any more", example="+8h"),
        StateField("seed", StateType.COUNT, "the seed of all that is drawn at random", digits=15,
                   wrong='"{text}" is no seed, write a whole number'),
        StateField("start_delay", StateType.LENGTH, "from the dispatch of a task to its arrival at the host; 5 with "
                   "the simulated hosts of a real qmaster", wrong=_LENGTH_WRONG),
        StateField("simulated_hosts", StateType.BOOLEAN, "as SIMULATE_EXECDS of a real qmaster: suspended tasks end in "
                   "time all the same, and limits end nothing", choices=_SWITCH,
                   wrong="simulated_hosts is true or false", source="lifecycle.md#simulated-execution-hosts"),
    ),
)  # fmt: skip

LOAD_VALUE: Final = StateSpec(
    "How load values follow the jobs",
    LoadValue,
    "Below `load` of `simulation`, for each load value: `np_load_avg: {per_slot: 1, per_processor: true}`. Besides "
    "them, `interval` is the time between two reports, and `hosts` tells what differs on some hosts: "
    "`hosts: {sim1: {np_load_avg: {idle: 0.5}}}`.",
    (
        StateField("idle", StateType.NUMBER, "what it is without jobs", example="32G", wrong=_NUMBER_WRONG,
                   source="host_conf(5) load_values"),
        StateField("per_slot", StateType.NUMBER, "what each slot adds in which something runs", wrong=_NUMBER_WRONG),
        StateField("per_request", StateType.WORD, "an attribute whose requested amount each slot adds; with a minus "
                   "sign it is subtracted", example="-h_vmem"),
        StateField("per_processor", StateType.BOOLEAN, "divided by num_proc of the host, as np_load_avg is",
                   choices=_SWITCH, wrong="per_processor is true or false"),
        StateField("average", StateType.LENGTH, "over which it is averaged; without it, it follows at once",
                   wrong=_LENGTH_WRONG),
    ),
)  # fmt: skip

COMMAND: Final = StateSpec(
    "Commands at a time",
    CommandLine,
    "Each begins with a dash in the list `commands` of `simulation`.",
    (
        StateField("at", StateType.TIME, "when it is given", needed=True, always=True, example="+2h"),
        StateField("command", StateType.WORD, "the line of qalter, qhold, qrls, qdel, qmod, qrsub, qrdel or qconf",
                   needed=True, always=True, example="qmod -d all.q@sim1"),
        StateField("owner", StateType.WORD, "who gives it, for qrsub"),
    ),
)  # fmt: skip

FAILURE: Final = StateSpec(
    "Hosts that fail",
    HostFailure,
    "Each begins with a dash in the list `failures` of `simulation`.",
    (
        StateField("host", StateType.WORD, "the host that falls silent, with all that runs there", needed=True,
                   always=True),
        StateField("at", StateType.TIME, "when", needed=True, always=True, example="+2h"),
        StateField("returns", StateType.TIME, "when it comes back; without it, it does not", example="+3h"),
    ),
)  # fmt: skip

SIMULATION_SPECS: Final = (SIMULATION, LOAD_VALUE, COMMAND, FAILURE)

WORKLOAD: Final = StateSpec(
    "Work that is made up, or taken from a trace",
    Workload,
    "Below `workload`, or in a file of its own for `--workload`. What is drawn is written as a number `600`, as "
    "numbers that are equally likely or have weights (`1 4 16`, `1=8 4=2`), as `uniform 60 600`, or as `lognormal 10m "
    "1.2` with median and sigma, and with the least and the largest number behind (`lognormal 10m 1.2 1s 8h`).",
    (
        StateField("arrivals", StateType.CHOICE, "poisson: at random; even: at equal distances; sessions: users come "
                   "for a session and think between submissions; lublin: the model of Lublin and Feitelson, which "
                   "draws sizes and run times, too", choices=tuple(Arrivals), source="workloads.md#arrivals",
                   wrong=f'"{{text}}" is no way in which jobs come, write one of {", ".join(Arrivals)}'),
        StateField("jobs", StateType.COUNT, "the most that come; without it, as many as come in `length`",
                   wrong='"{text}" is not a number of jobs'),
        StateField("start", StateType.TIME, "when they begin to come; without it, at the beginning", example="+1h"),
        StateField("length", StateType.LENGTH, "how long they come; without it, a day, or until there are `jobs`",
                   wrong=_LENGTH_WRONG, example="8h"),
        StateField("rate", StateType.POSITIVE, "jobs by the hour, on average over the cycles; without it and `load`, "
                   "60", wrong=_POSITIVE_WRONG, example="120"),
        StateField("load", StateType.POSITIVE, "instead of `rate`: the part of all slots that the jobs would keep busy",
                   wrong=_POSITIVE_WRONG, example="0.8", source="workloads.md#rate-and-load"),
        StateField("day", StateType.CYCLE, "how many come in each hour of the day, compared with the others: 24 "
                   "numbers", digits=24, example="1 1 1 1 1 1 1 2 5 8 9 9 7 8 9 9 8 6 4 3 2 2 1 1"),
        StateField("week", StateType.CYCLE, "the same for Monday to Sunday: 7 numbers", digits=7,
                   example="5 5 5 5 4 1 1"),
        StateField("burst", StateType.RANDOM, "jobs that come at once", example="1=9 20=1"),
        StateField("session", StateType.RANDOM, "submissions in a session", example="uniform 2 20"),
        StateField("think", StateType.RANDOM_LENGTH, "from one submission of a session to the next",
                   example="lognormal 5m 1"),
        StateField("trace", StateType.WORD, "a file with an SWF trace or accounting records, beside the folder's "
                   "files, from which the jobs are taken; fields above and kinds then do not count",
                   example="week.swf", source="workloads.md#traces"),
        StateField("resample", StateType.BOOLEAN, "the users of a trace are drawn again, each with all of their jobs",
                   choices=("true", "false"), wrong="resample is true or false",
                   source="workloads.md#user-resampling"),
        StateField("scale", StateType.POSITIVE, "the load of a trace is changed to so many times what it is",
                   wrong=_POSITIVE_WRONG, example="1.2", source="workloads.md#load-scaling"),
        StateField("map_users", StateType.RENAMES, "users of a trace and what they are called here",
                   example="{user1: anna}"),
        StateField("map_queues", StateType.RENAMES, "queues of a trace and those that are asked for instead; one that "
                   "is not among them is not asked for", example="{queue1: long.q}"),
        StateField("map_pes", StateType.RENAMES, "parallel environments of a trace; jobs of an SWF trace with more "
                   "than one processor ask for swf", example="{swf: mpi}"),
        StateField("map_projects", StateType.RENAMES, "projects of a trace; in SWF these are its groups, of which only "
                   "those become projects that are named here", example="{group3: sea}"),
    ),
)  # fmt: skip

JOB_KIND: Final = StateSpec(
    "Kinds of jobs",
    JobKind,
    "Each begins with a dash in the list `kinds` of `workload`. A field that stands in `workload` itself holds for all "
    "kinds that do not say another.",
    (
        StateField("name", StateType.WORD, "the name of the jobs", source="qsub(1) -N"),
        StateField("weight", StateType.POSITIVE, "how often they come, compared with the other kinds",
                   wrong=_POSITIVE_WRONG, example="3"),
        StateField("users", StateType.WEIGHTS, "who submits them; without it, the users of the cluster",
                   example="{anna: 3, bert: 1}"),
        StateField("projects", StateType.WEIGHTS, "their projects; NONE for none", example="{sea: 1, NONE: 2}",
                   source="qsub(1) -P"),
        StateField("queues", StateType.WEIGHTS, "queues that they ask for; NONE for none", example="[short.q, long.q]",
                   source="qsub(1) -q"),
        StateField("pes", StateType.WEIGHTS, "parallel environments of those with more than one slot", example="mpi",
                   source="qsub(1) -pe"),
        StateField("slots", StateType.RANDOM, "slots of each", example="1=8 4=2 16=1"),
        StateField("tasks", StateType.RANDOM, "tasks of an array; 1 for a job that is none", example="uniform 1 50",
                   source="qsub(1) -t"),
        StateField("runtime", StateType.RANDOM_LENGTH, "how long each task runs", example="lognormal 10m 1.2 1s 8h"),
        StateField("over_time", StateType.RANDOM, "how many times its run time it asks for as h_rt, in whole minutes; "
                   "without it, it asks for none", example="uniform 1 5", source="workloads.md#requests"),
        StateField("memory", StateType.RANDOM_NUMBER, "what each slot needs; without it, none is asked for",
                   example="uniform 1G 4G"),
        StateField("over_memory", StateType.RANDOM, "how many times that it asks for", example="uniform 1 3"),
        StateField("memory_attribute", StateType.WORD, "the attribute by which it is asked for; of a trace: NONE where "
                   "it is not", example="mem_free"),
        StateField("qsub", StateType.WORD, "more options of qsub", example="-R y -l gpu=1"),
    ),
)  # fmt: skip

WORKLOAD_SPECS: Final = (WORKLOAD, JOB_KIND)
