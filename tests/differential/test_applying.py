"""Plans make a real qmaster what a configuration says; every failure leaves exactly what is reported."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.applying import (
    Applied,
    Plan,
    PlanError,
    Scope,
    Verdict,
    apply_plan,
    find_record,
    finish,
    make_plan,
    merged_plan,
    plan_text,
    read_plan,
    records,
    take_back,
    target_of,
    wanted_cluster,
)
from qmon_tui.model import Cluster, Kind
from qmon_tui.sources import Reading, read_folder
from qmon_tui.sources.qmaster_source import QmasterSource
from tests.differential.applying import applied_to, planned, small, writable
from tests.differential.leading import CONFIGS, drawn_pair
from tests.differential.loading import host_names, load
from tests.differential.qmaster import Qmaster
from tests.differential.test_failing_clients import wrapped
from tests.differential.test_running_cluster import cell_of

pytestmark = pytest.mark.qmaster
EVERYTHING = Scope()


def plan_for(source: QmasterSource, wanted: Cluster, scope: Scope = EVERYTHING) -> tuple[Plan, Reading]:
    live = source.read()
    after = wanted_cluster(live.cluster, wanted, scope)
    return make_plan(target_of(source), "wanted", live.cluster, after, live.state), live


def made(source: QmasterSource, wanted: Cluster, scope: Scope = EVERYTHING) -> Applied:
    """Apply what is wanted by a plan that was kept in a file, and see that nothing is left to do."""
    plan, live = plan_for(source, wanted, scope)
    assert plan.refusals == ()
    applied = apply_plan(source, read_plan(plan_text(plan)), live.cluster, live.state)
    assert applied.is_whole, (applied.changed, applied.written[-1:])
    again, _ = plan_for(source, wanted, scope)
    assert (again.steps, again.refusals) == ((), ())
    return applied


def log_of(tmp_path: Path) -> list[str]:
    return [path.read_text() for path in sorted((tmp_path / "shared" / "log").iterdir())]


# What is wanted -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["site", "campus", "genome"])
def test_a_folder_and_back(qmaster: Qmaster, source: QmasterSource, name: str) -> None:
    wanted = read_folder(CONFIGS / name).cluster
    for host in sorted(host_names(wanted)):
        qmaster.world.names.add_host(host)
    empty = source.read().cluster
    applied = made(source, wanted)
    live = source.read()
    way = take_back(source, find_record(applied.record, target_of(source)), live.cluster, live.state)
    assert (way.conflicts, way.plan.refusals) == ((), ())
    assert apply_plan(source, way.plan, live.cluster, live.state).is_whole
    assert plan_for(source, empty, Scope(deletes=True))[0].steps == ()


def led_both_ways(qmaster: Qmaster, source: QmasterSource, seed: int) -> None:
    """Load one of a drawn pair, make the other of it by a plan, and go back."""
    before, after = drawn_pair(seed)
    for host in sorted(host_names(before) | host_names(after)):
        qmaster.world.names.add_host(host)
    qmaster.restart()
    load(qmaster, after)
    goal = source.read().cluster
    qmaster.restart()
    load(qmaster, before)
    start = source.read().cluster
    made(source, goal, Scope(deletes=True))
    made(source, start, Scope(deletes=True))


@pytest.mark.parametrize("seed", [1, 4])
def test_a_drawn_pair_both_ways(qmaster: Qmaster, source: QmasterSource, seed: int) -> None:
    led_both_ways(qmaster, source, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 160))
def test_sixty_pairs_both_ways(qmaster: Qmaster, source: QmasterSource, seed: int) -> None:
    led_both_ways(qmaster, source, seed)


def test_one_field_is_one_write_and_the_log_replays(qmaster: Qmaster, source: QmasterSource, tmp_path: Path) -> None:
    applied_to(source, small(source))
    queue = source.read().cluster.objects(Kind.QUEUE)["new.q"]
    plan, live = planned(source, source.read().cluster.with_object(queue.with_value("seq_no", "3")))
    assert [step.line for step in plan.steps] == ["qconf -rattr queue seq_no 3 new.q"]
    assert apply_plan(source, plan, live.cluster, live.state, reason="a $(date) reason\nof two lines").is_whole
    entry = log_of(tmp_path)[-1]
    assert "# reason: a $(date) reason?of two lines\nqconf -rattr queue seq_no 3 new.q\n# exit status 0\n" in entry
    assert entry.endswith("# read back: done\n")
    wanted = source.read().cluster
    qmaster.restart()
    for text in log_of(tmp_path):
        answer = qmaster.run("sh", "-c", f"cd $(mktemp -d); {text}")
        assert answer.status == 0, answer.text
    assert planned(source, wanted)[0].steps == ()


# Conflicts ------------------------------------------------------------------------------------------------------------


def test_a_change_since_the_plan_is_refused_and_merged(qmaster: Qmaster, source: QmasterSource) -> None:
    applied_to(source, small(source))
    queue = source.read().cluster.objects(Kind.QUEUE)["new.q"]
    plan, live = planned(source, source.read().cluster.with_object(queue.with_values({"seq_no": "3", "priority": "5"})))
    qmaster.must("qconf", "-mattr", "queue", "rerun", "TRUE", "new.q")
    applied = apply_plan(source, plan, live.cluster, live.state)
    assert (applied.written, [entry.key for entry in applied.changed]) == ((), [(Kind.QUEUE, "new.q")])
    live = source.read()
    way = merged_plan(source, plan, live.cluster, live.state)
    assert way.conflicts == ()
    assert apply_plan(source, way.plan, live.cluster, live.state).is_whole
    queue = source.read().cluster.objects(Kind.QUEUE)["new.q"]
    assert [queue.text(field) for field in ("seq_no", "priority", "rerun")] == ["3", "5", "TRUE"]
    with pytest.raises(PlanError, match="applied before"):
        apply_plan(source, way.plan, live.cluster, live.state)


def test_taking_back_leaves_later_changes_alone(qmaster: Qmaster, source: QmasterSource) -> None:
    applied_to(source, small(source))
    queue = source.read().cluster.objects(Kind.QUEUE)["new.q"]
    plan, live = planned(source, source.read().cluster.with_object(queue.with_values({"seq_no": "3", "priority": "5"})))
    applied = apply_plan(source, plan, live.cluster, live.state)
    qmaster.must("qconf", "-mattr", "queue", "rerun", "TRUE", "new.q")
    live = source.read()
    way = take_back(source, find_record(applied.record, target_of(source)), live.cluster, live.state)
    assert apply_plan(source, way.plan, live.cluster, live.state).is_whole
    queue = source.read().cluster.objects(Kind.QUEUE)["new.q"]
    assert [queue.text(field) for field in ("seq_no", "priority", "rerun")] == ["7", "0", "TRUE"]
    qmaster.must("qconf", "-mattr", "queue", "seq_no", "9", "new.q")
    live = source.read()
    way = take_back(source, find_record(applied.record, target_of(source)), live.cluster, live.state)
    assert [clash.field for clash in way.conflicts] == ["seq_no"]
    assert way.plan.steps == ()


# Failures -------------------------------------------------------------------------------------------------------------


def failing(qmaster: Qmaster, tmp_path: Path, script: str) -> tuple[QmasterSource, Applied]:
    """Apply five commands with clients that run the script where qconf would add u1."""
    folder = tmp_path / "clients"
    folder.mkdir()
    clients = wrapped(folder, f'case "$name $*" in *-Auser*u1) {script};; esac; exec $real "$@"')
    source = writable(qmaster, tmp_path, clients)
    plan, live = planned(source, small(source))
    return source, apply_plan(source, plan, live.cluster, live.state)


FAILURES = {
    "refused": ('echo "denied: no" >&2; exit 1', Verdict.REFUSED),
    "refused with exit status 0": ('echo "denied: no"; exit 0', Verdict.REFUSED),
    "done with exit status 1": ('$real "$@"; exit 1', Verdict.DONE),
    "garbage": ("echo '\\033[2J\\377'; exit 0", Verdict.REFUSED),
    "something else": ('$real -Auser "$2"; $real -mattr user oticket 5 u1; exit 0', Verdict.DIFFERENT),
    "no answer": ("exec sleep 60", Verdict.UNKNOWN),
    "no reply": ('echo "error: failed receiving gdi request response for mid=1" >&2; exit 1', Verdict.UNKNOWN),
    "no answer, but done": ('$real "$@"; exec sleep 60', Verdict.DONE),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_stops_and_is_reported(
    qmaster: Qmaster, source: QmasterSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("qmon_tui.sources.clients.PATIENCE_SECONDS", 2.0)
    script, verdict = FAILURES[name]
    failed, applied = failing(qmaster, tmp_path, script)
    number = [step.line for step in applied.plan.steps].index("qconf -Auser u1")
    assert applied.written[number].verdict is verdict
    users = failed.read().cluster.objects(Kind.USER)
    if verdict is Verdict.DONE:
        assert applied.is_whole
        return
    assert len(applied.written) == number + 1
    assert f"number {number + 1}: {verdict}" in applied.words
    assert ("u0" in users, "u1" in users, "u2" in users) == (True, verdict is Verdict.DIFFERENT, False)
    record = find_record(applied.record, target_of(source))
    live = source.read()
    way = take_back(source, record, live.cluster, live.state)
    assert apply_plan(source, way.plan, live.cluster, live.state).is_whole or not way.plan.steps
    assert "u0" not in source.read().cluster.objects(Kind.USER)


def test_what_a_killed_qmaster_was_not_asked_is_not_run(
    qmaster: Qmaster, source: QmasterSource, tmp_path: Path
) -> None:
    plan, live = planned(source, small(source))
    applied = apply_plan(
        source, plan, live.cluster, live.state, tell=lambda number, _: qmaster.stop() if number == 1 else None
    )
    assert [written.verdict for written in applied.written] == [Verdict.DONE, Verdict.DONE, Verdict.REFUSED]
    qmaster.resume()
    live = source.read()
    way = finish(source, find_record(applied.record, target_of(source)), live.cluster, live.state)
    assert apply_plan(source, way.plan, live.cluster, live.state).is_whole
    assert planned(source, small(source))[0].steps == ()


KILLED = """
import os, sys
from pathlib import Path
from qmon_tui.applying import apply_plan, gate, read_plan
from qmon_tui.sources.cells import Cell
from qmon_tui.sources.qmaster_source import QmasterSource
plan, number, place = sys.argv[1], int(sys.argv[2]), sys.argv[3]
source = QmasterSource(Cell(**eval(sys.argv[4])), writes=True)
calls = 0
run = gate.Gate._run
def killed(self, calls_):
    global calls
    if place == "before" and calls == number:
        os.kill(os.getpid(), 9)
    answer = run(self, calls_)
    if place == "after" and calls == number:
        os.kill(os.getpid(), 9)
    calls += 1
    return answer
