"""Every field of the key `simulation`, declared once: reader, printer and docs/cluster-folder.md follow from it."""

from typing import Final

from qmon_tui.model.simulation_plan import CommandLine, HostFailure, LoadValue, SimulationPlan
from qmon_tui.model.state_fields import StateField, StateSpec, StateType

_LENGTH_WRONG: Final = '"{text}" is not a length of time, write seconds, 90m, 8h or 1:30:0'
_NUMBER_WRONG: Final = '"{text}" is not a number, write one such as 0.5 or 2G'
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
