"""What qsub takes and what it refuses, with every option: ours beside what the real one was recorded to do."""

import pytest

from tests.differential.qmaster import Qmaster
from tests.differential.submitting import our_answer, real_answers, recorded

ANSWERS = recorded()


def test_many_lines_are_recorded_of_each_kind() -> None:
    submitted = [answer.submitted for answer in ANSWERS.values()]
    assert min(submitted.count(True), submitted.count(False)) > 300
    assert {answer.used for answer in ANSWERS.values()} == {0, 1}


@pytest.mark.parametrize("part", range(20))
def test_lines_are_taken_and_refused_as_recorded(part: int) -> None:
    lines = list(ANSWERS)[part::20]
    assert {line: our_answer(line) for line in lines} == {line: ANSWERS[line] for line in lines}


@pytest.mark.qmaster
@pytest.mark.long
def test_lines_are_still_taken_and_refused_so(qmaster: Qmaster) -> None:
    assert dict(real_answers(qmaster, ANSWERS)) == ANSWERS
