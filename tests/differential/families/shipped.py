"""The clusters that come with the program, with their own jobs in other orders and turned knobs."""

import re
import shlex
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import yaml

from qmon_tui.formats.nodeset import expand_nodeset
from qmon_tui.model.kinds import Kind
from tests.differential.drawing import FORGETFUL, scenario
from tests.differential.folders import read
from tests.differential.loading import in_order
from tests.differential.scenarios import Scenario

NUMBERS = 60
CONFIGS: Final = Path(__file__).parents[3] / "configs"
CLUSTERS: Final = ("teaching", "site", "site", "campus", "campus", "campus")
STATE: Final = frozenset({"now", "jobs", "loads", "states", "simulation"})
"""What is played in place of it: the session."""
WEIGHTS: Final = ("weight_urgency", "weight_ticket", "weight_priority", "weight_waiting_time")
TICKETS: Final = ("weight_tickets_functional", "weight_tickets_share")
OPTIONS: Final = ("-R y", "-p -50", "-js 5", "-l h_rt=0:10:0", "-t 1-3", "-tc 1", "-h")
LOADS: Final = ("0.02", "0.3", "0.9", "1.2", "1.74", "1.9", "2.6")


def draw(random: Random) -> Scenario:
    """One of the clusters, two to four runs."""
    sections, state = sections_of(random.choice(CLUSTERS))
    kept_in_mind(random, sections)
    sections["scheduler"] |= _knobs(random)
    return scenario(sections, _session(random, sections, state))


def sections_of(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The configuration of a cluster, and what is played in place of the rest."""
    sections = dict(_sections(name))
    return sections, {key: sections.pop(key) for key in STATE & sections.keys()}


def kept_in_mind(random: Random, sections: dict[str, Any]) -> None:
    """Let a configuration be one with which all that the scheduler remembers can be told."""
    # Usage is kept in the object of a user, which the program does not insist on.
    registered: dict[str, Any] = {name: {} for name in sections.get("usage", {}).get("users", ())}
    sections["users"] = registered | sections["users"]
    if "usage" in sections:
        sections["usage"] = _uneven(random, sections["usage"])
    sections["scheduler"] = {**sections.get("scheduler", {}), **FORGETFUL, "schedd_job_info": "true"}
    # When something was halted last because of a threshold is nowhere told; after a second it does not matter.
    prompt = {"suspend_interval": "0:0:1"}
    sections["queues"] = {name: queue | prompt for name, queue in sections["queues"].items()}
    # qconf takes no queue before those that are subordinate to it.
    cluster = read(scenario(sections, ()).files).cluster
    sections["queues"] = {queue.name: sections["queues"][queue.name] for queue in in_order(cluster, Kind.QUEUE)}


@cache
def _sections(name: str) -> Mapping[str, Any]:
    """All that the files of a cluster say; every value is text."""
    found: dict[str, Any] = {}
    for file in sorted((CONFIGS / name).glob("*.yaml")):
        found |= yaml.load(file.read_text(), yaml.CBaseLoader)
    return found


def _uneven(random: Random, usage: Any) -> Any:
    """Usage as nobody writes it down: with round numbers, two entitlements may be equal but for the last bit.

    That bit depends on how often the usage has faded before.
    """
    if isinstance(usage, Mapping):
        return {name: _uneven(random, value) for name, value in usage.items()}
    return f"{float(usage) * random.uniform(0.6, 1.4):.3f}"


def _knobs(random: Random) -> dict[str, str]:
    """Some settings of the scheduler that are not as they came."""
    knobs = {name: random.choice(("0", "0.01", "0.5", "1")) for name in WEIGHTS if random.random() < 0.3}
    knobs |= {name: random.choice(("0", "1000", "1000000")) for name in TICKETS if random.random() < 0.3}
    if random.random() < 0.3:
        knobs["queue_sort_method"] = random.choice(("load", "seqno"))
    if random.random() < 0.3:
        knobs["max_reservation"] = random.choice(("0", "3", "10"))
    return knobs


def _session(random: Random, sections: Mapping[str, Any], state: Mapping[str, Any]) -> Iterator[str]:
    hosts = [host for name in sections["hosts"] if name != "global" for host in expand_nodeset(name)]
    for name, values in state.get("loads", {}).items():
        for host in expand_nodeset(name):
            yield f"root# load {host} {' '.join(f'{key}={text}' for key, text in values.items())}"
    for instance in state.get("states", {}):
        yield f"root# qmod -d {instance}"
    submitted = 0
    for run in range(random.randint(2, 4)):
        for _ in range(random.randint(4, 12)):
            job = random.choice(state["jobs"])
            times = random.choice((1, 1, 1, 2, 3))
            repeated = f"{times}x " if times > 1 else ""
            yield f"{repeated}{job['owner']}:{job.get('group', 'staff')}$ qsub {_options(random, job, submitted)}"
            submitted += times
        if run and "loads" in state and random.random() < 0.5:
            yield f"root# load {random.choice(hosts)} np_load_avg={random.choice(LOADS)}"
        yield "run"


def _options(random: Random, job: Mapping[str, str], submitted: int) -> str:
    """A job's options, perhaps with one more; it may wait for an earlier one of this session."""
    words = shlex.split(job["qsub"])
    if "-hold_jid" in words:
        words[words.index("-hold_jid") + 1] = str(random.randint(1, max(1, submitted)))
    words = words[: next(at for at, word in enumerate(words) if re.fullmatch("sleep", word))]
    option, *value = random.choice(OPTIONS).split()
    if random.random() < 0.3 and (option == "-l" or option not in words):
        words += [option, *value]
    return shlex.join(words)
