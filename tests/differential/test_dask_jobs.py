"""The job script that dask-jobqueue 0.9.0 makes for the workers of a sweep: a real qsub takes it (docs/compare.md).

It was printed by `SGECluster(queue="all.q", cores=1, memory="2 GB", walltime="02:00:00", resource_spec="h_vmem=2G",
job_name="qmon-sweep").job_script()`.
"""

from pathlib import Path

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.qsub import parse_qsub
from tests.differential.loading import load
from tests.differential.qmaster import Qmaster

CLUSTER = "hosts: {sim1: {}}\nqueues: {all.q: {hostlist: sim1, load_thresholds: NONE}}\n"
SCRIPT = Path(__file__).parents[1] / "data" / "dask" / "sge_job_script.sh"


@pytest.mark.qmaster
def test_a_real_qsub_takes_the_workers_of_a_sweep(qmaster: Qmaster) -> None:
    qmaster.restart()
    load(qmaster, read_texts(Layout.YAML, "c", {"cluster.yaml": CLUSTER}).cluster)
    script = qmaster.file("worker.sh", SCRIPT.read_text())
    verified = qmaster.run_as("ada", "staff", "qsub", "-verify", script).text
    assert "job_name:                   qmon-sweep" in verified
    assert "hard resource_list:         h_vmem=2G,h_rt=02:00:00" in verified
    assert "hard_queue_list:            all.q" in verified
    assert 'Your job 1 ("qmon-sweep") has been submitted' in qmaster.run_as("ada", "staff", "qsub", script).text


def test_its_options_are_read_as_qsub_reads_them() -> None:
    lines = [line.removeprefix("#$ ") for line in SCRIPT.read_text().splitlines() if line.startswith("#$ ")]
    parsed = parse_qsub(" ".join((*lines, "worker.sh")), now=0)
    assert parsed.problems == ()
    assert (parsed.name, parsed.request.hard_queues) == ("qmon-sweep", ("all.q",))
    assert parsed.request.hard == (("h_vmem", "2G"), ("h_rt", "02:00:00"))
