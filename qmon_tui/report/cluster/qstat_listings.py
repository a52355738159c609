"""Cluster queues, queue instances and hosts with the numbers that `qstat -g c`, `qstat -f` and `qhost` print."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from qmon_tui.model import NO_DRAINS, Cluster, Drains, InstanceOutcome, Kind, State, effective_value, queue_hosts
from qmon_tui.report.drains import host_drains, instance_drains
from qmon_tui.values import is_none, parse_number, sum_in_order

LETTERS: Final = "sASCuadDcoE"
"""The columns of `qstat -g c -ext`, in its order."""
CDSUE: Final = frozenset("cdsuE")
"""States that need an administrator (column cdsuE); a slot counts here, not under aoACDS, if it has both."""
AOACDS: Final = frozenset("aoACDS")
"""States that end without an administrator (column aoACDS)."""
_UNITS: Final = " KMGTP"
_STEP: Final = 1024


@dataclass(frozen=True, slots=True)
class InstanceLine:
    """One queue instance as `qstat -f` prints it; None for a load or architecture that is not reported."""

    queue: str
    host: str
    qtype: str
    reserved: int
    used: int
    total: int
    load: float | None
    arch: str | None
    state: str
    np_load: float | None = None
    drain: str = ""
    """Reasons for disabling it, not shown by qstat; empty if unknown or enabled."""
    seq_no: int = 0

    @property
    def name(self) -> str:
        """queue@host."""
        return f"{self.queue}@{self.host}"

    @property
    def slots_text(self) -> str:
        """resv/used/tot."""
        return f"{self.reserved}/{self.used}/{self.total}"

    @property
    def load_text(self) -> str:
        """load_avg with two digits behind the point."""
        return "-NA-" if self.load is None else f"{self.load:.2f}"


@dataclass(frozen=True, slots=True)
class QueueLine:
    """One cluster queue as `qstat -g c -ext` prints it; the numbers are slots."""

    name: str
    load: float | None
    """Mean np_load_avg, weighted by slots, of the instances that report it; None if none does."""
    used: int = 0
    reserved: int = 0
    available: int = 0
    total: int = 0
    aoacds: int = 0
    cdsue: int = 0
    by_letter: Mapping[str, int] = field(default_factory=dict)
    drain: str = ""
    """Reasons for disabling its instances; empty without any."""

    @property
    def load_text(self) -> str:
        """CQLOAD."""
        return "-NA-" if self.load is None else f"{self.load:.2f}"


@dataclass(frozen=True, slots=True)
class HostLine:
    """One host as `qhost` prints it; - for a value that is not reported."""

    name: str
    arch: str
    ncpu: str
    nsoc: str
    ncor: str
    nthr: str
    load: str
    memtot: str
    memuse: str
    swapto: str
    swapus: str
    states: str = ""
    """State letters of its queue instances, with their number if not all have it: `d 1/3`. Not shown by qhost."""
    drain: str = ""
    """Reasons for disabling it or its queue instances; empty without any."""


def instance_lines(
    cluster: Cluster, instances: Iterable[InstanceOutcome], drains: Drains = NO_DRAINS
) -> list[InstanceLine]:
    """Return all queue instances in the order of `qstat -f`: by seq_no, cluster queue and host."""
    types: dict[tuple[str, str], str] = {}
    lines = [_instance(cluster, instance_outcome, types, drains) for instance_outcome in instances]
    return sorted(lines, key=lambda line: (line.seq_no, line.queue, line.host))


def _instance(
    cluster: Cluster, instance_outcome: InstanceOutcome, types: dict[tuple[str, str], str], drains: Drains
) -> InstanceLine:
    queue, _, host = instance_outcome.name.rpartition("@")
    known = {key[3:]: text for key, text in instance_outcome.values.items() if key[:3] in _LEVELS}
    return InstanceLine(
        queue, host, _qtype(cluster, queue, host, types), instance_outcome.reserved, instance_outcome.used,
        instance_outcome.total, _number(known.get("load_avg")), known.get("arch"), instance_outcome.state,
        _number(known.get("np_load_avg")), instance_drains(drains, (instance_outcome.name,)),
        int(_number(known.get("seq_no")) or 0),
    )  # fmt: skip


_LEVELS: Final = frozenset({"hl:", "hf:", "qf:", "gl:", "gf:", "hv:", "qv:"})


def _qtype(cluster: Cluster, queue: str, host: str, types: dict[tuple[str, str], str]) -> str:
    """Return the letters of BIPC that apply (batch, interactive, parallel, checkpointing), else N."""
    obj = cluster.get(Kind.QUEUE, queue)
    if obj is None:
        return ""
    plain = all(",[" not in obj.text(name) for name in ("qtype", "pe_list", "ckpt_list"))
    key = (queue, "" if plain else host)
    if key not in types:
        texts = {name: effective_value(cluster, obj, name, host).text for name in ("qtype", "pe_list", "ckpt_list")}
        words = texts["qtype"].upper()
        letters = "".join(word[0] for word in ("BATCH", "INTERACTIVE") if word in words)
        letters += "P" * (not is_none(texts["pe_list"])) + "C" * (not is_none(texts["ckpt_list"]))
        types[key] = letters or "N"
    return types[key]


def queue_lines(cluster: Cluster, instances: Sequence[InstanceLine], drains: Drains = NO_DRAINS) -> list[QueueLine]:
    """Return all cluster queues sorted by name, including those without hosts."""
    of_queue: dict[str, list[InstanceLine]] = {name: [] for name in cluster.objects(Kind.QUEUE)}
    for line in instances:
        of_queue.setdefault(line.queue, []).append(line)
    return [_queue(name, of_queue[name], drains) for name in sorted(of_queue)]


def _queue(name: str, instances: Sequence[InstanceLine], drains: Drains) -> QueueLine:
    broken = sum(line.total for line in instances if CDSUE & set(line.state))
    usable = [line for line in instances if not (CDSUE | AOACDS) & set(line.state)]
    total = sum(line.total for line in instances)
    loads = [(line.np_load, line.total) for line in instances if line.np_load is not None]
    slots = sum(total for _, total in loads)
    return QueueLine(
        name,
        sum_in_order(load * total for load, total in loads) / slots if slots else None,
        sum(line.used for line in instances),
        sum(line.reserved for line in instances),
        sum(line.total - line.used for line in usable),
        total,
        total - sum(line.total for line in usable) - broken,
        broken,
        {letter: sum(line.total for line in instances if letter in line.state) for letter in LETTERS},
        instance_drains(drains, [line.name for line in instances]),
    )


def host_names(cluster: Cluster) -> list[str]:
    """Return the names of all execution hosts, sorted: configured ones and those in queues."""
    names = dict.fromkeys(name for name in cluster.objects(Kind.HOST) if name != "global")
    for queue in cluster.objects(Kind.QUEUE).values():
        names |= dict.fromkeys(queue_hosts(cluster, queue))
    return sorted(names)


def host_lines(cluster: Cluster, state: State, instances: Iterable[InstanceLine] = ()) -> list[HostLine]:
    """Return all execution hosts with their load values, and the state letters of their queue instances."""
    letters: dict[str, list[str]] = {}
    for line in instances:
        letters.setdefault(line.host, []).append(line.state)
    return [
        _host(name, state.loads.get(name, {}), letters.get(name, ()), host_drains(state.drains, name))
        for name in host_names(cluster)
    ]


def _states(of_instances: Sequence[str]) -> str:
    """Return the state letters of a host's queue instances: `d`, or `d 1/3` if only some have it."""
    total = len(of_instances)
    numbers = {letter: sum(letter in state for state in of_instances) for letter in LETTERS}
    everywhere = "".join(letter for letter, number in numbers.items() if number == total > 0)
    some = (f"{letter} {number}/{total}" for letter, number in numbers.items() if 0 < number < total)
    return " ".join(filter(None, (everywhere, *some)))


def _host(name: str, loads: Mapping[str, str], states: Sequence[str], drain: str) -> HostLine:
    load = _number(loads.get("load_avg"))
    return HostLine(
        name,
        loads.get("arch", "-"),
        _whole(loads.get("num_proc")),
        _whole(loads.get("m_socket")),
        _whole(loads.get("m_core")),
        _whole(loads.get("m_thread")),
        "-" if load is None else f"{load:.2f}"[:5],
        memory(loads.get("mem_total")),
        memory(loads.get("mem_used")),
        memory(loads.get("swap_total")),
        memory(loads.get("swap_used")),
        _states(states),
        drain,
    )


def _whole(text: str | None) -> str:
    number = _number(text)
    return "-" if number is None else f"{number:.0f}"


def memory(text: str | None) -> str:
    """Return an amount of memory with one decimal and its unit: `8.0G`, `0.0`; - for None or no number."""
    amount = _number(text)
    if amount is None:
        return "-"
    power = 0
    while abs(amount) >= _STEP and power < len(_UNITS) - 1:
        amount /= _STEP
        power += 1
    return f"{amount:.1f}{_UNITS[power]}".rstrip()


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else parse_number(text)
    except ValueError:
        return None
