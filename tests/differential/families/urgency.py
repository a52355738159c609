"""Urgency: requests of all types with whole, fractional and negative weights, slot ranges, waiting times, deadlines."""

from collections.abc import Iterator
from random import Random

from tests.differential import attributes as drawn
from tests.differential.attributes import Attribute
from tests.differential.drawing import FORGETFUL, Draw, odd_ones, options, scenario, session, some
from tests.differential.people import people, places
from tests.differential.scenarios import Scenario

NUMBERS = 40
URGENCIES = ("0", "1", "100", "0.25", "-50", "-0.5", "1000", "1e3", "0x10", "2.5K")
SLOTS = {"shortcut": "s", "type": "INT", "relop": "<=", "requestable": "YES", "consumable": "YES", "default": "1"}
RANGES = ("2", "1-4", "2-", "1-2,4-6", "-3", "2,4,8", "5-20")
ENVIRONMENTS = ("x", "y1", "'y*'", "'*'")
DEADLINES = ("NOW+40", "NOW+3600", "NOW+2592000", "NOW+1", "202001010000", "210001010000")


def draw(random: Random) -> Scenario:
    """Many attributes, few offers, three PEs with urgency_slots of every kind."""
    attributes = [
        {**drawn.attribute(random, name), "urgency": random.choice(URGENCIES)}
        for name in ("one", "two", "three", "four")
    ]
    cluster = places(random, slots=(1, 3, 6))
    cluster["pes"] = {name: _environment(random) for name in ("x", "y1", "y2")}
    for queue in cluster["queues"].values():
        queue["pe_list"] = "x y1 y2"
    cluster["hosts"]["global"] = {"complex_values": drawn.complex_values(random, attributes, 0.9)}
    slots = {"slots": {**SLOTS, "urgency": random.choice(("1000", "1000", "0", "-100", "0.5"))}}
    sections = {
        "complexes": {**drawn.complexes(attributes), **slots},
        **cluster,
        **people(random, (0, 100), (0, 10)),
        "scheduler": {
            **FORGETFUL,
            "queue_sort_method": "seqno",
            "schedd_job_info": "true",
            "weight_urgency": random.choice((0.1, 1, 1, 0)),
            "weight_ticket": random.choice((0, 0.01)),
            "weight_priority": random.choice((0, 1)),
            "weight_waiting_time": random.choice((0, 0, 0.278, 10, 0.001)),
            "weight_deadline": random.choice((3600000, 3600000, 0, 100, 0.5)),
            "report_pjob_tickets": random.choice(("TRUE", "TRUE", "TRUE", "FALSE")),
        },
    }
    return scenario(sections, _session(random, attributes))


def _environment(random: Random) -> dict[str, str]:
    return {
        "slots": random.choice(("99", "4", "7")),
        "allocation_rule": random.choice(("$fill_up", "$round_robin", "$pe_slots")),
        "urgency_slots": random.choice(("min", "max", "avg", "3", "0")),
    }


def _session(random: Random, attributes: list[Attribute]) -> Iterator[str]:
    return session(random, lambda: _job(random, attributes), order=lambda: "root# wait 1.3")


def _job(random: Random, attributes: list[Attribute]) -> str:
    requests = [drawn.request(random, entry) for entry in some(random, attributes, 0.3)[:2]]
    odd: dict[str, Draw] = {
        "-l": lambda: ",".join(requests),
        "-p": lambda: str(-random.choice((1, 100, 1023))),
        "-dl": lambda: random.choice(DEADLINES),
        "-t": lambda: random.choice(("1-3", "2-9:3")),
    }
    chosen = {**odd_ones(random, {"-l": odd.pop("-l")}, 0.55), **odd_ones(random, odd, 0.2)}
    environment = f"-pe {random.choice(ENVIRONMENTS)} {random.choice(RANGES)}"
    words = [*options(chosen), *([environment] if "-t" not in chosen and random.random() < 0.4 else [])]
    fixed = [drawn.request(random, entry) for entry in attributes if entry["consumable"] == "NO"]
    if fixed and random.random() < 0.1:
        words += ["-soft", *options({"-l": random.choice(fixed)})]
    return " ".join(words)
