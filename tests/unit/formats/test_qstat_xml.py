"""What single elements of qstat -xml say of a job (clients.md#qstat--xml), and where they say nothing."""

import pytest

from qmon_tui.formats.format_findings import unreadable
from qmon_tui.formats.records import details_xml, job_builders
from qmon_tui.formats.records.details_xml import state_letters
from qmon_tui.formats.records.record import Recorded
from qmon_tui.formats.records.record_reader import read_records
from qmon_tui.model import Job, PeRequest, Request, TaskRange


def read(text: str) -> Recorded:
    return read_records({"file": text.encode()})


def elements(**texts: str) -> str:
    return "".join(f"<{name}>{text}</{name}>" for name, text in texts.items())


def rows(*listed: str, instance: str = "") -> Job:
    """The one job of some rows."""
    body = "".join(f"<job_list><JB_job_number>7</JB_job_number>{row}</job_list>" for row in listed)
    if instance:
        body = f"<queue_info><Queue-List><name>{instance}</name>{body}</Queue-List></queue_info>"
    (job,) = read(f"<job_info>{body}</job_info>").state.jobs
    return job


def details(body: str, number: str = "7") -> str:
    return f"<djob_info><element><JB_job_number>{number}</JB_job_number>{body}</element></djob_info>"


def detailed(body: str) -> Job:
    record = read(f"<detailed_job_info>{details(body)}</detailed_job_info>")
    expected = ["job 7 is there without a time of submission or start: the newest time of all is taken"]
    if record.state.jobs[0].tasks and "r" in "".join(states(record.state.jobs[0]).values()):
        expected = [
            "job 7 runs, but the file does not say where: the place is unknown@unknown",
            *expected,
            "job 7 runs, but the file does not say for how long: a day takes h_rt, else an hour more than so far",
        ]
    assert [finding.message for finding in record.findings] == expected
    return record.state.jobs[0]


def states(job: Job) -> dict[int, str]:
    return {number: task.state for number, task in job.tasks.items()}


def array(first: int, last: int, step: int = 1) -> str:
    ends = elements(RN_min=str(first), RN_max=str(last), RN_step=str(step))
    return f"<JB_ja_structure><task_id_range>{ends}</task_id_range></JB_ja_structure>"


def tasks(**bits: tuple[int, int]) -> str:
    """`t3=(128, 128)` is task 3 with its status and state."""
    listed = (
        elements(JAT_task_number=name[1:], JAT_status=str(status), JAT_state=str(state))
        for name, (status, state) in bits.items()
    )
    return "<JB_ja_tasks>" + "".join(f"<element>{one}</element>" for one in listed) + "</JB_ja_tasks>"


@pytest.mark.parametrize(
    ("status", "state", "letters"),
    [
        (0, 0, "qw"),
        (0, 0x840, "qw"),
        (0, 0x850, "hqw"),
        (0, 0x8860, "ERqw"),
        (0x80, 0, "r"),
        (0x80, 0x80, "r"),
        (0x80, 0xA0, "Rr"),
        (0x80, 0x480, "dr"),
        (0x80, 0x100, "s"),
        (0x80, 0x2000, "S"),
        (0x80, 0x4000, "S"),
        (0x80, 0x10000, "T"),
        (0x80, 0x1000, "x"),
        (0x200, 0x80, "t"),
        (0x200, 0x4A0, "dRt"),
        (0x10000, 0x80, "z"),
    ],
)
def test_letters_of_the_bits_of_a_task(status: int, state: int, letters: str) -> None:
    assert state_letters(status, state) == letters


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("", Request()),
        ("<hard_request name='a'>1</hard_request><hard_request name='b'/>", Request(hard=(("a", "1"), ("b", None)))),
        ("<soft_request name='a'> 1 </soft_request>", Request(soft=(("a", "1"),))),
        ("<hard_req_queue>a.q</hard_req_queue><hard_req_queue> </hard_req_queue>", Request(hard_queues=("a.q",))),
        ("<soft_req_queue>a.q</soft_req_queue>", Request(soft_queues=("a.q",))),
        ("<master_hard_req_queue>a.q</master_hard_req_queue>", Request(master_queues=("a.q",))),
        ("<requested_pe name='mpi'>2-4</requested_pe>", Request(pe=PeRequest("mpi", ((2, 4, 1),)))),
        ("<predecessor_jobs>3</predecessor_jobs><predecessor_jobs>4</predecessor_jobs>", Request(hold_jid=("3", "4"))),
        ("<JB_project>sea</JB_project>", Request(project="sea")),
        ("<JB_project>NONE</JB_project>", Request()),
        ("<JB_priority>-5</JB_priority>", Request(priority=-5)),
        ("<JB_priority>x</JB_priority>", Request()),
        ("<JB_override_tickets>9</JB_override_tickets>", Request(override_tickets=9)),
        ("<JB_jobshare>9</JB_jobshare>", Request()),
        ("<JB_deadline>1795249342</JB_deadline>", Request(deadline=1795249342)),
    ],
)
def test_what_a_row_says_that_its_job_asks_for(row: str, expected: Request) -> None:
    assert rows(f"<state>qw</state>{row}").request == expected


