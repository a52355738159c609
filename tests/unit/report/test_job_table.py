"""The table of all jobs: qstat's columns, compact arrays, the filter's language, order, totals, and 100,000 tasks."""

import time
from dataclasses import replace

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.report.jobtable.job_columns import COLUMNS, PRESETS, columns_named
from qmon_tui.report.jobtable.job_detail import detail_lines
from qmon_tui.report.jobtable.job_filter import completions, keys_help, parse_filter
from qmon_tui.report.jobtable.job_rows import JobTableRow, table_rows
from qmon_tui.report.jobtable.job_table import JobTable, JobTableSettings, totals, totals_line
from qmon_tui.report.spans import plain

TEXT = """\
now: 2026-01-01T09:00:00
hostgroups: {"@every": {hostlist: sim1 sim2}}
pes: {mpi: {slots: 99, allocation_rule: $fill_up}}
projects: {sea: {}}
queues:
  all.q: {hostlist: "@every", slots: 3, load_thresholds: NONE, pe_list: mpi}
jobs:
- {id: 1, owner: anna, submitted: 2026-01-01T08:00:00, qsub: -N blast -P sea sleep 60,
   tasks: {1: {state: r, granted: all.q@sim1, started: 2026-01-01T08:30:00, used: {cpu: 12.5}}}}
- {id: 2, owner: ben, submitted: 2026-01-01T08:10:00, qsub: -p -5 -l h_rt=60 -pe mpi 4-8 sleep 60}
- {id: 3, owner: bela, submitted: 2026-01-01T08:20:00, qsub: -t 1-9 -N sweep sleep 60,
   tasks: {2: {state: r, granted: all.q@sim2, started: 2026-01-01T08:40:00}, 5: {state: hqw, hold: o}}}
- {id: 4, owner: cora, submitted: 2026-01-01T08:25:00, qsub: -h -hold_jid 1 sleep 60}
- {id: 5, owner: cora, submitted: 2026-01-01T08:26:00, qsub: sleep 60,
   tasks: {1: {state: Eqw, reason: "can't chdir to /home/anna"}}}
"""
CONTENTS = read_texts(Layout.YAML, "jobs", {"all.yaml": TEXT})
assert not CONTENTS.findings
OUTCOME = schedule(CONTENTS.cluster, CONTENTS.state)
ROWS = table_rows(OUTCOME, CONTENTS.state)


def row(job: int) -> JobTableRow:
    return next(row for row in ROWS if row.job.id == job)


def filtered(text: str) -> list[int]:
    table = JobTable(ROWS, JobTableSettings(filter=parse_filter(text, {"@second": ("sim2",)}.__getitem__)))
    return [table_row.job.id for table_row in table]


def test_an_array_whose_tasks_differ_is_one_row_until_it_is_opened() -> None:
    assert [table_row.job.id for table_row in ROWS].count(3) == 1
    assert row(3).whole
    assert "1hqw" in row(3).state
    assert row(3).task_ids == "1-9"
    opened = [table_row for table_row in table_rows(OUTCOME, CONTENTS.state, frozenset({3})) if table_row.job.id == 3]
    assert opened[0].whole
    assert [table_row.inside for table_row in opened[1:]] == [True] * (len(opened) - 1)
    assert sorted(task.task for table_row in opened[1:] for task in table_row.tasks) == list(range(1, 10))


def test_the_rows_of_an_open_array_tell_their_tasks_where_there_is_little_room() -> None:
    rows = [table_row for table_row in table_rows(OUTCOME, CONTENTS.state, frozenset({3})) if table_row.job.id == 3]
    table = JobTable(rows, opened=frozenset({3}))
    assert "tasks" not in table.keys(78)
    shown = [plain(table.line(index, 78)).split() for index in range(len(rows))]
    assert [words[1] for words in shown] == ["3", *(f"3.{table_row.task_ids}" for table_row in rows[1:])]
    assert {"3.2", "3.5"} < {words[1] for words in shown}
    wide = [plain(table.line(index, 140)).split()[1] for index in range(len(rows))]
    assert wide == ["3"] * len(rows), "the column of the tasks tells them"


