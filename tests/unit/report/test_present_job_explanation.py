"""What is said about one job: the formula with aligned points, and alike reasons said once."""

import pytest

from qmon_tui.explain.explanation import (
    Bound,
    Change,
    Explanation,
    JobAhead,
    Missing,
    NearestPlace,
    PriorityTerm,
    ReasonGroup,
    ReasonKind,
    ShownPriority,
)
from qmon_tui.model.outcome import JobOutcome, TaskOutcome
from qmon_tui.model.quota_rules import QuotaFilter
from qmon_tui.report.job_explanation import job_lines, qstat_lines
from qmon_tui.report.live_jobs import LiveJobRow
from qmon_tui.report.priority import priority_lines, weight
from qmon_tui.report.reason_text import by_heading, other_reasons, short_names
from qmon_tui.report.spans import TextRole, plain, width

TERMS = (
    PriorityTerm("urgency", 0.1, 1.0, 0.1, (("rrcontr", 1000.0), ("wtcontr", 0.0)), "The highest urgency of all jobs."),
    PriorityTerm("tickets", 0.01, 1 / 6, 0.01 / 6, (("ftckt", 83333.3333),), "A sixth of the most."),
    PriorityTerm("POSIX priority", 1.0, 0.5, 0.5, (("-p", 0.0),), "-p 0 lies in the middle."),
)


def explanation(**more: object) -> Explanation:
    values = {
        "job": 7, "task": 1, "state": "qw", "prior": 0.60167, "terms": TERMS, "rank": 1, "pending": 5, "reasons": (),
        "instances": (), "changes": (), **more,
    }  # fmt: skip
    return Explanation(**values)  # type: ignore[arg-type]


def row(state: str = "qw", granted: dict[str, int] | None = None, **more: object) -> LiveJobRow:
    task = TaskOutcome(1, state, granted or {}, {}, prior=0.60167)
    values = {
        "id": 7, "name": "jobC1", "owner": "userc", "project": None, "department": "", "slots": 1, "prior": 0.60167,
        "nurg": 1.0, "npprior": 0.5, "ntckts": 1 / 6, "ppri": 0, "urg": 0, "rrcontr": 0, "wtcontr": 0, "dlcontr": 0,
        "tckts": 0, "ovrts": 0, "otckt": 0, "ftckt": 0, "stckt": 0, "share": 0, "tasks": (task,), "rejected": None,
        "reasons": (), **more,
    }  # fmt: skip
    return LiveJobRow(JobOutcome(**values), task, 1, False)  # type: ignore[arg-type]


def text(lines: tuple[tuple[object, ...], ...]) -> str:
    return "\n".join(plain(line) for line in lines)  # type: ignore[arg-type]


def test_other_formulas_have_no_forecast_and_that_is_said() -> None:
    said = "wait: with the formulas “fair” no start is foretold, as days follow Grid Engine's"
    for formulas, is_said in (("fair", True), (None, False)):
        lines = job_lines(
            row(),
            explanation(groups=(group(ReasonKind.BUSY, "busy"),), not_grid_engine=formulas),
            None,
            90,
            in_full=True,
        )
        assert (said in text(lines)) is is_said


def test_the_formula_has_its_decimal_points_below_each_other() -> None:
    lines = [plain(line) for line in priority_lines(explanation(), 60)]
    assert lines[0].startswith("prior 0.60167  ")
    assert lines[1:] == [
        "━━ urgency         0.1  × 1.00000 = 0.10000",
        "╍╍ tickets         0.01 × 0.16667 = 0.00167",
        "── POSIX priority  1    × 0.50000 = 0.50000",
    ]


def test_almost_whole_tickets_are_whole() -> None:
    almost = PriorityTerm("tickets", 1.0, 0.4, 0.4, (("tckts", 199.99999999999994),), "200 of 500 tickets.")
    assert "tckts 200" in text(priority_lines(explanation(terms=(almost,)), 60, in_full=True))


@pytest.mark.parametrize("in_full", [False, True])
def test_what_qstat_shows_instead_stands_below_the_priority(in_full: bool) -> None:
    ahead = JobAhead(4, 1, "job4", "ann", 0.7, 0.1, "urgency", "wtcontr", (), "", "maxujobs")
    found = explanation(shown=ShownPriority(0.0, "maxujobs leaves it out of this run"), ahead=(ahead,), rank=2)
    lines = [plain(line) for line in job_lines(row(), found, None, 100, in_full=in_full)]
    at = next(place for place, line in enumerate(lines) if line.startswith("prior 0.60167"))
    assert lines[at + 1] == "qstat shows 0.00000: maxujobs leaves it out of this run"
    assert any("left out by maxujobs" in line for line in lines)


def test_each_contribution_has_its_own_idea_everywhere() -> None:
    lines = priority_lines(explanation(), 60)
    for line, role in zip(lines[1:], (TextRole.URGENCY, TextRole.TICKETS, TextRole.POSIX), strict=True):
        assert line[0].role == line[1].role == line[-1].role == role
    assert {span.role for span in lines[0]} >= {TextRole.URGENCY, TextRole.POSIX}


