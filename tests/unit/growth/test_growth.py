"""Checks, runs and explanations of absurd clusters take time in proportion to what is there: steps are counted."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from qmon_tui.checks import check
from qmon_tui.explain.explainer import explain
from qmon_tui.formats import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.nodeset import MOST_IN_FILE
from qmon_tui.formats.parsed_files import DEEPEST_TREE
from qmon_tui.model import find_members, tree_rows
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.scheduling import schedule
from tests.unit.growth import inputs
from tests.unit.growth.inputs import Texts

SMALL, TIMES = 60, 4
ALLOWED = 1.5
"""How much more than four times the work a cluster of four times the size may need; the square would be four."""


def steps(work: Callable[[], object]) -> int:
    """How many lines of Python run."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def read(texts: Texts) -> Any:
    return read_texts(Layout.YAML, "c", texts)


def checked(texts: Texts) -> Callable[[], object]:
    contents = read(texts)
    return lambda: check(contents.cluster, contents.state)


def scheduled(texts: Texts) -> Callable[[], object]:
    contents = read(texts)
    return lambda: schedule(contents.cluster, contents.state)


def explained(texts: Texts) -> Callable[[], object]:
    contents = read(texts)
    return lambda: explain(contents.cluster, contents.state, contents.state.jobs[-1].id)


@pytest.mark.parametrize("work", [checked, scheduled, explained], ids=lambda work: str(work.__name__))
@pytest.mark.parametrize(
    "make",
    [
        inputs.group_chain,
        inputs.group_circle,
        inputs.group_lattice,
        inputs.quota_rules,
        inputs.hold_chain,
        inputs.named_hold_chain,
        inputs.deep_tree,
        inputs.wide_tree,
        inputs.refused_jobs,
    ],
    ids=lambda make: str(make.__name__),
)
def test_four_times_as_much_takes_about_four_times_the_steps(
    make: Callable[[int], Texts], work: Callable[[Texts], Callable[[], object]]
) -> None:
    work(make(SMALL + 1))()  # what is done only once is not counted
    small, large = steps(work(make(SMALL))), steps(work(make(SMALL * TIMES)))
    assert large < small * TIMES * ALLOWED, f"{small} steps, then {large}"


def test_each_queue_of_a_slotwise_chain_looks_through_it_once() -> None:
    """Whether a queue is in the tree of another is asked of each, so that the square is what it takes, not the cube."""
    checked(inputs.slotwise_chain(SMALL + 1))()
    small, large = (steps(checked(inputs.slotwise_chain(size))) for size in (SMALL, SMALL * TIMES))
    assert large < small * TIMES**2 / 2, f"{small} steps, then {large}"


@pytest.mark.parametrize("make", [inputs.node_sets, inputs.node_sets_in_hostlists], ids=lambda make: str(make.__name__))
def test_node_sets_stand_for_a_sensible_number_of_hosts(make: Callable[[int], Texts]) -> None:
    contents = read(make(100))
    finding = contents.findings[0]
    assert finding.message == f"the node sets of this file stand for more than {MOST_IN_FILE} hosts"
    assert (finding.rule, finding.file, finding.line) == ("format.nodeset", "c.yaml", 4)
    assert len(contents.findings) == 98
    assert len(contents.cluster.objects(Kind.HOST)) <= MOST_IN_FILE + 1


def test_a_tree_that_is_far_too_deep_is_not_read() -> None:
    contents = read(inputs.deep_tree(DEEPEST_TREE + 1))
    (finding,) = contents.findings
    assert finding.message == f"the share tree has more than {DEEPEST_TREE} levels: it is not read"
    assert (finding.rule, finding.file, finding.line) == ("format.sharetree", "t.yaml", 3)
    assert not contents.cluster.objects(Kind.SHARETREE)


def test_a_tree_deeper_than_python_calls_is_checked_and_shown() -> None:
    contents = read(inputs.deep_tree(DEEPEST_TREE))
    assert not contents.findings
    assert not check(contents.cluster, contents.state)
    text = next(iter(contents.cluster.objects(Kind.SHARETREE).values())).text("tree")
    assert tree_rows(text)[-1].depth == DEEPEST_TREE
    assert len(schedule(contents.cluster, contents.state).sharetree) == DEEPEST_TREE + 1


def test_the_way_through_a_long_chain_of_groups_is_found() -> None:
    cluster = read(inputs.group_chain(2000)).cluster
    (member,) = find_members(cluster, "@g0")
    assert (member.name, len(member.path)) == ("sim1", 2001)
