"""qconf -aattr, -mattr, -rattr, -dattr, -purge and the lists of names: beside what the real one says."""

import pytest

from tests.differential.attribute_lines import LINES, differences, real_answers, recorded
from tests.differential.qmaster import Qmaster


def test_each_line_is_recorded() -> None:
    assert [answer.line for answer in recorded()] == LINES
    assert len(LINES) > 150


def test_we_say_and_leave_what_was_recorded() -> None:
    assert differences(recorded()) == []


@pytest.mark.qmaster
def test_it_is_still_said_so(qmaster: Qmaster) -> None:
    assert differences(list(real_answers(qmaster))) == []
