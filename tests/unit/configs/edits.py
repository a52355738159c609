"""The rules that no file shows: only an edit can break them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from qmon_tui.checks import (
    addition_findings,
    change_findings,
    check_object,
    deletion_refusals,
    entry_addition,
    entry_removal,
)
from qmon_tui.checks.state import state_findings
from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.records.record_reader import read_records
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.defaults import default_complexes, default_objects
from qmon_tui.model.dialects import OCS
from qmon_tui.model.findings import Finding
from qmon_tui.model.jobs import AdvanceReservation, Job, Task
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.workspace import Document, findings_of


@dataclass(frozen=True, slots=True)
class Edit:
    """Something that somebody tries, and what is said about it."""

    label: str
    findings: Callable[[Cluster], Iterable[Finding]]


def deleting(kind: Kind, name: str) -> Edit:
    """A folder in which something is deleted does not have it any more: only the attempt is refused."""
    return Edit(f"delete {kind} {name}", lambda cluster: deletion_refusals(cluster, kind, name))


def setting(kind: Kind, name: str, field: str, text: str) -> Edit:
    """Change a field of an object that is there."""

    def changed(cluster: Cluster) -> Iterable[Finding]:
        obj = cluster.get(kind, name)
        assert obj is not None
        return check_object(cluster, obj.with_value(field, text))

    what = f"set {field} of {kind} {name} to {text}" if text else f"empty {field} of {kind} {name}"
    return Edit(what, changed)


def emptying(kind: Kind, name: str, field: str) -> Edit:
    """Of an empty field in a file the reader says `format.no_value`, and the object has the template's value."""
    return setting(kind, name, field, "")


FUNCTIONAL_WEIGHTS = ("weight_user", "weight_project", "weight_department", "weight_job")


def reading(label: str, text: str) -> Edit:
    """Records of a cluster are files of their own, in no cluster folder."""
    return Edit(label, lambda _: read_records({"record": text.encode()}).findings)


def adding(kind: Kind, name: str) -> Edit:
    """Add an object of a name that is taken."""
    return Edit(f"add {kind} {name}", lambda cluster: addition_findings(cluster, config_object(kind, name, {})))


def changing(kind: Kind, name: str) -> Edit:
    """Change an object that is not there."""
    return Edit(f"change {kind} {name}", lambda cluster: change_findings(cluster, config_object(kind, name, {})))


def listing(kind: Kind, name: str) -> Edit:
    """Add a name to a list."""
    return Edit(f"add {name} to {kind}", lambda cluster: filter(None, [entry_addition(cluster, kind, name)]))


def unlisting(kind: Kind, name: str) -> Edit:
    """Take a name out of a list."""
    return Edit(f"take {name} out of {kind}", lambda cluster: filter(None, [entry_removal(cluster, kind, name)]))


def planting(label: str, *nodes: str) -> Edit:
    """A cluster has one share tree, and the qmaster stops at its first fault. A node is `name shares children...`."""
    lines = []
    for number, node in enumerate(nodes):
        name, shares, *children = node.split()
        lines += [f"id={number}", f"name={name}", "type=0", f"shares={shares}"]
        lines.append(f"childnodes={','.join(children) or 'NONE'}")
    tree = config_object(Kind.SHARETREE, "sharetree", {"tree": "\n".join(lines)})
    return Edit(label, lambda cluster: check_object(cluster, tree))


def scheduling(label: str, values: dict[str, str], cluster: Cluster | None = None) -> Edit:
    """A cluster has one scheduler configuration, and that of the folder is refused for other reasons."""
    scheduler = config_object(Kind.SCHEDULER, "scheduler", values)
    return Edit(label, lambda broken: check_object(cluster or broken, scheduler))


def submitting(label: str, qsub: str, *, at: int = 0, task: Task | None = None) -> Edit:
    """Findings of a fresh cluster about a job that is submitted so many seconds after the time of the state."""
    tasks = {} if task is None else {1: task}
    job = Job(1, "ada", at, parse_qsub(f"{qsub} sleep 1").request, "sleep", tasks=tasks)
    return Edit(label, lambda _: state_findings(FRESH, State(jobs=(job,))))


