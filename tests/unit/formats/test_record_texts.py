"""What clients of a real qmaster 8.1.9 print for people (clients.md#tables), read as their XML is."""

from pathlib import Path

import pytest

from qmon_tui.formats.records.record import Recorded
from qmon_tui.formats.records.record_reader import read_records
from qmon_tui.formats.state import state_text
from qmon_tui.model.findings import Severity
from qmon_tui.model.jobs import Job, PeRequest, TaskRange
from qmon_tui.qmaster import schedule
from qmon_tui.sources import read_folder
from qmon_tui.values.times import format_time

RECORDS = Path(__file__).parents[2] / "data" / "records"
CONFIGS = Path(__file__).parents[3] / "configs"
SPREAD = {"all.q@sim1": 2, "all.q@sim2": 1, "all.q@sim3": 1}


def recorded(*names: str) -> Recorded:
    return read_records({name: (RECORDS / name).read_bytes() for name in names})


def read(text: str) -> Recorded:
    return read_records({"file": text.encode()})


def job(record: Recorded, number: int) -> Job:
    return next(job for job in record.state.jobs if job.id == number)


def states(one: Job) -> dict[int, str]:
    return {number: task.state for number, task in one.tasks.items()}


def granted(one: Job) -> dict[int, dict[str, int]]:
    return {number: dict(task.granted) for number, task in one.tasks.items() if task.granted}


@pytest.mark.parametrize(
    ("name", "where"),
    [("qstat.plain.txt", {"all.q@sim1": 4}), ("qstat.t.txt", SPREAD), ("qstat.f.txt", SPREAD)],
)
def test_every_listing_says_what_runs_and_waits(name: str, where: dict[str, int]) -> None:
    record = recorded(name)
    assert not [finding for finding in record.findings if finding.severity is Severity.ERROR]
    assert [job.id for job in record.state.jobs] == [1, 2, 3, 4, 5, 8, 9, 10, 11]
    assert granted(job(record, 2)) == {1: where}
    assert states(job(record, 1)) == {1: "s"}
    array = job(record, 3)
    assert (array.owner, array.request.array) == ("bela", TaskRange(1, 9, 2))
    assert states(array) == {1: "r", 3: "r", 7: "hqw"}
    started = array.tasks[1].started
    assert started is not None
    assert format_time(started) == "2026-11-24T12:13:46"
    assert job(record, 4).request.hold == "u"


def test_a_full_listing_says_how_many_slots_and_which_states_there_are() -> None:
    record = recorded("qstat.f.txt")
    assert dict(record.slots) == {
        "all.q@sim1": 4, "all.q@sim2": 4, "all.q@sim3": 4, "very_long_queue_name.q@sim3": 2,
    }  # fmt: skip
    assert {host: dict(loads) for host, loads in record.state.loads.items()} == {
        "sim1": {"load_avg": "0.50", "np_load_avg": "0.5"}
    }
    assert [(finding.line, finding.message.partition(":")[0]) for finding in record.findings] == [
        (23, "job 8 waits for several slots of a parallel environment that is not named here"),
        (27, "jobs 4-5 wait held, but the file does not say by what"),
        (4, "jobs 1-3,10 run, but the file does not say for how long"),
        (1, "the load values of sim1 are not in the file, but no alarm is shown"),
    ]
    states = read(
        "queuename                      qtype used/tot. load_avg arch          states\n"
        "all.q@a.b.c                    BIP   2/32       -NA-     -NA-          auE\n"
    )
    assert dict(states.state.queue_states) == {"all.q@a.b.c": "uE"}
    assert dict(states.slots) == {"all.q@a.b.c": 32}


def test_with_r_requests_are_read() -> None:
    record = recorded("qstat.r.txt")
    assert [(finding.line, finding.message) for finding in record.findings] == [
        (74, "job 4 waits held, but the file does not say by what: a user hold is taken"),
        (
            3,
            "jobs 1-3,10 run, but the file does not say for how long: a day takes h_rt, else an hour more than so far",
        ),
    ]
    assert job(record, 1).request.hard == (("h_rt", "600"), ("lic", "2"))
    assert job(record, 2).request.pe == PeRequest("mpi", ((2, 4, 1),))
    dependent = job(record, 5).request
    assert (dependent.hard_queues, dependent.soft) == (("all.q", "very*"), (("arch", "lx*"),))
    assert (dependent.hold_jid, dependent.hold) == (("1",), "")
    assert job(record, 8).request.master_queues == ("all.q",)
    assert job(record, 10).name == "a_very_long_name_of_a_job"


