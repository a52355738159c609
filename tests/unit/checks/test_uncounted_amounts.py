"""Remarks on amounts that jobs do not use up (complex.md#amounts-that-are-not-counted)."""

import pytest

from qmon_tui.checks import check
from qmon_tui.model import Cluster, ConfigObject, Kind, config_object
from tests.unit.scheduler.building import attribute, cluster, host, queue

MEM = attribute("mem mem MEMORY <= YES YES 4G")
GPU = attribute("gpu gpu INT <= YES YES 0")
FREE = attribute("mem_free mf MEMORY <= YES YES 0")
VMEM = attribute("h_vmem h_vmem MEMORY <= YES NO 0")
VMEM_CONSUMED = attribute("h_vmem h_vmem MEMORY <= YES YES 0")
SHARED = config_object(Kind.QUOTA, "q", {"enabled": "TRUE", "limit": "hosts {*} to slots=$h_vmem"})
LIMIT = "{} of {} is a limit for each job, jobs do not use it up: consumable is NO"
PARTLY = '"{}" is not offered by {}, nor by queues there or global: jobs there are not limited'


def said(on: Cluster) -> list[str]:
    return [
        finding.message
        for finding in check(on)
        if finding.rule.endswith(("complex_values.not_consumed", "consumable.partly"))
    ]


@pytest.mark.parametrize(
    ("objects", "messages"),
    [
        ((VMEM, host("n1", "h_vmem=16G"), host("n2", "h_vmem=8G")), [LIMIT.format("h_vmem", "n1 and 1 more")]),
        ((VMEM, host("global", "h_vmem=16G")), [LIMIT.format("h_vmem", "global")]),
        ((VMEM, queue("a.q", "n1", complex_values="h_vmem=4G")), [LIMIT.format("h_vmem", "a.q")]),
        ((VMEM, queue("a.q", "n1", complex_values="NONE,[n1=h_vmem=4G]")), [LIMIT.format("h_vmem", "a.q")]),
        ((VMEM, host("n1", "h_vmem=16G"), SHARED), []),
        ((VMEM_CONSUMED, host("n1", "h_vmem=16G")), []),
        ((attribute("gpu_mem gm MEMORY <= YES NO 0"), host("n1", "gpu_mem=8G")), []),
        ((MEM, host("n1", "mem=48G"), host("n2", "NONE"), queue("a.q", "n1 n2")), [PARTLY.format("mem", "n2")]),
        ((MEM, host("n1", "mem=48G"), host("n2", "mem=1G"), queue("a.q", "n1 n2")), []),
        ((MEM, host("n1", "mem=48G"), host("n2", "NONE"), queue("a.q", "n1")), []),
        ((MEM, host("global", "mem=48G"), host("n2", "NONE"), queue("a.q", "n2")), []),
        ((MEM, host("n1", "mem=48G"), queue("a.q", "n1 n2", complex_values="NONE,[n2=mem=2G]")), []),
        ((MEM, queue("a.q", "n1 n2", complex_values="NONE,[n2=mem=2G]")), [PARTLY.format("mem", "n1")]),
        ((GPU, host("n1", "gpu=2"), queue("a.q", "n1 n2")), []),
        ((FREE, host("n1", "mem_free=2G"), queue("a.q", "n1 n2")), [PARTLY.format("mem_free", "n2")]),
    ],
)
def test_remarks(objects: tuple[ConfigObject, ...], messages: list[str]) -> None:
    assert said(cluster(*objects)) == messages


def test_many_hosts_are_not_all_named() -> None:
    on = cluster(MEM, host("n1", "mem=4G"), queue("a.q", "n1 n2 n3 n4 n5 n6"))
    assert said(on) == [PARTLY.format("mem", "n2, n3, n4 and 2 more hosts")]
