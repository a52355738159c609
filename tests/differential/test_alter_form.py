"""Every field of the form that alters a job: what the qalter that it writes leaves in the job, beside the real one."""

import shlex
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from qmon_tui.model.jobs import Job
from qmon_tui.qmaster.commands import alter, new_job, submit
from qmon_tui.report.jobtable.job_drafts import altered_job
from qmon_tui.report.jobtable.job_form import form_fields
from qmon_tui.sources import read_folder
from tests.differential.command_sessions import CLUSTER
from tests.differential.commanding import Ours, attributes_of, our_attributes
from tests.differential.loading import load
from tests.differential.qmaster import Qmaster

VALUES: Final = {
    "-N": "other", "-P": "sea", "-q": "re.q", "-soft -q": "all.q", "-masterq": "all.q", "-pe": "mpi 2-4", "-tc": "3",
    "-p": "-7", "-ot": "9", "-js": "4", "-hold_jid": "1", "-h": "u", "-a": "203001010101", "-R": "y", "-r": "y",
    "-ckpt": "ck", "-c": "s", "-A": "acct", "-wd": "/tmp", "-cwd": "yes", "-o": "/o", "-e": "/e", "-i": "/i", "-j": "y",
    "-S": "/bin/sh", "-v": "A=1", "-V": "yes", "-ac": "a=1", "-m": "be", "-M": "a@b", "-notify": "yes",
    "-binding": "linear:1", "-l gpu": "1", "-l num_proc": "2", "-l h_rt": "60", "-l arch": "lx",
}  # fmt: skip
LINES: Final = {"-masterq": "-pe mpi 2 sleep 999", "-tc": "-t 1-3 sleep 999"}
_FOLLOWS: Final = ("blocking jobs", "exited jobs")


@pytest.mark.qmaster
def test_a_value_given_and_taken_away_is_what_the_real_qalter_leaves(qmaster: Qmaster) -> None:
    with TemporaryDirectory() as folder:
        Path(folder, "cluster.yaml").write_text(CLUSTER)
        cluster = read_folder(folder).cluster
    qmaster.restart()
    load(qmaster, cluster)
    ours = Ours.fresh()

    def submitted(line: str) -> int:
        qmaster.run_as("usera", "staff", "qsub", "-b", "y", *shlex.split(line))
        ours.state = submit(ours.cluster, ours.state, new_job(ours.state, "usera", line)).state
        return ours.state.jobs[-1].id

    def job(number: int) -> Job:
        return next(job for job in ours.state.jobs if job.id == number)

    submitted("-h sleep 999")
    compared = 0
    for field in form_fields(cluster, altering=True):
        if field.key not in VALUES:
            continue
        number = submitted(LINES.get(field.key, "sleep 999"))
        for value in (VALUES[field.key], ""):
            here = job(number)
            options = altered_job(here, here.own_holds(here.task_ids[0])).with_value(field.key, value)[0].typed
            if not options:
                continue  # the form says that qalter cannot do that
            real = qmaster.run("qalter", *shlex.split(options), str(number)).text.splitlines()
            reply = alter(ours.cluster, ours.state, number, options)
            ours.state = reply.state
            said = sorted(line.strip() for line in real if line.strip() and not any(one in line for one in _FOLLOWS))
            assert sorted(reply.messages) == said, options
            assert our_attributes(job(number)) == attributes_of(qmaster, number), options
            compared += 1
    assert compared > len(VALUES)
