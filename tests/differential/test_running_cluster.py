"""A running cluster is read through its clients: all of it, without writing, and every failure in a sentence."""

import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.formats import unreadable
from qmon_tui.formats.layout import LISTS, kind_of_file
from qmon_tui.formats.records import read_records
from qmon_tui.model.jobs import Job, Request
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster import schedule
from qmon_tui.report.finished import failure_words
from qmon_tui.sources import Reading
from qmon_tui.sources.cells import Cell
from qmon_tui.sources.conversion import convert
from qmon_tui.sources.qmaster_source import QmasterSource
from qmon_tui.workspace import differences
from tests.differential.demo import run_program
from tests.differential.leading import drawn_pair
from tests.differential.loading import load
from tests.differential.loads import report_loads
from tests.differential.object_verdicts import object_context
from tests.differential.printing import SHOW, large_cluster, prepared, saved_folder
from tests.differential.qmaster import BINARIES, Qmaster
from tests.tui.screen_harness import opened

pytestmark = pytest.mark.qmaster


def cell_of(qmaster: Qmaster, clients: Path = BINARIES, **others: object) -> Cell:
    """The cell of a test's qmaster, whose clients run in its world."""
    world = qmaster.world
    return Cell(
        world.root, qmaster_port=world.port, execd_port=world.port + 1, prefix=world.prefix(0, 0), clients=str(clients),
        **others,  # type: ignore[arg-type]
    )  # fmt: skip


# What is read ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hosts", [60])
def test_every_object_is_what_qconf_prints(qmaster: Qmaster, hosts: int) -> None:
    prepared(qmaster, large_cluster(object_context(), hosts))
    reading = QmasterSource(cell_of(qmaster)).read()
    assert len({kind_of_file(file) for file in reading.files}) == len(Kind)
    _is_what_qconf_prints(qmaster, reading)


@pytest.mark.parametrize("seed", range(300, 303))
def test_every_object_of_a_drawn_cluster(qmaster: Qmaster, seed: int) -> None:
    qmaster.restart()
    load(qmaster, drawn_pair(seed)[1])
    _is_what_qconf_prints(qmaster, QmasterSource(cell_of(qmaster)).read())


@pytest.mark.long
@pytest.mark.parametrize("seed", range(303, 333))
def test_every_object_of_thirty_drawn_clusters(qmaster: Qmaster, seed: int) -> None:
    qmaster.restart()
    load(qmaster, drawn_pair(seed)[1])
    _is_what_qconf_prints(qmaster, QmasterSource(cell_of(qmaster)).read())


def _is_what_qconf_prints(qmaster: Qmaster, reading: Reading) -> None:
    for file, text in reading.files.items():
        kind = kind_of_file(file)
        assert kind is not None
        if kind in LISTS and not text:
            assert qmaster.run("qconf", SHOW[kind]).status, "nobody is on the list"
            continue
        name = [] if kind in LISTS or "/" not in file else [file.partition("/")[2]]
        assert text == qmaster.must("qconf", SHOW[kind], *name), file
    saved = saved_folder(qmaster)
    for kind in Kind:
        assert reading.cluster.objects(kind) == saved.cluster.objects(kind), kind


def test_the_same_cluster_as_a_folder_has_the_same_outcome(site: Qmaster, tmp_path: Path) -> None:
    live = QmasterSource(cell_of(site)).read()
    strict, wide = live.state.reservations
    assert (strict.state, strict.strict, strict.users, strict.requests) == (
        "r",
        True,
        ("bela", "@staff"),
        (("h_vmem", "1G"),),
    )
    assert (wide.state, wide.environment, sum(wide.granted.values())) == ("w", "mpi", 20)
    for layout in ("qconf", "yaml"):
        folder = convert(live, tmp_path / layout, layout)
        assert not unreadable(folder.findings)
        assert folder.state.jobs
        assert folder.state.reservations == live.state.reservations
        assert schedule(folder.cluster, folder.state) == schedule(live.cluster, live.state)


