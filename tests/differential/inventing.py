"""Invented clusters and sessions, seeded: everything that the single scenarios look at, mixed."""

import json
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, Final, TypeVar

from tests.differential.scenarios import Scenario

T = TypeVar("T")
Draw = Callable[[], str]

USERS: Final = ("anna", "bela", "chen", "dora")
GROUPS: Final = ("staff", "staff", "lab", "guests")
WORDS: Final = ("red", "Red", "blue", "gpu2", "gpu10", "lx-amd64")
PATTERNS: Final = (*WORDS, "r*", "R?d", "gpu[0-9]", "!red", "red|blue", "(b*|g*)&!gpu10", "*", "LX-*")
AMOUNTS: Final = {
    "INT": ("0", "1", "2", "3", "0x4", "010", "1K"),
    "DOUBLE": ("0", "0.5", "1", "2.25", "3e0"),
    "TIME": ("0:0:30", "60", "1:0:0", "0:90:0", "90"),
    "MEMORY": ("100M", "512m", "1G", "1.5G", "2147483648"),
    "BOOL": ("TRUE", "FALSE", "1", "0"),
}
"""By type; also what is asked for."""
TEXT_TYPES: Final = ("STRING", "CSTRING", "RESTRING")
URGENCIES: Final = ("0", "0", "1", "100", "0.25", "-50", "1e-6")


def invented(seed: int) -> Scenario:
    """The scenario of a number."""
    inventor = _Inventor(Random(seed))
    files = {"cluster.yaml": "".join(inventor.cluster())}
    return Scenario(f"invented {seed}", files, "\n".join(inventor.session()) + "\n")


