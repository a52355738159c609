"""Single lines of the tables of qstat and qhost (clients.md)."""

import pytest

from qmon_tui.formats.format_findings import unreadable
from qmon_tui.formats.records.record import Recorded
from qmon_tui.formats.records.record_reader import read_records

HEAD = "queuename                      qtype resv/used/tot. load_avg arch          states\n"
LINE = "-" * 81 + "\n"
INSTANCE = "all.q@sim1                     BIP   0/4/4          0.50     lx-amd64      \n"
PENDING = f"{'#' * 76}\n - PENDING JOBS - PENDING JOBS - PENDING JOBS - PENDING JOBS - PENDING JOBS\n{'#' * 76}\n"
EXTENDED = "job-ID  prior   ntckts  name       user         project          department state cpu        mem     io\n"
HOSTS = "HOSTNAME                ARCH         NCPU NSOC NCOR NTHR  LOAD  MEMTOT  MEMUSE  SWAPTO  SWAPUS\n"


def read(text: str) -> Recorded:
    return read_records({"file": text.encode()})


def row(job: int, state: str, rest: str = "1") -> str:
    return f"     {job:2} 0.25000 plain      ada          {state:4}  11/24/2026 12:13:46     {rest}\n"


def places(record: Recorded) -> dict[int, dict[int, dict[str, int]]]:
    return {job.id: {number: dict(task.granted) for number, task in job.tasks.items()} for job in record.state.jobs}


def test_jobs_stand_below_their_queue_instance_until_the_pending_ones() -> None:
    record = read(HEAD + LINE + INSTANCE + row(1, "r") + "\n" + row(2, "s", "3") + LINE + PENDING + row(3, "dqw"))
    assert [finding.message.partition(":")[0] for finding in record.findings] == [
        "jobs 1-2 run, but the file does not say for how long",
        "the load values of sim1 are not in the file, but no alarm is shown",
    ]
    assert places(record) == {1: {1: {"all.q@sim1": 1}}, 2: {1: {"all.q@sim1": 3}}, 3: {1: {}}}
    assert [job.tasks[1].state for job in record.state.jobs] == ["r", "s", "dqw"]
    assert dict(record.slots) == {"all.q@sim1": 4}
    assert dict(record.state.loads["sim1"]) == {"load_avg": "0.50", "np_load_avg": "0.5"}


def test_rows_below_columns_that_are_not_read_are_left_out() -> None:
    record = read(EXTENDED + LINE + row(1, "r") + HEAD + LINE + INSTANCE + row(2, "r"))
    assert [(finding.line, finding.message) for finding in unreadable(record.findings)] == [
        (1, "the columns of qstat -ext, -urg and -pri are not read: give it without them")
    ]
    assert list(places(record)) == [2]


def test_blank_lines_and_lines_of_other_lengths_are_passed_over_in_a_table_of_hosts() -> None:
    host = "sim1                    lx-amd64        8    -    -    -  0.50   15.7G    1.2G    2.0G     0.0\n"
    record = read(
        HOSTS + LINE + "\n" + host + "   all.q   BIP   0/4/4\n" + "sim2 lx-amd64 8\n" + "   b.q   BIP   0/4/2   d\n"
    )
    assert not record.findings
    assert {name: dict(values) for name, values in record.state.loads.items()} == {
        "sim1": {"arch": "lx-amd64", "num_proc": "8", "load_avg": "0.50", "mem_total": "15.7G", "mem_used": "1.2G",
                 "swap_total": "2.0G", "swap_used": "0.0", "np_load_avg": "0.0625"}
    }  # fmt: skip
    assert (dict(record.slots), dict(record.state.queue_states)) == (
        {"all.q@sim1": 4, "b.q@sim1": 2},
        {"b.q@sim1": "d"},
    )


