"""The configured share tree as a flat list of nodes, and the usage parameters of sched_conf(5)."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from qmon_tui.model import ConfigObject, parse_share_tree
from qmon_tui.scheduler.configuration.attribute_values import entries_of
from qmon_tui.scheduler.configuration.lenient_parsing import double, unsigned
from qmon_tui.values import COMMA, double_prefix, is_none, sum_in_order

FINISHED_JOBS = "finished_jobs"
"""The kind of usage to which each finished task adds 1."""


@dataclass(frozen=True, slots=True)
class ConfiguredNode:
    """A configured node of the share tree; `parent` is its index in the list, -1 for the root."""

    name: str
    shares: int
    parent: int
    is_project: bool


def compile_share_tree(obj: ConfigObject | None, projects: Iterable[str]) -> tuple[ConfiguredNode, ...]:
    """Return all nodes depth first, children in their order; empty if there is no tree."""
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
    """Weights and decay of usage, and the compensation factor.

    Source: tickets.md#usage-of-nodes and tickets.md#decay.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    """Kind of usage (cpu, mem, io) -> its weight divided by the sum of weights."""
    constant: float = 1.0
    """The factor (0..1) by which usage decays per minute, from halftime."""
    constants: Mapping[str, float] = field(default_factory=dict)
    """Kind of usage -> its own factor, from halflife_decay_list."""
    compensation: float = 0.0
    """compensation_factor; 0: no limit."""

    @property
    def senseless(self) -> tuple[str, ...]:
        """The kinds of usage with a half-life so short (below 42 seconds) that the factor is negative."""
        return tuple(kind for kind, constant in self.constants.items() if not constant >= 0)

    def left_over(self, kind: str, seconds: float) -> float:
        """Return the fraction (0..1) of a kind of usage that is left after `seconds`."""
        constant = self.constants.get(kind, self.constant)
        return math.pow(max(0.0, constant), seconds / 60)


def compile_usage_policy(obj: ConfigObject) -> UsagePolicy:
    """Parse halftime, usage_weight_list, halflife_decay_list and compensation_factor."""
    entries = [(name, double(text)) for name, text in entries_of(obj.text("usage_weight_list"), COMMA)]
    total = sum_in_order(weight for _, weight in entries)
    return UsagePolicy(
        # The first of two entries for one kind counts, but the sum includes both.
        weights={name: weight / total for name, weight in reversed(entries)} if total > 0 else {},
        constant=decay_constant(unsigned(obj.text("halftime"), 168) * 60.0),
        constants=_constants(obj.text("halflife_decay_list")),
        compensation=double(obj.text("compensation_factor")),
    )


def decay_constant(minutes: float) -> float:
    """Return the decay factor per minute for a half-life in minutes; 0: no decay, negative: immediate decay.

    8.1.9 uses the linear approximation of the exponential, so the real half-life is slightly shorter.
    """
    if minutes < 0:
        return 0.0
    if minutes == 0:
        return 1.0
    return 1 - math.log(2) / (minutes * 60) * 60


def _constants(text: str) -> Mapping[str, float]:
    """Return kind -> decay factor of a list `kind=minutes:...`; without a list, finished_jobs decays immediately."""
    if is_none(text):
        return {FINISHED_JOBS: decay_constant(-1)}
    constants: dict[str, float] = {}
    for part in text.split(":"):
        kind, _, minutes = part.lstrip("=").partition("=")
        number = double_prefix(minutes.lstrip("=").lstrip())
        if kind and number is not None:
            constants.setdefault(kind, decay_constant(number[0]))
    return constants