@pytest.mark.parametrize("body", ["<requested_pe name='mpi'>x</requested_pe>", "<JB_deadline>someday</JB_deadline>"])
def test_a_wrong_part_of_a_row_is_said_and_the_job_stays(body: str) -> None:
    record = read(f"<job_info>\n<job_list><JB_job_number>7</JB_job_number>\n{body}</job_list></job_info>")
    assert len(unreadable(record.findings)) == 1
    assert unreadable(record.findings)[0].rule == "format.record"
    assert [(job.id, job.request) for job in record.state.jobs] == [(7, Request())]


@pytest.mark.parametrize(
    ("listed", "granted"),
    [
        (["<slots>3</slots>"], {"a.q@n1": 3}),
        ([""], {"a.q@n1": 1}),
        (["<slots>3</slots>", "<slots>2</slots>"], {"a.q@n1": 5}),
        (["<master>MASTER</master>"], {"a.q@n1": 1}),
        (["<master>SLAVE</master>"] * 2 + ["<master>MASTER</master>"], {"a.q@n1": 3}),
        # The master's row is one of the slots that are granted only where the slaves' are fewer.
        (["<master>SLAVE</master><granted_pe name='m'>2</granted_pe>"] * 2
         + ["<master>MASTER</master><granted_pe name='m'>2</granted_pe>"], {"a.q@n1": 2}),
        (["<master>SLAVE</master><granted_pe name='m'>3</granted_pe>"] * 2
         + ["<master>MASTER</master><granted_pe name='m'>3</granted_pe>"], {"a.q@n1": 3}),
    ],
)  # fmt: skip
def test_slots_of_rows_in_a_queue_instance_add_up(listed: list[str], granted: dict[str, int]) -> None:
    job = rows(*(f"<state>r</state>{row}" for row in listed), instance="a.q@N1")
    assert {number: dict(task.granted) for number, task in job.tasks.items()} == {1: granted}


@pytest.mark.parametrize(
    ("row", "tickets"),
    [
        ("<state>r</state><tickets>5</tickets>", None),
        ("<state>r</state><granted_pe/><tickets>5</tickets><otickets>0</otickets>", {"tckts": 5, "otckt": 0}),
        ("<state>r</state><granted_pe/><ftickets>-1</ftickets><stickets>x</stickets>", {"ftckt": 2**32 - 1}),
        (
            "<state>hRq</state><JAT_prio>0.5</JAT_prio><JAT_ntix>x5</JAT_ntix><granted_pe/>",
            {"prior": 0.5},
        ),
        ("<state>hq</state><JAT_prio>0.5</JAT_prio>", None),
        ("<state>Rq</state><JAT_prio>0.5</JAT_prio>", None),
        # The order of starts within a second is that of prior.
        ("<state>r</state><JAT_prio>0.5</JAT_prio><JAT_ntix>0.25</JAT_ntix>", {"prior": 0.5}),
        ("<state>Rt</state><JAT_prio>0.5</JAT_prio><granted_pe/><tickets>5</tickets>", {"prior": 0.5, "tckts": 5}),
        ("<state>S</state><JAT_prio>0.5</JAT_prio>", None),
    ],
)
def test_tickets_of_a_row(row: str, tickets: dict[str, float] | None) -> None:
    job = rows(row, "<state>qw</state><tasks>2</tasks>", instance="a.q@n1")
    assert {number: task.tickets for number, task in job.tasks.items()} == {1: tickets}


