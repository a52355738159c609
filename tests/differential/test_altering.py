"""What qalter takes, says and leaves, with every option: ours beside what the real one was recorded to do."""

import pytest

from tests.differential.altering import our_answer, real_answers, recorded
from tests.differential.qmaster import Qmaster

ANSWERS = recorded()


@pytest.mark.parametrize("part", range(10))
def test_jobs_are_altered_as_recorded(part: int) -> None:
    lines = list(ANSWERS)[part::10]
    assert len(lines) > 60
    assert {line: our_answer(line) for line in lines} == {line: ANSWERS[line] for line in lines}


@pytest.mark.qmaster
@pytest.mark.long
def test_jobs_are_still_altered_so(qmaster: Qmaster) -> None:
    assert dict(real_answers(qmaster, ANSWERS)) == ANSWERS
