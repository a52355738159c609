"""Put a `Cluster` of our model into a fresh real qmaster, object by object, through our own qconf writer."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from qmon_tui.formats.qconf.complex_table import write_complexes
from qmon_tui.formats.qconf.objects import write_object
from qmon_tui.formats.qconf.quotas import write_quotas
from qmon_tui.formats.qconf.sharetree import write_sharetree
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.fields import Separator
from qmon_tui.model.instances import queue_hosts
from qmon_tui.model.kinds import Kind
from qmon_tui.values.lists import split_names
from qmon_tui.values.number import parse_unsigned
from qmon_tui.values.overrides import parse_overrides
from tests.differential.qmaster import Answer, Qmaster, QmasterError

BY_HAND = {"schedule_interval": "24:0:0", "flush_submit_sec": "0", "flush_finish_sec": "0"}
"""A run happens when a test asks for it."""


@dataclass(frozen=True, slots=True)
class Command:
    """How one kind of object gets in and out: the options that add, change and remove, and what a fresh cluster has."""

    add: str
    modify: str
    remove: str
    fresh: frozenset[str] = frozenset()


COMMANDS = {
    Kind.USERSET: Command("-Au", "-Mu", "-dul", frozenset({"arusers", "deadlineusers", "defaultdepartment"})),
    Kind.PROJECT: Command("-Aprj", "-Mprj", "-dprj"),
    Kind.USER: Command("-Auser", "-Muser", "-duser"),
    Kind.CONFIGURATION: Command("-Aconf", "-Mconf", "-dconf", frozenset({"global"})),
    Kind.HOST: Command("-Ae", "-Me", "-de", frozenset({"global"})),
    Kind.HOSTGROUP: Command("-Ahgrp", "-Mhgrp", "-dhgrp"),
    Kind.CALENDAR: Command("-Acal", "-Mcal", "-dcal"),
    Kind.CKPT: Command("-Ackpt", "-Mckpt", "-dckpt"),
    Kind.PE: Command("-Ap", "-Mp", "-dp"),
    Kind.QUEUE: Command("-Aq", "-Mq", "-dq"),
}
"""In the order in which objects refer to each other; a host that is added before hosts are simulated stays unknown."""

LISTS = {Kind.MANAGERS: "-am", Kind.OPERATORS: "-ao", Kind.ADMIN_HOSTS: "-ah", Kind.SUBMIT_HOSTS: "-as"}


def load(qmaster: Qmaster, cluster: Cluster, with_people: Callable[[], None] | None = None) -> None:
    """Load everything into a freshly started qmaster; raises QmasterError with the real system's refusal.

    `with_people` is done when users, projects and the scheduler configuration are there, but no hosts and queues, whose
    order a restart would change.
    """
    for host in sorted(host_names(cluster)):
        qmaster.world.names.add_host(host)
    _qconf(qmaster, "-as", "localhost")
    complexes = cluster.objects(Kind.COMPLEX).values()
    if complexes:
        _put(qmaster, "-Mc", "complexes", write_complexes(complexes))
    for kind, command in COMMANDS.items():
        for obj in in_order(cluster, kind):
            option = command.modify if obj.name in command.fresh else command.add
            _put(qmaster, option, obj.name, write_object(_prepared(obj), single_line=True))
        if kind is Kind.USER and with_people is not None:
            _configure_scheduler(qmaster, cluster)
            with_people()
    for kind, option in LISTS.items():
        for name in _entries(cluster, kind):
            if name not in ("root", "localhost"):
                _qconf(qmaster, option, name)
    quotas = cluster.objects(Kind.QUOTA).values()
    if quotas:
        _put(qmaster, "-Arqs", "quotas", write_quotas(quotas, single_line=True))
    if cluster.objects(Kind.SHARETREE):
        _put(qmaster, "-Astree", "sharetree", write_sharetree(cluster.single(Kind.SHARETREE)))
    # This comes last: changing it makes the scheduler run.
    _configure_scheduler(qmaster, cluster)


def _configure_scheduler(qmaster: Qmaster, cluster: Cluster) -> None:
    scheduler = _prepared(cluster.single(Kind.SCHEDULER))
    _put(qmaster, "-Msconf", "scheduler", write_object(scheduler, single_line=True))


def put_object(qmaster: Qmaster, cluster: Cluster, kind: Kind, name: str, *, is_new: bool) -> Answer:
    """Add or change one object of a cluster that is loaded; what the real system says, which may be a refusal."""
    if kind is Kind.COMPLEX:
        return _asked(qmaster, "-Mc", "complexes", write_complexes(cluster.objects(kind).values()))
    if kind is Kind.SHARETREE:
        return _asked(qmaster, "-Mstree", "sharetree", write_sharetree(cluster.single(kind)))
    if kind is Kind.SCHEDULER:
        return _asked(qmaster, "-Msconf", "scheduler", write_object(_prepared(cluster.single(kind)), single_line=True))
    obj = cluster.objects(kind)[name]
    if kind is Kind.QUOTA:
        text = write_quotas([obj], single_line=True)
        return _asked(qmaster, "-Arqs", name, text) if is_new else _asked(qmaster, "-Mrqs", name, text, name)
    command = COMMANDS[kind]
    option = command.add if is_new and name not in command.fresh else command.modify
    return _asked(qmaster, option, name, write_object(_prepared(obj), single_line=True))


def removed_object(qmaster: Qmaster, kind: Kind, name: str) -> Answer:
    """Remove one object; what the real system says, which may be a refusal."""
    return qmaster.run("qconf", "-drqs" if kind is Kind.QUOTA else COMMANDS[kind].remove, name)


def _asked(qmaster: Qmaster, option: str, name: str, text: str, *more: str) -> Answer:
    return qmaster.run("qconf", option, qmaster.file(name, text), *more)


def host_names(cluster: Cluster) -> set[str]:
    """Every host that is named anywhere: exec hosts, host lists, and the keys of queues' per-host settings."""
    names = {name for kind in (Kind.ADMIN_HOSTS, Kind.SUBMIT_HOSTS) for name in _entries(cluster, kind)}
    names.update(cluster.objects(Kind.HOST))
    for group in cluster.objects(Kind.HOSTGROUP).values():
        names.update(split_names(group.text("hostlist"), Separator.BLANK))
    for queue in cluster.objects(Kind.QUEUE).values():
        names.update(queue_hosts(cluster, queue))
        names.update(key for text in queue.values.values() if ",[" in text for key, _ in parse_overrides(text).keyed)
    return {name for name in names if not name.startswith("@") and name != "global"}


