"""Load values that follow the jobs of a host, as its reports would tell them (host_conf(5) load_values)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

REPORT_INTERVAL: Final = 40
"""Seconds between two reports of a host where load_report_time is not set (sge_conf(5))."""


@dataclass(frozen=True, slots=True)
class LoadValue:
    """One load value of a host: what it is without jobs, and what its jobs add."""

    idle: float = 0.0
    per_slot: float = 0.0
    """What each slot adds in which something runs."""
    per_request: str | None = None
    """An attribute whose requested amount, for each slot, is added: h_vmem for a value such as virtual_used."""
    per_processor: bool = False
    """It is divided by num_proc of the host, as np_load_avg is."""
    average: int = 0
    """Seconds over which it is averaged, as loads are; 0 where it follows at once."""


@dataclass(frozen=True, slots=True)
class LoadModel:
    """The load values that hosts report."""

    interval: int = REPORT_INTERVAL
    values: Mapping[str, LoadValue] = field(default_factory=lambda: MappingProxyType({}))
    hosts: Mapping[str, Mapping[str, LoadValue]] = field(default_factory=lambda: MappingProxyType({}))
    """Host -> what differs there."""
