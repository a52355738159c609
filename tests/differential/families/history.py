"""What only the past decides: the order of equal queue instances and jobs after qmod, edits, ends and releases."""

from collections.abc import Iterator
from random import Random
from typing import Final

from tests.differential.drawing import BASIC_QUEUE, FORGETFUL, Site, scenario, some, submission
from tests.differential.scenarios import Scenario

NAMES: Final = ("alpha", "beta", "gamma")
CHANGES: Final = (("-d", "-e"), ("-sq", "-usq"), ("-e", "-e"))
SETTINGS: Final = ("priority={0}", "slots={0},[n1={1}]", "seq_no=0,[n1={1}]", "tmpdir=/{0}")
"""A later setting replaces an earlier one: one without n1 would leave what was set there."""


def draw(random: Random) -> Scenario:
    """Two to five hosts that are all alike, one to three queues, and three to six runs with something before each.

    Where jobs end by themselves, all have ended before the next run begins: none ends while it is being looked at.
    """
    site = Site.drawn(random, hosts=(2, 5), queues=(1, 3))
    consumable = random.choice(("NONE", "slots=4"))
    sections = {
        "hosts": {"global": {}, **{host: {"complex_values": consumable} for host in site.hosts}},
        "pes": {"mpi": {"allocation_rule": random.choice(("$fill_up", "$round_robin")), "slots": "99"}},
        "hostgroups": {
            "@left": {"hostlist": " ".join(some(random, site.hosts))},
            "@right": {"hostlist": "@left"},
        },
        "queues": {name: _queue(random, site) for name in site.queues},
        "users": {"anna": {"fshare": "10"}, "bela": {"fshare": "10"}},
        "scheduler": {
            **FORGETFUL,
            "queue_sort_method": random.choice(("load", "seqno")),
            "schedd_job_info": "true",
            "policy_hierarchy": random.choice(("NONE", "OFS")),
            "weight_ticket": "1",
            "weight_tickets_functional": random.choice(("0", "1000", "1000")),
        },
    }
    return scenario(sections, _session(random, site))


def _queue(random: Random, site: Site) -> dict[str, str]:
    hosts = random.sample(site.hosts, len(site.hosts))
    return {
        **BASIC_QUEUE,
        "pe_list": "mpi",
        "hostlist": random.choice(
            (" ".join(hosts), " ".join(some(random, hosts)), "@left", f"@left {hosts[0]}", "@right")
        ),
        "slots": random.choice(("1", "2")),
    }


def _session(random: Random, site: Site) -> Iterator[str]:
    ends = random.random() < 0.6
    for run in range(random.randint(3, 6)):
        if run and ends:
            yield "root# wait 9"
        if random.random() < 0.6:
            yield from _orders(random, site, run)
        for _ in range(random.randint(1, 4)):
            yield submission(random, _job(random, ends), times=(2, 3) if random.random() < 0.2 else (1, 1))
        yield "run"


def _orders(random: Random, site: Site, run: int) -> Iterator[str]:
    queue, host = random.choice(site.queues), random.choice(site.hosts)
    kind = random.choice(("qmod", "qmod", "delete", "delete", "queue", "host", "group"))
    if kind == "qmod":
        where = random.choice((f"{queue}@{host}", f"'*@{host}'", queue))
        yield from (f"root# qmod {option} {where}" for option in random.choice(CHANGES))
    elif kind == "delete" and run:
        yield "root# wait 5"
        yield from (f"root# qdel {random.randint(1, 9)}" for _ in range(random.randint(1, 3)))
        yield "root# wait 2"
    elif kind == "queue":
        setting = random.choice(SETTINGS).format(random.randint(1, 2), random.randint(0, 3))
        yield f"root# edit queue {queue} {setting}"
    elif kind == "host":
        setting = random.choice(("complex_values=slots=3", "usage_scaling=cpu=0.5", "report_variables=cpu"))
        yield f"root# edit exechost {host} {setting}"
    elif kind == "group":
        # Those that are there already stay where they are.
        yield f"root# edit hostgroup @left hostlist={' '.join(site.hosts)}"


def _job(random: Random, ends: bool) -> str:
    words = [
        *(("-N", random.choice(NAMES)) if random.random() < 0.7 else ()),
        *(("-hold_jid", random.choice((*NAMES, "1", "2", "4"))) if random.random() < 0.3 else ()),
        *(("-t", "1-3") if random.random() < 0.15 else ()),
        *(("-pe", "mpi", random.choice(("2", "3", "2-4"))) if random.random() < 0.2 else ()),
        *(("sleep", random.choice(("1", "2"))) if ends and random.random() < 0.5 else ()),
    ]
    return " ".join(words)
