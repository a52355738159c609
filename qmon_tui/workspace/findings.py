"""Findings about the cluster or the edited object, and edits that a qmaster would refuse."""

from collections.abc import Iterable, Iterator

from qmon_tui import qmaster
from qmon_tui.checks import REFUSED_FOR_RESERVATIONS, check, check_object, deletion_refusals, exists, job_refusals
from qmon_tui.formats import is_nodeset
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind, Severity, State
from qmon_tui.model.catalogue import spec
from qmon_tui.workspace import rename_delete
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.edits import with_order

_REFUSED = "a running qmaster refuses this edit"
_OCCUPIED_KINDS = (Kind.QUEUE, Kind.HOST, Kind.PE, Kind.CKPT)
"""Kinds whose objects the qmaster does not delete while jobs use them."""


def findings_of(cluster: Cluster, state: State, saved: Document) -> tuple[Finding, ...]:
    """Return all findings about a cluster, its state, and its edits since it was saved."""
    return (*check(cluster, state), *_refused_edits(cluster, state, saved))


def _refused_edits(cluster: Cluster, state: State, saved: Document) -> Iterator[Finding]:
    """Yield a finding for each edit that a qmaster with these jobs and advance reservations refuses."""
    if cluster is saved.cluster:
        return
    refused: list[Finding] = []
    for kind in _OCCUPIED_KINDS:
        for name in saved.cluster.objects(kind).keys() - cluster.objects(kind).keys():
            refused += job_refusals(saved.cluster, saved.state, saved.cluster.objects(kind)[name])
    for name in saved.cluster.objects(Kind.HOST).keys() - cluster.objects(Kind.HOST).keys():
        # Queues and hostgroups may name an unknown host, but the qmaster deletes no host that they name.
        host = saved.cluster.objects(Kind.HOST)[name]
        refused += deletion_refusals(cluster.with_object(host), Kind.HOST, name)
    for finding in {finding.message: finding for finding in refused}.values():
        yield finding._replace(message=f"{_REFUSED}: {finding.message}")
    if not state.reservations:
        return
    for broken in qmaster.ar_conflicts(saved.cluster, cluster, state):
        obj = cluster.get(broken.kind, broken.name)
        if obj is not None:
            yield REFUSED_FOR_RESERVATIONS[broken.kind].finding(obj, broken.field, f"{_REFUSED}: {broken.text}")


def object_findings(
    cluster: Cluster, name: str, candidate: ConfigObject, state: State | None = None
) -> tuple[Finding, ...]:
    """Return the findings about the candidate in place of the object of this name; the candidate may rename it.

    `state` has the jobs that may name it; None ignores jobs.
    """
    kind, name_field = candidate.kind, spec(candidate.kind).name_field
    if candidate.name == name or name_field is None:
        return check_object(cluster, candidate, state)
    if taken := exists(cluster, candidate):
        return (taken._replace(field=name_field),)
    after = rename_delete.rename_everywhere(cluster, kind, name, candidate.name).cluster
    objects = [candidate if obj.name == name else obj for obj in after.objects(kind).values()]
    return check_object(with_order(after, kind, objects), candidate, state)


def name_problem(cluster: Cluster, name: str, candidate: ConfigObject) -> str | None:
    """Return the problem with the candidate's name as a replacement of the object of this name; None if it is valid."""
    if candidate.kind is Kind.HOST and is_nodeset(candidate.name):
        return f"{candidate.name} stands for several hosts: a host has one name. Add (a) takes such names."
    return name_finding(candidate, object_findings(cluster, name, candidate))


def name_finding(obj: ConfigObject, findings: Iterable[Finding]) -> str | None:
    """Return the first error about the name of an object, with its hint; None without one."""
    name_field = spec(obj.kind).name_field
    if name_field is None:
        return None
    wrong = next(
        (finding for finding in findings if finding.severity is Severity.ERROR and finding.field == name_field), None
    )
    return None if wrong is None else f"{wrong.message}. {wrong.hint}" if wrong.hint else wrong.message


def reader_findings(
    findings: Iterable[Finding], saved: ConfigObject | None, candidate: ConfigObject, name: str
) -> Iterator[Finding]:
    """Yield the reader's findings about an object, except for changed fields of the candidate: saving writes them."""
    for finding in findings:
        if finding.kind == candidate.kind and finding.name == name:
            field = finding.field
            if saved is None or field is None or candidate.given(field) == saved.given(field):
                yield finding
