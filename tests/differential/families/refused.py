"""Starts that the qmaster refuses: first and again, after runs in which the job waited, with all policies and edits."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from tests.differential.drawing import FORGETFUL, Draw, odd_ones, options, scenario, submission
from tests.differential.scenarios import Scenario

NUMBERS: Final = 40
_PER_JOB: Final = {"type": "INT", "relop": "<=", "requestable": "YES", "consumable": "JOB", "default": "0"}
_USERS: Final = ("anna", "bela", "chen", "dora")
_TREE: Final = (
    "id=0\nname=Root\ntype=0\nshares=1\nchildnodes=1,2\nid=1\nname=anna\ntype=0\nshares=60\nchildnodes=NONE\n"
    "id=2\nname=dora\ntype=0\nshares=30\nchildnodes=NONE\n"
)
_OPTIONS: Final = (
    *("-pe two 4 -l tok=1", "-pe two 2 -l tok=1", "-pe fill 3 -l tok=1", "-pe fill 2-5 -l tok=1", "-pe fill 4"),
    *("-pe fill 2 -t 1-3 -l tok=1", "-pe two 4 -l seat=1", "-pe two 4 -l tok=1 -R y", "-t 1-3", "-q b.q", "-R y", ""),
)
_COMMANDS: Final = ("qalter -p -300", "qalter -ot 70", "qhold", "qrls", "qmod -sj", "qmod -usj")


def draw(random: Random) -> Scenario:
    """Hosts without what is booked per job, which the global host has, and a queue that departments may not use."""
    hosts = ("n1", "n2", "n3")[: random.randint(1, 3)]
    sections: dict[str, Any] = {
        "complexes": {
            "tok": {**_PER_JOB, "shortcut": "tok", "urgency": random.choice(("0", "50"))},
            "seat": {**_PER_JOB, "shortcut": "seat", "urgency": "0"},
        },
        "hosts": {
            "global": {"complex_values": f"tok={random.randint(1, 3)},seat={random.randint(1, 3)}"},
            **{host: {"complex_values": random.choice(("tok=0", "tok=0,seat=0", "tok=1", "seat=0"))} for host in hosts},
        },
        "usersets": {"crew": {"type": "DEPT", "entries": random.choice(("dora", "dora,chen"))}},
        "users": {
            user: {"fshare": random.choice(("0", "100")), "oticket": random.choice(("0", "0", "60"))} for user in _USERS
        },
        "pes": {
            "two": {"slots": "99", "allocation_rule": "2", "control_slaves": random.choice(("TRUE", "FALSE"))},
            "fill": {"slots": "99", "allocation_rule": random.choice(("$fill_up", "$round_robin"))},
        },
        "queues": {
            "a.q": {"hostlist": " ".join(hosts), "slots": random.choice(("2", "4")), **_queue()},
            "b.q": {"hostlist": " ".join(hosts), "slots": random.choice(("1", "2")), "seq_no": "1", **_queue(),
                    "xuser_lists": random.choice(("NONE", "NONE", "crew"))},
        },
        "scheduler": _scheduler(random),
    }  # fmt: skip
    if random.random() < 0.5:
        sections["sharetree"] = _TREE
    return scenario(sections, _session(random, edits=sections["scheduler"]["report_pjob_tickets"] == "TRUE"))


def _queue() -> dict[str, str]:
    return {"load_thresholds": "NONE", "pe_list": "two fill"}


def _scheduler(random: Random) -> dict[str, str]:
    return {
        **FORGETFUL,
        "schedd_job_info": "true",
        "queue_sort_method": "seqno",
        "max_reservation": random.choice(("0", "0", "4")),
        "default_duration": "1:0:0",
        "weight_urgency": random.choice(("0", "1", "1")),
        "weight_ticket": random.choice(("0.01", "1")),
        "weight_waiting_time": random.choice(("0", "0", "1")),
        "weight_tickets_functional": random.choice(("0", "1000")),
        "weight_tickets_share": random.choice(("0", "1000")),
        "report_pjob_tickets": random.choice(("TRUE", "TRUE", "TRUE", "FALSE")),
    }


def _session(random: Random, *, edits: bool) -> Iterator[str]:
    """First what takes the slots; then room is made, run by run.

    Without report_pjob_tickets no edit comes in between: with one, the scheduler clears the columns of running jobs
    once, and no state tells that it has not done so yet.
    """
    jobs = 0
    for run in range(random.randint(4, 6)):
        for _ in range(random.choice((2, 3, 4)) if run < 2 else random.choice((0, 0, 1, 2))):
            jobs += 1
            yield submission(random, _job(random, is_parallel=run == 1))
        if run and random.random() < 0.4:
            yield f"root# {random.choice(_COMMANDS)} {random.randint(1, jobs)}"
        if run > 1 and random.random() < 0.25 and edits:
            field, *values = random.choice((
                ("weight_ticket", "0", "1"), ("weight_urgency", "0", "1"), ("maxujobs", "0", "1", "3"),
                ("weight_waiting_time", "0", "1"),
            ))  # fmt: skip
            yield f"root# edit scheduler scheduler {field}={random.choice(values)}"
        if run:
            yield f"root# qdel {random.randint(1, jobs)}"
            yield "root# wait 2"
        yield "run"


def _job(random: Random, *, is_parallel: bool) -> str:
    chosen = random.choice(_OPTIONS[:8] if is_parallel else _OPTIONS)
    odd: dict[str, Draw] = {
        "-p": lambda: str(-random.choice((1, 10, 500))),
        "-ot": lambda: str(random.choice((5, 40))),
        "-dl": lambda: "NOW+3000",
    }
    return " ".join((*chosen.split(), *options(odd_ones(random, odd, 0.15)))).strip()
