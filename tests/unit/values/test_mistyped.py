"""What a mistyped word may have been meant to be."""

import pytest

from qmon_tui.model import Kind
from qmon_tui.model.catalogue import spec
from qmon_tui.values import nearest_word


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("user_list", "user_lists"),
        ("load_treshold", "load_thresholds"),
        ("priorty", "priority"),
        ("rerunable", "rerun"),
        ("owner", "owner_list"),
        ("hsotlist", "hostlist"),
        ("mem_limit", None),
        ("max_slots", None),
        ("time_limit", None),
        ("sequence", None),
    ],
)
def test_the_nearest_word_is_a_few_slips_away(word: str, near: str | None) -> None:
    assert nearest_word(word, spec(Kind.QUEUE).by_name) == near
