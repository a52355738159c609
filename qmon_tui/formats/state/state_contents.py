"""State read from YAML files: jobs, load values, queue states, usage."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from qmon_tui.model import Finding, State
from qmon_tui.values import parse_time

if TYPE_CHECKING:  # a folder without YAML files needs no nodes
    from qmon_tui.formats.yaml import Node, Scalar

DEFAULT_START: Final = "2026-01-01T08:00:00"
"""Local time of the first submission if the folder has no time at all."""

StateItem = tuple[str, "Scalar", "Node"]
"""A top-level key, and the nodes of key and value."""


@dataclass(frozen=True, slots=True)
class StateContents:
    """The state of a cluster as read, with findings."""

    state: State
    findings: tuple[Finding, ...] = ()
    dialect: str = ""
    """Dialect given by a file; empty if none gives it."""


def empty_state_contents() -> StateContents:
    """Return the state of a folder without jobs, load values and queue states."""
    start = parse_time(DEFAULT_START)
    return StateContents(State(start, beginning=start))