def test_of_several_tasks_the_one_that_waits_for_a_place_is_explained() -> None:
    begun_first = sorted(row(3).tasks, key=lambda task: (not task.granted, "h" not in task.state))
    mixed = replace(row(3), tasks=tuple(begun_first))
    assert [task.state for task in (mixed.tasks[0], mixed.tasks[1], mixed.asked)] == ["r", "hqw", "qw"]
    assert row(1).asked == row(1).task


def test_the_columns_are_those_of_qstat_by_its_names() -> None:
    titles = {name: [column.title for column in columns_named(keys)] for name, keys in PRESETS.items()}
    assert [title for title in titles["qstat"] if title != "made of"] == (
        ["job-ID", "prior", "name", "user", "state", "submit/start at", "queue", "slots", "ja-task-ID"]
    )
    assert titles["qstat -pri"][1:6] == ["prior", "nurg", "npprior", "ntckts", "ppri"]
    assert titles["qstat -urg"][1:7] == ["prior", "nurg", "urg", "rrcontr", "wtcontr", "dlcontr"]
    assert titles["qstat -ext"][3:16] == (
        [
            "name",
            "user",
            "project",
            "department",
            "state",
            "cpu",
            "mem",
            "io",
            "tckts",
            "ovrts",
            "otckt",
            "ftckt",
            "stckt",
        ]
    )


def test_values_are_written_as_qstat_writes_them() -> None:
    texts = {column.key: column.text(row(1)) for column in COLUMNS}
    assert texts["at"] == "01/01/2026 08:30:00"
    assert texts["submitted"] == "01/01/2026 08:00:00"
    assert (texts["project"], texts["queue"], texts["cpu"], texts["mem"]) == ("sea", "all.q@sim1", "12.5", "NA")
    assert len(texts["prior"]) == 7
    assert {column.key: column.text(row(2)) for column in COLUMNS}["pe"] == "mpi 4-8"


@pytest.mark.parametrize(
    ("text", "jobs"),
    [
        ("owner=be", {2, 3}),
        ("user==ben", {2}),
        ("owner=anna,cora", {1, 4, 5}),
        ("owner!=cora state=pending", {3}),
        ("state=r", {1, 3}),
        ("state=hqw", {3, 4}),
        ("state=error", {5}),
        ("state=*qw owner=cora", {4, 5}),
        ("queue=all.q owner=anna", {1}),
        ("host=sim2 owner=bela", {3}),
        ("project=sea", {1}),
        ("pe=mpi", {2}),
        ("request=h_rt", {2}),
        ("request=h_rt=60", {2}),
        ("job=3", {3}),
        ("ppri<0", {2}),
        ("after=1", {4}),
        ("SWEEP", {3}),
        ("blast sea", {1}),
        ("", {1, 2, 3, 4, 5}),
        ("-u bela", {3}),
        ("-u bela,cora -s p", {3, 4, 5}),
        ("-s r", {1, 2, 3}),
        ("-s hu", {4}),
        ("state=E", {5}),
        ("state=h", {3, 4}),
        ("!owner=cora !sea", {2, 3}),
        ("host=sim[2-3] -u bela", {3}),
        ("host=@second", {2, 3}),
        ("queue=*@@second", {2, 3}),
        ("queue=all.q@sim2", {2, 3}),
        ("-q all", set()),
        ("sim[1-2]", {1, 2, 3}),
        ("[1-", set()),
    ],
)
def test_the_filter(text: str, jobs: set[int]) -> None:
    assert set(filtered(text)) == jobs


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ovner=x", "there is no column ovner, did you mean owner?"),
        ("owner=", "owner= needs a value"),
        ("name>3", "needs a number"),
        ("-u", "-u needs a value"),
        ("-s x", "-s x is not a state of qstat that is known here: p, r, s, h, hu"),
    ],
)
def test_what_a_filter_does_not_mean_is_said(text: str, problem: str) -> None:
    assert problem in parse_filter(text).problem
    assert set(filtered(text)) == {1, 2, 3, 4, 5}


def test_names_and_values_are_completed_from_what_there_is() -> None:
    assert completions("own", ROWS) == ("owner=",)
    assert completions("x owner=b", ROWS) == ("owner=ben", "owner=bela")
    assert completions("owner=anna,b", ROWS) == ("owner=anna,ben", "owner=anna,bela")
    assert "state=held" in completions("state=h", ROWS)
    assert completions("nothing=", ROWS) == ()
    assert {name for name, _ in keys_help()} >= {"owner", "project", "queue", "state", "pe", "request", "host"}


