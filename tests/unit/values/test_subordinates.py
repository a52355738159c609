import pytest
from hypothesis import given, strategies as st

from qmon_tui.values.subordinates import Subordinate, Subordinates, parse_subordinates
from tests.unit.values.recorded import recorded, refusal

# Refused for what the queues are, not for how the text is written.
RESOLVED_LATER = ("Subordinated cluster queue", "Cluster queue")
NAMES = st.from_regex(r"q[a-z0-9.]{0,5}", fullmatch=True)
NUMBERS = st.integers(min_value=-(2**31), max_value=2**31 - 1)
QUEUE_WISE = st.lists(st.builds(Subordinate, NAMES, NUMBERS, st.just(0), st.just("sr")), max_size=4, unique=True)
SLOT_WISE = st.lists(
    st.builds(Subordinate, NAMES, st.just(0), NUMBERS, st.sampled_from(["sr", "lr"])),
    min_size=1,
    max_size=4,
    unique=True,
)


@pytest.mark.parametrize(
    ("text", "stored", "message"),
    [row for row in recorded("subordinates") if not (row[2] or "").startswith(RESOLVED_LATER)],
)
def test_lists_recorded_from_the_qmaster(text: str, stored: str | None, message: str | None) -> None:
    if stored is None:
        assert refusal(parse_subordinates, text) == message
    else:
        assert parse_subordinates(text).text() == stored


def test_a_slot_wise_tree() -> None:
    subordinates = parse_subordinates("slots=2(q1, q2:2:lr)")
    assert subordinates.slots == 2
    assert subordinates.queues == (Subordinate("q1"), Subordinate("q2", seq_no=2, action="lr"))


def test_queue_wise_thresholds() -> None:
    subordinates = parse_subordinates("q1=5,q2")
    assert subordinates == Subordinates((Subordinate("q1", threshold=5), Subordinate("q2")))


@given(QUEUE_WISE)
def test_queue_wise_lists_come_back_as_they_were_printed(queues: list[Subordinate]) -> None:
    subordinates = Subordinates(tuple(queues))
    assert parse_subordinates(subordinates.text()) == subordinates


@given(SLOT_WISE, NUMBERS.filter(bool))
def test_slot_wise_lists_come_back_as_they_were_printed(queues: list[Subordinate], slots: int) -> None:
    subordinates = Subordinates(tuple(queues), slots)
    assert parse_subordinates(subordinates.text()) == subordinates


@given(st.text(alphabet="slotq12=:(), ", max_size=14) | st.text().map("slots=".__add__) | st.text())
def test_reading_raises_nothing_but_value_errors(text: str) -> None:
    assert refusal(parse_subordinates, text) in (None, f'error: error parsing value "{text}"'.splitlines()[0])
