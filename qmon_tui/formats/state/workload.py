"""The key `workload` of a YAML file: read into a `Workload`, and written from one.

workload:
  arrivals: poisson
  load: 0.8
  length: 24h
  day: 1 1 1 1 1 1 1 2 5 8 9 9 7 8 9 9 8 6 4 3 2 2 1 1
  users: {anna: 3, bert: 1}
  over_time: uniform 1 4
  kinds:
  - {name: blast, weight: 3, runtime: lognormal 10m 1.2, memory: uniform 1G 4G}
  - {name: ocean, pes: mpi, slots: 4=2 16=1, runtime: lognormal 2h 0.8}

What each field means is in the catalogue of workloads and in docs/cluster-folder.md.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.state.field_values import field_texts, flow_text, rendered
from qmon_tui.formats.state.node_reader import NodeReader
from qmon_tui.formats.state.simulation import list_items, mapping_of, reading_from, values_of
from qmon_tui.formats.yaml import Node
from qmon_tui.model import JobKind, Origin, Workload
from qmon_tui.model.catalogue.workload import JOB_KIND, WORKLOAD

RULE: Final = "format.workload"
_KINDS: Final = "kinds"
_DAYS: Final = 366 * 86400


def read_workload(notes: NodeReader, node: Node, now: int) -> Workload | None:
    """Return what the key `workload` says; its times count from `now`."""
    body = mapping_of(notes, node, "workload holds names and values, such as rate: 60")
    if body is None:
        return None
    usual = tuple(name for name in JOB_KIND.names if name != "weight")
    nodes = notes.fields(body, (*WORKLOAD.names, *usual, _KINDS), "workload", RULE)
    reading = reading_from(notes, now, RULE)
    given = values_of(reading, WORKLOAD, nodes)
    origin = Origin(notes.file, node.line)
    own_options = {name: nodes[name] for name in usual if name in nodes}
    kind = JobKind(**values_of(reading, JOB_KIND, own_options), origin=origin)
    _note_options(notes, kind, nodes.get("qsub"))
    kinds = []
    for item, own in list_items(reading, nodes.get(_KINDS), JOB_KIND, "a kind of jobs", RULE):
        kinds.append(replace(kind, **own, origin=Origin(notes.file, item.line)))
        if "qsub" in own:
            _note_options(notes, kinds[-1], item)
    workload = Workload(**given, kinds=tuple(kinds) or (kind,), origin=origin)
    if workload.start is not None and workload.start < now:
        notes.say(RULE, "jobs would come before the simulation begins, they come from its beginning", nodes["start"])
        workload = replace(workload, start=None)
    if workload.rate is not None and workload.load is not None:
        notes.say(RULE, "rate and load both say how many jobs come: load counts", nodes["rate"])
        workload = replace(workload, rate=None)
    if workload.length is not None and not 0 < workload.length <= _DAYS:
        notes.say(RULE, "jobs come for a second at least, and for a year at most", nodes["length"])
        workload = replace(workload, length=None)
    return workload


def _note_options(notes: NodeReader, kind: JobKind, node: Node | None) -> None:
    """Say what qsub would not understand of the options that all jobs of a kind have."""
    if node is not None:
        for message in parse_qsub(f"{kind.qsub} sleep").problems:
            notes.say(RULE, f"qsub: {message}", node)


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


_PLAINEST: Final = "{weight: 1}"