def test_what_only_details_say_is_kept_and_its_place_unknown() -> None:
    record = recorded("qstat.j.txt")
    finding = record.findings[0]
    assert finding.severity is Severity.WARNING
    assert finding.message == "jobs 1-3,10 run, but the file does not say where: the place is unknown@unknown"
    assert granted(job(record, 2)) == {1: {"unknown@unknown": 2}}
    assert states(job(record, 3)) == {1: "r", 3: "r"}
    later, dependent, never = (job(record, number).request for number in (9, 5, 8))
    assert (later.project, later.account, later.job_share, later.rerun) == ("sea", "acct", 3, "y")
    assert (later.checkpoint, later.checkpoint_when) == ("ck", "sx")
    assert later.start_time is not None
    assert format_time(later.start_time) == "2030-01-01T12:00:00"
    assert (dependent.hold_jid, dependent.soft, dependent.command) == (
        ("1",), (("arch", "lx*"),), ("sleep", "300", "with space"),
    )  # fmt: skip
    assert never.pe == PeRequest("m*", ((900, 9999999, 1),))
    assert (job(record, 3).request.max_running_tasks, job(record, 4).request.hold) == (2, "u")
    assert record.messages[9][-1] == "execution time not reached"


@pytest.mark.parametrize("names", [("qstat.j.txt", "qstat.f.txt"), ("qstat.f.txt", "qstat.j.txt")])
def test_a_listing_says_where_and_details_what_in_either_order(names: tuple[str, str]) -> None:
    for record in (recorded(*names), read("\n".join((RECORDS / name).read_text() for name in names))):
        assert [finding.message for finding in record.findings] == [
            "job 4 waits held, but the file does not say by what: a user hold is taken",
            "the load values of sim1 are not in the file, but no alarm is shown: np_load_avg is taken for load_avg, 1"
            " at most",
        ]
        assert granted(job(record, 2)) == {1: SPREAD}
        assert job(record, 2).request.pe == PeRequest("mpi", ((2, 4, 1),))
        assert states(job(record, 1)) == {1: "s"}
        assert states(job(record, 3)) == {1: "r", 3: "r", 7: "hqw"}
        assert job(record, 1).runtime == 300


def test_a_plain_list_of_hosts_tells_their_loads() -> None:
    text = """HOSTNAME                ARCH         NCPU NSOC NCOR NTHR NLOAD  MEMTOT  MEMUSE  SWAPTO  SWAPUS
----------------------------------------------------------------------------------------------
global                  -               -    -    -    -     -       -       -       -       -
sim1                    lx-amd64        8    1    8    8  0.06   15.6G  640.0M     0.0     0.0
"""
    loads = read(text).state.loads["sim1"]
    assert (loads["arch"], loads["num_proc"]) == ("lx-amd64", "8")


def test_hosts_report_their_loads_and_queues_their_slots() -> None:
    record = recorded("qhost.F.txt", "qhost.q_j.txt")
    assert not record.findings
    assert set(record.state.loads) == {"localhost", "sim1"}
    loads = record.state.loads["sim1"]
    assert (loads["arch"], loads["num_proc"], loads["np_load_avg"]) == ("lx-amd64", "8.000000", "0.060000")
    assert record.values["sim1"]["gc:lic"] == "3.000000"
    assert record.slots["very_long_queue_name.q@sim3"] == 2


def test_what_runs_nobody_knows_where_is_in_the_way_of_nobody() -> None:
    reading = read_folder(CONFIGS / "teaching")
    state = recorded("qstat.j.txt").state
    outcome = schedule(reading.cluster, state)
    running = {job.id for job in outcome.jobs if job.tasks and "unknown@unknown" in job.tasks[0].granted}
    assert running == {1, 2, 3, 10}
    assert "granted: {unknown@unknown: 2}" in state_text(state)


QACCT = """\
==============================================================
qname        long.q
hostname     qb3-id95
group        boblab
owner        alice
project      boblab
department   defaultdepartment
jobname      run.sge
jobnumber    191442
taskid       {task}
account      sge
priority     19
qsub_time    Wed Feb 12 20:59:18 2020
start_time   {start}
end_time     {end}
granted_pe   smp
slots        10
failed       37  : qmaster enforced h_rt, h_cpu, or h_vmem limit
exit_status  137                  (Killed)
ru_wallclock 3600s
cpu          12195.120s
mem          4.030TBs
io           512.000MB
iow          0.000s
maxvmem      20.610GB
arid         undefined
category     -u alice -q !gpu.q -l h_rt=3600,mem_free=25G -pe smp 10
"""


