"""Everything that `qconf -s*` and save_sge_config.sh write of a cluster is read, and comes back byte for byte."""

from pathlib import Path

import pytest

from qmon_tui.checks import check, single_file_findings
from qmon_tui.formats import read_printed
from qmon_tui.formats.layout import LISTS
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.findings import Severity
from qmon_tui.model.instances import queue_hosts
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import read_folder
from tests.differential.object_verdicts import object_context
from tests.differential.printing import SHOW, large_cluster, prepared, printed_otherwise, saved_folder
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


@pytest.mark.qmaster
def test_the_kind_of_everything_that_is_printed_is_recognised(qmaster: Qmaster) -> None:
    cluster = prepared(qmaster, _cluster("campus"))
    for kind, option in SHOW.items():
        names = [] if kind in LISTS else [""] if spec(kind).single or kind is Kind.COMPLEX else cluster.objects(kind)
        for name in names:
            words = ("qconf", option, *([name] if name else []))
            for text in (qmaster.run(*words).out, qmaster.run("env", "-u", "SGE_SINGLE_LINE", *words).out):
                printed = read_printed(text, "file")
                assert printed is not None, text
                assert printed.kind is kind
                findings = (*printed.findings, *single_file_findings(printed.objects))
                assert not [finding for finding in findings if finding.severity is Severity.ERROR], (name, findings)
    every = read_printed(qmaster.must("qconf", "-sq", "*"), "file")
    assert every is not None
    assert {obj.name for obj in every.objects} == set(cluster.objects(Kind.QUEUE))
    name = next(iter(cluster.objects(Kind.QUEUE)))
    host = queue_hosts(cluster, cluster.objects(Kind.QUEUE)[name])[0]
    one = read_printed(qmaster.must("qconf", "-sq", f"{name}@{host}"), "file")
    assert one is not None
    assert one.instance