@pytest.mark.parametrize("in_full", [False, True])
def test_whom_a_quota_is_for_is_told_as_its_filter_says(in_full: bool) -> None:
    group = ReasonGroup(
        ReasonKind.QUOTA, "quota", 'cannot run because it exceeds limit "/////" in rule "u/u"', ("a.q@n1",)
    )
    filters = {"u/u": {"users": QuotaFilter(("bob",), (), expanded=False)}}
    found = explanation(groups=(group,), quota_filters=filters)
    said = text(job_lines(row(), found, None, 100, in_full=in_full))
    assert 'exceeds the limit for users bob in rule "u/u"' in said


def test_in_full_the_raw_parts_are_shown() -> None:
    said = text(priority_lines(explanation(), 60, in_full=True))
    assert "rrcontr 1000 · wtcontr 0" in said
    assert "ftckt 83333" in said
    assert "A sixth of the most." in said


def test_raw_parts_are_those_of_the_columns_of_qstat() -> None:
    urgent = PriorityTerm("urgency", 0.1, 1.0, 0.1, (("urg", 3601060.5),), "", Bound(1000.0, 1), Bound(3601060.5, 7))
    some = PriorityTerm("tickets", 0.01, 0.5, 0.005, (("ftckt", 41666.6667),), "", Bound(0.0), Bound(83333.99, 3))
    said = text(priority_lines(explanation(terms=(urgent, some)), 60, in_full=True))
    assert "urg 3601060\n" in said
    assert "1000 (job 1) … 3601060 (job 7)" in said
    assert "ftckt 41666\n" in said
    assert "0 (fixed) … 83333 (job 3)" in said


def test_weights_are_as_short_as_exact() -> None:
    assert [weight(value) for value in (0.1, 0.01, 1.0, 0.0, 1000.0)] == ["0.1", "0.01", "1", "0", "1000"]


def group(why: ReasonKind, message: str, *instances: str) -> ReasonGroup:
    return ReasonGroup(why, "host", message, instances)


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
    assert short_names(names) == said


def test_what_a_group_tells_is_not_said_again() -> None:
    told = [group(ReasonKind.BUSY, "cannot run at host … because it offers only hc:gpu=0", "a@x", "a@y")]
    reasons = ['cannot run at host "x" because it offers only hc:gpu=0', 'cannot run in PE "make"']
    assert other_reasons(reasons, told) == ['cannot run in PE "make"']


def test_reasons_stand_below_their_headings_in_one_order() -> None:
    groups = [
        group(ReasonKind.NEVER, "a"),
        group(ReasonKind.HELD, "b"),
        group(ReasonKind.BUSY, "c"),
        group(ReasonKind.NEVER, "d"),
    ]
    assert {why: [reason_group.message for reason_group in same] for why, same in by_heading(groups).items()} == {
        ReasonKind.HELD: ["b"], ReasonKind.BUSY: ["c"], ReasonKind.NEVER: ["a", "d"],
    }  # fmt: skip
    assert list(by_heading(groups)) == [ReasonKind.HELD, ReasonKind.BUSY, ReasonKind.NEVER]
    said = text(job_lines(row(), explanation(groups=tuple(groups)), None, 60, in_full=True))
    assert said.index("Held") < said.index("Nothing free now") < said.index("Never on these")


def ahead(number: int, by: str = "tickets", cause: str = "ftckt", place: str = "") -> JobAhead:
    return JobAhead(number, 1, f"job{number}", "bert", 0.7, 0.1, by, cause, (), place)


def test_who_is_ahead_and_by_what() -> None:
    found = explanation(rank=5, ahead=(ahead(1), ahead(2), ahead(3, place="a@x"), ahead(4, "submission time", "")))
    said = text(job_lines(row(), found, None, 70, in_full=True))
    assert "Ahead of it  4" in said
    assert "3 job3 +0.10000 ╍ tickets (ftckt)  starts on a@x" in said
    assert "4 job4 +0.10000 ━ submitted earlier" in said
    short = text(job_lines(row(), found, None, 200))
    assert "ahead of it 2 (tickets (ftckt)), 3 (tickets (ftckt)), 4 (submitted earlier) and 1 more" in short


def test_the_nearest_place_and_what_it_lacks() -> None:
    missing = Missing("mem", "host", "h2", "mem: 8G wanted, 6G of 64G free", "8G", "6G", "64G", "2G")
    found = explanation(nearest=NearestPlace("a@h2", (missing,)))
    assert "closest: a@h2: mem: 8G wanted, 6G of 64G free" in text(job_lines(row(), found, None, 60))
    assert "Closest to fitting  a@h2\n  mem: 8G wanted, 6G of 64G free" in text(
        job_lines(row(), found, None, 60, in_full=True)
    )


def test_who_sets_the_ends_of_a_scale() -> None:
    term = PriorityTerm("tickets", 0.01, 0.5, 0.005, (), "Half.", Bound(0.0), Bound(500.0, 3, 1, "r"))
    lines = priority_lines(explanation(terms=(term,)), 60, in_full=True)
    assert "0 (fixed) … 500 (job 3, running)" in text(lines)