def breaking(kind: Kind, name: str, field: str, text: str) -> Edit:
    """An edit of what an advance reservation was granted, here until the end of time."""

    def found(_: Cluster) -> Iterable[Finding]:
        obj = KEPT.get(kind, name)
        assert obj is not None
        return findings_of(KEPT.with_object(obj.with_value(field, text)), GRANTED, Document(KEPT, GRANTED))

    return Edit(f"set {field} of {kind} {name} to {text}, two slots of it reserved", found)


def vacating(label: str, kind: Kind, name: str, *qsub: str) -> Edit:
    """Delete what the advance reservation, or the last of some jobs, still needs."""
    jobs = (Job(number, "ada", 0, parse_qsub(f"{one} sleep 1").request, "sleep") for number, one in enumerate(qsub, 1))
    state = GRANTED if kind in (Kind.QUEUE, Kind.HOST) else State(jobs=tuple(jobs))
    return Edit(label, lambda _: deletion_refusals(KEPT, kind, name, state))


def orphaning() -> Edit:
    """Take the host on which a task runs out of hostlist."""
    job = Job(1, "ada", 0, parse_qsub("sleep 1").request, "sleep", tasks={1: Task("r", {"all.q@node1": 1}, 0)})

    def found(_: Cluster) -> Iterable[Finding]:
        queue = KEPT.objects(Kind.QUEUE)["all.q"]
        return state_findings(KEPT.with_object(queue.with_value("hostlist", "NONE")), State(jobs=(job,)))

    return Edit("take node1 out of hostlist of queue all.q, where a job runs", found)


FRESH = Cluster().with_objects((*default_complexes(), *default_objects()))


def borrowing(kind: Kind, name: str, field: str, text: str) -> Edit:
    """Give an object a field of another dialect; in a folder that would tell that the cluster is of that dialect."""
    obj = config_object(kind, name, {field: text})
    return Edit(f"set {field} of {kind} {name} to {text}", lambda _: check_object(FRESH, obj))


def migrating(kind: Kind) -> Edit:
    """A name that a newer release takes no more."""
    name = "@rack(1)" if kind is Kind.HOSTGROUP else "old!"
    return Edit(
        f"add {kind} {name}, dialect ocs-9", lambda _: check_object(OF_SUCCESSOR, config_object(kind, name, {}))
    )


OF_SUCCESSOR = replace(
    FRESH.with_object(config_object(Kind.COMPLEX, "gpu", {"shortcut": "gpu", "consumable": "HOST"})), dialect=OCS
)
KEPT = FRESH.with_objects(
    (
        config_object(Kind.COMPLEX, "gpu", {"shortcut": "gpu", "requestable": "YES", "consumable": "YES"}),
        config_object(Kind.HOST, "node1", {"complex_values": "gpu=4"}),
        config_object(Kind.USERSET, "crew", {"type": "ACL", "entries": "ada,bob"}),
        config_object(Kind.CALENDAR, "weekend", {"week": "mon-sun=on"}),
        config_object(Kind.PE, "mpi", {"slots": "8"}),
        config_object(Kind.CKPT, "criu", {}),
        config_object(
            Kind.QUEUE,
            "all.q",
            {"hostlist": "node1", "slots": "4", "pe_list": "mpi", "user_lists": "crew", "calendar": "weekend"},
        ),
    )
)
GRANTED = State(
    reservations=(
        AdvanceReservation(
            1, "ada", 0, 60, {"all.q@node1": 2}, requests=(("gpu", "1"),), users=("ada",), environment="mpi"
        ),
    )
)
QUEUE_WITH_MAP = config_object(Kind.QUEUE, "gpu.q", {"complex_values": "gpu=2"})

THERE = {
    Kind.QUEUE: "all.q",
    Kind.HOST: "node1",
    Kind.HOSTGROUP: "@nodes",
    Kind.PE: "mpi",
    Kind.CKPT: "criu",
    Kind.CALENDAR: "weekend",
    Kind.USERSET: "crew",
    Kind.PROJECT: "apollo",
    Kind.USER: "ada",
    Kind.QUOTA: "boolean",
    Kind.CONFIGURATION: "global",
}
"""An object of each kind that the folder has."""