@pytest.mark.parametrize(
    ("body", "expected", "shown"),
    [
        ("", None, {}),
        (array(1, 1), None, {}),
        (array(1, 1) + "<JB_is_array>true</JB_is_array>", TaskRange(1, 1), {}),
        (array(1, 1, 0) + "<JB_is_array>true</JB_is_array>", TaskRange(1, 1), {}),
        (array(2, 2), TaskRange(2, 2), {}),
        (array(1, 9, 2), TaskRange(1, 9, 2), {}),
        # Tasks of which nothing is said wait.
        (array(1, 4) + tasks(t2=(128, 128), t3=(0, 0x840)), TaskRange(1, 4), {2: "r"}),
        (array(1, 4) + tasks(t2=(128, 0x480), t4=(0, 0x8840)), TaskRange(1, 4), {2: "dr", 4: "Eqw"}),
        (tasks(t1=(128, 128)), None, {1: "r"}),
        (array(1, 3) + tasks(t1=(0, 0x840), t2=(128, 128), t3=(0, 0)), TaskRange(1, 3), {2: "r"}),
        (tasks(t1=(0, 0)).replace("<JAT_status>0</JAT_status><JAT_state>0</JAT_state>", ""), None, {}),
        (tasks(t1=(0, 0x10)).replace("<JAT_status>0</JAT_status>", ""), None, {1: "h"}),
    ],
)
def test_tasks_of_which_details_tell(body: str, expected: TaskRange | None, shown: dict[int, str]) -> None:
    job = detailed(body)
    assert (job.request.array, states(job)) == (expected, shown)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (elements(JB_priority="1024", JB_account="sge", JB_ar="0"), Request()),
        (elements(JB_priority="1019", JB_account="acct", JB_ar="4"),
         Request(priority=-5, account="acct", advance_reservation="4")),
        (elements(JB_project="sea", JB_checkpoint_name="ck"), Request(project="sea", checkpoint="ck")),
        (elements(JB_jobshare="3", JB_override_tickets="4"), Request(job_share=3, override_tickets=4)),
        (elements(JB_reserve="true", JB_restart="1"), Request(reserve=True, rerun="y")),
        (elements(JB_reserve="false", JB_restart="2"), Request(rerun="n")),
        (elements(JB_reserve="false", JB_restart="0"), Request()),
        (elements(JB_pe="mpi"), Request(pe=PeRequest("mpi", ((1, 1, 1),)))),
        (elements(JB_pe="mpi") + "<JB_pe_range><ranges><RN_min>2</RN_min><RN_max>8</RN_max></ranges></JB_pe_range>",
         Request(pe=PeRequest("mpi", ((2, 8, 1),)))),
        (elements(JB_ja_task_concurrency="2"), Request(max_running_tasks=2)),
        (elements(JB_deadline="1795249342", JB_execution_time="1795249343"),
         Request(deadline=1795249342, start_time=1795249343)),
        ("<JB_job_args><element><ST_name>60</ST_name></element></JB_job_args><JB_script_file>sleep</JB_script_file>",
         Request(command=("sleep", "60"))),
        ("<JB_job_args><element><ST_name>60</ST_name></element></JB_job_args>", Request()),
    ],
)  # fmt: skip
def test_what_details_say_that_a_job_asks_for(body: str, expected: Request) -> None:
    assert detailed(body).request == expected


MANY = '"1-5:1" are more than 4 tasks: the tasks of job 7 are left out'


