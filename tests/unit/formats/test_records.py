"""What clients of a real qmaster 8.1.9 printed, and how the forks write the same, read into jobs and state."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from qmon_tui.formats.qsub import parse_qsub, qsub_line
from qmon_tui.formats.records.record import Recorded, moment
from qmon_tui.formats.records.record_reader import read_records
from qmon_tui.model.findings import Severity
from qmon_tui.model.jobs import Job, PeRequest, Request, TaskRange
from qmon_tui.values.times import format_time

RECORDS = Path(__file__).parents[2] / "data" / "records"


def recorded(*names: str) -> Recorded:
    return read_records({name: (RECORDS / name).read_bytes() for name in names})


def read(text: str) -> Recorded:
    return read_records({"file": text.encode()})


def job(record: Recorded, number: int) -> Job:
    return next(job for job in record.state.jobs if job.id == number)


def granted(one: Job) -> dict[int, dict[str, int]]:
    return {number: dict(task.granted) for number, task in one.tasks.items()}


# -- qstat


def test_everything_that_a_full_listing_says() -> None:
    record = recorded("qstat.f_ext_urg_pri_r.xml")
    assert [(finding.line, finding.message) for finding in record.findings] == [
        (203, "job 33 waits held, but the file does not say by what: a user hold is taken"),
        (
            12,
            "jobs 28-29 run, but the file does not say for how long: a day takes h_rt, else an hour more than so far",
        ),
        (
            1,
            "the load values of localhost are not in the file, but no alarm is shown: np_load_avg is taken for"
            " load_avg, 1 at most",
        ),
    ]
    assert [job.id for job in record.state.jobs] == [28, 29, 30, 31, 32, 33, 34, 35, 36]
    running, parallel, later = job(record, 28), job(record, 29), job(record, 36)
    assert running.request.hard == (("val_int", "2"), ("val_mem", "512M"), ("h_rt", "600"))
    assert running.request.soft == (("arch", "lx-amd64"),)
    assert granted(running) == {1: {"val_run@localhost": 1}}
    assert (parallel.request.pe, parallel.request.priority) == (PeRequest("val_pe9", ((2, 2, 1),)), -5)
    assert parallel.request.project == "val_prj"
    assert granted(parallel) == {1: {"val_run@localhost": 2}}
    assert job(record, 32).request.array == TaskRange(1, 9, 2)
    assert job(record, 33).request.hold == "u"
    assert job(record, 34).request.hold_jid == ("28", "29")
    assert later.request.deadline is not None
    assert format_time(later.request.deadline) == "2031-01-01T00:00:00"
    assert dict(record.slots) == {"val_run@localhost": 4, "val_run2@localhost": 1}
    assert dict(record.state.queue_states) == {"val_run2@localhost": "d"}
    assert record.state.loads["localhost"]["load_avg"] == "3.36426"


@pytest.mark.parametrize("name", ["qstat.plain.xml", "qstat.t.xml", "qstat.f_ext_urg_pri_r.xml"])
def test_every_listing_says_where_the_parallel_job_runs(name: str) -> None:
    assert granted(job(recorded(name), 29)) == {1: {"val_run@localhost": 2}}


def test_tasks_of_an_array_that_run_and_those_that_wait() -> None:
    array = job(recorded("qstat.f_array_error.xml"), 32)
    assert array.request.array == TaskRange(1, 9, 2)
    states = {number: task.state for number, task in array.tasks.items()}
    assert states == {1: "r", 3: "gone", 5: "r"}


def test_resources_of_queue_instances_are_values_and_the_loads_among_them_the_hosts() -> None:
    record = recorded("qstat.F.xml")
    values = record.values["val_run@localhost"]
    assert values["qf:qname"] == "val_run"
    assert any(key.startswith("hl:") for key in values)
    assert all(key[2] == ":" for key in values)
    assert record.state.loads["localhost"]["arch"] == "lx-amd64"


def test_details_say_what_a_listing_does_not_and_the_listing_says_where() -> None:
    record = recorded("qstat.j_star.xml", "qstat.f_ext_urg_pri_r.xml")
    assert [(finding.file, finding.message, finding.hint) for finding in record.findings] == [
        (
            "qstat.j_star.xml",
            "job 33 waits held, but the file does not say by what: a user hold is taken",
            "qstat -s hu, ho or hs tells it",
        ),
        (
            "qstat.f_ext_urg_pri_r.xml",
            "the load values of localhost are not in the file, but no alarm is shown: np_load_avg is taken for "
            "load_avg, 1 at most",
            "ask qstat for -F as well",
        ),
    ]
    array, parallel = job(record, 32), job(record, 29)
    assert (array.request.array, array.request.max_running_tasks) == (TaskRange(1, 10, 2), 2)
    assert parallel.request.job_share == 3
    assert parallel.request.command == ("/bin/sleep", "600")
    assert parallel.runtime == 600
    assert parallel.group == "root"
    assert granted(parallel) == {1: {"val_run@localhost": 2}}
    assert record.messages[0] == ('queue instance "val_run2@localhost" dropped because it is disabled',)
    assert record.messages[33] == ("Job is in hold state",)
    assert record.messages[30] == ('cannot run because it exceeds limit "root/////" in rule "val_limits/peruser"',)


def test_a_job_that_runs_nobody_says_where_is_kept_and_said() -> None:
    record = recorded("qstat.j_star.xml")
    assert granted(job(record, 28)) == {1: {"unknown@unknown": 1}}
    assert granted(job(record, 29)) == {1: {"unknown@unknown": 2}}
    finding = record.findings[0]
    assert (finding.severity, finding.hint) == (Severity.WARNING, "give the output of qstat -f as well")
    assert finding.message.startswith("jobs 28-29 run")


def test_a_parallel_job_whose_environment_is_not_named_is_said() -> None:
    row = "<JB_job_number>7</JB_job_number><JB_owner>anna</JB_owner><state>qw</state><slots>8</slots>"
    record = read(f"<job_info><job_info><job_list state='pending'>{row}</job_list></job_info></job_info>")
    finding = record.findings[0]
    assert "job 7 waits for several slots" in finding.message
    assert finding.hint == "ask qstat for -r as well"


def test_the_misspelt_sign_is_mended() -> None:
    text = "<job_list><JB_job_number>1</JB_job_number><hard_request name='x'>a%lt;b&amp;c</hard_request></job_list>"
    assert job(read(text), 1).request.hard == (("x", "a<b&c"),)


@pytest.mark.parametrize(
    "time", ["1795249342", "1795249342000", "1795249342000000", format_time(1795249342), format_time(1795249342) + ".5"]
)
def test_times_of_all_forks(time: str) -> None:
    text = f"<job_list><JB_job_number>1</JB_job_number><JB_submission_time>{time}</JB_submission_time></job_list>"
    assert job(read(text), 1).submitted == 1795249342


def test_requests_of_open_cluster_scheduler_stand_in_sets_by_scope() -> None:
    text = """<detailed_job_info><djob_info><element><JB_job_number>3</JB_job_number><JB_owner>anna</JB_owner>
      <JB_submission_time>2026-08-18T13:28:45.7</JB_submission_time>
      <JB_request_set_list><ulong_sublist><JRS_scope>0</JRS_scope>
        <JRS_hard_resource_list><element><CE_name>gpu</CE_name><CE_stringval>2</CE_stringval></element></JRS_hard_resource_list>
        <JRS_hard_queue_list><element><QR_name>all.q</QR_name></element></JRS_hard_queue_list>
      </ulong_sublist></JB_request_set_list>
      <JB_ja_tasks><element><JAT_status>128</JAT_status><JAT_state>128</JAT_state><JAT_task_number>1</JAT_task_number>
        <JAT_granted_destin_identifier_list><element><JG_qname>all.q@N1</JG_qname><JG_slots>2</JG_slots></element>
        </JAT_granted_destin_identifier_list></element></JB_ja_tasks>
    </element></djob_info></detailed_job_info>"""
    one = job(read(text), 3)
    assert one.request.hard == (("gpu", "2"),)
    assert one.request.hard_queues == ("all.q",)
    assert granted(one) == {1: {"all.q@n1": 2}}


def test_qhost_gives_load_values_and_queue_instances() -> None:
    record = recorded("qhost.F_q_j.xml")
    assert not record.findings
    assert set(record.state.loads) == {"localhost"}
    assert record.state.loads["localhost"]["num_proc"] == "2.000000"
    assert record.slots == {"val_run@localhost": 4, "val_run2@localhost": 1}
    assert record.state.queue_states == {"val_run2@localhost": "d"}


def test_qquota_gives_the_usage_of_rules() -> None:
    slots, integers = recorded("qquota.xml").quotas
    assert (slots.rule, dict(slots.filters)) == ("val_limits/peruser", {"users": "root"})
    assert (slots.resource, slots.limit, slots.value) == ("slots", "3", "3")
    assert (integers.resource, integers.limit, integers.value) == ("val_int", "5", "2")


# -- logs


def test_an_accounting_file_gives_jobs_to_play_and_how_they_ended() -> None:
    record = recorded("accounting")
    assert not record.findings
    parallel = job(record, 29)
    assert parallel.request.pe == PeRequest("val_pe9", ((2, 2, 1),))
    assert (parallel.request.project, parallel.runtime) == ("val_prj", 83)
    assert not parallel.tasks
    ended = [task for task in record.finished if task.job == 29]
    assert [(task.failed, task.exit_status, task.granted, task.slots) for task in ended] == [
        (100, 137, "val_run@localhost", 2)
    ]
    assert job(record, 11).runtime == 0


def accounting(**others: str) -> str:
    fields = {
        "qname": "all.q", "hostname": "n1", "group": "staff", "owner": "anna", "job_name": "a", "job_number": "5",
        "account": "sge", "priority": "0", "submission_time": "1000000000", "start_time": "1000000010",
        "end_time": "1000000070", "failed": "0", "exit_status": "0", "ru_wallclock": "60",
    }  # fmt: skip
    rest = ["0"] * 17 + ["NONE", "defaultdepartment", "NONE", "1", "0", "1.0", "2.0", "3.0", "NONE", "0", "NONE", "4.0"]
    return ":".join([*(fields | others).values(), *rest])


def test_records_of_all_ages_are_read() -> None:
    old, new = accounting(), accounting(job_number="6") + ":0:0"
    univa = accounting(
        job_number="7", submission_time="1000000000123", start_time="1000000010123", end_time="1000000070123"
    )
    record = read("\n".join((old, new, univa + ":0:0:x:y:z:1:2:3")))
    assert not record.findings
    assert [(job.id, job.submitted, job.runtime) for job in record.state.jobs] == [
        (number, 1000000000, 60) for number in (5, 6, 7)
    ]


def test_a_record_that_cannot_be_right_is_said_with_its_line() -> None:
    record = read("\n".join((accounting(), accounting(job_name="a:b"), "short:line")))
    assert [(finding.line, finding.rule) for finding in record.findings] == [(2, "format.record"), (3, "format.record")]
    assert [one.id for one in record.state.jobs] == [5]


# -- bad input


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<!DOCTYPE a [<!ENTITY b "c">]><job_info>&b;</job_info>', "document type"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd"><job_info/>', "document type"),
        ("<job_info><queue_info>", "not XML"),
        ("<a>" * 5000, "nested more than"),
        ("<html/>", "<html> is not output"),
        ("hello", "this is none of: XML"),
        ("", "this is none of: XML"),
        (
            "<job_list><JB_job_number>x</JB_job_number></job_list>",
            'JB_job_number is "x", not a whole',
        ),
        ("<job_list><JB_job_number>1</JB_job_number><tasks>1-9999999</tasks></job_list>", "more than"),
        ("<job_list><JB_job_number>1</JB_job_number><tasks>9-</tasks></job_list>", ""),
    ],
)
def test_what_is_no_record_is_said(text: str, said: str) -> None:
    record = read(text)
    assert record.findings
    assert said in record.findings[0].message
    assert not record.state.jobs


@pytest.mark.parametrize("encoding", ["utf-7", "shift_jis", "euc-jp", "ucs-4", "utf-32", "idna", "hex", "no"])
def test_an_encoding_that_cannot_be_read_is_a_finding(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n<job_info><queue_info>ü</queue_info></job_info>\n'
    (finding,) = read_records({"file": text.encode()}).findings
    assert (finding.rule, finding.file, finding.line) == ("format.xml", "file", 1)
    assert finding.message == "the encoding that the first line names is not read: convert the file to UTF-8"


@given(st.binary(max_size=400))
def test_no_input_breaks_the_readers(data: bytes) -> None:
    read_records({"file": data})


NAMES = ["qstat.F.xml", "qstat.j_star.xml", "qhost.F_q_j.xml", "qquota.xml", "accounting"]


@given(st.sampled_from(NAMES), st.integers(0, 60_000), st.integers(0, 200), st.binary(max_size=12))
def test_damaged_records_do_not_break_the_readers(name: str, start: int, length: int, put: bytes) -> None:
    data = (RECORDS / name).read_bytes()
    start %= len(data)
    read_records({name: data[:start] + put + data[start + length :]})


# -- the options of qsub

WORDS = st.text("abcXYZ019._*@", min_size=1, max_size=6)
LISTS = st.lists(WORDS.filter(lambda word: word[0] != "-"), max_size=3).map(tuple)
REQUESTS = st.lists(st.tuples(WORDS, st.one_of(st.none(), st.text("ab12|!&'\"$", max_size=5))), max_size=3)
NUMBERS = st.integers(0, 2**31 - 1)
PES = st.builds(
    PeRequest,
    WORDS,
    st.tuples(st.integers(1, 50), st.integers(0, 50)).map(lambda pair: ((pair[0], pair[0] + pair[1], 1),)),
)
ARRAYS = st.tuples(st.integers(1, 50), st.integers(0, 50), st.integers(1, 7)).map(
    lambda three: TaskRange(three[0], three[0] + three[1], three[2])
)


@given(
    st.builds(
        Request,
        hard=REQUESTS.map(lambda pairs: tuple(dict(pairs).items())),
        soft=REQUESTS.map(lambda pairs: tuple(dict(pairs).items())),
        hard_queues=LISTS,
        soft_queues=LISTS,
        master_queues=LISTS,
        hold_jid=LISTS,
        hold_jid_ad=LISTS,
        pe=st.one_of(st.none(), PES),
        array=st.one_of(st.none(), ARRAYS),
        priority=st.integers(-1023, 1024),
        project=st.one_of(st.none(), WORDS),
        max_running_tasks=NUMBERS,
        start_time=st.one_of(st.none(), st.integers(10**6, 2 * 10**9)),
        deadline=st.one_of(st.none(), st.integers(10**6, 2 * 10**9)),
        hold=st.sampled_from(["", "u", "os", "uos"]),
        job_share=NUMBERS,
        override_tickets=NUMBERS,
        reserve=st.booleans(),
        rerun=st.sampled_from(["", "y", "n"]),
        checkpoint_when=st.sampled_from(["", "sx", "n", "0:10:0"]),
        immediate=st.booleans(),
        command=st.sampled_from([(), ("sleep", "60"), ("/opt/a b/run", "-x", "'")]),
    )
)
def test_the_options_of_a_request_read_back_as_the_request(request_: Request) -> None:
    parsed = parse_qsub(qsub_line(request_, "name"))
    assert parsed.problems == ()
    expected = request_.array
    if expected is not None:
        # The last task of a range is the last that its step reaches.
        expected = replace(expected, last=parsed.request.array.last) if parsed.request.array else None
        assert parsed.request.array is not None
        assert parsed.request.array.ids == request_.array.ids if request_.array else True
    assert parsed.request == replace(request_, array=expected)
    assert parsed.name == "name"


# -- reporting and traces of simulators

REPORTING = """\
1795249372:new_job:1795249343:29:-1:NONE:val_par:root:root:val_prj:defaultdepartment:sge:1019
1795249372:job_log:1795249372:pending:46:-1:NONE::root:localhost:0:1024:1795249372:true:root:root::dept:sge:new job
1795249373:new_job:1795249373:46:-1:NONE:late:ada:staff::defaultdepartment:sge:1034
1795249427:queue_consumable:val_run:localhost:1795249427::slots=1.000000=4.000000
1795249427:acct:{record}
"""


def test_reporting_tells_what_was_submitted_and_what_became_of_it() -> None:
    lines = (RECORDS / "accounting").read_text().splitlines()
    ended = next(line for line in lines if line.split(":")[5:6] == ["29"])
    record = read(REPORTING.format(record=ended))
    assert not record.findings
    assert [one.id for one in record.state.jobs] == [29, 46]
    (same,) = read(ended).state.jobs
    assert job(record, 29) == same
    assert (job(record, 46).owner, job(record, 46).name, job(record, 46).request.priority) == ("ada", "late", 10)
    assert [task.job for task in record.finished] == [29]


def test_reporting_of_a_real_qmaster() -> None:
    record = recorded("reporting")
    assert not record.findings
    assert len(record.finished) == 4
    assert [one.id for one in record.state.jobs] == sorted(one.id for one in record.state.jobs)


def test_a_submission_with_a_colon_in_its_name_is_said() -> None:
    (finding,) = read("1:new_job:x:29:-1:NONE:a:b:c:d:e:f:g\n").findings
    assert finding.line == 1
    assert 'submission_time is "x"' in finding.message


def test_a_trace_with_semicolons_names_its_users() -> None:
    record = read("1001;0;-1;15;12;-1;-1;-1;420;-1;-1;user5;account2;-1;normal;normal;;-1;\n")
    assert not record.findings
    one = job(record, 1001)
    assert (one.owner, one.group, one.runtime) == ("user5", "account2", 15)
    assert one.request.hard == (("h_rt", "420"),)
    assert one.request.pe == PeRequest("swf", ((12, 12, 1),))


def test_a_time_is_one_that_can_be_printed() -> None:
    assert moment("1" * 18) == int("1" * 18) // 1_000_000
    for text in ("1" * 20, "1" * 21):
        with pytest.raises(ValueError, match=r".+"):
            moment(text)


NO_NUMBERS = ("²", "٣", "--5", "-+5", "1e400", "9" * 4301, "1_0", "x", "", "-1")


@pytest.mark.parametrize("file", sorted(path.name for path in RECORDS.iterdir() if path.stat().st_size < 12_000))
def test_a_number_that_is_none_costs_no_other_job_anything(file: str) -> None:
    """Each number of a file is damaged alone, and at most one job is missing then."""
    text = (RECORDS / file).read_text()
    jobs = {job.id for job in recorded(file).state.jobs}
    for place, match in enumerate(re.finditer(r"(?<![\w.\[/])[0-9]+(?![\w.\]/])", text)):
        damaged = text[: match.start()] + NO_NUMBERS[place % len(NO_NUMBERS)] + text[match.end() :]
        left = {job.id for job in read(damaged).state.jobs}
        assert len(jobs - left) <= 1, (match.group(), match.start())