def test_order_by_a_column_keeps_open_arrays_together_and_the_selection_follows_its_job() -> None:
    rows = table_rows(OUTCOME, CONTENTS.state, frozenset({3}))
    table = JobTable(rows, JobTableSettings(order="owner"), opened=frozenset({3}))
    owners = [table_row.job.owner for table_row in table]
    assert owners == sorted(owners)
    assert not next(table_row.inside for table_row in table if table_row.job.id == 3)
    assert table.find((3, 5, False)) is not None
    closed = JobTable(ROWS, JobTableSettings(order="owner", descending=True))
    at = closed.find((3, 5, False))
    assert at is not None
    assert closed.rows[at].job.id == 3
    assert closed.find((99, 1, False)) is None


def test_totals_count_what_the_filter_lets_through() -> None:
    found = totals(ROWS)
    assert (found.jobs, found.tasks) == (5, 13)
    words = plain(totals_line(totals(JobTable(ROWS, JobTableSettings(filter=parse_filter("owner=bela"))).rows), 5, 200))
    assert words.startswith(" 1 job of 5  9 tasks")
    assert "1 held" in words
    assert plain(totals_line(found, 5, 200, to_come=3)).startswith(" 5 jobs  3 to come  13 tasks")


@pytest.mark.parametrize("cells", [40, 60, 78, 120, 200])
def test_no_line_is_wider_than_its_room_and_titles_stand_above_their_values(cells: int) -> None:
    for keys in PRESETS.values():
        table = JobTable(ROWS, JobTableSettings(keys))
        lines = [table.head(cells) or (), *(table.line(index, cells) for index in range(len(table)))]
        assert all(len(plain(line)) <= cells for line in lines)
        head = plain(lines[0])
        place = head.index("job-ID") + len("job-ID")
        assert all(plain(line)[:place].rstrip()[-1].isdigit() for line in lines[1:])
        assert table.column_at(head.index("job-ID"), cells) == "job"


def test_the_detail_says_what_is_asked_for_and_who_holds_it() -> None:
    words = "\n".join(plain(line) for line in detail_lines(row(4), (1, 1, 1), 80))
    assert "qsub -h -hold_jid 1 sleep 60" in words
    assert "held by user, waiting for 1" in words
    assert "9 tasks" in "\n".join(plain(line) for line in detail_lines(row(3), (1, 1, 1), 80))


def test_a_hundred_thousand_tasks_are_drawn_line_by_line() -> None:
    job = OUTCOME.jobs[0]
    many = [job._replace(id=number) for number in range(1, 100_001)]
    outcome = replace(OUTCOME, jobs=tuple(many))
    started = time.process_time()
    table = JobTable(
        table_rows(outcome, CONTENTS.state), JobTableSettings(order="prior", filter=parse_filter("name=* prior>=0"))
    )
    made = time.process_time() - started
    started = time.process_time()
    for index in range(0, 50):
        table.line(50_000 + index, 150)
    drawn = time.process_time() - started
    assert len(table) == 100_000
    # Fifty lines on the screen are nothing beside making the table, which happens off the event loop.
    assert drawn < max(0.05, made / 5)


def test_a_job_with_a_reservation_says_from_when_and_where_it_is_to_run() -> None:
    text = TEXT.replace("mpi 4-8 sleep", "mpi 5 -R y sleep").replace("now:", "scheduler: {max_reservation: 9}\nnow:")
    text = text.replace("sleep 60,\n   tasks: {1: {state: r", "-l h_rt=3600 sleep 60,\n   tasks: {1: {state: r")
    contents = read_texts(Layout.YAML, "jobs", {"all.yaml": text})
    assert not contents.findings
    rows = table_rows(schedule(contents.cluster, contents.state), contents.state)
    waiting = next(row for row in rows if row.job.id == 2)
    assert waiting.task.state == "qw"
    assert not waiting.granted
    queue, when = columns_named(("queue", "reserved"))
    assert queue.text(waiting).startswith("from ")
    assert "all.q@sim" in queue.text(waiting)
    assert when.text(waiting)
    assert not [one for one in ("all.q", "sim1") if parse_filter(f"queue={one}").accepts(waiting)]
    told = "\n".join(plain(line) for line in detail_lines(waiting, (1, 1, 1), 200))
    assert "waits; reserved from" in told


