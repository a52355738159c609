"""Queues that suspend others, and tasks that make others stand still: queue-wise lists, slot-wise trees, and both."""

from collections.abc import Iterator
from random import Random

from tests.differential.drawing import BASIC_QUEUE, USERS, options, per_key, scenario, submission
from tests.differential.scenarios import Scenario

NUMBERS = 45
HOSTS = ("n1", "n2")
SLOT_WISE = 0.55
"""How many scenarios have slot-wise trees."""


def draw(random: Random) -> Scenario:
    """Queues in a row, each perhaps with some of the later ones as subordinates; most jobs ask for a queue."""
    queues = tuple(f"{letter}.q" for letter in "abcdef"[: random.randint(2, 6)])
    hosts = HOSTS[: random.choice((1, 1, 2))]
    lists = _lists(random, queues)
    sections = {
        "hosts": {host: {} for host in hosts},
        "pes": {"mpi": {"slots": 99, "allocation_rule": random.choice(("$fill_up", "$round_robin", "$pe_slots"))}},
        "users": {user: {"fshare": random.choice((0, 50, 100))} for user in USERS},
        # Subordinates first: in this order they come into the qmaster, too.
        "queues": {name: _queue(random, hosts, lists.get(name, "NONE")) for name in reversed(queues)},
        "scheduler": {
            "schedd_job_info": "true",
            "queue_sort_method": random.choice(("load", "seqno")),
            "weight_waiting_time": 0,
            "weight_tickets_functional": random.choice((0, 1000)),
            "maxujobs": random.choice((0, 0, 3, 6)),
        },
    }
    return scenario(sections, _session(random, queues, jobs_end=len(hosts) == 1))


def _lists(random: Random, queues: tuple[str, ...]) -> dict[str, str]:
    slot_wise = random.random() < SLOT_WISE
    free = list(queues[1:])
    lists: dict[str, str] = {}
    for place, name in enumerate(queues[:-1]):
        later = [queue for queue in queues[place + 1 :] if random.random() < 0.6]
        if slot_wise and random.random() < 0.85:
            # In a slot-wise tree every queue has one superordinate.
            children = [queue for queue in later if queue in free]
            free = [queue for queue in free if queue not in children]
            if children:
                entries = ",".join(_branch(random, queue) for queue in children)
                lists[name] = f"slots={random.randint(1, 4)}({entries})"
        elif later and not (slot_wise and name not in free and place):
            lists[name] = ",".join(_tie(random, queue) for queue in later)
    return lists


def _branch(random: Random, queue: str) -> str:
    return queue + random.choice(("", f":{random.randint(0, 3)}", f":{random.randint(0, 3)}:lr", ":1:sr"))


def _tie(random: Random, queue: str) -> str:
    return queue + random.choice(("", "=1", "=2", "=3"))


def _queue(random: Random, hosts: tuple[str, ...], subordinates: str) -> dict[str, str]:
    return {
        **BASIC_QUEUE,
        "pe_list": "mpi",
        "hostlist": " ".join(hosts),
        "slots": per_key(random, hosts, lambda: str(random.choice((1, 2, 3, 4, 6)))),
        "seq_no": str(random.randint(0, 3)),
        "subordinate_list": subordinates,
    }


def _session(random: Random, queues: tuple[str, ...], *, jobs_end: bool) -> Iterator[str]:
    """Jobs end only where a queue has one instance: the list of instances remembers where they have ended."""
    number = 1
    for _ in range(random.randint(3, 4)):
        for _ in range(random.randint(1, 5)):
            yield submission(random, _job(random, queues), times=(1, 2))
            number += 1
        action = random.random()
        if action < 0.2:
            yield f"root# qmod -{random.choice(('sj', 'sj', 'usj'))} {random.randint(1, number)}"
        elif action < 0.5 and jobs_end:
            yield f"root# qdel {random.randint(1, number)}"
            yield "root# wait 2"
        elif action < 0.65 and jobs_end:
            yield "root# wait 6"
        yield "run"


def _job(random: Random, queues: tuple[str, ...]) -> str:
    drawn = {"-q": random.choice(queues)} if random.random() < 0.85 else {}
    if random.random() < 0.15:
        drawn["-pe"] = "mpi"
        return " ".join((*options({name: text for name, text in drawn.items() if name != "-pe"}), "-pe mpi 2"))
    if random.random() < 0.15:
        drawn["-t"] = "1-3"
    return " ".join(options(drawn))
