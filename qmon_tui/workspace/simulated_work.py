"""Work of a simulation: the state of a cluster with the jobs of its workload or of a file."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from qmon_tui.formats import Contents, Layout, is_yaml, problem, read_texts
from qmon_tui.formats.records import Recorded, record_words
from qmon_tui.model import (
    NO_PLAN,
    Cluster,
    Finding,
    Job,
    Severity,
    SimulationPlan,
    State,
    Workload,
    at_beginning_of_day,
    beginning_of_day,
)
from qmon_tui.simulation import Settings, Simulator, with_run_times
from qmon_tui.simulation.workload import Work, begun_at, renumbered, work_of_day
from qmon_tui.sources import Reading, SourceError
from qmon_tui.sources.conversion import read_record_files
from qmon_tui.sources.record_file import read_record_file
from qmon_tui.values import format_time
from qmon_tui.workspace.document import Document

_NOW: Final = re.compile(r"^now[ \t]*:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class WorkSource:
    """Source of work: a state with its plan, and the trace that the plan names."""

    state: State
    trace: Recorded | None
    """Records of the file; None without a file."""
    file: Path | None
    """Where the trace was read."""
    findings: tuple[Finding, ...]

    def work(self, cluster: Cluster) -> Work:
        """Return the work of a day with the seed of the state."""
        work = work_of_day(cluster, self.state, trace=self.trace)
        return replace(work, findings=(*self.findings, *work.findings))


def read_work(reading: Reading, file: str | None = None, *, seed: int | None = None) -> Work:
    """Return the state of a folder with the work of its key `workload`, or of a file instead.

    The file is YAML with `workload` or `jobs`, an SWF trace, or accounting records; for the latter two the folder's
    workload maps users, queues and the like to the cluster's names. `seed` replaces the folder's. Raises SourceError
    for a file that cannot be read or is none of these.
    """
    return read_work_source(reading, file, seed=seed).work(reading.cluster)


def read_work_source(reading: Reading, file: str | None = None, *, seed: int | None = None) -> WorkSource:
    """Read the source of work, to be used for many seeds. Raises SourceError."""
    state = at_beginning_of_day(reading.state)
    findings: tuple[Finding, ...] = ()
    folder = reading.folder or Path()
    if file is not None:
        path = Path(file)
        data = read_record_file(path)
        if record_words(data) is None:
            state, findings = _with_yaml(state, path, data, has_time=reading.state.beginning is None)
            folder = path.parent
        else:
            mapping = state.simulation.workload or Workload()
            state, folder = _with_workload(state, replace(mapping, trace=str(path))), Path()
    if seed is not None:
        state = replace(state, simulation=replace(state.simulation, seed=seed))
    workload = state.simulation.workload
    recorded = trace = None
    if workload is not None and workload.trace:
        trace = folder / workload.trace
        recorded = read_record_files([str(trace)])
    return WorkSource(state, recorded, trace, findings)


def day_simulator(reading: Reading, document: Document) -> Simulator:
    """Return the simulator of a document's day at its beginning, with the work of its folder. Raises SourceError.

    Work is read from the folder as it was read, so that days before and after an edit can be compared.
    """
    work = read_work(replace(reading, state=document.state))
    state, _ = with_run_times(work.state)
    return Simulator(document.cluster, state, Settings.of(document.cluster, state))


def _with_workload(state: State, workload: Workload | None) -> State:
    return replace(state, simulation=replace(state.simulation, workload=workload))


def _with_yaml(state: State, path: Path, data: bytes, *, has_time: bool) -> tuple[State, tuple[Finding, ...]]:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise SourceError(f"{path}: {_NEITHER}") from None
    name = path.name if is_yaml(path.name) else "workload.yaml"
    texts = {name: text}
    if not _NOW.search(text):
        texts["now.yaml" if name != "now.yaml" else "time.yaml"] = f"now: {format_time(state.now)}\n"
    contents = read_texts(Layout.YAML, "workload", texts)
    jobs, workload = contents.state.jobs, contents.state.simulation.workload
    if not jobs and workload is None:
        reasons = (f"; {finding.file}:{finding.line}: {finding.message}" for finding in contents.findings[:1])
        raise SourceError(f"{path}: {_NEITHER}{''.join(reasons)}")
    of_folder = {_identity(job) for job in state.jobs}
    same = {job.id: job for job in jobs if _identity(job) in of_folder}
    own = tuple(same.get(job.id, job) for job in state.jobs)
    jobs = tuple(job for job in jobs if job.id not in same)
    if {job.id for job in jobs} & {job.id for job in own}:
        first = max(job.id for job in own) + 1
        jobs = tuple(job for job, _ in renumbered([(job, ()) for job in jobs], first))
    known, state = state, replace(_with_workload(state, workload), jobs=(*own, *jobs))
    if not has_time:
        state = begun_at(state, beginning_of_day(state))
    early = _early(jobs, replace(known, now=state.now))
    return state, (*contents.findings, *early, *_not_taken(contents, path.name, known.simulation))


def _identity(job: Job) -> tuple[int, str, int]:
    """Return the key by which a job of a file, as `simulate --out` writes it, is the same as one of the folder."""
    return job.id, job.owner, job.submitted


def _not_taken(contents: Contents, file: str, plan: SimulationPlan) -> Iterator[Finding]:
    """Yield warnings about objects and settings in a file of work, which are ignored."""
    kinds = sorted({obj.kind.value for obj in contents.cluster if obj.origin is not None})
    if kinds:
        message = f"it holds objects of a cluster ({', '.join(kinds)}), which are not taken: only its work is"
        yield problem("format.workload", message, file=file, severity=Severity.WARNING)
    if replace(contents.state.simulation, workload=None) not in (NO_PLAN, replace(plan, workload=None)):
        message = "its key simulation is not taken, only its work is: write that key in a file of the cluster folder"
        yield problem("format.workload", message, file=file, severity=Severity.WARNING)


_NEITHER: Final = "no work in there: write YAML with workload or jobs, or give an SWF trace or accounting records"


def _early(jobs: Iterable[Job], state: State) -> Iterator[Finding]:
    """Yield a warning for each job of a file that is submitted before the simulation begins and not in `state`."""
    of_folder = {_identity(job) for job in state.jobs}
    for job in jobs:
        if job.submitted < state.now and job.is_untouched and _identity(job) not in of_folder:
            origin = job.origin
            yield problem(
                "format.workload", f"job {job.id} came before the simulation begins, it waits from its beginning",
                file=origin.file if origin else None, line=origin.line if origin else None, kind="job",
                name=str(job.id), severity=Severity.WARNING,
            )  # fmt: skip