def test_qacct_tells_what_an_accounting_file_does() -> None:
    one = {"start": "Wed Feb 12 21:01:50 2020", "end": "Wed Feb 12 22:01:50 2020"}
    total = "Total System Usage\n    WALLCLOCK         UTIME\n=====================\n"
    record = read(QACCT.format(task="undefined", **one) + total)
    assert not record.findings
    (finished,) = record.finished
    assert (finished.failed, finished.exit_status, finished.cpu, finished.io) == (37, 137, 12195.12, 0.5)
    assert finished.memory == pytest.approx(4.03 * 1024)
    (ended,) = record.state.jobs
    assert (ended.runtime, ended.request.priority, ended.request.project) == (3600, 19, "boblab")
    assert ended.request.pe == PeRequest("smp", ((10, 10, 1),))
    never = read("".join(QACCT.format(task=task, start="-/-", end="-/-") for task in (1, 2)))
    assert never.finished[0].started is None
    assert never.state.jobs[0].request.array == TaskRange(1, 2)


def test_other_columns_and_cut_names_are_said() -> None:
    head = "job-ID  prior   ntckts  name       user         project          department state cpu        mem\n"
    (finding,) = read(head + "-----\n").findings
    assert "-ext, -urg and -pri are not read" in finding.message
    rows = (RECORDS / "qstat.plain.txt").read_text().replace("all.q@sim2   ", "fact_long@isdc-cn23.astro.unig")
    long = "with SGE_LONG_QNAMES=-1 qstat prints names in full"
    assert read(rows).findings[0].message == f'"fact_long@isdc-cn23.astro.unig" may be cut off: {long}'


CUT = """\
queuename                      qtype resv/used/tot. load_avg arch          states
---------------------------------------------------------------------------------
all_but_with_a_very_long_name. BIP   0/4/6          -NA-     -NA-          {values}
      1 0.25000 sleep      ada          t     11/24/2026 12:20:28 MASTER 1
      1 0.25000 sleep      ada          t     11/24/2026 12:20:28 MASTER 3
      2 0.31250 sleep      ada          t     11/24/2026 12:20:28 MASTER        
                                                                  SLAVE         

############################################################################
 - PENDING JOBS - PENDING JOBS - PENDING JOBS - PENDING JOBS - PENDING JOBS
############################################################################
      3 0.75000 sleep      ada          qw    11/24/2026 12:20:28               
      1 0.00000 sleep      ada          qw    11/24/2026 12:20:28        5-9:2
"""


def test_where_the_host_is_cut_off_the_place_is_unknown() -> None:
    record = read(CUT.format(values=""))
    assert [finding.line for finding in record.findings] == [3, 4, 4]
    assert granted(job(record, 2)) == {1: {"unknown@unknown": 1}}
    assert job(record, 1).request.array == TaskRange(1, 9, 2)
    assert states(job(record, 1)) == {1: "t", 3: "t"}
    assert job(record, 3).tasks == {}


def test_arrays_that_no_cluster_lets_in_are_said_and_take_no_time() -> None:
    details = (RECORDS / "qstat.j.txt").read_text().replace("1-9:2", "1-9000000")
    assert read(details).findings[0].message == '"1-9000000" are more than 1000000 tasks'
    rows = (RECORDS / "qstat.plain.txt").read_text().replace(" 5,9", " 5,9000000")
    array = job(read(rows), 3)
    assert array.request.array is not None
    assert (array.request.array.last, states(array)) == (9000000, {1: "r", 3: "r", 7: "hqw"})


@pytest.mark.parametrize(
    ("lines", "shown", "hold"),
    [
        (("",), {}, ""),
        (("scheduling info: Job is in hold state",), {}, "u"),
        (("scheduling info: something", f"{'':28}Job is in hold state"), {}, "u"),
        # It waits for others, or nobody says which of its tasks are held.
        (("jid_predecessor_list: 4", "scheduling info: Job is in hold state"), {}, ""),
        (("ja_ad_predecessor_list: 4", "scheduling info: Job is in hold state", "job-array tasks: 1-2:1"), {}, ""),
        (("job-array tasks: 1-3:1", "usage 2: cpu=00:00:01", "scheduling info: Job is in hold state"), {2: "r"}, ""),
        (("error reason 1: can't get password entry",), {1: "Eqw"}, ""),
        (("error reason 1: x", "scheduling info: There are no messages available"), {1: "Eqw"}, ""),
        (("error reason 1: x", "scheduling info: Job is in error state"), {1: "Eqw"}, ""),
        # It failed because of its queue, which is in error since, and waits once more.
        (("error reason 1: x", "scheduling info: something"), {}, ""),
        (("error reason 1: x", "usage 1: cpu=00:00:01"), {1: "r"}, ""),
        (("job-array tasks: 1-3:1", "job_state 2: t", "exec_host_list 3: h1:1"), {2: "t", 3: "r"}, ""),
        (("job_state 1: qw", "usage 1: cpu=00:00:01"), {}, ""),
    ],
)
def test_states_are_guessed_from_what_details_say(
    lines: tuple[str, ...], shown: dict[int, str], hold: str | None
) -> None:
    head = ("=" * 60, "job_number: 7", "submission_time: Tue Nov 24 12:13:46 2026", "owner: ada", "script_file: sleep")
    record = read("\n".join((*head, *lines, "")))
    assert (states(job(record, 7)), job(record, 7).request.hold) == (shown, hold)