gate.Gate._run = killed
live = source.read()
apply_plan(source, read_plan(Path(plan).read_text()), live.cluster, live.state)
"""


@pytest.mark.parametrize(
    "number", [0, 2, pytest.param(1, marks=pytest.mark.long), pytest.param(4, marks=pytest.mark.long)]
)
@pytest.mark.parametrize(
    ("place", "way"), [("before", "back"), ("after", "back"), ("after", "finish"), ("before", "finish")]
)
def test_our_process_killed_at_every_command(
    source: QmasterSource, tmp_path: Path, place: str, number: int, way: str
) -> None:
    wanted, empty = small(source), source.read().cluster
    plan, _ = planned(source, wanted)
    file = tmp_path / "plan"
    file.write_text(plan_text(plan))
    cell = {name: getattr(source.cell, name) for name in source.cell.__slots__}
    words = [sys.executable, "-c", KILLED, str(file), str(number), place, repr(cell)]
    assert subprocess.run(words, env=dict(os.environ), check=False).returncode == -signal.SIGKILL
    (record,) = records()
    assert (record.was_interrupted, record.begun, len(record.results)) == (True, number, number)
    live = source.read()
    dealt = (take_back if way == "back" else finish)(source, record, live.cluster, live.state)
    assert dealt.conflicts == ()
    other = take_back(source, record, live.cluster, live.state)
    assert apply_plan(source, dealt.plan, live.cluster, live.state).is_whole or not dealt.plan.steps
    if dealt.plan.steps and other.plan.steps:
        with pytest.raises(PlanError, match="meanwhile"):
            apply_plan(source, other.plan, live.cluster, live.state)
    assert planned(source, empty if way == "back" else wanted)[0].steps == ()


def test_without_rights_nothing_is_begun(
    qmaster: Qmaster, source: QmasterSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = qmaster.world.names
    for name in ("opi", "joe"):
        names.add_user(name)
    qmaster.must("qconf", "-ao", "opi")
    live = source.read()
    userset = live.cluster.objects(Kind.USERSET)["deadlineusers"].with_value("entries", "joe")
    access = live.cluster.with_object(userset)
    for user, may_change_lists in (("opi", True), ("joe", False)):
        monkeypatch.setattr("qmon_tui.applying.rights.client_user", lambda _, user=user: user)
        prefix = qmaster.world.prefix(names.user(user, "staff"), names.group("staff"))
        other = QmasterSource(replace(source.cell, prefix=prefix), writes=True)
        for wanted, is_allowed in ((small(source), False), (access, may_change_lists)):
            plan = make_plan(target_of(other), "wanted", live.cluster, wanted, live.state)
            if is_allowed:
                assert apply_plan(other, plan, live.cluster, live.state).is_whole
            else:
                with pytest.raises(PlanError, match=f"{user} must be "):
                    apply_plan(other, plan, live.cluster, live.state)


def test_a_source_that_only_reads_changes_nothing(qmaster: Qmaster, source: QmasterSource, tmp_path: Path) -> None:
    reading = QmasterSource(cell_of(qmaster, shared=str(tmp_path / "shared")))
    plan, live = planned(source, small(source))
    applied = apply_plan(reading, plan, live.cluster, live.state)
    assert "--write permits changes" in str(applied.written[0].answer)
    assert planned(source, small(source))[0].steps != ()
