"""Effective values, ambiguity (state c) and detached settings: `qconf -sq Q@H`, `qstat -explain c` and `qconf -sds`."""

import pytest

from tests.differential.instances import compare_instances
from tests.differential.qmaster import Qmaster

QUEUES = 60


@pytest.mark.qmaster
def test_instances_are_what_the_real_system_makes_of_a_queue(qmaster: Qmaster) -> None:
    found = list(compare_instances(qmaster, 1, QUEUES))
    assert not found, "\n".join(found[:10])


@pytest.mark.qmaster
@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 8))
def test_many_more(qmaster: Qmaster, seed: int) -> None:
    found = list(compare_instances(qmaster, seed, 400))
    assert not found, f"{len(found)}\n" + "\n".join(found[:10])
