"""Commands beside others: confirmed changes, several writers, jobs that end, hostile names."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from qmon_tui.applying import (
    Gate,
    Verdict,
    apply_plan,
    make_plan,
    rights_on,
    target_of,
)
from qmon_tui.formats.qconf.objects import write_object
from qmon_tui.model import Kind
from qmon_tui.qmaster import InstanceCommand, Qdel, QmodQueues, Target, read_command
from qmon_tui.qmaster.commands.qconf import QconfDelete
from qmon_tui.sources import Reading
from qmon_tui.sources.qmaster_source import QmasterSource
from tests.differential.applying import writable
from tests.differential.qmaster import BINARIES, Qmaster
from tests.differential.test_failing_clients import wrapped

pytestmark = pytest.mark.qmaster


# Confirmed changes ----------------------------------------------------------------------------------------------------


def in_the_world(qmaster: Qmaster, folder: Path, *words: str) -> tuple[int, str]:
    """Run the program in the qmaster's world; exit code and both streams."""
    environment = {name: text for name, text in os.environ.items() if not name.startswith("SGE_")}
    cell = {name: text for name, text in qmaster.environment().items() if name.startswith("SGE_")}
    config = folder / "config" / "qmon-tui"
    config.mkdir(parents=True, exist_ok=True)
    root = qmaster.world.root
    (config / "clusters.toml").write_text(
        f'[test]\nroot = "{root}"\nclients = "{BINARIES}"\nshared = "{folder}/shared"\n'
        f"qmaster_port = {qmaster.world.port}\nexecd_port = {qmaster.world.port + 1}\n"
    )
    own = {"XDG_STATE_HOME": f"{folder}/state", "XDG_CONFIG_HOME": f"{folder}/config"}
    program = [*qmaster.world.prefix(0, 0), sys.executable, "-m", "qmon_tui", *words]
    done = subprocess.run(
        program, env=environment | cell | own, check=False, capture_output=True, text=True, timeout=120
    )
    return done.returncode, done.stdout + done.stderr


def shares_of(source: QmasterSource) -> str:
    return source.read_objects([(Kind.SCHEDULER, "scheduler")]).single(Kind.SCHEDULER).text("weight_tickets_share")


def test_a_change_is_taken_back_unless_it_is_confirmed(qmaster: Qmaster, source: QmasterSource, tmp_path: Path) -> None:
    folder = tmp_path / "wanted"
    folder.mkdir()
    scheduler = source.read().cluster.single(Kind.SCHEDULER)
    before = scheduler.text("weight_tickets_share")

    def apply(shares: str, *words: str) -> str:
        values = {**scheduler.values, "weight_tickets_share": shares}
        folder.joinpath("all.yaml").write_text(json.dumps({"scheduler": values}))
        code, text = in_the_world(qmaster, tmp_path, "apply", str(folder), "qmaster:test", "--yes", *words)
        return f"{code}: {text}"

    assert "is taken back at" in apply("777", "--confirm-within", "12s")
    assert shares_of(source) == "777"
    assert "a second one waits for it" in apply("778", "--confirm-within", "9s")
    deadline = time.monotonic() + 60
    while shares_of(source) != before and time.monotonic() < deadline:
        time.sleep(0.5)
    assert shares_of(source) == before
    while (tmp_path / "shared" / "unconfirmed.ended").exists() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert "no change awaits" in in_the_world(qmaster, tmp_path, "confirm", "qmaster:test")[1]
    assert "is taken back at" in apply("779", "--confirm-within", "10s")
    code, text = in_the_world(qmaster, tmp_path, "confirm", "qmaster:test")
    assert (code, "kept: " in text) == (0, True)
    time.sleep(11)
    assert shares_of(source) == "779"
    assert "is taken back at" in apply("780", "--confirm-within", "8s")
    theirs = scheduler.with_value("weight_tickets_share", "781")
    qmaster.must("qconf", "-Msconf", qmaster.file("theirs", write_object(theirs, single_line=True)))
    deadline = time.monotonic() + 60
    while "not all taken back" not in (said := in_the_world(qmaster, tmp_path, "plan", str(folder), "qmaster:test")[1]):
        assert time.monotonic() < deadline, said
        time.sleep(0.5)
    assert shares_of(source) == "781"
    code, text = in_the_world(qmaster, tmp_path, "apply", "qmaster:test", "--back", "--yes")
    assert (code, "left alone: " in text) == (1, True)
    assert "no change awaits" in in_the_world(qmaster, tmp_path, "confirm", "qmaster:test")[1]


# Others at the same time ----------------------------------------------------------------------------------------------


def add_members(source: QmasterSource, live: Reading, names: list[str]) -> None:
    """Add members to an access list one by one, each by a plan; what has changed meanwhile is planned again."""
    key = (Kind.USERSET, "shared")
    for name in names:
        while True:
            now = live.cluster.with_objects(source.read_objects([key]))
            userset = now.objects(Kind.USERSET)["shared"]
            wanted = now.with_object(userset.with_value("entries", f"{userset.text('entries')},{name}"))
            plan = make_plan(target_of(source), "test", now, wanted, live.state)
            applied = apply_plan(source, plan, live.cluster, live.state)
            if applied.is_whole:
                break
            assert applied.changed or applied.written[-1].verdict in (Verdict.CONFLICT, Verdict.DIFFERENT)
            if applied.written and applied.written[-1].verdict is Verdict.DIFFERENT:
                break  # our member is there, and one of somebody else as well


