"""Top and bottom line, kinds, instances, findings, differences: what is said, and that it fits."""

from datetime import datetime

import pytest

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.model.outcome import CalendarClosing, InstanceOutcome, QuotaUse
from qmon_tui.model.state_fields import StateKind
from qmon_tui.report.conflicts import ConflictRows, conflict_lines
from qmon_tui.report.findings import FindingRows, finding_lines
from qmon_tui.report.header import HeaderState, count_severities, edits_made, header_line
from qmon_tui.report.kinds import KindRow, KindRows, kind_rows
from qmon_tui.report.live_instances import Before, InstanceRows
from qmon_tui.report.live_pane import Notice, notice_lines
from qmon_tui.report.spans import Line, TextRole, first_clauses, plain, width
from qmon_tui.report.unsaved_changes import change_lines, file_lines, summary
from qmon_tui.report.words import count, milliseconds, state_words
from qmon_tui.tui.keys import ActionContext, Pane, footer_line
from qmon_tui.tui.registry import REGISTRY
from qmon_tui.workspace import ChangeKind, Conflict, Figures, ObjectChange, Side


def text(lines: tuple[Line, ...]) -> str:
    return "\n".join(plain(line).rstrip() for line in lines)


HEADING = HeaderState(
    ("teaching", "Complexes", "gpu"),
    edits="2 edits",
    errors=1,
    warnings=3,
    seconds=0.0123,
    read_only=False,
    stale=False,
)


def test_the_heading_says_where_and_what_is_unsaved_and_wrong() -> None:
    said = plain(header_line(HEADING, 120))
    assert said.startswith(" qmon ▸ teaching ▸ Complexes ▸ gpu  ")
    assert said.endswith("● 2 edits   ✗ 1 error   ! 3   ↻ 12 ms ")
    assert len(said) == 120


def test_the_heading_says_whose_decisions_are_shown() -> None:
    assert "≈ decisions of 8.1.9" in plain(header_line(HEADING._replace(decisions="8.1.9"), 120))
    assert "≈ 8.1.9" in plain(header_line(HEADING._replace(decisions="8.1.9"), 66))


def test_with_little_room_words_give_way_to_signs_then_the_path() -> None:
    assert plain(header_line(HEADING, 66)).endswith("● 2  ✗ 1  ! 3  ↻ 12 ms ")
    narrow = plain(header_line(HEADING, 40))
    assert narrow.endswith("● 2  ✗ 1  ! 3  ↻ 12 ms ")
    assert "…" in narrow


def test_everything_in_the_heading_can_be_clicked() -> None:
    actions = {span.text.strip(): span.action for span in header_line(HEADING, 120) if span.action}
    assert actions["● 2 edits"] == "screen.do('save')"
    assert actions["✗ 1 error"] == "screen.do('findings')"
    assert actions["teaching"] == "screen.do('kinds')"


def test_counting_severities() -> None:
    findings = [
        Finding("r", severity, "queue", "q", None, "m")
        for severity in (Severity.ERROR, Severity.INFO, Severity.WARNING)
    ]
    assert count_severities(findings) == (1, 1)


def test_edits_are_counted_as_objects_and_actions() -> None:
    def change(kind: Kind | StateKind, name: str, fields: int) -> ObjectChange:
        changed = tuple((f"field{number}", "a", "b") for number in range(fields))
        return ObjectChange(kind, name, ChangeKind.CHANGED, changed, None, None)

    held = tuple(change(StateKind.JOB, str(number), 3) for number in (1, 2, 3))
    disabled = tuple(change(StateKind.INSTANCE, f"all.q@sim{number}", 2) for number in (1, 2, 3, 4))
    queue = change(Kind.QUEUE, "all.q", 5)
    noted = tuple(
        ObjectChange(StateKind.INSTANCE, f"hosts/{name}", ChangeKind.ADDED, (("changed", None, "2026"),), None, None)
        for name in "ab"
    )
    assert edits_made((), 0) == ""
    assert edits_made((queue,), 0) == "1 edit"
    assert edits_made(held, 1) == edits_made((*held, *noted), 1) == "1 edit of 3 objects"
    assert edits_made(held, 4) == edits_made(held, None) == "3 edits"
    assert edits_made((*held, *disabled, queue), 3) == "3 edits of 8 objects"
    assert edits_made((*held, *disabled, queue), None) == "5 edits of 8 objects"
    assert edits_made(noted, 1) == "1 edit of 2 objects"


@pytest.mark.parametrize(("number", "said"), [(0, "0 edits"), (1, "1 edit"), (12345, "12 345 edits")])
def test_counts_with_nouns(number: int, said: str) -> None:
    assert count(number, "edit") == said


def test_run_times() -> None:
    assert [milliseconds(seconds) for seconds in (0.0004, 0.0123, 0.9994, 1.44)] == ["0 ms", "12 ms", "999 ms", "1.4 s"]