def test_parallel_jobs_run_where_qstat_says(site: Qmaster) -> None:
    source = QmasterSource(cell_of(site))
    reading = source.read()
    site.must("qsub", "-terse", "-b", "y", "-pe", "mpi", "6-40", "sleep", "600")
    for _ in range(3):
        time.sleep(3)
        reading = source.read(reading)
    rows = ElementTree.fromstring(site.must("qstat", "-xml", "-u", "*", "-g", "t", "-s", "rs")).iter("job_list")
    slots: dict[int, Counter[str]] = {}
    for row in rows:
        if row.findtext("master") == "SLAVE":
            slots.setdefault(int(row.findtext("JB_job_number") or 0), Counter())[row.findtext("queue_name") or ""] += 1
    assert any(len(places) > 1 for places in slots.values()), "a job runs on several hosts"
    jobs = {job.id: job for job in reading.state.jobs}
    for number, places in slots.items():
        granted = jobs[number].tasks[1].granted
        assert sum(granted.values()) - sum(places.values()) in (0, 1), "the master may have a slot of its own"
        assert places.keys() == granted.keys()


def _without_numbers(job: Job) -> Job:
    """The job without prior and tickets, which each run of the scheduler changes."""
    return replace(job, tasks={number: replace(task, tickets=None) for number, task in job.tasks.items()})


def test_a_refresh_reads_what_a_new_reading_would(site: Qmaster) -> None:
    source = QmasterSource(cell_of(site))
    before = source.read()
    for words in (
        ("qsub", "-terse", "-b", "y", "-h", "-N", "held", "-tc", "2", "-t", "1-4", "sleep", "600"),
        ("qsub", "-terse", "-b", "y", "-R", "y", "-pe", "smp", "2", "sleep", "600"),
        ("qmod", "-e", "gpu.q@gpu01"),
        ("qdel", "1"),
    ):
        site.must(*words)
    for _ in range(5):  # a task may start between the two readings
        time.sleep(2)
        said = source.clients.cost.commands
        after = source.read(before)
        assert source.clients.cost.commands - said <= 10
        fresh = source.read()
        differences = [
            (job.id, field, getattr(job, field), getattr(other, field))
            for job, other in zip(
                map(_without_numbers, after.state.jobs), map(_without_numbers, fresh.state.jobs), strict=False
            )
            for field in ("owner", "submitted", "request", "name", "group", "tasks", "runtime", "qsub")
            if getattr(job, field) != getattr(other, field)
        ]
        if not differences:
            break
    assert differences == []
    assert after.live
    assert before.live
    assert after.live.objects_taken == before.live.objects_taken
    assert after.state.queue_states == fresh.state.queue_states
    assert after.state.loads.keys() == fresh.state.loads.keys()
    held = next(job for job in after.state.jobs if job.name == "held")
    assert (held.request.hold, held.request.max_running_tasks, held.group) == ("u", 2, "root")
    assert not [finding for finding in after.findings if "hold" in finding.message]


def test_one_object_and_one_job_are_read_again(site: Qmaster) -> None:
    source = QmasterSource(cell_of(site))
    number = int(
        site.must("qsub", "-terse", "-b", "y", "-h", "-N", "seen", "-t", "1-4", "sleep", "600").partition(".")[0]
    )
    before = source.read()
    site.must("qconf", "-mattr", "queue", "seq_no", "31", "gpu.q")
    site.must("qconf", "-mattr", "exechost", "complex_values", "slots=3", "node08")
    site.must("qalter", "-tc", "2", str(number))
    site.must("qalter", "-h", "o", str(number))
    after = before
    for part in ((Kind.QUEUE, "gpu.q"), (Kind.HOST, "node08"), (Kind.SCHEDULER, "scheduler"), number):
        after = source.read_part(after, part)
    changed = {change.name for change in differences(before.cluster, after.cluster)}
    assert changed == {"gpu.q", "node08"}
    jobs = {job.id: job for job in after.state.jobs}
    assert jobs[number].request.max_running_tasks == 2
    assert jobs[number].request.hold == "u", "of the hold the next listing tells"
    assert [job for job in before.state.jobs if job.id != number] == [job for job in jobs.values() if job.id != number]
    assert after.live
    assert after.live.read_at("cqueues/gpu.q") > after.live.read_at("cqueues/long.q")
    assert after.live.read_at(f"job {number}") > after.live.objects_taken
    assert source.read_part(after, 999999).state == after.state
    assert "gone.q" not in source.read_part(after, (Kind.QUEUE, "gone.q")).cluster.objects(Kind.QUEUE)
    site.must("qdel", str(number))
    site.must("qconf", "-mattr", "queue", "seq_no", "5", "gpu.q")
    fresh = source.read(after)
    assert number not in {job.id for job in fresh.state.jobs}