@pytest.mark.parametrize(("last", "message"), [(4, ""), (5, MANY)])
def test_only_so_many_tasks_are_taken(monkeypatch: pytest.MonkeyPatch, last: int, message: str) -> None:
    monkeypatch.setattr(details_xml, "MOST_TASKS", 4)
    monkeypatch.setattr(job_builders, "MOST_TASKS", 4)
    record = read(f"<detailed_job_info>{details(array(1, last))}</detailed_job_info>")
    assert [finding.message for finding in unreadable(record.findings)] == ([message] if message else [])
    assert record.state.jobs[0].request.array == (None if message else TaskRange(1, 4))


def test_a_job_whose_details_cannot_be_read_is_said_with_its_line_and_the_others_are_taken() -> None:
    bad = details("", number="x")
    record = read(f"<detailed_job_info>\n{bad}\n{details('')}\n{details(array(1, 2_000_000), '8')}</detailed_job_info>")
    assert [(finding.rule, finding.line) for finding in unreadable(record.findings)] == [
        ("format.record", 2),
        ("format.record", 4),
    ]
    assert "more than 1000000 tasks" in unreadable(record.findings)[1].message
    assert [job.id for job in record.state.jobs] == [7, 8]


@pytest.mark.parametrize(
    ("listed", "named"),
    [
        ([""], ("unknown", "STDIN")),
        (["<JB_owner>anna</JB_owner><JB_name>blast</JB_name>"], ("anna", "blast")),
        (
            ["<JB_name>a_very_lon</JB_name><full_job_name>a_very_long_name</full_job_name>"],
            ("unknown", "a_very_long_name"),
        ),
        (["", "<JB_owner>anna</JB_owner><JB_name>blast</JB_name>"], ("anna", "blast")),
        (["<JB_owner>anna</JB_owner><JB_name>blast</JB_name>", ""], ("anna", "blast")),
    ],
)
def test_whose_job_some_rows_tell_of_and_its_name(listed: list[str], named: tuple[str, str]) -> None:
    job = rows(*listed)
    assert (job.owner, job.name) == named


@pytest.mark.parametrize(
    ("state", "instance", "granted"),
    [
        ("r", "a.q@n1", {"a.q@n1": 1}),
        ("r", "", {job_builders.UNKNOWN_PLACE: 1}),
        ("Rq", "a.q@n1", {}),
    ],
)
def test_only_what_runs_is_somewhere(state: str, instance: str, granted: dict[str, int]) -> None:
    job = rows(f"<state>{state}</state>", instance=instance)
    assert {number: dict(task.granted) for number, task in job.tasks.items()} == {1: granted}


def listing(instance: str) -> bytes:
    row = "<job_list><JB_job_number>7</JB_job_number><state>r</state><slots>3</slots></job_list>"
    return (
        f"<job_info><queue_info><Queue-List><name>{instance}</name>{row}</Queue-List></queue_info></job_info>".encode()
    )


RUNS = "<JB_ja_tasks><element><JAT_task_number>1</JAT_task_number><JAT_status>128</JAT_status>"
PLACE = "<JG_qname>b.q@n2</JG_qname><JG_slots>2</JG_slots>"
PLACES = f"<JAT_granted_destin_identifier_list><element>{PLACE}</element></JAT_granted_destin_identifier_list>"


@pytest.mark.parametrize(
    ("later", "granted"),
    [
        (listing("a.q@n1"), {"a.q@n1": 3}),
        (listing("b.q@n1"), {"b.q@n1": 3}),
        (details(f"{RUNS}{PLACES}</element></JB_ja_tasks>").encode(), {"b.q@n2": 2}),
        (
            details(f"{RUNS}{PLACES.replace('<JG_slots>2</JG_slots>', '')}</element></JB_ja_tasks>").encode(),
            {"b.q@n2": 1},
        ),
        (details(f"{RUNS}</element></JB_ja_tasks>").encode(), {"a.q@n1": 3}),
    ],
)
def test_of_two_files_the_later_one_that_says_where_a_task_runs_counts(later: bytes, granted: dict[str, int]) -> None:
    later = later if later.startswith(b"<job_info") else b"<detailed_job_info>%s</detailed_job_info>" % later
    (job,) = read_records({"first": listing("a.q@n1"), "later": later}).state.jobs
    assert dict(job.tasks[1].granted) == granted