def simulated_configuration(given: ConfigObject) -> ConfigObject:
    """The global configuration with simulated hosts, and with any user allowed to submit."""
    parameters = given.text("qmaster_params")
    simulate = "SIMULATE_EXECDS=1"
    # What a configuration file leaves out would get the daemon's own defaults, not those of the package.
    names = (field.name for field in spec(Kind.CONFIGURATION).fields)
    everything = {name: text for name in names if (text := given.text(name))}
    return given.with_values(
        {
            **everything,
            # The order in which jobs end is known from the accounting file.
            "reporting_params": "accounting=true reporting=false accounting_flush_time=00:00:00",
            "qmaster_params": simulate if parameters.lower() == "none" else f"{parameters},{simulate}",
            "min_uid": "0",
            "min_gid": "0",
        }
    )


def scheduler_by_hand(given: ConfigObject) -> ConfigObject:
    """The scheduler configuration with runs only on demand, and a line in the message file at the end of each.

    Where there may be reservations, the scheduler also writes down all that it plans.
    """
    parameters = given.text("params")
    profile = "PROFILE=1" if not parse_unsigned(given.text("max_reservation")) else "PROFILE=1,MONITOR=1"
    return given.with_values(
        {**BY_HAND, "params": profile if parameters.lower() == "none" else f"{parameters},{profile}"}
    )


_PREPARED: dict[tuple[Kind, str], Callable[[ConfigObject], ConfigObject]] = {
    (Kind.CONFIGURATION, "global"): simulated_configuration,
    (Kind.SCHEDULER, "scheduler"): scheduler_by_hand,
}


def _prepared(obj: ConfigObject) -> ConfigObject:
    change = _PREPARED.get((obj.kind, obj.name))
    return change(obj) if change else obj


def in_order(cluster: Cluster, kind: Kind) -> Iterable[ConfigObject]:
    """The objects of a kind in the order in which they are loaded, which the real system keeps."""
    objects = cluster.objects(kind)
    if kind is Kind.CONFIGURATION:
        return {"global": config_object(kind, "global", {}), **objects}.values()
    if kind is Kind.HOSTGROUP:
        return _after_those_it_names(objects, lambda group: split_names(group.text("hostlist"), Separator.BLANK))
    if kind is Kind.QUEUE:
        return _after_those_it_names(objects, _subordinates)
    return objects.values()


def _subordinates(queue: ConfigObject) -> Iterable[str]:
    return re.split(r"[\s,=:()\[\]]+", queue.text("subordinate_list"))


def _after_those_it_names(
    objects: Mapping[str, ConfigObject], named: Callable[[ConfigObject], Iterable[str]]
) -> Iterator[ConfigObject]:
    done: set[str] = set()

    def visit(obj: ConfigObject) -> Iterator[ConfigObject]:
        if obj.name in done:
            return
        done.add(obj.name)
        for name in named(obj):
            if name in objects:
                yield from visit(objects[name])
        yield obj

    for obj in objects.values():
        yield from visit(obj)


def _entries(cluster: Cluster, kind: Kind) -> tuple[str, ...]:
    return split_names(cluster.single(kind).text("entries"), Separator.BLANK_OR_COMMA)


def _put(qmaster: Qmaster, option: str, name: str, text: str) -> None:
    _qconf(qmaster, option, qmaster.file(name, text), about=text)


def _qconf(qmaster: Qmaster, *arguments: str, about: str = "") -> None:
    answer = qmaster.run("qconf", *arguments)
    # A queue that comes to a host by several groups of one group is added all the same.
    is_added = answer.text.endswith("to cluster queue list\n")
    if (answer.status and not is_added) or "error" in answer.text.lower() or "denied" in answer.text:
        raise QmasterError(f"qconf {' '.join(arguments)}: {answer.text.strip()}\n{about}")
