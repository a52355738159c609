"""Clients of a running cluster that fail: each failure is a sentence, and nothing is ever written."""

import os
import time
from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.sources import SourceError
from qmon_tui.sources.clients import READERS, refuse_writing
from qmon_tui.sources.qmaster_source import QmasterSource
from tests.differential.qmaster import BINARIES, Qmaster
from tests.differential.test_running_cluster import cell_of

pytestmark = pytest.mark.qmaster


def wrapped(folder: Path, script: str) -> Path:
    """A folder of clients that run a script, in which `real` is the client itself."""
    for name in (*READERS, "qconf"):
        place = folder / name
        place.write_text(f"#!/bin/sh\nname={name}\nreal={BINARIES}/{name}\n{script}\n")
        place.chmod(0o755)
    return folder


# Nothing is written ---------------------------------------------------------------------------------------------------


def test_reading_never_writes(site: Qmaster, tmp_path: Path) -> None:
    log = tmp_path / "log"
    clients = wrapped(tmp_path, f'echo "$name $*" >>{log}; exec $real "$@"')
    source = QmasterSource(cell_of(site, clients))
    objects = site.must("qconf", "-sq", "*") + site.must("qconf", "-ssconf")
    source.read_fresh(source.read(source.read()))
    lines = log.read_text().splitlines()
    assert len(lines) > 50
    for line in lines:
        refuse_writing(line.split())
    assert site.must("qconf", "-sq", "*") + site.must("qconf", "-ssconf") == objects


# Failures -------------------------------------------------------------------------------------------------------------

FAILURES = {
    "no answer": (
        'case "$1" in -help) exec $real "$@";; esac; echo "error: commlib error: got select error" >&2; exit 1',
        "does not answer",
    ),
    "no permission": (
        'case "$1" in -help) exec $real "$@";; esac; echo "denied: host \\"x\\" is neither submit nor admin host" >&2;'
        " exit 1",
        "does not let you ask",
    ),
    "request limits": (
        'case "$1" in -help) exec $real "$@";; esac; echo "denied: gdi_request_limits reached" >&2; exit 1',
        "takes no more requests",
    ),
    "mixed versions": ('[ $name = qstat ] && { echo "SGE 6.2u5"; exit; }; exec $real "$@"', "not of one version"),
    "no version": ('echo "<html>"', "not of one version"),
    "truncated": (
        '[ "$name$1" = qstat-u ] && { $real "$@" | head -c 900; exit; }; exec $real "$@"',
        "did not answer whole",
    ),
    "broken XML": (
        '[ "$name$1" = qstat-u ] && { $real "$@" | sed "s,</JB_name>,,"; exit; }; exec $real "$@"',
        "did not answer whole",
    ),
    "a crash": ('case "$1" in -help) exec $real "$@";; esac; kill -SEGV $$', "ended with status"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_is_a_sentence(site: Qmaster, tmp_path: Path, name: str) -> None:
    script, words = FAILURES[name]
    source = QmasterSource(cell_of(site, wrapped(tmp_path, script)))
    with pytest.raises(SourceError, match=words):
        source.read()


def test_a_client_that_hangs_is_ended(site: Qmaster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qmon_tui.sources.clients.PATIENCE_SECONDS", 0.5)
    script = 'case "$1" in -help) exec $real "$@";; esac; exec sleep 60'
    source = QmasterSource(cell_of(site, wrapped(tmp_path, script)))
    began = time.monotonic()
    with pytest.raises(SourceError, match=r"did not answer within 0\.5 s"):
        source.read()
    assert time.monotonic() - began < 20


def test_an_endless_answer_is_not_kept(site: Qmaster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qmon_tui.sources.clients.MOST_BYTES", 100_000)
    script = 'case "$1" in -help) exec $real "$@";; esac; exec yes'
    with pytest.raises(SourceError, match="answers with more than"):
        QmasterSource(cell_of(site, wrapped(tmp_path, script))).read()


def test_bytes_that_are_not_utf8_cost_no_other_job(site: Qmaster, tmp_path: Path) -> None:
    script = '[ "$name" = qstat ] && { $real "$@" | LC_ALL=C sed "s,>ocean<,>oc\\xe9an<,g"; exit; }; exec $real "$@"'
    reading = QmasterSource(cell_of(site, wrapped(tmp_path, script))).read()
    assert {job.name for job in reading.state.jobs} >= {"oc�an", "segment"}
    assert any(finding.rule == "format.encoding" for finding in reading.findings)


def test_a_qmaster_that_stops_leaves_the_last_reading(qmaster: Qmaster) -> None:
    qmaster.restart()
    source = QmasterSource(cell_of(qmaster))
    before = source.read()
    interval = source.interval
    qmaster.stop()
    with pytest.raises(SourceError, match="does not answer"):
        source.read(before)
    assert source.interval > interval
    assert before.cluster.objects(Kind.CONFIGURATION)
    qmaster.resume()
    assert source.read(before).cluster == before.cluster
    assert source.interval == interval


def test_details_that_are_no_xml_cost_only_the_details(site: Qmaster, tmp_path: Path) -> None:
    script = '[ "$name$1" = qstat-j ] && { $real "$@" | sed "s,</JB_owner>,,"; exit; }; exec $real "$@"'
    reading = QmasterSource(cell_of(site, wrapped(tmp_path, script))).read()
    assert len(reading.state.jobs) > 10
    assert [finding.message for finding in reading.findings if finding.file == "qstat -j"] != []
    assert "of some jobs only what the listing shows is known" in str(reading.findings)


def test_a_restarted_qmaster_is_read(site: Qmaster) -> None:
    source = QmasterSource(cell_of(site))
    before = source.read()
    site.stop()
    site.resume()
    after = source.read(source.read())
    running = {job.id: set(job.tasks) for job in before.state.jobs if any(task.granted for task in job.tasks.values())}
    assert {job.id: set(job.tasks) for job in after.state.jobs if job.id in running} == running
    site.world.path("default/common/site").unlink()  # a restarted qmaster does not know its simulated hosts


def test_clients_that_are_missing_are_told(qmaster: Qmaster, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no qconf for this machine"):
        QmasterSource(cell_of(qmaster, tmp_path)).read()
    os.symlink(BINARIES / "qconf", tmp_path / "qconf")
    with pytest.raises(SourceError, match="lacks qstat, qhost"):
        QmasterSource(cell_of(qmaster, tmp_path)).read()
    with pytest.raises(SourceError, match=r"are SGE 8\.1\.9, but .* says 9\.0\.1"):
        QmasterSource(cell_of(qmaster, version="9.0.1")).read()