def test_each_change_has_its_key_and_its_command() -> None:
    other = Change("release job 7", "job", "7", "-h", "u", "", "qalter -h U 7")
    change = Change("raise lic", "host", "global", "complex_values", "lic=3", "lic=4", "qconf …", (other,), ("a@x",))
    found = explanation(changes=(change,))
    assert "→ raise lic, and release job 7" in text(job_lines(row(), found, None, 60))
    said = text(job_lines(row(), found, None, 60, in_full=True, searching=True))
    assert "1 raise lic, and release job 7" in said
    assert "it starts on a@x" in said
    assert "$ qalter -h U 7" in said
    assert "looking for more" in said


def test_a_waiting_job_says_why_and_what_would_help() -> None:
    change = Change("host global: complex_values lic=3 → lic=4", "host", "global", "complex_values", "lic=3", "lic=4")
    found = explanation(
        groups=(
            group(ReasonKind.BUSY, "cannot run globally because it offers only gc:lic=0.000000"),
            group(ReasonKind.NEVER, "cannot run at host … because x", *(f"all.q@sim{n}" for n in range(1, 13))),
        ),
        changes=(change,),
    )
    said = text(job_lines(row(), found, None, 60, in_full=True))
    assert "1st of 5 pending" in said
    assert "  cannot run globally because it offers only" in said
    assert "  cannot run at host … because x" in said
    assert "12: all.q@sim1–9, all.q@sim10–12" in said
    assert "1 host global: complex_values lic=3 → lic=4" in said
    short = text(job_lines(row(), found, None, 60))
    assert "→ host global: complex_values lic=3 → lic=4" in short
    assert "✗ 12 queue instances can never run it" in short


def test_a_running_job_has_no_reasons_to_wait() -> None:
    found = explanation(reasons=("something global",), rank=None)
    said = text(job_lines(row("r", {"all.q@sim1": 2}), found, None, 60))
    assert "runs on all.q@sim1 (2 slots)" in said
    assert "Why it waits" not in said


def test_a_task_that_runs_has_no_place_among_the_pending() -> None:
    granted = {"all.q@sim1": 2}
    assert "1st of 5 pending" in text(job_lines(row("t", granted), explanation(), None, 60))
    assert "1st of 5 pending" in text(job_lines(row("hqw"), explanation(), None, 60))
    for state in ("r", "S", "hr"):
        assert "pending" not in text(job_lines(row(state, granted), explanation(state=state), None, 60))


def test_what_is_not_simulated_is_said() -> None:
    said = text(job_lines(row(not_simulated=("parallel environment make",)), explanation(), None, 50))
    assert "Not simulated yet" in said
    assert "parallel environment make" in said


def test_a_refused_job_shows_the_words_of_qsub() -> None:
    said = text(job_lines(row(rejected='Unable to run job: unknown resource "foo"'), explanation(), None, 50))
    assert "qsub would refuse" in said
    assert 'unknown resource "foo"' in said


def test_what_is_refused_for_two_reasons_shows_each_by_itself() -> None:
    said = text(job_lines(row(rejected="not allowed as objectname\njob rejected"), explanation(), None, 50))
    assert "· not allowed as objectname\n· job rejected" in said


def test_what_qstat_says_besides_is_quoted_as_it_is() -> None:
    quoted = 'cannot run because it exceeds limit "////h1/" in rule "dyn/1"'
    said = text(job_lines(row(), explanation(reasons=(quoted,)), None, 90, in_full=True))
    assert f"Also in qstat -j (not the cause)\n· {quoted}" in said


def test_a_reason_that_holds_for_several_places_is_said_once() -> None:
    reasons = [f'cannot run in queue "{name}" because' for name in ("a.q", "b.q", "a.q")]
    assert [plain(line) for line in qstat_lines(reasons, 80)] == ["· cannot run in queue … because", "    a.q, b.q"]


def test_nothing_is_wider_than_the_pane() -> None:
    found = explanation(
        groups=(
            group(ReasonKind.BUSY, "a reason that is rather long and goes on and on until it has to be wrapped", "a@x"),
        ),
        rank=9,
        ahead=tuple(ahead(number, place="some.queue@some.host.of.some.site") for number in range(1, 9)),
    )
    for cells in (44, 46, 60, 100):
        assert all(width(line) <= cells for line in job_lines(row(), found, None, cells, in_full=True))


def test_what_stands_still_says_why_and_does_not_run() -> None:
    held = group(ReasonKind.STATE, "queue instance low.q@h1 is suspended while high.q@h1 is in use", "low.q@h1")
    said = text(job_lines(row("ST", {"low.q@h1": 1}), explanation(groups=(held,), rank=None), None, 70))
    assert "ST suspended by its queue and by a threshold" in said
    assert "is suspended on low.q@h1" in said
    assert "Why it is suspended" in said
    assert "while high.q@h1 is in use" in said