@pytest.mark.parametrize(
    ("line", "loads"),
    [
        ("   hl:load_avg=8.5", {"sim1": {"load_avg": "8.5", "np_load_avg": "1"}}),
        ("   gl:lic=3", {"global": {"lic": "3"}}),
        ("   gc:lic=3", {}),
    ],
)
def test_values_stand_below_the_queue_instance(line: str, loads: dict[str, dict[str, str]]) -> None:
    unknown = INSTANCE.replace("0.50", "-NA-")
    record = read(HEAD + LINE + unknown + line + "\n")
    assert {name: dict(values) for name, values in record.state.loads.items()} == loads
    assert not read(HEAD + LINE + line + "\n").values


def test_a_later_file_says_where_a_task_runs_and_one_that_does_not_say_it_changes_nothing() -> None:
    def details(*granted: str) -> bytes:
        places = "".join(f"<element>{one}</element>" for one in granted)
        listed = f"<JAT_granted_destin_identifier_list>{places}</JAT_granted_destin_identifier_list>" if granted else ""
        task = f"<JAT_task_number>1</JAT_task_number><JAT_status>128</JAT_status><JAT_state>128</JAT_state>{listed}"
        tasks = f"<JB_ja_tasks><element>{task}</element></JB_ja_tasks>"
        job = f"<djob_info><element><JB_job_number>7</JB_job_number>{tasks}</element></djob_info>"
        return f"<detailed_job_info>{job}</detailed_job_info>".encode()

    first = details("<JG_qname>a.q@n1</JG_qname>", "<JG_qname>a.q@n2</JG_qname><JG_slots>2</JG_slots>")
    second = details("<JG_qname>a.q@n3</JG_qname><JG_slots>3</JG_slots>")
    for files, granted in (
        ({"a": first}, {"a.q@n1": 1, "a.q@n2": 2}),
        ({"a": first, "b": second}, {"a.q@n3": 3}),
        ({"a": first, "b": details()}, {"a.q@n1": 1, "a.q@n2": 2}),
    ):
        assert places(read_records(files)) == {7: {1: granted}}


def test_a_name_that_may_be_cut_off_is_said_once() -> None:
    cut = "a" * 26 + "@si1"
    head = "job-ID  prior   name       user         state submit/start at     queue                          slots\n"
    record = read(head + LINE + row(1, "r", f"{cut} 1") + row(2, "r", f"{cut} 1"))
    assert [(f.line, f.message) for f in record.findings if "SGE_LONG_QNAMES" in f.message] == [
        (3, f'"{cut}" may be cut off: with SGE_LONG_QNAMES=-1 qstat prints names in full')
    ]


def test_details_of_rows_that_are_empty_or_of_none_are_passed_over() -> None:
    detail = "       Full jobname:     x\n       Hard Resources:   \n"
    record = read(HEAD + LINE + INSTANCE + detail + row(1, "r") + detail + f"{'':26}a=1 (0.000000)\n")
    (job,) = record.state.jobs
    assert (job.name, job.request.hard) == ("x", (("a", "1"),))


def test_hosts_may_have_names_of_one_letter() -> None:
    record = read(
        f"{HOSTS}n                       lx-amd64        8    -    -    -  0.50   15.7G    1.2G    2.0G     0.0\n"
    )
    assert list(record.state.loads) == ["n"]


@pytest.mark.parametrize(
    ("rows", "granted"),
    [
        (row(1, "r", "MASTER"), {1: {1: {"all.q@sim1": 1}}}),
        (row(1, "r", "MASTER") + " " * 66 + "SLAVE\n", {1: {1: {"all.q@sim1": 2}}}),
        # A slot of a job that nothing was told of before.
        (" " * 66 + "SLAVE\n" + row(1, "r", "MASTER"), {1: {1: {"all.q@sim1": 1}}}),
    ],
)
def test_each_further_slot_is_of_the_job_before(rows: str, granted: dict[int, dict[int, dict[str, int]]]) -> None:
    assert places(read(HEAD + LINE + INSTANCE + rows)) == granted
