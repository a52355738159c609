"""The configured share tree as a flat list of nodes, and the part of the scheduler configuration about usage."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from qmon_tui.model import ConfigObject, parse_share_tree
from qmon_tui.scheduler.configuration.attribute_values import entries_of
from qmon_tui.scheduler.configuration.lenient_parsing import double, unsigned
from qmon_tui.values import COMMA, double_prefix, is_none, sum_in_order

FINISHED_JOBS = "finished_jobs"
"""A kind of usage of which each finished task has 1."""


@dataclass(frozen=True, slots=True)
class ConfiguredNode:
    """One configured node of the share tree; `parent` is its place in the list, -1 for the root."""

    name: str
    shares: int
    parent: int
    is_project: bool


def compile_share_tree(obj: ConfigObject | None, projects: Iterable[str]) -> tuple[ConfiguredNode, ...]:
    """All nodes, depth first with children in their order; empty where there is no tree."""
    root = parse_share_tree(obj.text("tree")) if obj is not None else None
    known = frozenset(projects)
    nodes: list[ConfiguredNode] = []
    ahead = [(root, -1)] if root is not None else []
    while ahead:
        node, parent = ahead.pop()
        index = len(nodes)
        nodes.append(ConfiguredNode(node.name, node.shares, parent, node.name in known))
        ahead += [(child, index) for child in reversed(node.children)]
    return tuple(nodes)


@dataclass(frozen=True, slots=True)
class UsagePolicy:
    """How usage is weighed, how it fades, and what makes up for the past.

    Source: tickets.md#usage-of-nodes and tickets.md#decay.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    """Kind of usage -> its part of the sum of all weights."""
    constant: float = 1.0
    """What is left of usage after a minute."""
    constants: Mapping[str, float] = field(default_factory=dict)
    """The same for single kinds of usage, from halflife_decay_list."""
    compensation: float = 0.0

    @property
    def senseless(self) -> tuple[str, ...]:
        """The kinds of usage whose half-life is so short that what is left of it is no number."""
        return tuple(kind for kind, constant in self.constants.items() if not constant >= 0)

    def left_over(self, kind: str, seconds: float) -> float:
        """The part of some usage that is left after a time."""
        constant = self.constants.get(kind, self.constant)
        return math.pow(max(0.0, constant), seconds / 60)


def compile_usage_policy(obj: ConfigObject) -> UsagePolicy:
    """Parse halftime, usage_weight_list, halflife_decay_list and compensation_factor."""
    entries = [(name, double(text)) for name, text in entries_of(obj.text("usage_weight_list"), COMMA)]
    total = sum_in_order(weight for _, weight in entries)
    return UsagePolicy(
        # Of two entries for one kind the first counts, but both are in the sum.
        weights={name: weight / total for name, weight in reversed(entries)} if total > 0 else {},
        constant=decay_constant(unsigned(obj.text("halftime"), 168) * 60.0),
        constants=_constants(obj.text("halflife_decay_list")),
        compensation=double(obj.text("compensation_factor")),
    )


def decay_constant(minutes: float) -> float:
    """What is left after a minute with a half-life; 0 minutes: everything, fewer: nothing.

    It is the first term of the exponential, so that the half-life is in truth a little shorter.
    """
    if minutes < 0:
        return 0.0
    if minutes == 0:
        return 1.0
    return 1 - math.log(2) / (minutes * 60) * 60


def _constants(text: str) -> Mapping[str, float]:
    """The entries `kind=minutes` between colons; without a list, finished jobs are forgotten at once."""
    if is_none(text):
        return {FINISHED_JOBS: decay_constant(-1)}
    constants: dict[str, float] = {}
    for part in text.split(":"):
        kind, _, minutes = part.lstrip("=").partition("=")
        number = double_prefix(minutes.lstrip("=").lstrip())
        if kind and number is not None:
            constants.setdefault(kind, decay_constant(number[0]))
    return constants
