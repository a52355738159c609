"""The order of queue instances: queue_sort_method, load_formula, seq_no, load adjustments, and ties over many runs."""

from collections.abc import Iterator
from random import Random
from typing import Final

from tests.differential.drawing import FORGETFUL, Site, per_key, scenario, submission
from tests.differential.scenarios import Scenario

NUMBERS = 60
ATTRIBUTES: Final = {
    "power": {"shortcut": "pow", "type": "DOUBLE", "relop": ">=", "requestable": "NO", "consumable": "NO"},
    "lic": {"shortcut": "lic", "type": "INT", "relop": "<=", "requestable": "YES", "consumable": "YES"},
    "heat": {"shortcut": "heat", "type": "DOUBLE", "relop": "<=", "requestable": "YES", "consumable": "YES"},
}
FORMULAS: Final = (
    *("power", "slots", "-slots", "lic", "-lic", "-heat", "power-lic", "slots*0.5-heat", "power*10+heat"),
    *("lic-lic", "np_load_avg", "power+slots*0.25", "heat-power*2"),
)


def draw(random: Random) -> Scenario:
    """Two to five hosts, up to four queues, and four to nine runs with few submissions before each."""
    site = Site.drawn(random, hosts=(2, 5), queues=(1, 4))
    sections = {
        "complexes": ATTRIBUTES,
        "hosts": {"global": {}, **{host: {"complex_values": _offers(random)} for host in site.hosts}},
        "hostgroups": site.hostgroup_objects(),
        "pes": {"mpi": {"allocation_rule": random.choice(("$fill_up", "$round_robin")), "slots": "99"}},
        "queues": {name: _queue(random, site) for name in site.queues},
        "scheduler": {
            **FORGETFUL,
            "queue_sort_method": random.choice(("load", "load", "seqno")),
            "load_formula": random.choice(FORMULAS),
            "job_load_adjustments": random.choice(("NONE", "power=0.5", "heat=1", "power=0.3,lic=1")),
            "load_adjustment_decay_time": random.choice(("0:0:0", "0:7:30")),
            "schedd_job_info": "true",
        },
    }
    return scenario(sections, _session(random, site))


def _offers(random: Random) -> str:
    power, lic, heat = random.choice(("1", "1", "2.5")), random.choice((3, 3, 5)), random.choice(("4", "4", "9.5"))
    offers = (f"power={power}", f"lic={lic}", f"heat={heat}")
    return ",".join(offer for offer in offers if random.random() < 0.9) or "NONE"


def _queue(random: Random, site: Site) -> dict[str, str]:
    return {
        **site.queue(random, slots=(2, 3, 5)),
        "seq_no": per_key(random, site.places, lambda: random.choice(("0", "0", "7")), 0.2),
        "pe_list": random.choice(("NONE", "mpi")),
        "complex_values": random.choice(("NONE", "NONE", "lic=2", "heat=5")),
    }


def _session(random: Random, site: Site) -> Iterator[str]:
    for _ in range(random.randint(4, 9)):
        for _ in range(random.randint(1, 3)):
            yield submission(random, _job(random, site))
        yield "run"


def _job(random: Random, site: Site) -> str:
    words = [
        *(("-l", random.choice(("lic=1", "heat=0.5", "lic=1,heat=2"))) if random.random() < 0.3 else ()),
        *(("-q", f"'{site.queue_list(random)}'") if random.random() < 0.15 else ()),
        *(("-t", "1-3") if random.random() < 0.15 else ()),
        *(("-pe", "mpi", random.choice(("2", "3", "2-5"))) if random.random() < 0.2 else ()),
    ]
    return " ".join(words)
