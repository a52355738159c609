"""Everything that `qconf -s*` and save_sge_config.sh write of a cluster is read, and comes back byte for byte."""

from pathlib import Path

import pytest

from qmon_tui.checks import check
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import read_folder
from tests.differential.object_verdicts import object_context
from tests.differential.printing import large_cluster, prepared, printed_otherwise, saved_folder
from tests.differential.qmaster import Qmaster

CONFIGS = Path(__file__).parents[2] / "configs"


def _cluster(name: str) -> Cluster:
    return large_cluster(object_context()) if name == "large" else read_folder(CONFIGS / name).cluster


@pytest.mark.qmaster
@pytest.mark.parametrize("name", ["teaching", "site", "campus", "large"])
def test_what_is_printed_comes_back(qmaster: Qmaster, name: str) -> None:
    cluster = prepared(qmaster, _cluster(name))
    found = list(printed_otherwise(qmaster, cluster))
    assert not found, "\n".join(found[:5])
    saved = saved_folder(qmaster)
    assert not [finding for finding in saved.findings if finding.severity is Severity.ERROR]
    assert not [finding for finding in check(saved.cluster) if finding.severity is Severity.ERROR]
    for kind in (Kind.QUEUE, Kind.HOSTGROUP, Kind.PE, Kind.CALENDAR, Kind.CKPT, Kind.PROJECT, Kind.USER, Kind.QUOTA):
        assert set(saved.cluster.objects(kind)) == set(cluster.objects(kind)), kind
