"""Everything at once: attributes, thresholds, access, policies and arrays, mixed."""

from collections.abc import Iterable
from random import Random
from typing import Any

from tests.differential import attributes as drawn
from tests.differential.attributes import TEXT_TYPES, Attribute
from tests.differential.drawing import (
    USERS,
    Draw,
    Site,
    odd_ones,
    options,
    per_key,
    scenario,
    session,
    some,
    suspend_a_job,
)
from tests.differential.scenarios import Scenario

NUMBERS = 100
PROJECTS = ("sea", "sky")


def draw(random: Random) -> Scenario:
    """A cluster of up to five hosts and four queues, and two to four runs."""
    site = Site.drawn(random)
    attributes = [drawn.attribute(random, name) for name in ("one", "two", "three", "four", "five")]
    sections = {
        "complexes": drawn.complexes(attributes),
        "hosts": {"global": _host(random, attributes, 0.3), **{h: _host(random, attributes, 0.6) for h in site.hosts}},
        "hostgroups": site.hostgroup_objects(),
        "usersets": {
            "few": {"type": random.choice(("ACL", "ACL DEPT")), "entries": "anna,@lab", "fshare": _shares(random)},
            "some": {"type": "ACL", "entries": "bela,chen,@guests"},
            "deadlineusers": {"type": "ACL", "entries": "anna,bela"},
            "dept": {"type": "DEPT", "entries": "@staff", "fshare": _shares(random), "oticket": _overrides(random)},
        },
        "projects": {name: {"fshare": _shares(random), "oticket": _overrides(random)} for name in PROJECTS},
        "users": {name: _user(random) for name in some(random, USERS)},
        "queues": {name: _queue(random, site, attributes) for name in site.queues},
        "configuration": {"global": _configuration(random)},
        "scheduler": _scheduler(random, attributes),
    }
    job = lambda: _job(random, site, attributes)  # noqa: E731
    return scenario(sections, session(random, job, order=lambda: suspend_a_job(random)))


def _host(random: Random, attributes: list[Attribute], chance: float) -> dict[str, str]:
    host = {"complex_values": drawn.complex_values(random, attributes, chance)}
    if random.random() < 0.15:
        host[random.choice(("user_lists", "xuser_lists"))] = random.choice(("few", "some"))
    if random.random() < 0.1:
        host[random.choice(("projects", "xprojects"))] = random.choice(PROJECTS)
    return host


def _queue(random: Random, site: Site, attributes: list[Attribute]) -> dict[str, str]:
    def varied(draw: Draw) -> str:
        return per_key(random, site.places, draw)

    odd: dict[str, Draw] = {
        "load_thresholds": lambda: drawn.threshold(random, attributes),
        "h_rt": lambda: varied(lambda: random.choice(("INFINITY", "0:30:0", "2:0:0"))),
        "s_rt": lambda: "1:0:0",
        "h_vmem": lambda: "1G",
        "user_lists": lambda: varied(lambda: random.choice(("NONE", "few", "some", "few some"))),
        "xuser_lists": lambda: random.choice(("few", "some")),
        "projects": lambda: random.choice(PROJECTS),
        "xprojects": lambda: random.choice(PROJECTS),
        "qtype": lambda: random.choice(("BATCH", "INTERACTIVE", "NONE")),
        "initial_state": lambda: "disabled",
        "suspend_thresholds": lambda: drawn.threshold(random, attributes),
        "nsuspend": lambda: random.choice(("0", "2")),
    }
    return {
        **site.queue(random, slots=(0, 1, 1, 2, 3)),
        "seq_no": varied(lambda: str(random.choice((0, 0, 5, 10)))),
        "complex_values": varied(lambda: drawn.complex_values(random, attributes, 0.3)),
        **odd_ones(random, odd, 0.12),
    }


def _user(random: Random) -> dict[str, str]:
    user = {"fshare": _shares(random), "oticket": _overrides(random)}
    return user | ({"default_project": "sea"} if random.random() < 0.2 else {})


def _shares(random: Random) -> str:
    return str(random.choice((0, 10, 100, 100, 250)))


