"""Queue instances in error state: from the beginning, until `qmod -cq` clears it, together with other letters."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from tests.differential.drawing import FORGETFUL, Draw, odd_ones, options, scenario, submission
from tests.differential.scenarios import Scenario

NUMBERS: Final = 30
_JOBS: Final = (
    *("", "", "-t 1-3", "-pe fill 3", "-pe fill 2-6 -R y", "-pe two 4 -R y", "-q a.q", "-q '*@n2'", "-soft -q b.q"),
    *("-l lic=1", "-l h_rt=600 -R y", "-masterq a.q -pe fill 4"),
)


def draw(random: Random) -> Scenario:
    """Two or three hosts and queues, all named in alphabetical order, as a qmaster that starts anew lists them."""
    hosts = ("n1", "n2", "n3")[: random.randint(2, 3)]
    queues = ("a.q", "b.q", "c.q")[: random.randint(1, 3)]
    instances = [f"{queue}@{host}" for queue in queues for host in hosts]
    sections: dict[str, Any] = {
        "complexes": {"lic": {"shortcut": "lic", "type": "INT", "relop": "<=", "requestable": "YES",
                              "consumable": "YES", "default": "0", "urgency": "0"}},
        "hosts": {"global": {"complex_values": "lic=3"}, **{host: {"complex_values": "NONE"} for host in hosts}},
        "pes": {"fill": {"slots": "99", "allocation_rule": random.choice(("$fill_up", "$round_robin"))},
                "two": {"slots": "99", "allocation_rule": "2"}},
        "queues": {
            name: {"hostlist": " ".join(hosts), "slots": random.choice(("1", "2", "3")), "load_thresholds": "NONE",
                   "pe_list": "fill two", "seq_no": random.choice(("0", "0", "1")),
                   "subordinate_list": "a.q=1" if name == "c.q" and random.random() < 0.4 else "NONE"}
            for name in queues
        },
        "quotas": {"few": {"enabled": random.choice(("TRUE", "FALSE")), "limit": ["users {*} queues a.q to slots=3"]}},
        "scheduler": {
            **FORGETFUL,
            "schedd_job_info": "true",
            "queue_sort_method": random.choice(("load", "seqno")),
            "load_formula": "slots",
            "max_reservation": random.choice(("0", "4")),
            "default_duration": random.choice(("1:0:0", "INFINITY")),
            "weight_tickets_functional": random.choice(("0", "1000")),
        },
        "states": {name: "E" for name in random.sample(instances, random.randint(1, len(instances) - 1))},
    }  # fmt: skip
    return scenario(sections, _session(random, queues, instances))


def _session(random: Random, queues: tuple[str, ...], instances: list[str]) -> Iterator[str]:
    for run in range(random.randint(2, 4)):
        for _ in range(random.randint(1, 5)):
            odd: dict[str, Draw] = {"-p": lambda: str(-random.choice((1, 100)))}
            words = (random.choice(_JOBS), *options(odd_ones(random, odd, 0.2)))
            yield submission(random, " ".join(filter(None, words)), times=(1, 2))
        if run and random.random() < 0.7:
            command = random.choice(("-cq", "-cq", "-d", "-e", "-sq", "-usq"))
            yield f"root# qmod {command} {random.choice((*queues, *instances))}"
        yield "run"
