"""The form of a new job and the line of qsub say the same, both ways; a job is tried before it is submitted."""

from dataclasses import replace

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.qmaster.commands import new_job
from qmon_tui.report.jobtable.job_detail import trial_lines
from qmon_tui.report.jobtable.job_drafts import FormRows, NewJob, NewReservation
from qmon_tui.report.jobtable.job_form import form_fields, is_soft, value_of, with_value
from qmon_tui.report.spans import plain
from qmon_tui.workspace import try_job

TEXT = """\
now: 2026-01-01T09:00:00
hostgroups: {"@every": {hostlist: sim1}}
pes: {mpi: {slots: 99, allocation_rule: $fill_up}}
projects: {sea: {}}
complexes:
  gpu: {shortcut: gpu, type: INT, relop: <=, requestable: YES, consumable: YES, default: 0, urgency: 0}
  big: {shortcut: big, type: BOOL, relop: ==, requestable: FORCED, consumable: "NO", default: 0, urgency: 0}
  secret: {shortcut: sec, type: INT, relop: <=, requestable: "NO", consumable: "NO", default: 0, urgency: 0}
queues:
  all.q: {hostlist: "@every", slots: 2, load_thresholds: NONE, pe_list: mpi, complex_values: gpu=1}
scheduler: {weight_priority: 1, weight_urgency: 0}
jobs:
- {id: 1, owner: anna, submitted: 2026-01-01T08:00:00, qsub: sleep 60}
- {id: 2, owner: ben, submitted: 2026-01-01T08:30:00, qsub: -p -500 sleep 60}
"""
CONTENTS = read_texts(Layout.YAML, "form", {"all.yaml": TEXT})
assert not CONTENTS.findings
FIELDS = form_fields(CONTENTS.cluster)
LINE = "-N 'my job' -l gpu=1,h_rt=60 -soft -l arch=lx -hard sleep 600"


def tried(line: str, owner: str = "anna") -> str:
    job = new_job(CONTENTS.state, owner, line, number=9)
    return "\n".join(plain(spans) for spans in trial_lines(try_job(CONTENTS.cluster, CONTENTS.state, job), 200))


def test_every_attribute_that_can_be_requested_has_a_row_and_forced_ones_come_first() -> None:
    names = [field.title for field in FIELDS if field.key.startswith("-l ")]
    assert names[0] == "big"
    assert "gpu" in names
    assert "secret" not in names
    (big,) = (field for field in FIELDS if field.key == "-l big")
    assert (big.choices, "forced" in big.help) == (("", "TRUE", "FALSE"), True)
    (environment,) = (field for field in FIELDS if field.key == "-pe")
    assert environment.choices[-1:] == ("mpi",) or "mpi" in environment.choices


def test_the_form_says_what_the_line_says() -> None:
    values = {field.key: value_of(LINE, field.key) for field in FIELDS}
    assert {key: text for key, text in values.items() if text} == {
        "command": "sleep 600",
        "-N": "my job",
        "-l gpu": "1",
        "-l h_rt": "60",
        "-l arch": "lx",
    }
    assert is_soft(LINE, "-l arch")
    assert not is_soft(LINE, "-l gpu")


@pytest.mark.parametrize(
    ("key", "text"),
    [
        *(
            ("command", "run.sh 5"),
            ("-N", "other"),
            ("-P", "sea"),
            ("-q", "all.q"),
            ("-pe", "mpi 4-8"),
            ("-t", "1-9:2"),
        ),
        *(("-tc", "3"), ("-p", "-7"), ("-hold_jid", "1,2"), ("-h", "o"), ("-R", "y"), ("-r", "n"), ("-A", "acct")),
        *(("-js", "4"), ("-a", "202701010101.00"), ("-l gpu", "2"), ("-l arch", "sol"), ("-l big", "TRUE")),
    ],
)
def test_a_value_typed_in_the_form_is_in_the_line_and_goes_again(key: str, text: str) -> None:
    line = with_value(LINE, key, text)
    assert parse_qsub(line).problems == ()
    assert value_of(line, key) == text
    others = [field.key for field in FIELDS if field.key != key]
    assert [value_of(line, other) for other in others] == [value_of(LINE, other) for other in others]
    assert value_of(with_value(line, key, ""), key) == ""


def test_a_resource_is_asked_for_softly_and_hard_again() -> None:
    soft = with_value(LINE, "-l gpu", "1", soft=True)
    assert is_soft(soft, "-l gpu")
    assert not is_soft(with_value(soft, "-l gpu", "1", soft=False), "-l gpu")


def test_rows_fit_their_room() -> None:
    rows = FormRows(FIELDS, NewJob(LINE))
    assert all(len(plain(rows.line(index, cells))) <= cells for cells in (40, 76, 104) for index in range(len(rows)))


NOVEMBER = 1791792000
"""In 2026."""


@pytest.mark.parametrize(
    ("draft", "key", "date"),
    [
        (NewJob("-a 11180900 -N tm sleep 9", now=NOVEMBER), "-a", "202611180900.00"),
        (NewJob("-dl 11180900.30 sleep 9", now=NOVEMBER), "-dl", "202611180900.30"),
        (NewJob("-e 11180900 sleep 9", now=NOVEMBER), "-e", "11180900"),
        (NewReservation("-a 11180900.15 -d 2:0:0", now=NOVEMBER), "-a", "202611180900.15"),
        (NewReservation("-e 11180900", now=NOVEMBER), "-e", "202611180900.00"),
        (NewReservation("-e 13180900", now=NOVEMBER), "-e", "13180900"),
    ],
)  # fmt: skip
def test_a_date_without_a_year_is_shown_with_the_one_that_it_will_have(draft: NewJob, key: str, date: str) -> None:
    assert value_of(draft.line, key) == date
    assert not replace(draft, first=draft.typed).is_changed(key)


def test_a_job_is_tried_where_it_would_run_or_why_not() -> None:
    assert "qsub refuses it: unknown resource" in tried("-l nothing=1 sleep 5")
    both = tried("-N a*b -l nothing=1 sleep 5").splitlines()
    assert both == ["✗ qsub refuses it: Asterisk ('*') not allowed in objectname", '  unknown resource "nothing"']
    # Of a line that cannot be read it is not tried what is left of it.
    assert tried("-pe mpi 4-16:4 sleep 1") == (
        '✗ qsub refuses it: -pe mpi 4-16:4: Range specifier "16:4" has unknown trailer ":4"'
    )
    words = tried("-p 2000 -t 0-5 sleep 1")
    assert "✗ qsub refuses it: -p 2000: not a whole number between -1023 and 1024; -t 0-5:" in words
    # Two slots: the job comes before the one with less priority, and takes its place.
    words = tried("sleep 5")
    assert "would start now on all.q@sim1" in words
    assert "takes the place of 2" in words
    words = tried("-p -1000 -l gpu=1 sleep 5")
    assert "would wait" in words
    job = new_job(CONTENTS.state, "anna", "-p -1000 -l gpu=1 sleep 5", number=9)
    hidden = trial_lines(try_job(CONTENTS.cluster, CONTENTS.state, job), 200, hides_why="Find out.")
    assert [plain(spans) for spans in hidden] == ["◐ it would wait", "  Find out."]
    assert "nearest" in words or "all.q@sim1" in words
    words = tried("-t 1-5 sleep 5")
    assert "task 1 would start now" in words
    assert "4 tasks would wait" in words