def _overrides(random: Random) -> str:
    return str(random.choice((0, 0, 0, 100, 999)))


def _configuration(random: Random) -> dict[str, str]:
    return {
        "auto_user_fshare": str(random.choice((0, 0, 50))),
        "max_aj_instances": str(random.choice((2000, 2000, 3))),
    }


def _scheduler(random: Random, attributes: list[Attribute]) -> dict[str, Any]:
    numeric = [entry["name"] for entry in attributes if entry["type"] not in TEXT_TYPES]
    return {
        "queue_sort_method": random.choice(("load", "seqno")),
        "load_formula": random.choice(("np_load_avg", *numeric, *(f"slots-{name}*0.5" for name in numeric))),
        "job_load_adjustments": random.choice(("NONE", *(f"{name}=0.75" for name in numeric))),
        "load_adjustment_decay_time": random.choice(("0:0:0", "0:7:30")),
        "maxujobs": str(random.choice((0, 0, 0, 2, 3))),
        "schedd_job_info": "true",
        "weight_urgency": str(random.choice((0, 0.1, 1))),
        "weight_ticket": str(random.choice((0, 0.01, 1))),
        "weight_priority": str(random.choice((0, 1))),
        "weight_waiting_time": str(random.choice((0, 0, 0, 0.278))),
        "weight_tickets_functional": str(random.choice((0, 1000, 1000000))),
        "weight_user": str(random.choice((0.25, 0.7))),
        "weight_project": str(random.choice((0.25, 0))),
        "weight_department": str(random.choice((0.25, 0.1))),
        "weight_job": str(random.choice((0.25, 1))),
        "share_functional_shares": random.choice(("TRUE", "TRUE", "FALSE")),
        "share_override_tickets": random.choice(("TRUE", "TRUE", "FALSE")),
        "max_functional_jobs_to_schedule": str(random.choice((200, 200, 4))),
        "max_pending_tasks_per_job": str(random.choice((50, 2))),
        "policy_hierarchy": random.choice(("OFS", "F", "FO", "NONE", "O")),
        "report_pjob_tickets": random.choice(("TRUE", "TRUE", "TRUE", "FALSE")),
    }


def _job(random: Random, site: Site, attributes: list[Attribute]) -> str:
    words: list[str] = []
    if random.random() < 0.65:
        words += ["-l", f"'{','.join(_requests(random, attributes))}'"]
    if random.random() < 0.2:
        words += ["-q", f"'{site.queue_list(random)}'"]
    odd: dict[str, Draw] = {
        "-p": lambda: str(-random.choice((1, 10, 500))),
        "-P": lambda: random.choice(PROJECTS),
        "-t": lambda: random.choice(("1-4", "2-9:3", "1-20", "5")),
        "-js": lambda: random.choice(("1", "30")),
        "-ot": lambda: random.choice(("5", "2000")),
        "-hold_jid": lambda: random.choice(("sle*", "99")),
        "-a": lambda: "203501010000",
        "-dl": lambda: random.choice(("203501010000", "202001010000")),
    }
    words += options(odd_ones(random, odd, 0.1))
    if random.random() < 0.1:
        words.append("-h")
    if "-t" in words and random.random() < 0.4:
        words += ["-tc", str(random.randint(1, 3))]
    if random.random() < 0.15:
        words += _soft(random, site, attributes)
    return " ".join(words)


def _soft(random: Random, site: Site, attributes: list[Attribute]) -> list[str]:
    fixed = [entry for entry in attributes if entry["consumable"] == "NO"]
    resource = ["-l", f"'{drawn.request(random, random.choice(fixed))}'"] if fixed else []
    return ["-soft", *(resource if random.random() < 0.6 else ["-q", f"'{site.queue_list(random)}'", *resource])]


def _requests(random: Random, attributes: list[Attribute]) -> Iterable[str]:
    own = [drawn.request(random, entry) for entry in some(random, attributes)[:2]]
    if random.random() < 0.3:
        own.append(random.choice(("h_rt=0:45:0", "h_rt=3600", "h=n1", "h=n[12]", "q=a.q", "h_vmem=2G")))
    return own
