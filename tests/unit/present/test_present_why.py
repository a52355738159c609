"""What is said about one job: the formula with aligned points, and alike reasons said once."""

import pytest

from qmon_tui.scheduler.outcome import Change, Explanation, InstanceReason, JobOutcome, TaskOutcome, Term
from qmon_tui.tui.present.jobs import JobRow
from qmon_tui.tui.present.priority import priority_lines, weight
from qmon_tui.tui.present.reasons import Nearness, folded, group_reasons, nearness
from qmon_tui.tui.present.spans import Idea, plain, width
from qmon_tui.tui.present.why import job_lines

TERMS = (
    Term("urgency", 0.1, 1.0, 0.1, (("rrcontr", 1000.0), ("wtcontr", 0.0)), "The highest urgency of all jobs."),
    Term("tickets", 0.01, 1 / 6, 0.01 / 6, (("ftckt", 83333.3333),), "A sixth of the most."),
    Term("POSIX priority", 1.0, 0.5, 0.5, (("-p", 0.0),), "-p 0 lies in the middle."),
)


def explanation(**more: object) -> Explanation:
    values = {
        "job": 7, "task": 1, "state": "qw", "prior": 0.60167, "terms": TERMS, "rank": 1, "pending": 5, "reasons": (),
        "instances": (), "changes": (), **more,
    }  # fmt: skip
    return Explanation(**values)  # type: ignore[arg-type]


def row(state: str = "qw", granted: dict[str, int] | None = None, **more: object) -> JobRow:
    task = TaskOutcome(1, state, granted or {}, {}, prior=0.60167)
    values = {
        "id": 7, "name": "jobC1", "owner": "userc", "project": None, "department": "", "slots": 1, "prior": 0.60167,
        "nurg": 1.0, "npprior": 0.5, "ntckts": 1 / 6, "ppri": 0, "urg": 0, "rrcontr": 0, "wtcontr": 0, "dlcontr": 0,
        "tckts": 0, "ovrts": 0, "otckt": 0, "ftckt": 0, "stckt": 0, "share": 0, "tasks": (task,), "rejected": None,
        "reasons": (), **more,
    }  # fmt: skip
    return JobRow(JobOutcome(**values), task, 1, False)  # type: ignore[arg-type]


def text(lines: tuple[tuple[object, ...], ...]) -> str:
    return "\n".join(plain(line) for line in lines)  # type: ignore[arg-type]


def test_the_formula_has_its_decimal_points_below_each_other() -> None:
    lines = [plain(line) for line in priority_lines(explanation(), 60)]
    assert lines[0].startswith("prior 0.60167  ")
    assert lines[1:] == [
        "━━ urgency         0.1  × 1.00000 = 0.10000",
        "╍╍ tickets         0.01 × 0.16667 = 0.00167",
        "── POSIX priority  1    × 0.50000 = 0.50000",
    ]


def test_each_contribution_has_its_own_idea_everywhere() -> None:
    lines = priority_lines(explanation(), 60)
    for line, idea in zip(lines[1:], (Idea.URGENCY, Idea.TICKETS, Idea.POSIX), strict=True):
        assert line[0].idea == line[1].idea == line[-1].idea == idea
    assert {span.idea for span in lines[0]} >= {Idea.URGENCY, Idea.POSIX}


def test_in_full_the_raw_parts_are_shown() -> None:
    said = text(priority_lines(explanation(), 60, in_full=True))
    assert "rrcontr 1000 · wtcontr 0" in said
    assert "ftckt 83333" in said
    assert "A sixth of the most." in said


def test_weights_are_as_short_as_exact() -> None:
    assert [weight(value) for value in (0.1, 0.01, 1.0, 0.0, 1000.0)] == ["0.1", "0.01", "1", "0", "1000"]


def reason(instance: str, message: str) -> InstanceReason:
    return InstanceReason(instance, "host", message)


def test_reasons_that_differ_only_in_the_host_are_said_once() -> None:
    groups = group_reasons([
        reason("all.q@sim1", 'cannot run at host "sim1" because it offers only hc:gpu=0'),
        reason("long.q@sim9", 'cannot run in queue "long.q" because of its calendar'),
        reason("all.q@sim2", 'cannot run at host "sim2" because it offers only hc:gpu=0'),
    ])  # fmt: skip
    assert [(group.message, group.instances) for group in groups] == [
        ("cannot run at host … because it offers only hc:gpu=0", ("all.q@sim1", "all.q@sim2")),
        ('cannot run in queue "long.q" because of its calendar', ("long.q@sim9",)),
    ]


