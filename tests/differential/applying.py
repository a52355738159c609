"""A private real qmaster that plans may change, and small plans for it."""

from pathlib import Path

from qmon_tui.applying import Applied, Plan, apply_plan, make_plan, target_of
from qmon_tui.model import Cluster, Kind, config_object
from qmon_tui.sources import Reading
from qmon_tui.sources.qmaster_source import QmasterSource
from tests.differential.qmaster import BINARIES, Qmaster
from tests.differential.test_running_cluster import cell_of


def writable(qmaster: Qmaster, tmp_path: Path, clients: Path = BINARIES) -> QmasterSource:
    return QmasterSource(cell_of(qmaster, clients, shared=str(tmp_path / "shared")), writes=True)


def small(source: QmasterSource) -> Cluster:
    """Three users, a project and a queue: five commands."""
    live = source.read().cluster
    users = [config_object(Kind.USER, f"u{number}", {"name": f"u{number}"}) for number in range(3)]
    project = config_object(Kind.PROJECT, "climate", {"name": "climate"})
    queue = config_object(Kind.QUEUE, "new.q", {"qname": "new.q", "hostlist": "NONE", "seq_no": "7"})
    return live.with_objects((*users, project, queue))


def planned(source: QmasterSource, wanted: Cluster) -> tuple[Plan, Reading]:
    live = source.read()
    return make_plan(target_of(source), "wanted", live.cluster, wanted, live.state), live


def applied_to(source: QmasterSource, wanted: Cluster) -> Applied:
    plan, live = planned(source, wanted)
    applied = apply_plan(source, plan, live.cluster, live.state)
    assert applied.is_whole
    return applied