ONLY_EDITS = {
    "queue.occupied": vacating("delete queue all.q, slots of it reserved", Kind.QUEUE, "all.q"),
    "host.occupied": vacating("delete host node1, slots of it reserved", Kind.HOST, "node1"),
    "queue.vacated": submitting(
        "a task in gone.q@node1, a queue that does not exist", "-N x", task=Task("r", {"gone.q@node1": 1}, 0)
    ),
    "queue.orphaned": orphaning(),
    "pe.occupied": vacating("delete pe mpi, qsub -pe m* 2", Kind.PE, "mpi", "-pe m* 2"),
    "ckpt.occupied": vacating("delete ckpt criu, qsub -ckpt criu", Kind.CKPT, "criu", "-ckpt criu"),
    "queue.promised": breaking(Kind.QUEUE, "all.q", "slots", "1"),
    "host.promised": breaking(Kind.HOST, "node1", "complex_values", "gpu=1"),
    "pe.promised": breaking(Kind.PE, "mpi", "slots", "1"),
    "calendar.promised": breaking(Kind.CALENDAR, "weekend", "week", "mon-sun=off"),
    "userset.promised": breaking(Kind.USERSET, "crew", "entries", "bob"),
    **{f"{kind}.exists": adding(kind, name) for kind, name in THERE.items()},
    **{f"{kind}.absent": deleting(kind, "@gone" if kind is Kind.HOSTGROUP else "gone") for kind in THERE},
    "configuration.absent": changing(Kind.CONFIGURATION, "node9"),
    "managers.exists": listing(Kind.MANAGERS, "olga"),
    "operators.exists": listing(Kind.OPERATORS, "olga"),
    "admin_hosts.exists": listing(Kind.ADMIN_HOSTS, "node1"),
    "submit_hosts.exists": listing(Kind.SUBMIT_HOSTS, "node1"),
    "managers.absent": unlisting(Kind.MANAGERS, "gone"),
    "operators.absent": unlisting(Kind.OPERATORS, "gone"),
    "admin_hosts.absent": unlisting(Kind.ADMIN_HOSTS, "gone"),
    "admin_hosts.master": unlisting(Kind.ADMIN_HOSTS, "localhost"),
    "submit_hosts.absent": unlisting(Kind.SUBMIT_HOSTS, "gone"),
    "operators.root": unlisting(Kind.OPERATORS, "root"),
    "complex.in_use": deleting(Kind.COMPLEX, "licence"),
    "queue.in_use": deleting(Kind.QUEUE, "tree-left.q"),
    "host.in_use": deleting(Kind.HOST, "node1"),
    "hostgroup.in_use": deleting(Kind.HOSTGROUP, "@nodes"),
    "pe.in_use": deleting(Kind.PE, "mpi"),
    "ckpt.in_use": deleting(Kind.CKPT, "criu"),
    "calendar.in_use": deleting(Kind.CALENDAR, "weekend"),
    "userset.in_use": deleting(Kind.USERSET, "crew"),
    "project.in_use": deleting(Kind.PROJECT, "apollo"),
    "user.in_use": deleting(Kind.USER, "ada"),
    "complex.builtin": deleting(Kind.COMPLEX, "arch"),
    "host.global": deleting(Kind.HOST, "global"),
    "configuration.global": deleting(Kind.CONFIGURATION, "global"),
    "complex.urgency.missing": emptying(Kind.COMPLEX, "licence", "urgency"),
    "queue.missing": emptying(Kind.QUEUE, "all.q", "shell"),
    "host.missing": emptying(Kind.HOST, "node1", "complex_values"),
    "hostgroup.missing": emptying(Kind.HOSTGROUP, "@nodes", "hostlist"),
    "pe.missing": emptying(Kind.PE, "mpi", "slots"),
    "ckpt.missing": emptying(Kind.CKPT, "criu", "signal"),
    "calendar.missing": emptying(Kind.CALENDAR, "weekend", "week"),
    "project.missing": emptying(Kind.PROJECT, "apollo", "acl"),
    "user.missing": emptying(Kind.USER, "ada", "fshare"),
    "scheduler.missing": emptying(Kind.SCHEDULER, "scheduler", "algorithm"),
    "configuration.missing": emptying(Kind.CONFIGURATION, "node4", "mailer"),
    "sharetree.number": planting("a node with shares=-1", "Root 1 1", "ada -1"),
    "sharetree.child": planting("childnodes=1,2 and one node behind it", "Root 1 1 2", "ada 1"),
    "sharetree.leaf": planting("a leaf called nobody", "Root 1 1", "nobody 1"),
    "sharetree.sibling": planting("two leaves called ada below Root", "Root 1 1 2", "ada 1", "ada 2"),
    "sharetree.project.nested": planting("project apollo below itself", "Root 1 1", "apollo 1 2", "apollo 1"),
    "sharetree.twice": planting("ada in two folders", "Root 1 1 3", "left 1 2", "ada 1", "right 1 4", "ada 1"),
    "sharetree.user.inner": planting("a leaf below user ada", "Root 1 1", "ada 1 2", "default 1"),
    "scheduler.weight_ticket.zero": scheduling(
        "weight_ticket 0 with weight_tickets_functional 1000",
        {"weight_ticket": "0", "weight_tickets_functional": "1000"},
    ),
    "scheduler.functional.nobody": scheduling(
        "weight_tickets_functional 1000 where nobody has fshare", {"weight_tickets_functional": "1000"}, FRESH
    ),
    "scheduler.functional.weights": scheduling(
        "weight_user 1 beside the others' 0.25",
        {"weight_tickets_functional": "1000", "weight_ticket": "1", "weight_user": "1"},
    ),
    "scheduler.functional.no_weight": scheduling(
        "functional tickets where weight_user, weight_project, weight_department and weight_job are 0",
        {"weight_tickets_functional": "1000", "weight_ticket": "1", **dict.fromkeys(FUNCTIONAL_WEIGHTS, "0")},
    ),
    "scheduler.reservation.off": submitting("qsub -R y where max_reservation is 0", "-R y"),
    "scheduler.jobs.to_come": submitting("now: 1970-01-01T00:00:00 and a job of a minute later", "-N late", at=60),
    "scheduler.tasks.ahead": submitting(
        "now: 1970-01-01T00:00:00 and a task that started a minute later",
        "-N fast",
        task=Task("r", {"all.q@node1": 1}, 60),
    ),
    "scheduler.share.no_tree": scheduling(
        "weight_tickets_share 1000 without a share tree", {"weight_tickets_share": "1000"}, FRESH
    ),
    "scheduler.weight_urgency.zero": scheduling(
        "weight_urgency 0 where attributes have urgencies", {"weight_urgency": "0"}
    ),
    "scheduler.reservation.endless": scheduling(
        "max_reservation 5 with default_duration INFINITY", {"max_reservation": "5"}
    ),
    **{f"{kind}.name.successor": migrating(kind) for kind in THERE if kind not in (Kind.HOST, Kind.CONFIGURATION)},
    "queue.complex_values.per_host": Edit(
        "offer a consumable HOST in a queue of dialect ocs-9", lambda _: check_object(OF_SUCCESSOR, QUEUE_WITH_MAP)
    ),
    "pe.dialect": borrowing(Kind.PE, "mpi", "ign_sreq_on_mhost", "TRUE"),
    "scheduler.dialect": borrowing(Kind.SCHEDULER, "scheduler", "backfilling", "ON"),
    "complex.dialect": borrowing(Kind.COMPLEX, "licence", "aapre", "YES"),
    "format.xml": reading("<job_info> that is not closed", "<job_info>"),
    "format.record": reading("a trace with a word for a number", "; Version: 2.2\n" + "1 " * 17 + "one\n"),
    # The qmaster refuses it of a set that is there, not of a new one, and in a folder every set is as if new.
    "userset.acl.tickets": setting(Kind.USERSET, "guests", "fshare", "10"),
}