def test_a_place_without_quotes_is_left_out_too_but_not_in_a_request() -> None:
    groups = group_reasons([
        reason("a@x", "(-l h=x) does not request 'forced' resource \"lic\" of queue instance a@x"),
        reason("a@y", "(-l h=x) does not request 'forced' resource \"lic\" of queue instance a@y"),
    ])  # fmt: skip
    assert [group.message for group in groups] == [
        "(-l h=x) does not request 'forced' resource \"lic\" of queue instance …"
    ]


def test_what_is_only_busy_comes_before_what_never_fits() -> None:
    full = '(-l gpu=1) cannot run at host "x" because it offers only hc:gpu=0.000000'
    fixed = '(-l gpu=1) cannot run at host "x" because it offers only hf:gpu=0.000000'
    load = '(-l mem_free=4G) cannot run at host "x" because it offers only hl:mem_free=1.000G'
    off = 'queue instance "a@x" dropped because it is disabled'
    assert [nearness(message) for message in (full, load, off, fixed)] == [
        Nearness.TOO_LITTLE, Nearness.TOO_LITTLE, Nearness.UNAVAILABLE, Nearness.UNFIT,
    ]  # fmt: skip
    groups = group_reasons([reason("a@x", fixed), reason("a@x", off), reason("a@x", full)])
    assert [group.nearness for group in groups] == sorted(group.nearness for group in groups)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("a@n01", "a@n02", "a@n03", "b@n01"), "a@n01–03, b@n01"),
        (("a@n09", "a@n10", "a@n12"), "a@n09–10, a@n12"),
        (("a@n9", "a@n10"), "a@n9, a@n10"),
        (("a@x", "a@y"), "a@x, a@y"),
        ((), ""),
    ],
)
def test_numbered_names_are_folded(names: tuple[str, ...], said: str) -> None:
    assert folded(names) == said


def test_a_quoted_word_that_is_no_place_stays() -> None:
    (group,) = group_reasons([reason("a@x", 'cannot run in PE "make"'), reason("a@y", 'cannot run in PE "make"')])
    assert group.message == 'cannot run in PE "make"'


def test_a_waiting_job_says_why_and_what_would_help() -> None:
    change = Change("host global: complex_values lic=3 → lic=4", "host", "global", "complex_values", "lic=3", "lic=4")
    found = explanation(
        reasons=("cannot run globally because it offers only gc:lic=0.000000",),
        instances=tuple(reason(f"all.q@sim{n}", f'cannot run at host "sim{n}" because x') for n in range(1, 13)),
        changes=(change,),
    )
    said = text(job_lines(row(), found, None, 60))
    assert "1st of 5 pending" in said
    assert "· cannot run globally because it offers only" in said
    assert "· cannot run at host … because x" in said
    assert "12: all.q@sim1–9, all.q@sim10–12" in said
    assert "→ host global: complex_values lic=3 → lic=4" in said


def test_a_running_job_has_no_reasons_to_wait() -> None:
    found = explanation(reasons=("something global",), rank=None)
    said = text(job_lines(row("r", {"all.q@sim1": 2}), found, None, 60))
    assert "runs on all.q@sim1 (2 slots)" in said
    assert "Why it waits" not in said


def test_what_is_not_simulated_is_said() -> None:
    said = text(job_lines(row(not_simulated=("parallel environment make",)), explanation(), None, 50))
    assert "Not simulated yet" in said
    assert "parallel environment make" in said


def test_a_refused_job_shows_the_words_of_qsub() -> None:
    said = text(job_lines(row(rejected='Unable to run job: unknown resource "foo"'), explanation(), None, 50))
    assert "qsub would refuse" in said
    assert 'unknown resource "foo"' in said


def test_nothing_is_wider_than_the_pane() -> None:
    found = explanation(
        reasons=("a reason that is rather long and goes on and on and on until it has to be wrapped somewhere",)
    )
    for cells in (44, 46, 60, 100):
        assert all(width(line) <= cells for line in job_lines(row(), found, None, cells, in_full=True))
