"""Cluster queues, instances and hosts: our numbers are those that qstat -g c, qstat -f and qhost printed."""

from typing import Any

import pytest

from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.report.cluster.qstat_listings import LETTERS, host_lines, instance_lines, queue_lines
from tests.differential.folders import read
from tests.unit.report.recorded_listings import recorded


@pytest.fixture(scope="module")
def known() -> dict[str, Any]:
    return recorded()


@pytest.fixture(scope="module")
def contents(known: dict[str, Any]) -> Any:
    return read(known["folder"])


def rows(lines: list[str], skip: int = 2) -> list[list[str]]:
    return [line.split() for line in lines[skip:] if not line.startswith("---")]


def test_cluster_queues_as_qstat_g_c_prints_them(known: dict[str, Any], contents: Any) -> None:
    before = schedule(contents.cluster, contents.state).instances_before
    ours = queue_lines(contents.cluster, instance_lines(contents.cluster, before))
    assert [
        [queue_line.name, queue_line.load_text, *map(str, (queue_line.used, queue_line.reserved, queue_line.available,
        queue_line.total)), str(queue_line.aoacds), str(queue_line.cdsue), *(str(queue_line.by_letter.get(letter, 0))
        for letter in LETTERS)] for queue_line in ours
    ] == rows(known["printed"]["qstat -g c -ext"])  # fmt: skip
    head = known["printed"]["qstat -g c -ext"][0].split()
    assert head[-len(LETTERS) :] == list(LETTERS)


def test_instances_as_qstat_f_prints_them(known: dict[str, Any], contents: Any) -> None:
    ours = instance_lines(contents.cluster, schedule(contents.cluster, contents.state).instances_before)
    assert [
        [
            instance_line.name,
            instance_line.qtype,
            instance_line.slots_text,
            instance_line.load_text,
            instance_line.arch or "-NA-",
            *([instance_line.state] if instance_line.state else []),
        ]
        for instance_line in ours
    ] == rows(known["printed"]["qstat -f"], 1)


def test_hosts_as_qhost_prints_them(known: dict[str, Any], contents: Any) -> None:
    printed = [row for row in rows(known["printed"]["qhost"]) if row[0] not in ("global", "localhost")]
    assert [
        [host_line.name, host_line.arch, host_line.ncpu, host_line.nsoc, host_line.ncor, host_line.nthr, host_line.load,
        host_line.memtot, host_line.memuse, host_line.swapto, host_line.swapus] for host_line in
        host_lines(contents.cluster, contents.state)
    ] == printed  # fmt: skip
