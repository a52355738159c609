"""Read the state of a cluster from all YAML files of its folder: now, jobs, loads, states, usage, reservations ..."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from qmon_tui.formats.state.drains import DRAINS, EXCEPTIONS, DrainReader
from qmon_tui.formats.state.host_and_queue_states import (
    ChangeTimesReader,
    UsageReader,
    read_instances,
    read_loads,
    read_pe_alg,
    written_twice,
)
from qmon_tui.formats.state.jobs import JobReader, ReservationReader
from qmon_tui.formats.state.node_reader import JobTimes, NodeReader
from qmon_tui.formats.state.simulation import read_plan, read_workload
from qmon_tui.formats.state.state_contents import StateContents, StateItem
from qmon_tui.formats.yaml import Node, Scalar, resolve
from qmon_tui.model import (
    DIALECTS,
    HIGHEST_NUMBER,
    LAST_NUMBERS,
    NO_PLAN,
    PeAlg,
    SimulationPlan,
    State,
    StateField,
    StateType,
    beginning_of_day,
)
from qmon_tui.model.catalogue.state import INSTANCE
from qmon_tui.values import whole_number

_OF_INSTANCES = {field.key: field for field in INSTANCE.fields if field.type is not StateType.EVENT_TIME}
"""Top-level key -> the field of queue instances in it; without times, which are read when all jobs are known."""


def read_state(items: Iterable[tuple[str, StateItem]]) -> StateContents:
    """Read the state from (file, item) pairs; a key may be in several files."""
    notes = NodeReader()
    jobs = JobReader(notes)
    usage = UsageReader(notes)
    reservations = ReservationReader(notes)
    changes = ChangeTimesReader(notes)
    reasons = {key.key: DrainReader(notes, key) for key in (DRAINS, EXCEPTIONS)}
    takers: dict[str, Callable[[Node], None]] = {key: reader.take for key, reader in reasons.items()}
    takers |= {"jobs": jobs.take, "usage": usage.take, "reservations": reservations.take, "changed": changes.take}
    loads: dict[str, Mapping[str, str]] = {}
    instances: dict[str, dict[str, str]] = {key: {} for key in _OF_INSTANCES}
    scores: dict[str, PeAlg] = {}
    simulated: dict[str, tuple[str, Node]] = {}
    dialect = ""
    numbers: dict[str, int] = {}
    now: tuple[str, str, Node] | None = None
    for file, (key, node, value) in items:
        notes.file = file
        if key in takers:
            takers[key](value)
        elif key == "loads":
            _merge(notes, loads, read_loads(notes, value), node, "the load values of {} are written twice")
        elif key in instances:
            field = _OF_INSTANCES[key]
            _merge(notes, instances[key], read_instances(notes, value, field), node, written_twice(field))
        elif key == "pe_alg":
            _merge(notes, scores, read_pe_alg(notes, value), node, "{} is written twice")
        elif key in simulated:
            notes.say("format.duplicate", f"{key} is written twice, also in {simulated[key][0]}", node)
        elif key in ("simulation", "workload"):
            simulated[key] = (file, value)
        elif key in LAST_NUMBERS:
            _merge(notes, numbers, _number(notes, key, value), node, "{} is written twice")
        elif key == "dialect":
            dialect = _dialect(notes, value)
        elif now is not None:
            notes.say("format.duplicate", f"now is written twice, also in {now[0]}", node)
        else:
            body = resolve(value)
            text = body.text.strip() if isinstance(body, Scalar) else ""
            if text:
                now = (file, text, value)
            else:
                notes.say("format.yaml.type", "now is a time such as 2026-11-21T09:00:00", value)
    clock = JobTimes(now[1] if now else None, jobs.submission_texts())
    finished = jobs.finish(clock)
    moment = max((job.submitted for job in finished), default=clock.base)
    starts = (task.started for job in finished for task in job.tasks.values())
    moment = max([moment, *(int(started) for started in starts if started is not None)])
    if now is not None:
        notes.file = now[0]
        moment = clock.read(notes, now[1], now[2], None, moment)
    shared = MappingProxyType({host: MappingProxyType(dict(values)) for host, values in loads.items()})
    places = MappingProxyType(notes.places)
    state = State(
        now=moment,
        jobs=finished,
        loads=shared,
        usage=usage.finish(clock),
        reservations=reservations.finish(clock, moment),
        changed=changes.finish(clock),
        drains=reasons[DRAINS.key].finish(clock),
        exceptions=reasons[EXCEPTIONS.key].finish(clock),
        **{field.attribute: _column(field, instances[key]) for key, field in _OF_INSTANCES.items()},
        pe_alg=scores.get("pe_alg", (0, 0, 0)),
        places=places,
        jobseqnum=numbers.get("jobseqnum", 0),
        arseqnum=numbers.get("arseqnum", 0),
    )
    # Times of the plan count from the beginning of the day.
    begins = beginning_of_day(state) if now is None else moment
    plan = _simulation(notes, simulated, begins)
    has_time = now is not None or (bool(finished) and begins == moment)
    state = replace(state, beginning=None if has_time else begins, simulation=plan)
    return StateContents(state, tuple(notes.findings), dialect)


def _simulation(notes: NodeReader, simulated: Mapping[str, tuple[str, Node]], now: int) -> SimulationPlan:
    workload, plan = None, NO_PLAN
    if "workload" in simulated:
        notes.file, node = simulated["workload"]
        workload = read_workload(notes, node, now)
    if "simulation" in simulated:
        notes.file, node = simulated["simulation"]
        plan = read_plan(notes, node, now)
    return plan if workload is None else replace(plan, workload=workload)


def _column(field: StateField, texts: Mapping[str, str]) -> Any:
    """Return the state's value for a field of queue instances: for a flag the names that have it, else name -> text."""
    return frozenset(texts) if field.type is StateType.FLAG else MappingProxyType(texts)


def _number(notes: NodeReader, key: str, node: Node) -> dict[str, int]:
    """Read the last number given to a job or reservation, as {key: number}; empty, with a finding, if it is invalid."""
    text = notes.word(node)
    number = whole_number(text, most=HIGHEST_NUMBER)
    if number is None:
        notes.say("format.yaml.type", f'"{text}" is not the last number given, write 0 to {HIGHEST_NUMBER}', node)
    else:
        notes.place(key, node)
    return {key: number or 0}


def _dialect(notes: NodeReader, node: Node) -> str:
    name = notes.word(node)
    if name not in DIALECTS:
        notes.say("format.yaml.type", f"dialect is one of {', '.join(DIALECTS)}", node)
        return ""
    return name


def _merge(notes: NodeReader, known: dict[str, Any], fresh: Mapping[str, Any], node: Node, message: str) -> None:
    for name, value in fresh.items():
        if name in known:
            notes.say("format.duplicate", message.format(name), node)
        else:
            known[name] = value
