"""Whole sites, as administrators configure them, and a day on them: jobs, their ends, orders, edits, reservations.

The other families draw what they configure; here it is the combinations that real sites have and nobody draws. A
scenario takes several times as long as one of theirs, as jobs end meanwhile.
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from qmon_tui.formats.nodeset import expand_nodeset
from tests.differential.drawing import Draw, odd_ones, options, scenario
from tests.differential.families.shipped import LOADS, kept_in_mind, sections_of
from tests.differential.scenarios import Scenario

NUMBERS = 20
CLUSTERS: Final = ("genome", "genome", "racks", "racks", "desktops", "desktops", "campus", "site")
WEEKS: Final = (
    *("mon-sun=off", "mon-sun=suspended", "mon-fri=7-20=off", "sat-sun=suspended", "mon-sun=6-18=off"),
    *("mon-sun=0-12=suspended mon-sun=12-18=off", "mon-fri=8-18=suspended sat=6-12:30=off"),
)
_LEADING: Final = re.compile(r"^-?\d+")
_LONG: Final = ("sleep", "99999")
_BRIEF: Final = (("sleep", "1"), ("sleep", "2"))


def draw(random: Random) -> Scenario:
    """One of the sites with some knobs turned, two to five runs with deeds before each."""
    name = random.choice(CLUSTERS)
    sections, state = sections_of(name)
    kept_in_mind(random, sections)
    sections["scheduler"] |= _scheduler_knobs(random)
    for kind, knobs in _knobs(random).items():
        for obj in sections.get(kind, {}):
            if random.random() < 0.2:
                sections[kind] = {**sections[kind], obj: {**sections[kind][obj], **knobs()}}
    return scenario(sections, _Day(random, sections, state).lines())


def _scheduler_knobs(random: Random) -> dict[str, str]:
    weight = lambda: random.choice(("0", "0.01", "0.5", "1"))  # noqa: E731
    knobs: dict[str, Draw] = {
        **dict.fromkeys(("weight_urgency", "weight_ticket", "weight_priority", "weight_waiting_time"), weight),
        "weight_tickets_functional": lambda: random.choice(("0", "1000", "1000000")),
        "weight_tickets_share": lambda: random.choice(("0", "1000", "1000000")),
        "policy_hierarchy": lambda: random.choice(("OFS", "SFO", "FS", "NONE", "S")),
        "share_functional_shares": lambda: "FALSE",
        "share_override_tickets": lambda: "FALSE",
        "queue_sort_method": lambda: random.choice(("load", "seqno")),
        "load_formula": lambda: random.choice(("np_load_avg", "slots", "-mem_free", "np_load_avg-slots*0.1")),
        "job_load_adjustments": lambda: random.choice(("NONE", "np_load_avg=0.50", "np_load_avg=0.2,mem_free=1G")),
        "load_adjustment_decay_time": lambda: random.choice(("0:0:0", "0:7:30")),
        "max_reservation": lambda: random.choice(("0", "3", "20")),
        "default_duration": lambda: random.choice(("0:10:0", "INFINITY", "600:0:0")),
        "maxujobs": lambda: random.choice(("0", "5", "10")),
        "max_functional_jobs_to_schedule": lambda: "4",
        "max_pending_tasks_per_job": lambda: random.choice(("1", "3")),
        "report_pjob_tickets": lambda: "FALSE",
    }
    return odd_ones(random, knobs, 0.13)


def _knobs(random: Random) -> Mapping[str, Any]:
    """Section -> what to draw for an object whose knobs are turned."""
    rules = ("$pe_slots", "$fill_up", "$round_robin", "2", "4", "8")
    return {
        "calendars": lambda: {"week": random.choice(WEEKS)},
        "pes": lambda: odd_ones(
            random,
            {
                "allocation_rule": lambda: random.choice(rules),
                "slots": lambda: random.choice(("6", "12", "24")),
                "urgency_slots": lambda: random.choice(("min", "max", "avg", "5")),
            },
            0.5,
        ),
        "quotas": lambda: {"enabled": random.choice(("TRUE", "FALSE"))},
        "queues": lambda: odd_ones(
            random,
            {
                "load_thresholds": lambda: random.choice(("NONE", "np_load_avg=0.5", "np_load_avg=1.75")),
                "subordinate_list": lambda: "NONE",
                "suspend_thresholds": lambda: random.choice(("np_load_avg=1", "np_load_avg=0.6")),
                "rerun": lambda: "TRUE",
                "h_rt": lambda: random.choice(("0:30:0", "4:0:0", "INFINITY")),
            },
            0.3,
        ),
    }


@dataclass(slots=True)
class _Day:
    """A session on a site."""

    random: Random
    sections: Mapping[str, Any]
    state: Mapping[str, Any]
    submitted: int = 0
    reserved: int = 0
    ends: bool = False
    """Some jobs end before the next run."""

    def lines(self) -> Iterator[str]:
        """All of it."""
        random = self.random
        self.ends = random.random() < 0.35
        for name, values in self.state.get("loads", {}).items():
            for host in expand_nodeset(name):
                yield _report(host, values)
        for instance in self.state.get("states", {}):
            yield f"root# qmod -d {instance}"
        for run in range(random.randint(2, 5)):
            if run:
                yield from self._meanwhile()
            # No job names a reservation before it is there.
            yield from self._reservations()
            for _ in range(random.randint(3, 11)):
                yield self._submission()
            yield "run"

    def _meanwhile(self) -> Iterator[str]:
        """What happens between two runs: jobs end, loads change, and somebody gives orders."""
        random = self.random
        hosts = self._hosts()
        for host in random.sample(hosts, random.choice((0, 0, 1, 3)) if "loads" in self.state else 0):
            yield _report(host, {"np_load_avg": random.choice(LOADS)})
        if self.ends:
            yield "root# wait 9"
        for _ in range(random.choice((0, 1, 1, 2, 3))):
            yield from random.choice((self._qmod, self._of_jobs, self._of_jobs, self._deletion, self._edit))()

    def _qmod(self) -> Iterator[str]:
        random = self.random
        queue, host = random.choice(list(self.sections["queues"])), random.choice(self._hosts())
        where = random.choice((f"{queue}@{host}", f"{queue}@{host}", f"'*@{host}'", queue))
        yield f"root# qmod -{random.choice(('d', 'd', 'e', 'sq', 'sq', 'usq'))} {where}"

    def _of_jobs(self) -> Iterator[str]:
        random = self.random
        action = random.choice(
            (
                *("qmod -sj", "qmod -sj", "qmod -usj", "qhold", "qrls", "qrls", "qalter -p -200", "qalter -p 0"),
                *("qalter -js 7", "qalter -ot 300", "qalter -R y", "qalter -N other"),
            )
        )
        yield f"root# {action} {self._job_number()}"

    def _deletion(self) -> Iterator[str]:
        yield "root# wait 5"
        for _ in range(self.random.randint(1, 3)):
            yield f"root# qdel {self._job_number()}"
        yield "root# wait 2"

    def _edit(self) -> Iterator[str]:
        """A queue's number, or what a host offers; per-host settings stay, which an edit could not take away."""
        random = self.random
        queue, field = random.choice(list(self.sections["queues"])), random.choice(("slots", "seq_no", "priority"))
        before = self.sections["queues"][queue].get(field, "1" if field == "slots" else "0")
        yield f"root# edit queue {queue} {field}={_LEADING.sub(str(random.randint(1, 12)), before)}"

    def _job_number(self) -> int:
        return self.random.randint(1, max(1, self.submitted))

    def _hosts(self) -> list[str]:
        return [host for name in self.sections["hosts"] if name != "global" for host in expand_nodeset(name)]

    def _submission(self) -> str:
        random = self.random
        job = random.choice(self.state["jobs"])
        times = random.choice((1, 1, 1, 2, 3))
        repeated = f"{times}x " if times > 1 else ""
        self.submitted += times
        return f"{repeated}{job['owner']}:{job.get('group', 'staff')}$ qsub {self._options(job)}"

    def _reservations(self) -> Iterator[str]:
        users = self.sections["usersets"].get("arusers", {}).get("entries", "")
        for user in filter(None, users.split(",")):
            if self.random.random() < 0.25:
                self.reserved += 1
                yield f"{user}$ qrsub {self._reservation()}"

    def _reservation(self) -> str:
        random = self.random
        drawn: dict[str, Draw] = {
            "-a": lambda: f"NOW+{random.choice((300, 900, 3600))}",
            "-pe": lambda: random.choice(list(self.sections["pes"])),
            "-l": lambda: random.choice(("exclusive", "h_vmem=2G", "gpu=1")),
            "-q": lambda: random.choice(list(self.sections["queues"])),
        }
        words = options(odd_ones(random, drawn, 0.4))
        if "-pe" in words:
            words.insert(words.index("-pe") + 2, random.choice(("2", "4", "8", "4-12")))
        return " ".join(("-d", random.choice(("600", "3600", "36000")), *words))

    def _options(self, job: Mapping[str, str]) -> str:
        """A job's options, perhaps with one more; dates are soon, and it may wait for an earlier one."""
        random = self.random
        words = shlex.split(job["qsub"])
        words = words[: words.index("sleep")]
        replaced: dict[str, Draw] = {
            "-hold_jid": lambda: (
                str(self._job_number()) if random.random() < 0.7 else words[words.index("-hold_jid") + 1]
            ),
            "-dl": lambda: f"NOW+{random.choice((60, 3600, 86400))}",
            "-a": lambda: random.choice(("NOW+3600", "202601010000")),
        }
        for option, text in replaced.items():
            if option in words:
                words[words.index(option) + 1] = text()
        if random.random() < 0.35:
            words += self._one_more(words)
        if self.ends and random.random() < 0.5:
            words += random.choice(_BRIEF)
        return shlex.join(words)

    def _one_more(self, words: list[str]) -> list[str]:
        random = self.random
        more = [
            *("-R y", "-p -50", "-p -300", "-js 5", "-l h_rt=0:10:0", "-l h_rt=3:0:0", "-t 1-3", "-tc 1", "-h", "-r y"),
            f"-q {random.choice(list(self.sections['queues']))}",
            f"-P {random.choice(list(self.sections['projects']))}",
            f"-pe {random.choice(list(self.sections['pes']))} {random.choice(('2', '4', '2-8', '8'))}",
            f"-soft -q {random.choice(list(self.sections['queues']))}",
            f"-masterq {random.choice(list(self.sections['queues']))}" if "-pe" in words else "-p -1",
            f"-ar {random.randint(1, self.reserved)} -w n" if self.reserved else "-js 1",
        ]
        found = random.choice(more).split()
        return [] if found[0] in words and found[0] != "-l" else found


def _report(host: str, values: Mapping[str, str]) -> str:
    return f"root# load {host} {' '.join(f'{key}={text}' for key, text in values.items())}"