class _Inventor:
    """Draws one cluster and then a session that fits it."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._hosts = [f"n{number}" for number in range(1, random.randint(2, 6))]
        self._queues = [f"{letter}.q" for letter in "abcd"[: random.randint(1, 4)]]
        self._attributes = [self._attribute(name) for name in ("one", "two", "three", "four", "five")]
        self._groups = {"@left": self._some(self._hosts), "@right": self._some(self._hosts)}
        self._projects = ["sea", "sky"]

    # -- cluster

    def cluster(self) -> Iterator[str]:
        """The YAML of the cluster, section by section."""
        random = self._random
        sections: dict[str, dict[str, Any]] = {
            "complexes": {attribute.pop("name"): attribute for attribute in map(dict, self._attributes)},
            "hosts": {"global": self._host(0.3), **{host: self._host(0.6) for host in self._hosts}},
            "hostgroups": {name: {"hostlist": " ".join(hosts)} for name, hosts in self._groups.items()},
            "usersets": {
                "few": {"type": random.choice(("ACL", "ACL DEPT")), "entries": "anna,@lab", "fshare": self._shares()},
                "some": {"type": "ACL", "entries": "bela,chen,@guests"},
                "deadlineusers": {"type": "ACL", "entries": "anna,bela"},
                "dept": {"type": "DEPT", "entries": "@staff", "fshare": self._shares(), "oticket": self._overrides()},
            },
            "projects": {name: {"fshare": self._shares(), "oticket": self._overrides()} for name in self._projects},
            "users": {name: self._user() for name in self._some(USERS)},
            "queues": {name: self._queue() for name in self._queues},
            "configuration": {"global": self._configuration()},
        }
        for key, objects in sections.items():
            yield f"{key}:\n" + "".join(f"  {json.dumps(name)}: {json.dumps(obj)}\n" for name, obj in objects.items())
        yield f"scheduler: {json.dumps(self._scheduler())}\n"

    def _attribute(self, name: str) -> dict[str, str]:
        random = self._random
        kind = random.choice((*AMOUNTS, *AMOUNTS, *TEXT_TYPES))
        text = kind in TEXT_TYPES
        consumable = "NO" if text else random.choice(("NO", "YES", "YES", "JOB"))
        requestable = random.choice(("YES", "YES", "YES", "YES", "NO", "FORCED"))
        relop = random.choice(("==", "==", "!=") if text else ("<=", "<=", ">=", "==", "<", ">", "!="))
        if consumable != "NO":
            relop = "EXCL" if kind == "BOOL" else "<="
        elif kind == "BOOL":
            relop = "=="
        default = "NONE" if text else "0"
        if consumable != "NO" and requestable != "FORCED":
            default = random.choice(("0", "1", AMOUNTS[kind][2]) if requestable == "YES" else ("1", AMOUNTS[kind][2]))
        return {
            "name": name,
            "shortcut": name[:2],
            "type": kind,
            "relop": relop,
            "requestable": requestable,
            "consumable": consumable,
            "default": default,
            "urgency": random.choice(URGENCIES),
        }

    def _host(self, chance: float) -> dict[str, str]:
        host = {"complex_values": self._values(chance)}
        if self._random.random() < 0.15:
            host[self._random.choice(("user_lists", "xuser_lists"))] = self._random.choice(("few", "some"))
        if self._random.random() < 0.1:
            host[self._random.choice(("projects", "xprojects"))] = self._random.choice(self._projects)
        return host

    def _values(self, chance: float) -> str:
        chosen = [attribute for attribute in self._attributes if self._random.random() < chance]
        values = [f"{attribute['name']}={self._amount(attribute, offered=True)}" for attribute in chosen]
        return ",".join(values) or "NONE"

    def _amount(self, attribute: dict[str, str], *, offered: bool) -> str:
        kind = attribute["type"]
        if kind in TEXT_TYPES:
            return self._random.choice(WORDS if offered else PATTERNS)
        amount = self._random.choice(AMOUNTS[kind])
        if offered and attribute["consumable"] != "NO" and kind in ("INT", "DOUBLE"):
            return str(self._random.randint(1, 12))
        return amount

    def _queue(self) -> dict[str, str]:
        random = self._random
        queue = {
            "hostlist": " ".join(self._some([*self._hosts, *self._groups])),
            "slots": self._per_host(lambda: str(random.choice((0, 1, 1, 2, 3)))),
            "seq_no": self._per_host(lambda: str(random.choice((0, 0, 5, 10)))),
            "complex_values": self._per_host(lambda: self._values(0.3)),
            "load_thresholds": "NONE",
            "pe_list": "NONE",
        }
        odd: dict[str, Draw] = {
            "load_thresholds": self._threshold,
            "h_rt": lambda: self._per_host(lambda: random.choice(("INFINITY", "0:30:0", "2:0:0"))),
            "s_rt": lambda: "1:0:0",
            "h_vmem": lambda: "1G",
            "user_lists": lambda: self._per_host(lambda: random.choice(("NONE", "few", "some", "few some"))),
            "xuser_lists": lambda: random.choice(("few", "some")),
            "projects": lambda: random.choice(self._projects),
            "xprojects": lambda: random.choice(self._projects),
            "qtype": lambda: random.choice(("BATCH", "INTERACTIVE", "NONE")),
            "initial_state": lambda: "disabled",
            "suspend_thresholds": self._threshold,
            "nsuspend": lambda: random.choice(("0", "2")),
        }
        return queue | {field: draw() for field, draw in odd.items() if random.random() < 0.12}

    def _per_host(self, draw: Draw) -> str:
        keys = [key for key in (*self._hosts, *self._groups) if self._random.random() < 0.12]
        return ",".join((draw(), *(f"[{key}={draw()}]" for key in keys)))

    def _threshold(self) -> str:
        attribute = self._random.choice(self._attributes)
        return f"{attribute['name']}={self._amount(attribute, offered=True)}"

    def _user(self) -> dict[str, str]:
        user = {"fshare": self._shares(), "oticket": self._overrides()}
        return user | ({"default_project": "sea"} if self._random.random() < 0.2 else {})

    def _shares(self) -> str:
        return str(self._random.choice((0, 10, 100, 100, 250)))

    def _overrides(self) -> str:
        return str(self._random.choice((0, 0, 0, 100, 999)))

    def _configuration(self) -> dict[str, str]:
        random = self._random
        return {
            "auto_user_fshare": str(random.choice((0, 0, 50))),
            "max_aj_instances": str(random.choice((2000, 2000, 3))),
        }

    def _scheduler(self) -> dict[str, str]:
        random = self._random
        numeric = [attribute["name"] for attribute in self._attributes if attribute["type"] not in TEXT_TYPES]
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

    # -- session

    def session(self) -> Iterator[str]:
        """The lines of a session of two to four runs."""
        random = self._random
        for _ in range(random.randint(2, 4)):
            for _ in range(random.randint(2, 9)):
                times = f"{random.randint(2, 4)}x " if random.random() < 0.3 else ""
                yield f"{times}{random.choice(USERS)}:{random.choice(GROUPS)}$ qsub {self._job()}".rstrip()
            if random.random() < 0.4:
                yield self._order()
            yield "run"

    def _job(self) -> str:
        random = self._random
        words: list[str] = []
        if random.random() < 0.65:
            words += ["-l", f"'{','.join(self._requests())}'"]
        if random.random() < 0.2:
            words += ["-q", f"'{self._queue_list()}'"]
        options: dict[str, Draw] = {
            "-p": lambda: str(-random.choice((1, 10, 500))),
            "-P": lambda: random.choice(self._projects),
            "-t": lambda: random.choice(("1-4", "2-9:3", "1-20", "5")),
            "-js": lambda: random.choice(("1", "30")),
            "-ot": lambda: random.choice(("5", "2000")),
            "-hold_jid": lambda: random.choice(("sle*", "99")),
            "-a": lambda: "203501010000",
            "-dl": lambda: random.choice(("203501010000", "202001010000")),
        }
        for option, draw in options.items():
            if random.random() < 0.1:
                words += [option, draw()]
        if random.random() < 0.1:
            words.append("-h")
        if "-t" in words and random.random() < 0.4:
            words += ["-tc", str(random.randint(1, 3))]
        if random.random() < 0.15:
            fixed = [attribute for attribute in self._attributes if attribute["consumable"] == "NO"]
            soft = ["-l", f"'{self._request(random.choice(fixed))}'"] if fixed else []
            words += ["-soft", *(soft if random.random() < 0.6 else ["-q", f"'{self._queue_list()}'", *soft])]
        return " ".join(words)

    def _requests(self) -> Iterable[str]:
        own = [self._request(attribute) for attribute in self._some(self._attributes)[:2]]
        if self._random.random() < 0.3:
            own.append(self._random.choice(("h_rt=0:45:0", "h_rt=3600", "h=n1", "h=n[12]", "q=a.q", "h_vmem=2G")))
        return own

    def _request(self, attribute: dict[str, str]) -> str:
        name = self._random.choice((attribute["name"], attribute["shortcut"]))
        if attribute["type"] == "BOOL" and self._random.random() < 0.3:
            return name
        return f"{name}={self._amount(attribute, offered=False)}"

    def _queue_list(self) -> str:
        random = self._random
        queues = (*self._queues, "*", "[ab].q")
        hosts = ("", "", *(f"@{host}" for host in self._hosts), *(f"@{group}" for group in self._groups), "@n*")
        return ",".join(random.choice(queues) + random.choice(hosts) for _ in range(random.choice((1, 1, 2))))

    def _order(self) -> str:
        """What changes no list whose order only the real scheduler remembers (qmod of queues does)."""
        return f"root# qmod -sj {self._random.randint(1, 9)}"

    def _some(self, things: Iterable[T]) -> list[T]:
        """At least one of them, in their order."""
        everything = list(things)
        chosen = [thing for thing in everything if self._random.random() < 0.6]
        return chosen or [self._random.choice(everything)]