def test_hosts_follow_in_steps(site: Qmaster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qmon_tui.sources.qmaster_objects.MOST_HOSTS", 3)
    monkeypatch.setattr("qmon_tui.sources.qmaster_source._HOSTS_A_STEP", 5)
    source, whole = QmasterSource(cell_of(site)), QmasterSource(cell_of(site)).read()
    source.in_steps = True
    reading = source.read()
    assert reading.live
    assert len(reading.live.unread) == len(whole.cluster.objects(Kind.HOST)) - 1
    assert reading.state.loads.keys() == whole.state.loads.keys(), "qhost tells the load values meanwhile"
    assert [finding.message for finding in reading.findings if finding.file == "hosts"] == [
        f"{len(reading.live.unread)} execution hosts are not read yet: what they offer is unknown for now"
    ]
    steps = 0
    while reading.live and reading.live.unread:
        reading = source.read_part(reading, None)
        steps += 1
    assert steps == -(-(len(whole.cluster.objects(Kind.HOST)) - 1) // 5)
    assert reading.cluster == whole.cluster
    assert not [finding for finding in reading.findings if finding.file == "hosts"]
    again = source.read_fresh(reading)
    assert again.live
    assert again.live.unread
    assert not again.live.unknown_hosts, "they keep their last text"
    assert again.cluster == whole.cluster


def requests_of(reading: Reading) -> dict[int, tuple[Request, int, str]]:
    return {job.id: (job.request, job.submitted, job.group) for job in reading.state.jobs}


def test_details_of_many_jobs_follow(site: Qmaster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qmon_tui.sources.qmaster_source._MOST_JOBS", 0)
    number = int(site.must("qsub", "-terse", "-R", "y", "-h", "-b", "y", "sleep", "7"))
    source, whole = QmasterSource(cell_of(site)), requests_of(QmasterSource(cell_of(site)).read())
    source.in_steps = True
    first = source.read()
    assert first.live
    assert first.live.unread_jobs == len(first.state.jobs)
    said = [finding.message for finding in first.findings if finding.file == "qstat -j"]
    assert said == [
        f"the details of {first.live.unread_jobs} jobs (qstat -j) are not read yet: only the listing is known"
    ]
    after = source.read_part(first, None)
    assert after.live
    assert not after.live.is_partial
    requests = requests_of(after)
    # Another job of the site may end between two readings.
    assert number in requests
    assert requests.items() <= whole.items()
    assert requests_of(first) != whole
    assert not [finding for finding in after.findings if finding.file == "qstat -j"]
    assert requests_of(source.read(after)).items() <= whole.items()
    site.must("qdel", str(number))


def test_tasks_of_an_array_that_are_gone_do_not_wait(site: Qmaster) -> None:
    number = site.must("qsub", "-terse", "-h", "-t", "1-6", "-b", "y", "sleep", "7").split(".")[0]
    site.must("qdel", number, "-t", "2-3")
    source = QmasterSource(cell_of(site))
    first = source.read()
    for reading in (first, source.read(first)):
        (job,) = (job for job in reading.state.jobs if job.id == int(number))
        assert job.request.hold == "u"
        assert {task: job.tasks[task].state for task in job.tasks} == {2: "gone", 3: "gone"}
    site.must("qdel", number)


def test_requests_and_holds_are_those_of_the_qmaster(site: Qmaster) -> None:
    site.must("qmod", "-d", "*")
    site.must("qconf", "-au", "root", "deadlineusers")

    def submitted(*words: str) -> int:
        return int(site.must("qsub", "-terse", "-b", "y", *words, "sleep", "7").split(".")[0])

    array = submitted("-t", "1-6", "-h")
    follower = submitted("-t", "1-6", "-hold_jid_ad", str(array))
    held = submitted("-hold_jid", str(array), "-h")
    ranges = submitted("-pe", "smp", "2,4-6,9")
    late = submitted("-dl", "203001010000", "-p", "-5")
    later = submitted("-h")
    site.must("qalter", "-h", "u", str(follower), "-t", "2")
    site.must("qalter", "-h", "o", str(follower), "-t", "3-4")
    site.must("qalter", "-h", "os", str(held))
    site.must("qalter", "-hold_jid", str(later), str(late))
    site.must("qalter", "-p", "5", str(ranges))
    source = QmasterSource(cell_of(site))
    first = source.read()
    for reading in (first, source.read(first)):
        jobs = {job.id: job for job in reading.state.jobs}
        assert (jobs[array].request.hold, jobs[array].tasks) == ("u", {})
        assert jobs[follower].request.hold_jid_ad == (str(array),)
        assert {number: task.hold for number, task in jobs[follower].tasks.items()} == {2: "u", 3: "o", 4: "o"}
        assert (jobs[held].request.hold, jobs[held].request.hold_jid) == ("uos", (str(array),))
        request = jobs[ranges].request
        assert request.pe is not None
        assert (request.pe.ranges, request.priority) == (((2, 2, 1), (4, 6, 1), (9, 9, 1)), 5)
        assert jobs[late].request.deadline == int(time.mktime((2030, 1, 1, 0, 0, 0, 0, 0, -1)))
        outcome = schedule(reading.cluster, reading.state)
        assert {job.id: job.rejected for job in outcome.jobs if job.rejected} == {}
        states = {job.id: [task.state for task in job.tasks] for job in outcome.jobs}
        assert (states[late], states[ranges]) == (["hqw"], ["qw"])
    for number in (array, follower, held, ranges, late, later):
        site.must("qdel", str(number))
    site.must("qmod", "-e", "*")
    site.must("qconf", "-du", "root", "deadlineusers")


def test_drift_is_an_exit_code(site: Qmaster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site"
    convert(QmasterSource(cell_of(site)).read(), folder, "qconf")
    drift = ["diff", str(folder), "qmaster:"]
    report_loads(site, {"node01": {"load_avg": "3.5"}})
    site.run_as("newuser", "staff", "qsub", "-b", "y", "sleep", "1")  # an automatic user
    assert run_program(site, drift) == 0
    site.must("qconf", "-mattr", "queue", "seq_no", "77", "long.q")
    assert run_program(site, drift) == 1
    assert run_program(site, [*drift, "--only", "queue/short.q"]) == 0
    assert run_program(site, [*drift, "--ignore", "seq_no"]) == 0
    site.must("qconf", "-mattr", "queue", "seq_no", "20", "long.q")
    assert run_program(site, ["diff", str(folder), "qmaster:none"]) == 2
    monkeypatch.chdir(tmp_path)
    assert run_program(site, ["diff", "site", "qmaster:"]) == 0, "a folder named from here"


def test_failures_have_the_words_of_qacct(qmaster: Qmaster) -> None:
    lines = [
        f"all.q:h:g:u:n:{code + 1}:sge:0:1700000000:1700000001:1700000002:{code}:0:1.0:" + "0:" * 17
        + "NONE:d:NONE:1:0:0:0:0:NONE:0:NONE:0:0:0\n"
        for code in (*range(45), 100, 101)
    ]  # fmt: skip
    real = qmaster.run("qacct", "-f", qmaster.file("accounting", "".join(lines)), "-j", "*").out
    words = [line.split(None, 1)[1].strip() for line in real.splitlines() if line.startswith("failed")]
    recorded = read_records({"accounting": "".join(lines).encode()})
    assert len(recorded.finished) == len(words) == 47
    for task, said in zip(recorded.finished, words, strict=True):
        code, _, meaning = said.partition(":")
        ours = failure_words(task)
        assert ours == (f"failed {code.strip()}: {meaning.strip()}" if meaning else "exit status 0")


# On the screen --------------------------------------------------------------------------------------------------------


async def test_the_screen_is_used_while_jobs_start_and_end(site: Qmaster, tmp_path: Path) -> None:
    source = QmasterSource(cell_of(site))
    site.must("sh", "-c", "for n in $(seq 40); do qsub -terse -b y -N b$n sleep $((n % 3)) >/dev/null; done")
    async with opened(tmp_path, source=source, read_only=True) as it:
        before = {job.id for job in it.workspace.state.jobs}
        ended: set[int] = set()
        deadline = time.monotonic() + 30
        while len(ended) <= 5 and time.monotonic() < deadline:
            for keys in (("J", "down", "m"), ("w", "escape"), ("M", "down"), ("8", "down")):
                await it.press(*keys)
                await it.changed_on_disk("qmaster:")
                assert it.at_main, keys
            ended = before - {job.id for job in it.workspace.state.jobs}
        assert len(ended) > 5
        assert not it.workspace.lost
        assert it.workspace.result is not None
        assert it.workspace.result.error is None
