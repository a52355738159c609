"""Read and write the keys `simulation` and `workload` of a YAML file: a `SimulationPlan` and a `Workload`.

simulation:
  until: +8h                  # offsets count from `now`
  seed: 7
  start_delay: 5
  load:
    interval: 40
    np_load_avg: {per_slot: 1.0, idle: 0.02, per_processor: true, average: 60}
    virtual_free: {idle: 32G, per_request: -h_vmem}
    hosts:
      sim[1-3]: {np_load_avg: {per_slot: 0.5}}
  commands:
  - {at: +1h, command: qmod -d all.q@sim1}
  failures:
  - {host: sim2, at: +2h, returns: +3h}

The catalogues of simulations and workloads, and docs/cluster-folder.md, describe each field.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.state.field_values import field_texts, flow_text, read_values, rendered
from qmon_tui.formats.state.host_and_queue_states import hosts_named
from qmon_tui.formats.state.node_reader import ItemReading, JobTimes, NodeReader
from qmon_tui.formats.state.plan_values import read_length
from qmon_tui.formats.yaml import Mapping as MappingNode, Node, Scalar, Sequence, braces, resolve, scalar
from qmon_tui.model import (
    NO_PLAN,
    REPORT_INTERVAL,
    CommandLine,
    HostFailure,
    JobKind,
    LoadModel,
    LoadValue,
    Origin,
    SimulationPlan,
    StateSpec,
    StateType,
    Workload,
)
from qmon_tui.model.catalogue.simulation import COMMAND, FAILURE, JOB_KIND, LOAD_VALUE, SIMULATION, WORKLOAD
from qmon_tui.values import canonical

RULE: Final = "format.simulation"
_WORKLOAD_RULE: Final = "format.workload"
_KINDS: Final = "kinds"
_DAYS: Final = 366 * 86400
_PLAINEST: Final = "{weight: 1}"
_LOAD, _COMMANDS, _FAILURES = "load", "commands", "failures"
_INTERVAL, _HOSTS = "interval", "hosts"
_NONE: Final = "NONE"
_UNREADABLE: Final = -1
"""Stands for a time that cannot be read."""


def read_plan(notes: NodeReader, node: Node, now: int) -> SimulationPlan:
    """Return the plan of the key `simulation`; its offsets count from `now` (seconds since the epoch)."""
    body = mapping_of(notes, node, "simulation holds names and values, such as start_delay: 5")
    if body is None:
        return NO_PLAN
    nodes = notes.fields(body, (*SIMULATION.names, _LOAD, _COMMANDS, _FAILURES), "simulation", RULE)
    reading = reading_from(notes, now)
    plan = SimulationPlan(**values_of(reading, SIMULATION, nodes))
    if plan.until is not None and plan.until < now:
        notes.say(RULE, "the simulation would end before it begins", nodes["until"])
        plan = replace(plan, until=None)
    if _LOAD in nodes:
        plan = replace(plan, load=_load(reading, nodes[_LOAD]))
    commands = (
        CommandLine(**values, origin=Origin(notes.file, item.line))
        for item, values in list_items(reading, nodes.get(_COMMANDS), COMMAND, "a command")
    )
    return replace(plan, commands=tuple(commands), failures=tuple(_failures(reading, nodes.get(_FAILURES))))


def reading_from(notes: NodeReader, now: int, rule: str = RULE) -> ItemReading:
    """Return a context for reading fields whose offsets count from `now` (seconds since the epoch)."""
    clock = JobTimes(None, ())
    clock.base = now
    return ItemReading(notes, clock, rule, _UNREADABLE)


def values_of(reading: ItemReading, spec: StateSpec, nodes: Mapping[str, Node]) -> dict[str, Any]:
    """Return attribute -> value of the fields that are given and can be read."""
    values = read_values(reading, spec, nodes) or {}
    for field in spec.fields:
        if field.type is StateType.TIME and values.get(field.attribute) == _UNREADABLE:
            del values[field.attribute]
    return values


def mapping_of(notes: NodeReader, node: Node, shape: str) -> MappingNode | None:
    """Return a mapping; None if the node is empty or, with a finding, something else."""
    body = resolve(node)
    if isinstance(body, MappingNode):
        return body
    if not (isinstance(body, Scalar) and body.text in ("", "NONE")):
        notes.say("format.yaml.type", shape, node)
    return None


def list_items(
    reading: ItemReading, node: Node | None, spec: StateSpec, what: str, rule: str = RULE
) -> Iterator[tuple[MappingNode, dict[str, Any]]]:
    """Yield the items of a list with their values; an item without a needed field is reported and left out."""
    body = resolve(node) if node is not None else None
    if body is None or (isinstance(body, Scalar) and body.text in ("", "NONE")):
        return
    if not isinstance(body, Sequence):
        reading.notes.say("format.yaml.type", f"this is a list, {what} begins with a dash", node)
        return
    for item in body.items:
        inner = mapping_of(
            reading.notes, item, f"{what} is written as " + ", ".join(f"{name}: ..." for name in spec.names)
        )
        if inner is None:
            continue
        nodes = reading.notes.fields(inner, spec.names, what, rule)
        values = values_of(reading, spec, nodes)
        missing = [field.name for field in spec.fields if field.needed and field.name not in nodes]
        if missing:
            reading.notes.say(rule, f"{what} needs {', '.join(missing)}", item)
        elif all(field.attribute in values for field in spec.fields if field.needed):
            yield inner, values


def _failures(reading: ItemReading, node: Node | None) -> Iterator[HostFailure]:
    for item, values in list_items(reading, node, FAILURE, "a failure of a host"):
        failure = HostFailure(**{**values, "host": canonical(values["host"])})
        if failure.returns is not None and failure.returns < failure.at:
            reading.notes.say(RULE, f"{failure.host} would come back before it fails", item)
        else:
            yield failure


def _load(reading: ItemReading, node: Node) -> LoadModel | None:
    notes = reading.notes
    body = mapping_of(notes, node, "load holds load values, such as np_load_avg: {per_slot: 1.0}")
    if body is None:
        return None
    pairs = notes.pairs(_LOAD, "np_load_avg: {per_slot: 1.0}", body)
    given = {key.text: value for key, value in pairs}
    interval = REPORT_INTERVAL
    if _INTERVAL in given:
        text = notes.word(given[_INTERVAL])
        seconds = read_length(text)
        if not seconds:
            notes.say(RULE, f'"{text}" is no time between two reports, write seconds, 1 or more', given[_INTERVAL])
        interval = seconds or REPORT_INTERVAL
    values = _load_values(reading, [(key, value) for key, value in pairs if key.text not in (_INTERVAL, _HOSTS)], {})
    hosts: dict[str, Mapping[str, LoadValue]] = {}
    for name, own in notes.pairs(_HOSTS, "sim1: {np_load_avg: {idle: 0.5}}", given[_HOSTS]) if _HOSTS in given else ():
        own_values = _load_values(reading, notes.pairs(name.text, "np_load_avg: {idle: 0.5}", own), values)
        for host in hosts_named(notes, name.text, name):
            if host in hosts:
                notes.say("format.duplicate", f"the load of {host} is written twice", name)
            hosts.setdefault(host, MappingProxyType(own_values))
    return LoadModel(interval, MappingProxyType(values), MappingProxyType(hosts))


def _load_values(
    reading: ItemReading, pairs: list[tuple[Scalar, Node]], usual: Mapping[str, LoadValue]
) -> dict[str, LoadValue]:
    """Return load value -> its model; fields that are not given are taken from `usual`."""
    values: dict[str, LoadValue] = {}
    for name, node in pairs:
        body = mapping_of(reading.notes, node, f"{name.text} is written as {{{', '.join(LOAD_VALUE.names)}}}")
        if body is None:
            continue
        nodes = reading.notes.fields(body, LOAD_VALUE.names, f"{name.text} in load", RULE)
        given = values_of(reading, LOAD_VALUE, nodes)
        if given.get("per_request") == _NONE:
            given["per_request"] = None
        values[name.text] = replace(usual.get(name.text, LoadValue()), **given)
    return values


def simulation_lines(plan: SimulationPlan) -> Iterator[str]:
    """Yield the lines of the key; none for the default plan."""
    if replace(plan, workload=None) == NO_PLAN:
        return
    yield "simulation:"
    yield from (f"  {name}: {rendered(SIMULATION, name, text)}" for name, text in field_texts(SIMULATION, plan).items())
    if plan.load is not None:
        yield from _load_lines(plan.load)
    for key, spec, items in ((_COMMANDS, COMMAND, plan.commands), (_FAILURES, FAILURE, plan.failures)):
        if items:
            yield f"  {key}:"
        yield from (f"  - {flow_text(spec, item)}" for item in items)


def _load_lines(load: LoadModel) -> Iterator[str]:
    yield f"  {_LOAD}:"
    yield f"    {_INTERVAL}: {load.interval}"
    yield from (f"    {scalar(name)}: {flow_text(LOAD_VALUE, value)}" for name, value in load.values.items())
    if load.hosts:
        yield f"    {_HOSTS}:"
    for host, values in load.hosts.items():
        # All fields are written: a missing one would be read as that of the other hosts.
        yield f"      {scalar(host)}: {braces({name: _all_of(value) for name, value in values.items()})}"


def _all_of(value: LoadValue) -> str:
    full = StateSpec("", LoadValue, "", tuple(replace(field, always=True) for field in LOAD_VALUE.fields))
    return flow_text(full, replace(value, per_request=value.per_request or _NONE))


def read_workload(notes: NodeReader, node: Node, now: int) -> Workload | None:
    """Return the workload of the key `workload`; its offsets count from `now`. None if it is empty or invalid."""
    body = mapping_of(notes, node, "workload holds names and values, such as rate: 60")
    if body is None:
        return None
    usual = tuple(name for name in JOB_KIND.names if name != "weight")
    nodes = notes.fields(body, (*WORKLOAD.names, *usual, _KINDS), "workload", _WORKLOAD_RULE)
    reading = reading_from(notes, now, _WORKLOAD_RULE)
    given = values_of(reading, WORKLOAD, nodes)
    origin = Origin(notes.file, node.line)
    own_options = {name: nodes[name] for name in usual if name in nodes}
    kind = JobKind(**values_of(reading, JOB_KIND, own_options), origin=origin)
    _note_options(notes, kind, nodes.get("qsub"))
    kinds = []
    for item, own in list_items(reading, nodes.get(_KINDS), JOB_KIND, "a kind of jobs", _WORKLOAD_RULE):
        kinds.append(replace(kind, **own, origin=Origin(notes.file, item.line)))
        if "qsub" in own:
            _note_options(notes, kinds[-1], item)
    workload = Workload(**given, kinds=tuple(kinds) or (kind,), origin=origin)
    if workload.start is not None and workload.start < now:
        notes.say(
            _WORKLOAD_RULE, "jobs would come before the simulation begins, they come from its beginning", nodes["start"]
        )
        workload = replace(workload, start=None)
    if workload.rate is not None and workload.load is not None:
        notes.say(_WORKLOAD_RULE, "rate and load both say how many jobs come: load counts", nodes["rate"])
        workload = replace(workload, rate=None)
    if workload.length is not None and not 0 < workload.length <= _DAYS:
        notes.say(_WORKLOAD_RULE, "jobs come for a second at least, and for a year at most", nodes["length"])
        workload = replace(workload, length=None)
    return workload


def _note_options(notes: NodeReader, kind: JobKind, node: Node | None) -> None:
    """Report problems with the qsub options of a kind's jobs."""
    if node is not None:
        for message in parse_qsub(f"{kind.qsub} sleep").problems:
            notes.say(_WORKLOAD_RULE, f"qsub: {message}", node)


def workload_lines(workload: Workload | None) -> Iterator[str]:
    """Yield the lines of the key; none without a workload."""
    if workload is None:
        return
    texts = field_texts(WORKLOAD, workload)
    if not texts and workload.kinds == (JobKind(),):
        yield "workload: {arrivals: poisson}"
        return
    yield "workload:"
    yield from (f"  {name}: {rendered(WORKLOAD, name, text)}" for name, text in texts.items())
    yield f"  {_KINDS}:"
    yield from (f"  - {flow_text(JOB_KIND, kind) if kind != JobKind() else _PLAINEST}" for kind in workload.kinds)