def at_once(qmaster: Qmaster, tmp_path: Path, changes: int, shell: Callable[[Qmaster], None]) -> set[str]:
    """Let two users of the program add members while a shell runs; returns the members that are there then."""
    qmaster.restart()
    qmaster.must("qconf", "-au", "first", "shared")
    sources = [writable(qmaster, tmp_path) for _ in range(2)]
    readings = [source.read() for source in sources]
    names = [[f"{letter}{number}" for number in range(changes)] for letter in "ab"]
    tasks = [partial(add_members, *arguments) for arguments in zip(sources, readings, names, strict=True)]
    with ThreadPoolExecutor(3) as pool:
        for future in [pool.submit(task) for task in (*tasks, partial(shell, qmaster))]:
            future.result()
    entries = sources[0].read_objects([(Kind.USERSET, "shared")]).objects(Kind.USERSET)["shared"].text("entries")
    return set(entries.split(","))


def ours(changes: int) -> set[str]:
    return {f"{letter}{number}" for letter in "ab" for number in range(changes)}


@pytest.mark.parametrize("changes", [8, pytest.param(125, marks=pytest.mark.long)])
def test_elements_of_three_writers_are_all_kept(
    qmaster: Qmaster, source: QmasterSource, tmp_path: Path, changes: int
) -> None:
    def shell(qmaster: Qmaster) -> None:
        for number in range(2 * changes):
            qmaster.must("qconf", "-aattr", "userset", "entries", f"s{number}", "shared")

    members = at_once(qmaster, tmp_path, changes, shell)
    assert members == {"first", *ours(changes), *(f"s{number}" for number in range(2 * changes))}


@pytest.mark.long
def test_whole_objects_of_a_shell_lose_elements(qmaster: Qmaster, source: QmasterSource, tmp_path: Path) -> None:
    """The figure in docs/running-cluster.md: what a shell that reads and writes whole objects takes away."""

    def shell(qmaster: Qmaster) -> None:
        for number in range(40):
            text = qmaster.must("qconf", "-su", "shared")
            time.sleep(0.05)  # an editor takes longer
            changed = re.sub(r"^entries +", f"entries w{number},", text, flags=re.MULTILINE)
            qmaster.must("qconf", "-Mu", qmaster.file("shared", changed))

    members = at_once(qmaster, tmp_path, 60, shell)
    lost = ours(60) - members
    print(f"{len(lost)} of 120 elements of the program were lost to 40 whole objects")
    assert sum(member.startswith("w") for member in members) == 40
    assert len(lost) < 120


def test_commands_on_jobs_that_end_meanwhile(qmaster: Qmaster, source: QmasterSource) -> None:
    qmaster.must("qconf", "-as", "localhost")
    qmaster.world.names.add_user("joe")
    submission = ("qsub", "-terse", "-h", "-b", "y", "sleep", "9")
    for _ in range(3):
        qmaster.run_as("joe", "staff", *submission)
    live = source.read()
    jobs = [job.id for job in live.state.jobs]
    gate = Gate(source, rights_on(source.cell, live.cluster, live.state))
    qmaster.must("qdel", str(jobs[1]))
    commands = [read_command(live.cluster, f"{line} {job}") for line in ("qhold -h o", "qalter -p -5") for job in jobs]
    verdicts = [gate.run(command).verdict for command in commands if command is not None]
    assert verdicts == [Verdict.DONE, Verdict.REFUSED, Verdict.DONE] * 2
    assert gate.run(Qdel((Target(jobs[0]), Target(jobs[2])))).verdict is Verdict.DONE


def test_a_request_without_a_reply_may_be_carried_out(qmaster: Qmaster, source: QmasterSource, tmp_path: Path) -> None:
    says = "error: failed receiving gdi request response for mid=1 (got syncron message receive timeout error)."
    folder = tmp_path / "clients"
    folder.mkdir()
    clients = wrapped(folder, f'case "$*" in *-dprj*) echo "{says}" >&2; exit 1;; esac; exec $real "$@"')
    live = source.read()
    gate = Gate(writable(qmaster, tmp_path, clients), rights_on(source.cell, live.cluster, live.state))
    assert gate.run(QconfDelete(Kind.PROJECT, "climate")).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("options", ["-hold_jid 1", "-hold_jid 1,2 -N new -p -3", "-hold_jid_ad 1"])
def test_lines_about_blocking_jobs_are_no_refusals(qmaster: Qmaster, source: QmasterSource, options: str) -> None:
    qmaster.must("qconf", "-as", "localhost")
    qmaster.world.names.add_user("joe")
    for _ in range(3):
        qmaster.run_as("joe", "staff", "qsub", "-terse", "-h", "-b", "y", "-t", "1-2", "sleep", "600")
    live = source.read()
    command = read_command(live.cluster, f"qalter {options} 3")
    assert command is not None
    written = Gate(source, rights_on(source.cell, live.cluster, live.state)).run(command)
    assert written.verdict is Verdict.DONE, written.answer


HOSTILE = ("$(touch /tmp/qmon-tui-hostile)", "`id`", "a;b", "-f", "x\ny", "all.q && qconf -dq all.q", "'; id #")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_reach_no_shell(source: QmasterSource, name: str) -> None:
    live = source.read()
    gate = Gate(source, rights_on(source.cell, live.cluster, live.state))
    before = source.read().cluster
    for command in (QconfDelete(Kind.PROJECT, name), QmodQueues(InstanceCommand.DISABLE, (name,))):
        assert not gate.run(command).verdict.is_well
    assert source.read().cluster == before
    assert not Path("/tmp/qmon-tui-hostile").exists()
