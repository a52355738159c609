"""Edits that take nothing away from an advance reservation, which the recorded sessions do not have."""

import pytest

from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import AdvanceReservation
from qmon_tui.qmaster.ar_conflicts import ar_conflicts
from tests.unit.scheduler.building import NOW, cluster, queue, state, userset

RESERVED = state([], reservations=(AdvanceReservation(1, "anna", NOW, NOW + 60, {"a.q@n1": 2}, users=("anna",)),))


def refused(before: Cluster, after: Cluster) -> list[tuple[Kind, str, str]]:
    return [(conflict.kind, conflict.name, conflict.text) for conflict in ar_conflicts(before, after, RESERVED)]


SHUT_OUT = 'denied: the change in "entries" would break advance reservation 1'
OPEN, CLOSED = queue("a.q", "n1", 4, user_lists="few"), queue("a.q", "n1", 4)


@pytest.mark.parametrize(
    ("before", "after", "texts"),
    [
        ([userset("few", "bela")], [userset("few", "bela,chen")], [SHUT_OUT]),
        ([userset("few", "anna")], [userset("few", "anna,bela")], []),
        # A list in which she was not before either, and that nobody edits.
        ([userset("few", "bela")], [userset("few", "bela")], []),
        ([], [], []),
        ([], [userset("few", "bela")], [SHUT_OUT]),
        ([userset("few", "anna")], [], [SHUT_OUT]),
    ],
)
def test_who_is_shut_out_by_a_list(before: list[ConfigObject], after: list[ConfigObject], texts: list[str]) -> None:
    told = refused(cluster(OPEN, *before), cluster(OPEN, *after))
    assert told == [(Kind.USERSET, "few", text) for text in texts]
