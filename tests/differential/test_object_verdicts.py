"""Generated objects of all other kinds, and deletions: what the real qconf and qmaster say, and what we say."""

import pytest

from qmon_tui.model.kinds import Kind
from tests.differential.object_cases import ADD, KINDS, ObjectCase, object_cases
from tests.differential.object_verdicts import (
    RealObjectVerdict,
    object_context,
    object_disagreements,
    real_object_verdicts,
)
from tests.differential.odd_spellings import odd_cases
from tests.differential.qmaster import Qmaster
from tests.differential.recording import kept_object_verdicts

QUICK = 120
SPELLED = {
    f"group_name {name}\nhostlist {hosts}\n": f'host group "{name}" already exists'
    for name, hosts in (("@ONE", "NONE"), ("@Two", "@nope"), ("@EMPTY", "@EMPTY"), ("@one", "host1"))
}
"""Hostgroups that differ from others in upper and lower case only, and what the real qmaster says of them."""
LONG = 2400


def test_what_was_recorded() -> None:
    verdicts = kept_object_verdicts()
    found = [text for _, text in object_disagreements(object_context(), verdicts)]
    assert not found, "\n\n".join(found[:5])
    assert {verdict.case.kind for verdict in verdicts} == set(KINDS)
    assert 0.3 < sum(verdict.accepted for verdict in verdicts) / len(verdicts) < 0.7


@pytest.mark.qmaster
def test_the_real_thing(qmaster: Qmaster) -> None:
    cases = object_cases(1, QUICK, object_context())
    found = [text for _, text in object_disagreements(object_context(), real_object_verdicts(qmaster, cases))]
    assert not found, "\n\n".join(found[:5])


@pytest.mark.qmaster
def test_odd_spellings(qmaster: Qmaster) -> None:
    cases = odd_cases(1, QUICK, object_context())
    found = [text for _, text in object_disagreements(object_context(), real_object_verdicts(qmaster, cases))]
    assert not found, "\n\n".join(found[:5])


def spelled() -> list[ObjectCase]:
    return [ObjectCase(Kind.HOSTGROUP, ADD, text.split()[1], text) for text in SPELLED]


@pytest.mark.qmaster
def test_hostgroups_in_another_case_are_taken(qmaster: Qmaster) -> None:
    verdicts = list(real_object_verdicts(qmaster, spelled()))
    assert [verdict.message for verdict in verdicts] == list(SPELLED.values())
    assert not [text for _, text in object_disagreements(object_context(), verdicts)]


def test_hostgroups_in_another_case_are_taken_for_us() -> None:
    recorded = [RealObjectVerdict(case, False, SPELLED[case.text], "") for case in spelled()]
    assert not [text for _, text in object_disagreements(object_context(), recorded)]


@pytest.mark.qmaster
@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 4))
def test_many_more(qmaster: Qmaster, seed: int) -> None:
    cases = object_cases(seed, LONG, object_context())
    found = [text for _, text in object_disagreements(object_context(), real_object_verdicts(qmaster, cases))]
    assert not found, f"{len(found)} disagreements\n" + "\n\n".join(found[:5])
