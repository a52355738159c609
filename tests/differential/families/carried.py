"""Many runs in a row while tasks end: -tc, successors, consumables, environments, subordinates, commands."""

from collections.abc import Iterator
from random import Random
from typing import Final

from tests.differential.drawing import Draw, Site, odd_ones, options, scenario, submission
from tests.differential.scenarios import Scenario

NUMBERS = 40
RUNS: Final = (5, 7)
NAMES: Final = ("alpha", "beta", "gamma")
TASKS: Final = ("1-4", "1-6", "1-9:3", "2-8:2", "5-7")
WAITED_FOR: Final = ("1", "2", "3", "4", "1,3", "al*", "beta")
LINKED: Final = ("1", "2", "3", "alpha")
COMMANDS: Final = ("qmod -sj", "qmod -usj", "qhold", "qrls", "qdel", "qmod -rj")
OF_QUEUES: Final = ("qmod -d", "qmod -e", "qmod -sq", "qmod -usq")


def draw(random: Random) -> Scenario:
    """Up to three hosts and three queues with few slots, and five to seven runs in which most jobs last seconds."""
    site = Site.drawn(random, hosts=(1, 3), queues=(1, 3))
    sections = {
        "complexes": {"lic": {"shortcut": "lic", "type": "INT", "relop": "<=", "requestable": "YES",
                              "consumable": "YES", "default": random.choice(("0", "1")), "urgency": "0"}},
        "hosts": {"global": {"complex_values": random.choice(("NONE", "lic=4"))},
                  **{host: {"complex_values": random.choice(("NONE", "lic=3", "slots=3"))} for host in site.hosts}},
        "hostgroups": site.hostgroup_objects(),
        "queues": {name: _queue(random, site, name) for name in site.queues},
        "pes": {"mpi": {"slots": "9", "allocation_rule": random.choice(("$fill_up", "$round_robin", "2")),
                        "control_slaves": random.choice(("TRUE", "FALSE"))}},
        "quotas": {"few": {"enabled": random.choice(("TRUE", "FALSE")), "limit": ["users {*} to slots=3"]}},
        "configuration": {"global": {"max_aj_instances": random.choice(("2000", "2000", "3"))}},
        "scheduler": _scheduler(random),
    }  # fmt: skip
    return scenario(sections, _session(random, site))


def _queue(random: Random, site: Site, name: str) -> dict[str, str]:
    queue = {**site.queue(random, slots=(1, 2, 3)), "pe_list": random.choice(("NONE", "mpi")), "rerun": "TRUE"}
    below = [other for other in site.queues if other < name]
    if below and random.random() < 0.35:
        queue["subordinate_list"] = random.choice((f"{below[0]}=1", below[0], f"slots=3({below[0]}:0:sr)"))
    return queue


def _scheduler(random: Random) -> dict[str, str]:
    return {
        "queue_sort_method": random.choice(("load", "seqno")),
        "schedd_job_info": "true",
        "maxujobs": random.choice(("0", "0", "3")),
        "max_reservation": random.choice(("0", "0", "5")),
        "weight_ticket": random.choice(("0", "0.01", "1")),
        "weight_waiting_time": random.choice(("0", "0", "0.278")),
        "weight_tickets_functional": random.choice(("0", "10000")),
    }


def _session(random: Random, site: Site) -> Iterator[str]:
    for run in range(random.randint(*RUNS)):
        for _ in range(random.randint(0 if run else 3, 4)):
            yield submission(random, _job(random), times=(2, 3) if random.random() < 0.15 else (1, 1))
        if run and random.random() < 0.4:
            yield _order(random, site)
        if run and random.random() < 0.8:
            yield f"root# wait {random.choice((1, 2, 2, 3, 5))}"
        yield "run"


def _order(random: Random, site: Site) -> str:
    if random.random() < 0.3:
        return f"root# {random.choice(OF_QUEUES)} {random.choice(site.queues)}"
    return f"root# {random.choice(COMMANDS)} {random.randint(1, 8)}"


def _job(random: Random) -> str:
    words: list[str] = []
    if random.random() < 0.45:
        words += ["-t", random.choice(TASKS)]
        limited: dict[str, Draw] = {
            "-tc": lambda: str(random.randint(1, 3)),
            "-hold_jid_ad": lambda: random.choice(LINKED),
        }
        words += options(odd_ones(random, limited, 0.45))
    odd: dict[str, Draw] = {
        "-N": lambda: random.choice(NAMES),
        "-hold_jid": lambda: random.choice(WAITED_FOR),
        "-l": lambda: f"lic={random.randint(1, 2)}",
        "-p": lambda: str(-random.choice((1, 10, 500))),
        "-pe": lambda: f"mpi {random.choice(('2', '1-3'))}",
        "-R": lambda: "y",
    }
    drawn = odd_ones(random, odd, 0.25)
    if "-pe" in drawn:
        words += ["-pe", *drawn.pop("-pe").split()]
    return " ".join((*words, *options(drawn), "sleep", str(random.choice((0, 1, 2, 4, 9, 60)))))
