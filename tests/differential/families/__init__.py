"""Families of drawn scenarios: each looks at one part of the scheduler, on the real system and in the engine.

A family is a module in this package, named after what it looks at, with one function:

    def draw(random: Random) -> Scenario

It draws a small cluster (up to five hosts and four queues) and a session with two runs or more: submit, run, submit
more, run. The same number always draws the same scenario; `NUMBERS` says how many `make differential` plays (30).
What is shared is in `tests.differential.drawing` (sites, sessions, choices) and `tests.differential.attributes`
(complex lists, values, requests); `scenario(sections, lines)` puts the cluster's sections (DESIGN section 4) and the
session's lines together. A family draws what the engine does not simulate too: such runs are counted apart. qconf must
accept everything, else the scenario fails; a refused qsub is fine and its text is compared. A job runs until it is
deleted unless its command says otherwise (`sleep 3`); lines such as `root# qdel 3` and `root# wait 2` are orders.
Hosts report load values where the session has lines such as `root# load n1 np_load_avg=0.5 arch=lx-amd64`.

    def draw(random: Random) -> Scenario:
        site = Site.drawn(random, queues=(1, 2))
        sections = {
            "hosts": {host: {} for host in site.hosts},
            "hostgroups": site.hostgroup_objects(),
            "queues": {name: site.queue(random) for name in site.queues},
            "scheduler": {"schedd_job_info": "true", "queue_sort_method": random.choice(("load", "seqno"))},
        }
        return scenario(sections, session(random, lambda: f"-q '{site.queue_list(random)}'"))

Play some numbers of a family (or all of every family, without arguments), with so many qmasters side by side:

    python -m tests.differential.families mixed 0-59 -j 4

It prints what differs and where it left that (the scenario and each differing run as a cluster folder), and how many
things agree. Then make the scenario as small as possible (or give --shrink above), and keep it with the real system's
answer as a case that needs no qmaster:

    python -m tests.differential.shrink FOLDER
    python -m tests.differential.record --from FOLDER-small NAME
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from random import Random

from tests.differential.scenarios import Scenario

DEFAULT_NUMBERS = 30


@dataclass(frozen=True, slots=True)
class Family:
    """One module of this package."""

    name: str
    draw: Callable[[Random], Scenario]
    numbers: int
    """How many scenarios `make differential` plays."""

    def scenario(self, number: int) -> Scenario:
        """The scenario of a number."""
        return replace(self.draw(Random(f"{self.name} {number}")), name=f"{self.name}-{number}")


@cache
def families() -> Mapping[str, Family]:
    """All families by name."""
    names = sorted(module.name for module in iter_modules(__path__) if not module.name.startswith("_"))
    return {name: _family(name) for name in names}


def _family(name: str) -> Family:
    module = import_module(f"{__name__}.{name}")
    return Family(name, module.draw, getattr(module, "NUMBERS", DEFAULT_NUMBERS))
