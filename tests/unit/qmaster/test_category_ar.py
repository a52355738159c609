"""Jobs that qalter -ar has left in the category of another advance reservation, until they are sent as a whole."""

from dataclasses import replace

import pytest

from qmon_tui.explain.explainer import explain
from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.state_writer import state_text
from qmon_tui.model.jobs import AdvanceReservation
from qmon_tui.qmaster.commands import Target, alter
from qmon_tui.qmaster.commands.holds import hold
from qmon_tui.qmaster.scheduling import schedule
from tests.unit.scheduler.building import NOW, cluster, job, places, queue, state

ON = cluster(queue("all.q", "h1", 9))
LATER = AdvanceReservation(7, "anna", NOW + 600, NOW + 1200, {"all.q@h1": 1}, state="w")
OPTIONS = "-ar 7 -l h_rt=60"
TWO = replace(
    state([job(number, OPTIONS, qsub=f"{OPTIONS} sleep 60") for number in (1, 2)]),
    reservations=(LATER,),
)
MOVED = alter(ON, TWO, 2, "-ar 0").state


@pytest.mark.parametrize(
    ("options", "known"),
    [
        ("-ar 0", "7"), ("-ar 0 -p -1", "7"), ("-ar 0 -js 3", "7"), ("-ar 0 -A x", "7"),
        ("-ar 0 -ot 5", None), ("-ar 0 -N x", None), ("-ar 0 -l h_rt=60", None), ("-ar 0 -h n", None), ("-p -1", None),
    ],
)  # fmt: skip
def test_what_leaves_a_job_in_its_category_as_recorded(options: str, known: str | None) -> None:
    assert alter(ON, TWO, 2, options).state.jobs[1].category_ar == known


@pytest.mark.parametrize(("options", "known"), [("-ar 7", None), ("-p -1", "7"), ("-r y", None), ("-ot 3", None)])
def test_what_comes_after_that(options: str, known: str | None) -> None:
    assert alter(ON, MOVED, 2, options).state.jobs[1].category_ar == known


def test_a_hold_and_into_a_reservation() -> None:
    assert hold(ON, MOVED, Target(2)).state.jobs[1].category_ar is None
    into = alter(ON, replace(state([job(1, qsub="sleep 60")]), reservations=(LATER,)), 1, "-ar 7").state
    assert into.jobs[0].category_ar == "0"


def test_what_is_found_out_for_the_first_job_holds_for_it() -> None:
    """Recorded as category_of_reservation: the first may not start before the reservation does."""
    assert 2 not in places(schedule(ON, MOVED))
    assert places(schedule(ON, alter(ON, TWO, 2, "-ar 0 -N x").state))[2] == "all.q@h1"
    assert places(schedule(ON, alter(ON, TWO, 1, "-ar 0").state))[1] == "all.q@h1"


def test_why_offers_the_command_that_does() -> None:
    assert [change.command for change in explain(ON, TWO, 1).changes] == ["qalter -ar 0 1"]
    second = explain(ON, TWO, 2)
    assert [change.command for change in second.changes] == ["qalter -ar 0 -N sleep 2"]
    outside = "let job 2 run outside of advance reservation 7"
    assert second.tried is not None
    assert [words for words in second.tried if "outside" in words] == [outside, f"{outside}, and set its name again"]


def test_it_is_written_and_read() -> None:
    text = state_text(MOVED)
    assert "  category_ar: 7\n" in text
    read = read_texts(Layout.YAML, "x", {"jobs.yaml": text})
    assert not read.findings
    assert [one.category_ar for one in read.state.jobs] == [None, "7"]


def test_what_is_no_reservation_is_said() -> None:
    text = "jobs:\n- {id: 1, owner: anna, qsub: sleep 1, category_ar: seven}\n"
    (finding,) = read_texts(Layout.YAML, "x", {"jobs.yaml": text}).findings
    assert (finding.message, finding.line) == (
        '"seven" is not an advance reservation, write its number, or 0 for none',
        2,
    )


def test_why_tells_of_the_category_and_how_to_get_out_of_it() -> None:
    explanation = explain(ON, MOVED, 2)
    assert explanation.groups[0].message == (
        "the scheduler keeps it in the category of jobs of advance reservation 7, which qalter -ar alone does not "
        "change, and starts none of them"
    )
    assert [change.command for change in explanation.changes] == ["qalter -N sleep 2"]
