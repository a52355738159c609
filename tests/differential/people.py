"""Drawing who submits: users, projects and departments with shares and override tickets."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from tests.differential.drawing import USERS, Draw, Site, odd_ones, options, some

PROJECTS: Final = ("sea", "sky", "sun")
HIERARCHIES: Final = ("OFS", "OFS", "NONE", "O", "F", "S", "FO", "OF", "FOS", "SOF", "FS", "OS")


def account(random: Random, shares: Sequence[int], overrides: Sequence[int]) -> dict[str, str]:
    """Functional shares and override tickets of a user, project or department."""
    return {"fshare": str(random.choice(shares)), "oticket": str(random.choice(overrides))}


def people(random: Random, shares: Sequence[int], overrides: Sequence[int]) -> dict[str, Any]:
    """The sections of users, projects, usersets and the global configuration; who is no user may become one."""

    def drawn() -> dict[str, str]:
        return account(random, shares, overrides)

    projects = {"default_project": random.choice(("NONE", *PROJECTS))}
    return {
        "projects": {name: drawn() for name in PROJECTS},
        "users": {
            name: {**drawn(), **(projects if random.random() < 0.3 else {})} for name in some(random, USERS, 0.7)
        },
        "usersets": {
            "lab": {"type": random.choice(("DEPT", "ACL DEPT")), "entries": "anna,@lab", **drawn()},
            "office": {"type": "DEPT", "entries": random.choice(("@staff", "bela,chen", "@guests,dora")), **drawn()},
            "defaultdepartment": {"type": "ACL DEPT", **drawn()},
            "deadlineusers": {"type": "ACL", "entries": "anna,bela,chen"},
        },
        "configuration": {
            "global": {
                "enforce_user": random.choice(("auto", "auto", "auto", "none", "true")),
                "auto_user_fshare": str(random.choice(shares)),
                "auto_user_oticket": str(random.choice(overrides)),
                "auto_user_default_project": random.choice(("NONE", "NONE", *PROJECTS)),
            }
        },
    }


def places(random: Random, slots: Sequence[int] = (1, 2, 3)) -> dict[str, Any]:
    """The sections of hosts, queues and a PE; each queue instance has a place of its own in the order of all.

    Which of two equals comes first depends on what happened to them, which is not what is looked at here.
    """
    site = Site.drawn(random, hosts=(1, 2), queues=(1, 2))

    def numbers(queue: int) -> str:
        return ",".join(("0", *(f"[{host}={9 * queue + place}]" for place, host in enumerate(site.hosts))))

    return {
        "hosts": {host: {} for host in site.hosts},
        "hostgroups": site.hostgroup_objects(),
        "pes": {"x": {"slots": "99", "allocation_rule": "$fill_up"}},
        "queues": {
            name: {**site.queue(random, slots=slots), "pe_list": "x", "seq_no": numbers(number)}
            for number, name in enumerate(site.queues)
        },
    }


def job(random: Random, chance: float, project: float) -> str:
    """The options of a job: arrays and parallel jobs, job shares, override tickets, and perhaps a project."""
    odd: dict[str, Draw] = {
        "-t": lambda: random.choice(("1-3", "2-9:3", "1-8")),
        "-pe": lambda: random.choice(("x 2", "x 3-4", "x 1")),
        "-js": lambda: random.choice(("1", "30", "7", "100")),
        "-ot": lambda: random.choice(("5", "2000", "50")),
        "-p": lambda: str(-random.choice((1, 100, 1023))),
    }
    chosen = odd_ones(random, odd, chance)
    environment = chosen.pop("-pe", "")
    if random.random() < project:
        chosen["-P"] = random.choice(PROJECTS)
    return " ".join([*options(chosen), *(["-pe", environment] if environment and "-t" not in chosen else [])])