@pytest.mark.parametrize("cells", range(60, 130, 3))
def test_no_column_is_left_out_where_the_others_leave_it_room(cells: int) -> None:
    table = JobTable(ROWS)
    by_title = {column.title: column for column in columns_named(())}
    head = plain(table.head(cells) or ())
    widest = max(len(plain(table.line(index, cells)).rstrip()) for index in range(len(table)))
    room = cells - max(len(head.rstrip()), widest) - 1
    assert not [title for title, column in by_title.items() if title not in head and column.most <= room]


@pytest.mark.parametrize("key", ["slots", "job", "prior", "state"])
def test_the_title_that_orders_is_not_cut_off(key: str) -> None:
    title = columns_named((key,))[0].title
    head = plain(JobTable(ROWS, JobTableSettings(order=key, descending=True)).head(100) or ())
    assert f"▼{title}" in head


def test_the_detail_says_what_ends_an_error() -> None:
    told = "\n".join(plain(line) for line in detail_lines(row(5), (1, 1, 1), 100))
    assert "in error: can't chdir to /home/anna · not scheduled until that is cleared (qmod -cj)" in told
    assert "qmod" not in "\n".join(plain(line) for line in detail_lines(row(1), (1, 1, 1), 100))


def test_tickets_and_urgencies_are_printed_as_qstat_does() -> None:
    table_row = row(1)
    job = table_row.job._replace(urg=250_000_000.0, rrcontr=3601060.0)
    task = table_row.task._replace(tckts=41666.6667, ftckt=83333.99)
    shown = replace(table_row, job=job, tasks=(task,))
    found = {column.key: column.text(shown) for column in columns_named(["urg", "rrcontr", "tckts", "ftckt"])}
    assert found == {"urg": "2.5e+08", "rrcontr": "3601060", "tckts": "41666", "ftckt": "83333"}


REFUSED = """\
now: 2026-01-01T09:00:00
queues: {all.q: {hostlist: sim1, slots: 3, load_thresholds: NONE}}
jobs:
- {id: 1, owner: anna, qsub: sleep 60}
- {id: 2, owner: ben, qsub: -t 5-9 -pe nosuch 4 sleep 60}
"""


def test_what_qsub_refuses_stays_listed_counted_and_explained() -> None:
    contents = read_texts(Layout.YAML, "jobs", {"all.yaml": REFUSED})
    outcome = schedule(contents.cluster, contents.state)
    rows = table_rows(outcome, contents.state)
    assert [(table_row.job.id, table_row.state, table_row.task_ids) for table_row in rows] == [
        (1, "t", ""),
        (2, "✗", "5-9"),
    ]
    table = JobTable(rows)
    assert "✗ qsub refuses it" in plain(table.line(1, 160))
    assert plain(totals_line(totals(rows), len(rows), 200)) == (
        " 2 jobs  1 running  1 refused  slots: 1 used, 0 wanted"
    )
    assert [
        table_row.job.id for table_row in JobTable(rows, JobTableSettings(filter=parse_filter("state=refused")))
    ] == [2]
    said = "\n".join(plain(line) for line in detail_lines(rows[1], (0.1, 0.01, 1.0), 120))
    assert 'parallel environment "nosuch" does not exist' in said
    assert said.splitlines()[0].startswith("2 sleep  ben  refused by qsub")


def test_what_is_refused_for_two_reasons_shows_each_on_its_line() -> None:
    refused = replace(row(1), job=row(1).job._replace(rejected="not allowed as objectname\njob rejected"))
    lines = [plain(line) for line in detail_lines(refused, (0.1, 0.01, 1.0), 80)]
    assert lines[-2:] == ["✗ qsub refuses it: not allowed as objectname", "  job rejected"]


def test_no_title_of_an_amount_is_cut_beside_a_column_in_which_nothing_stands() -> None:
    table = JobTable(ROWS, JobTableSettings(columns=PRESETS["qstat -urg"]))
    for cells in range(60, 160):
        head = plain(table.head(cells) or ())
        assert "…" not in head, head
    assert "deadline" not in plain(table.head(118) or ()), "no job has one"
