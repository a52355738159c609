"""Share trees: flat and deep ones, projects, `default` nodes, past usage that fades, finished jobs, all hierarchies."""

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.differential.drawing import USERS, scenario, some, submission
from tests.differential.people import HIERARCHIES, PROJECTS, account, job, places
from tests.differential.scenarios import Scenario

NUMBERS = 60
GROUPS = ("lab", "office")
FUNCTIONAL = (0, 10, 100)
OVERRIDES = (0, 0, 50)
WEIGHTS = ("cpu=1.000000,mem=0.000000,io=0.000000", "cpu=2,mem=1", "mem=1,io=3", "cpu=1,finished_jobs=100")
DECAYS = ("none", "none", "none", "cpu=60", "finished_jobs=30", "cpu=0:mem=-1", "io=1440:finished_jobs=0:cpu=5")
TIMES = ("2026-01-01T07:59:50", "2026-01-01T07:00:00", "2026-01-01T02:30:00", "2025-12-20T08:00:00")
"""A session begins at 8:00 that day: 10 seconds, an hour, 5:30 hours and 12 days before."""
CLEARED = 0.3
"""How many sessions clear all usage after the first run."""
SHARES = (1, 10, 10, 50, 100, 300, 0)


def draw(random: Random) -> Scenario:
    """A tree over some of four users and three projects; whom it does not name may share a `default` node."""
    configured = some(random, USERS, 0.7)
    tree = _Tree(random, configured)
    sections: dict[str, Any] = {
        **places(random),
        "projects": {name: account(random, FUNCTIONAL, OVERRIDES) for name in PROJECTS},
        "users": {name: account(random, FUNCTIONAL, OVERRIDES) for name in configured},
        "configuration": {
            "global": {
                "enforce_user": random.choice(("auto", "auto", "auto", "none")),
                "auto_user_fshare": random.choice(("0", "20")),
                "auto_user_oticket": random.choice(("0", "7")),
            }
        },
        "sharetree": tree.text(),
        "scheduler": _scheduler(random),
    }
    if random.random() < 0.85:
        sections["usage"] = {
            "users": {name: _usage(random, projects=True) for name in some(random, configured)},
            "projects": {name: _usage(random, projects=False) for name in some(random, PROJECTS, 0.7)},
        }
    lines = list(_session(random))
    if random.random() < CLEARED:
        first = lines.index("run") + 1
        lines.insert(random.randint(first, len(lines) - 1), "root# qconf -clearusage")
    return scenario(sections, lines)


class _Tree:
    """The text of a drawn tree."""

    def __init__(self, random: Random, users: list[str]) -> None:
        self._random = random
        self._users = users
        self._left = list(users)
        self._projects = list(PROJECTS)
        self._groups = list(GROUPS)
        self._has_default = False
        self._lines: list[str] = []

    def text(self) -> str:
        """Node after node, each followed by its subtrees."""
        self._node("Root", self._children(0))
        return "".join(f"{line}\n" for line in self._lines)

    def _children(self, depth: int) -> list[tuple[str, list[Any]]]:
        random = self._random
        found: list[tuple[str, list[Any]]] = []
        for _ in range(random.randint(1 if depth else 2, 5)):
            kind = random.choice(("user", "user", "project", "project", "group" if depth < 2 else "user"))
            if kind == "user" and self._left:
                found.append((self._left.pop(random.randrange(len(self._left))), []))
            elif kind == "project" and self._projects:
                found.append((self._projects.pop(), self._members() if random.random() < 0.7 else []))
            elif kind == "group" and self._groups:
                name = self._groups.pop()
                below = self._children(depth + 1)
                if below:
                    found.append((name, below))
        if random.random() < (0.2 if depth else 0.6) and not self._has_default:
            self._has_default = True
            found.append(("default", []))
        random.shuffle(found)
        return found

    def _members(self) -> list[tuple[str, list[Any]]]:
        found: list[tuple[str, list[Any]]] = [(name, []) for name in some(self._random, self._users, 0.4)]
        return found + ([("default", [])] if self._random.random() < 0.7 else [])

    def _node(self, name: str, children: list[tuple[str, list[Any]]]) -> None:
        number = len(self._lines)
        ids = ",".join(str(number + 100 + place) for place in range(len(children))) or "NONE"
        shares = self._random.choice(SHARES) if number else 1
        self._lines += [f"id={number}", f"name={name}", "type=0", f"shares={shares}", f"childnodes={ids}"]
        for child, below in children:
            self._node(child, below)


def _usage(random: Random, *, projects: bool) -> dict[str, Any]:
    usage: dict[str, Any] = _amounts(random)
    if projects and random.random() < 0.6:
        usage["projects"] = {name: _amounts(random) for name in some(random, PROJECTS, 0.5)}
    usage["time"] = random.choice(TIMES)
    return usage


def _amounts(random: Random) -> dict[str, Any]:
    pools = {"cpu": (1, 60, 3600.5, 250000), "mem": (0.25, 17, 4000), "io": (0, 0.001, 12), "finished_jobs": (1, 40)}
    return {kind: random.choice(pools[kind]) for kind in some(random, pools, 0.6)}


def _scheduler(random: Random) -> dict[str, Any]:
    return {
        "schedd_job_info": "true",
        "queue_sort_method": "seqno",
        "weight_ticket": random.choice((0.01, 1)),
        "weight_waiting_time": random.choice((0, 0, 0.278)),
        "weight_tickets_share": random.choice((1000, 1000, 10000, 1000000)),
        "weight_tickets_functional": random.choice((0, 0, 1000)),
        "policy_hierarchy": random.choice(HIERARCHIES),
        "compensation_factor": random.choice((5, 5, 0, 1, 1.5, 0.5)),
        "halftime": random.choice((168, 168, 1, 2, 0)),
        "usage_weight_list": random.choice(WEIGHTS),
        "halflife_decay_list": random.choice(DECAYS),
        "share_override_tickets": random.choice(("TRUE", "TRUE", "FALSE")),
        "max_pending_tasks_per_job": random.choice((50, 2)),
        "report_pjob_tickets": random.choice(("TRUE", "TRUE", "TRUE", "FALSE")),
    }


def _session(random: Random) -> Iterator[str]:
    """Two to four runs; now and then jobs finish between two of them."""
    runs = random.randint(2, 4)
    for run in range(1, runs + 1):
        finish = run < runs and random.random() < 0.35
        for _ in range(random.randint(2, 7)):
            command = " sleep 0" if finish and random.random() < 0.6 else ""
            yield submission(
                random, f"{job(random, 0.15, 0.4)}{command}".strip(), times=(2, 3) if random.random() < 0.3 else (1, 1)
            )
        yield "run"
        if finish:
            yield "root# wait 7"