@pytest.mark.parametrize(
    ("letters", "said"),
    [("qw", "waiting"), ("hqw", "held"),
     ("Eqw", "error"), ("r", "running"), ("t", "starts now"), ("dr", "being deleted"),
     ("hr", "running, with a hold"), ("Shr", "suspended by its queue, with a hold"), ("hRq", "held"),
     ("S", "suspended by its queue"), ("ST", "suspended by its queue and by a threshold"), ("dS", "being deleted")],
)  # fmt: skip
def test_states_in_words(letters: str, said: str) -> None:
    assert state_words(letters) == said


CLUSTER = Cluster("c").with_objects([config_object(Kind.QUEUE, "all.q", {"qname": "all.q"})])


def test_kinds_have_counts_and_marks() -> None:
    change = ObjectChange(Kind.QUEUE, "all.q", ChangeKind.CHANGED, (("slots", "1", "2"),), None, None)
    findings = [
        Finding("a", Severity.WARNING, "queue", "all.q", None, ""),
        Finding("b", Severity.ERROR, "queue", "all.q", None, ""),
        Finding("c", Severity.WARNING, "queue", "all.q", None, ""),
        Finding("d", Severity.INFO, "host", "h", None, ""),
    ]
    rows = KindRows(kind_rows(CLUSTER, [change], findings))
    said = [plain(rows.line(index, 24)).split() for index in range(len(rows))]
    assert ["●✗Queues", "1"] in said
    assert ["Hosts", "1"] in said, "every cluster has the host global"
    assert ["Hostgroups", "0"] in said
    assert ["Scheduler"] in said, "what there is always one of has no count"
    assert all(width(rows.line(index, cells)) <= cells for index in range(len(rows)) for cells in (20, 24, 80))


def test_instances_with_bars_and_states() -> None:
    rows = InstanceRows([
        InstanceOutcome("all.q@node01", "", 3, 1, 4, {"hc:gpu": "1", "qc:slots": "1", "hl:load_avg": "0.1"}),
        InstanceOutcome("all.q@node02", "au", 0, 0, 4, {}),
    ])  # fmt: skip
    assert plain(rows.line(0, 80)).split() == ["all.q@node01", "━━━━━━──", "3+1/4", "hc:gpu=1"]
    said = " ".join(plain(rows.line(1, 80)).split())
    assert said == "all.q@node02 ──────── 0/4 au load alarm, unreachable"
    assert rows.find("all.q@node02") == 1
    assert all(width(rows.line(0, cells)) <= cells for cells in (30, 44, 60))


def test_a_state_that_the_run_changes_stays_apart_from_what_is_left() -> None:
    before = InstanceOutcome("all.q@node01", "", 0, 0, 4, {"hc:gpu": "2"})
    after = InstanceOutcome("all.q@node01", "S", 0, 0, 4, {"hc:gpu": "1"})
    rows = InstanceRows([after], others=Before([before]), figures=Figures.CHANGES)
    assert plain(rows.line(0, 80)).split()[2:] == ["0/4", "→", "S", "hc:gpu=2", "→", "1"]


def test_what_a_calendar_closes_tells_until_when() -> None:
    evening = int(datetime(2026, 11, 21, 22).timestamp())
    rows = InstanceRows([
        InstanceOutcome("a.q@n1", "D", 0, 0, 4, {}, CalendarClosing("night", False, evening)),
        InstanceOutcome("a.q@n2", "dC", 0, 0, 4, {}, CalendarClosing("always", True, None)),
        InstanceOutcome("a.q@n3", "D", 0, 0, 4, {}),
    ])  # fmt: skip
    assert [plain(rows.line(index, 90)).partition("0/4")[2].split(maxsplit=1)[1].strip() for index in range(3)] == [
        "off until 11-21 22:00 (night)",
        "disabled, suspended for good (always)",
        "off by calendar",
    ]


def test_quotas_stand_below_the_queue_instances() -> None:
    users = QuotaUse("people/1", "slots", "2", "4", "users anna")
    memory = QuotaUse("people/1", "mem", "1.000G", "4.000G", "users anna")
    fixed = QuotaUse("people/2", "speed", None, "5", "-")
    rows = InstanceRows([InstanceOutcome("all.q@node01", "", 4, 0, 4, {})], [users, memory, fixed])
    assert [plain(rows.line(index, 80)).split() for index in range(1, len(rows))] == [
        ["people/1", "━━━━────", "slots=2/4", "users", "anna"],
        ["people/1", "mem=1.000G/4.000G", "users", "anna"],
        ["people/2", "speed=5", "-"],
    ]
    assert [rows.find(rows.key(index)) for index in range(len(rows))] == [0, 1, 2, 3]
    assert all(width(rows.line(index, cells)) <= cells for index in range(4) for cells in (20, 30, 60))


ERROR = Finding(
    "queue.slots", Severity.ERROR, "queue", "all.q", "slots", "invalid [/x] value", "use a number", "queues.yaml", 3, 9
)


def test_errors_come_first_and_everything_is_said() -> None:
    warning = Finding("w", Severity.WARNING, "queue", "all.q", None, "odd")
    rows = FindingRows([warning, ERROR])
    assert rows.items[0] is ERROR
    assert plain(rows.line(0, 80)).startswith("✗ queue all.q slots  invalid [/x] value")
    said = text(finding_lines(ERROR, 80))
    for part in ("error", "invalid [/x] value", "→ use a number", "queues.yaml:3:9", "queue.slots"):
        assert part in said
    assert rows.find(warning) == 1
    assert len(rows.containing("ODD")) == 1