# -- what files do not say


def notes(record: Recorded) -> list[tuple[str | None, int | None, str]]:
    return [(finding.file, finding.line, finding.message) for finding in record.findings]


def test_a_finished_task_is_z_and_one_in_an_unknown_state_is_said_and_left_out() -> None:
    row = "<JB_job_number>{}</JB_job_number><JB_submission_time>2026-11-24T12:00:00</JB_submission_time>{}"
    rows = [row.format(1, "<state>f</state>"), row.format(2, "<state>N</state>"), row.format(3, "<state>rr</state>")]
    listed = "".join(f"<job_list state='finished'>\n{text}</job_list>" for text in (*rows, row.format(4, "")))
    record = read(f"<job_info>{listed}</job_info>")
    assert {job.id: states(job) for job in record.state.jobs} == {1: {1: "z"}, 4: {1: "z"}}
    assert notes(record) == [
        ("file", 2, '"N" is not a state of a task of 8.1.9: it is left out'),
        ("file", 3, '"rr" is not a state of a task of 8.1.9: it is left out'),
    ]


FORKS = """\
==============================================================
job_number:                 7
submission_time:            02/27/2019 17:41:58.789
owner:                      anna
job_name:                   a
start_time            1:    02/27/2019 17:42:00.884
job_state             1:    r
{}
"""


@pytest.mark.parametrize(
    ("lines", "places", "said"),
    [
        ("exec_host_list 1:  node27:1", {"unknown@node27": 1}, "in which queue: it is called unknown"),
        ("exec_host_list 1:  n1:2, n2:1", {"unknown@n1": 2, "unknown@n2": 1}, "in which queue: it is called unknown"),
        ("exec_queue_list 1: a.q@n1:2\nexec_host_list 1: n1:2", {"a.q@n1": 2}, ""),
        ("exec_host_list 1: n1:2\nexec_queue_list 1: a.q@n1:2,b.q@n2:1", {"a.q@n1": 2, "b.q@n2": 1}, ""),
        ("exec_host_list 1: n1:²", {"unknown@unknown": 1}, 'the number of slots on n1 is "²"'),
    ],
)
def test_the_forks_say_where_and_since_when_a_task_runs(lines: str, places: dict[str, int], said: str) -> None:
    record = read(FORKS.format(lines))
    task = job(record, 7).tasks[1]
    assert (task.state, dict(task.granted), format_time(task.started or 0)) == ("r", places, "2019-02-27T17:42:00")
    assert [said in message for _, _, message in notes(record)][:1] == [True]


def test_each_note_names_the_file_of_its_job() -> None:
    row = b"<job_list><JB_job_number>300</JB_job_number><state>qw</state><slots>4</slots></job_list>"
    xml = b"<job_info>\n" + row + b"</job_info>"
    details = FORKS.format("exec_queue_list 1: a.q@n1:2").encode()
    read_together = read_records({"altair.xml": xml, "altair_j.txt": details})
    assert next(place for place in notes(read_together) if "300" in place[2])[:2] == ("altair.xml", 2)


SUMMARY = """\
CLUSTER QUEUE                   CQLOAD   USED    RES  AVAIL  TOTAL aoACDS  cdsuE
--------------------------------------------------------------------------------
all.q                             -NA-      1      0      3      4      0      0
b.q                               0.10      0      0      0      4      0      4
"""


def test_a_summary_of_cluster_queues_is_said_to_name_no_host() -> None:
    queues = "".join(
        f"<cluster_queue_summary>\n<name>{name}</name><used>{used}</used><total>4</total></cluster_queue_summary>"
        for name, used in (("all.q", 1), ("b.q", 0))
    )
    for text, line in ((SUMMARY, 3), (f"<job_info>{queues}</job_info>", 1)):
        (finding,) = read(text).findings
        assert (finding.line, finding.severity) == (line, Severity.WARNING)
        assert finding.message == ("the file sums up all.q (1 of 4 slots used), b.q (0 of 4 slots used) and names no "
                                   "host: no queue instance is read from it")  # fmt: skip