def test_a_difference_field_by_field() -> None:
    before = config_object(Kind.QUEUE, "all.q", {"slots": "1"})
    changes = (
        ObjectChange(
            Kind.QUEUE, "all.q", ChangeKind.CHANGED, (("slots", "1", "2"), ("h_rt", None, "1:0:0")), before, before
        ),
        ObjectChange(Kind.USER, "usera", ChangeKind.REMOVED, (("fshare", "1", None),), before, None),
        ObjectChange(Kind.PE, "mpi", ChangeKind.ADDED, (("slots", None, "4"),), None, before),
    )
    said = text(change_lines(changes, 60))
    assert "● queue all.q   changed" in said
    assert "  slots  1 → 2" in said
    assert "  h_rt   (default) → 1:0:0" in said
    assert "- user usera   removed" in said
    assert "+ pe mpi   added" in said
    assert summary(changes, ["a.yaml", "b.yaml"]) == "1 object changed, 1 added, 1 removed, in 2 files"
    assert summary(changes[:1], ["a.yaml"]) == "1 object changed, in a.yaml"


def test_long_values_are_shown_whole_on_two_lines() -> None:
    long = ",".join(f"[node{number:02d}=4]" for number in range(20))
    change = ObjectChange(Kind.QUEUE, "q", ChangeKind.CHANGED, (("slots", "1", f"1,{long}"),), None, None)
    lines = change_lines([change], 50)
    assert all(width(line) <= 50 for line in lines)
    assert long in text(lines).replace("\n", "").replace(" ", "")


def test_lines_of_files_and_none_is_cut() -> None:
    long = "x" * 100
    lines = file_lines(
        [("q.yaml", "a\nb\nc\n", f"a\nB{long}\nc\n"), ("new.yaml", None, "k: 1\n"), ("old", "z", None)], 40
    )
    said = text(lines)
    assert "- b" in said
    assert "+ B" + "x" * 37 in said
    assert said.count("x") == 100
    assert "lines 1–3" in said
    assert "new.yaml   new file" in said
    assert "old   file removed" in said
    assert all(width(line) <= 40 for line in lines)


def test_notices_say_how_much_more_there_is() -> None:
    said = notice_lines([Notice("! " + "word " * 60)], 40, most=3)
    assert len(said) == 3
    assert plain(said[-1]).endswith(" wor… 6 more lines")
    (only,) = notice_lines([Notice("word " * 12)], 40, most=1)
    assert plain(only).endswith("… 1 more line")


def test_conflicts_show_both_sides_and_what_counts() -> None:
    conflict = Conflict(Kind.QUEUE, "all.q", "slots", "1", "2", None)
    open_row = plain(ConflictRows([conflict], {}).line(0, 90))
    assert open_row.split() == ["?", "slots", "of", "queue", "all.q", "2", "(default)"]
    decided = plain(ConflictRows([conflict], {conflict: Side.THEIRS}).line(0, 90))
    assert "▸(default)" in decided
    assert text(conflict_lines(conflict, 60)).splitlines()[1:] == ["before  1", "yours   2", "on disk (default)"]


@pytest.mark.parametrize("cells", [21, 23, 40])
@pytest.mark.parametrize("number", [7, 9999, 10_000, 1_234_567])
def test_numbers_of_objects_are_never_cut(cells: int, number: int) -> None:
    rows = KindRows([KindRow("jobs", "Reservations", number, ""), KindRow("other", "Reservations", 7, "")])
    lines = [plain(rows.line(index, cells)) for index in (0, 1)]
    assert lines[0].split()[-1] == str(number)
    assert len(lines[0]) == len(lines[1]) <= cells


@pytest.mark.parametrize("here", ["", "jobs", "cluster"])
def test_read_only_the_keys_that_would_change_something_are_faint_in_the_footer(here: str) -> None:
    pane = Pane.PAGE if here else Pane.LIST
    facts = {"pane": pane, "page": here, "here": here, "adds": True, "object_chosen": True, "changes": 1, "undo": "x"}
    for read_only in (False, True):
        now = ActionContext(**facts, read_only=read_only)  # type: ignore[arg-type]
        looks = {span.action: span.role for span in footer_line(REGISTRY, now, 500) if span.action}
        for action in REGISTRY.footer(now):
            faint = looks[f"screen.do('{action.id}')"] is TextRole.FAINT
            assert faint is (read_only and action.dangerous), action.id


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        (60, "Projects that jobs belong to (qsub -P), for tickets."),
        (50, "Projects that jobs belong to (qsub -P)."),
        (35, "Projects that jobs belong to."),
        (12, "Projects th…"),
    ],
)
def test_what_is_too_long_for_its_line_ends_with_a_clause(cells: int, shown: str) -> None:
    assert first_clauses("Projects that jobs belong to (qsub -P), for tickets.", cells) == shown
