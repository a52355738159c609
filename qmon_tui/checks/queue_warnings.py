"""Warn about cluster queues that the qmaster accepts, but that a document forbids or that look wrong.

Source: queue_conf(5); queue.md#unused-settings and queue.md#values-of-attributes.
"""

from collections.abc import Iterator, Mapping
from itertools import islice

from qmon_tui.checks.queue_read import ReadField, instance_hosts, instance_values
from qmon_tui.checks.queue_verify import UNCHECKED_PE, scope_hint
from qmon_tui.checks.rules import RuleBook
from qmon_tui.checks.value_problems import doubtful_number
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind, ValueType, complex_index, known_hosts
from qmon_tui.model.catalogue import spec
from qmon_tui.values import (
    BLANK_OR_COMMA,
    canonical,
    is_group,
    is_host_name,
    is_none,
    is_number,
    meant_host,
    parse_number,
    parse_unsigned,
    split_entries,
    split_names,
)

_book = RuleBook(Kind.QUEUE, "queue_conf(5)")

NO_HOSTS = _book.warning("hostlist.empty", "A queue has hosts.", "queue_conf(5), queue.md#hostlist")
HOST_UNKNOWN = _book.warning("hostlist.unknown", "The hosts of a queue are execution hosts.", "queue.md#fields")
UNUSED = _book.warning(
    "overrides.unused",
    "A setting is for hosts that the queue has.",
    "qconf(1) -sds, queue.md#values-that-differ-per-host",
)
AMBIGUOUS = _book.warning(
    "overrides.ambiguous",
    "At most one hostgroup sets a field for a host; otherwise its instance is in state c.",
    "queue_conf(5) hostlist, queue.md#values-that-differ-per-host",
)
THRESHOLD_NAME = _book.warning(
    "thresholds.name", "Thresholds are for attributes that exist.", "queue.md#values-of-attributes"
)
THRESHOLD_SHORTCUT = _book.warning(
    "thresholds.shortcut",
    "A threshold calls a consumable by its full name.",
    "queue_conf(5), seen in 8.1.9, queue.md#load_thresholds",
)
THRESHOLD_VALUE = _book.warning(
    "thresholds.value", "The threshold of a numeric attribute is a number.", "queue.md#values-of-attributes"
)
REPEATED = _book.warning(
    "complex_values.repeated", "An attribute is given once in a list.", "queue.md#values-of-attributes"
)
OFFER_HOST = _book.warning(
    "complex_values.host", "A value of type HOST is a host of the cluster.", "queue.md#values-of-attributes"
)
OFFER_MEANING = _book.warning(
    "complex_values.meaning", "A value is written as values of its type are.", "complex(5), values.md#doubtful-numbers"
)
MEANING = _book.warning(
    "number.meaning", "Times and amounts of memory are written as such.", "sge_types(1), values.md#doubtful-numbers"
)
SOFT_LIMIT = _book.warning("limits.order", "A soft limit is below its hard limit.", "queue_conf(5), queue.md#limits")
PE_UNKNOWN = _book.warning(
    "pe_list.make", "The environment make, which the qmaster never looks up, exists.", "queue.md#fields"
)
BOTH_LISTS = _book.warning(
    "access.both", "What is allowed is not forbidden at the same time.", "queue_conf(5), queue.md#user_lists"
)
NO_JOBS = _book.warning(
    "qtype.nothing",
    "A queue takes batch, interactive, parallel or checkpointing jobs.",
    "queue_conf(5), queue.md#qtype",
)
NO_SLOTS = _book.warning("slots.none", "A queue has slots on some host.", "queue_conf(5), queue.md#slots")
TMPDIR = _book.warning("tmpdir.path", "tmpdir is an absolute path.", "queue_conf(5) tmpdir, queue.md#tmpdir")
METHOD = _book.warning(
    "method.path",
    "A method is an absolute path; prolog and epilog may have user@ in front.",
    "queue_conf(5), queue.md#starter_method",
)
PRIORITY = _book.warning(
    "priority.meaning", "The priority is a number and nothing else.", "queue_conf(5) priority, queue.md#priority"
)

_LIMITS = ("rt", "cpu", "fsize", "data", "stack", "core", "rss", "vmem")
_NUMBERS = {ValueType.TIME: "TIME", ValueType.MEMORY: "MEMORY"}
_SCRIPTS = ("prolog", "epilog", "starter_method")
_SIGNAL_METHODS = ("suspend_method", "resume_method", "terminate_method")
_SHOWN = 3

Read = Mapping[str, ReadField]


def queue_warnings(cluster: Cluster, obj: ConfigObject, read: Read) -> Iterator[Finding]:
    """Yield warnings about a queue; fields that cannot be read are skipped."""
    readable = {name: field for name, field in read.items() if field.rule is None}
    yield from _hosts(cluster, obj)
    for name, field in readable.items():
        yield from _settings(cluster, obj, name, field)
        yield from _values(cluster, obj, name, field)
    yield from _limits(obj, readable)
    yield from _both(obj, readable, "user_lists", "xuser_lists")
    yield from _both(obj, readable, "projects", "xprojects")
    yield from _capacity(cluster, obj, readable)


def _hosts(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    words = split_names(obj.text("hostlist"), BLANK_OR_COMMA)
    if not instance_hosts(cluster, obj):
        yield NO_HOSTS.finding(obj, "hostlist", f'queue "{obj.name}" has no hosts: no job can run in it')
    known = known_hosts(cluster)
    unknown = [word for word in words if not is_group(word) and is_host_name(word) and canonical(word) not in known]
    for word in unknown:
        if word.upper() not in ("NONE", "GLOBAL", "TEMPLATE"):
            message = f'host "{word}" is not a host of this cluster'
            adds = f'The qmaster adds it if the name can be resolved, else it says: unable to resolve host "{word}".'
            hint = meant_host(word, known) or adds
            yield HOST_UNKNOWN.finding(obj, "hostlist", message, hint)


def _settings(cluster: Cluster, obj: ConfigObject, name: str, field: ReadField) -> Iterator[Finding]:
    """Warn about settings per host that are not used or contradict each other; messages are those of `qconf -sds`."""
    if len(field.values) < 2:
        return
    spread = instance_values(cluster, obj, name)
    hosts = frozenset(map(canonical, instance_hosts(cluster, obj))) if spread.unused_hosts else frozenset()
    for host in filter(None, spread.unused_hosts):
        message = f'unused setting for attribute "{name}" and host "{host}" in queue "{obj.name}".'
        hint = meant_host(host, hosts)
        if hint and canonical(host) in known_hosts(cluster):
            hint = f"did you mean {host} in the host list?"
        hint = hint or "Add the host to the host list or remove the setting."
        yield UNUSED.finding(obj, name, message, hint)
    for group in spread.partial_groups:
        message = (
            f'default value of "{name}" is overwritten for hostgroup "{group}" in queue "{obj.name}". '
            f'Not all hosts of "{group}" are contained in the hostlist specification of queue "{obj.name}".'
        )
        yield UNUSED.finding(obj, name, message)
    if spread.ambiguous:
        host, groups = next(iter(spread.ambiguous.items()))
        others = len(spread.ambiguous) - 1
        where = ", ".join(islice(spread.ambiguous, _SHOWN)) + (", ..." if others >= _SHOWN else "")
        message = f'{name} is ambiguous for {where}: {" and ".join(groups)} set it for "{host}"'
        shown = "may show no state c" if name == "complex_values" else "is in state c"
        hint = f"The default counts there, and the instance {shown} until a setting for the host decides."
        yield AMBIGUOUS.finding(obj, name, message, hint)


def _values(cluster: Cluster, obj: ConfigObject, name: str, field: ReadField) -> Iterator[Finding]:
    declared = spec(Kind.QUEUE).by_name[name]
    for key, text in field.values:
        if declared.type in _NUMBERS:
            if doubt := doubtful_number(_NUMBERS[declared.type], text):
                yield MEANING.finding(obj, name, doubt, scope_hint(key))
        elif name in ("load_thresholds", "suspend_thresholds"):
            yield from _thresholds(cluster, obj, name, key, text)
        elif name == "complex_values":
            yield from _offers(cluster, obj, key, text)
        elif name == "pe_list":
            if UNCHECKED_PE in split_names(text, BLANK_OR_COMMA) and cluster.get(Kind.PE, UNCHECKED_PE) is None:
                message = f'Parallel environment "{UNCHECKED_PE}" does not exist'
                yield PE_UNKNOWN.finding(obj, name, message, "The qmaster accepts it, but no job can use it.")
        elif name == "priority" and not text.strip().lstrip("+-").isdigit():
            yield PRIORITY.finding(obj, name, f'of "{text}" only the number in front counts', scope_hint(key))
        elif problem := _path(name, text):
            yield (TMPDIR if name == "tmpdir" else METHOD).finding(obj, name, problem, scope_hint(key))


def _path(name: str, text: str) -> str | None:
    if name == "tmpdir" and not text.startswith("/"):
        return f'tmpdir "{text}" is not an absolute path'
    if is_none(text):
        return None
    command = (text.split() or [text])[0]
    if name in _SCRIPTS and not command.rpartition("@")[2].startswith("/"):
        return f'{name} "{text}" is not an absolute path'
    if name in _SIGNAL_METHODS and not (command.startswith(("/", "SIG")) or command.isdigit()):
        return f'{name} "{text}" is neither a signal nor an absolute path'
    return None


def _thresholds(cluster: Cluster, obj: ConfigObject, name: str, key: str | None, text: str) -> Iterator[Finding]:
    index = complex_index(cluster)
    for word, value in split_entries(text, BLANK_OR_COMMA):
        entry = index.find(word)
        if entry is None:
            message = f'Complex attribute "{word}" does not exist'
            hint = f"The qmaster accepts it in {name}, but the instances are then in alarm."
            yield THRESHOLD_NAME.finding(obj, name, message, hint)
        elif entry.is_consumable and word != entry.name:
            message = f'the consumable {entry.name} is not found by its shortcut "{word}"'
            hint = f"Write {entry.name}: for {word}, the instances are in alarm whatever is left of it."
            yield THRESHOLD_SHORTCUT.finding(obj, name, message, hint)
        elif not entry.is_text and not is_number(value):
            message = f'the threshold "{value}" of "{word}" is not a number'
            yield THRESHOLD_VALUE.finding(obj, name, message, scope_hint(key))


def _offers(cluster: Cluster, obj: ConfigObject, key: str | None, text: str) -> Iterator[Finding]:
    index = complex_index(cluster)
    seen: set[str] = set()
    for word, value in split_entries(text, BLANK_OR_COMMA):
        entry = index.find(word)
        if entry is None:
            continue
        if entry.name in seen:
            message = f'"{entry.name}" is given more than once'
            yield REPEATED.finding(obj, "complex_values", message, scope_hint(key))
        seen.add(entry.name)
        if entry.type == "HOST" and is_host_name(value) and canonical(value) not in known_hosts(cluster):
            message = f'"{value}" is not a host of this cluster'
            unresolved = f'If the name cannot be resolved the qmaster says: can\'t resolve hostname "{value}".'
            hint = meant_host(value, known_hosts(cluster)) or unresolved
            yield OFFER_HOST.finding(obj, "complex_values", message, hint)
        elif not entry.is_text and (doubt := doubtful_number(entry.type, value)):
            yield OFFER_MEANING.finding(obj, "complex_values", f"{entry.name}: {doubt}", scope_hint(key))


def _limits(obj: ConfigObject, read: Read) -> Iterator[Finding]:
    """Warn about soft limits above hard limits, for the default and for each host or group with a setting."""
    for limit in _LIMITS:
        soft, hard = read.get(f"s_{limit}"), read.get(f"h_{limit}")
        if soft is None or hard is None:
            continue
        for key in dict.fromkeys(key for field in (soft, hard) for key, _ in field.values):
            low, high = _at(soft, key) or "", _at(hard, key) or ""
            if (
                low.upper() != "INFINITY"
                and is_number(low)
                and is_number(high)
                and parse_number(low) > parse_number(high)
            ):
                message = f"the soft limit {low} is never reached: the hard limit is {high}"
                yield SOFT_LIMIT.finding(obj, f"s_{limit}", message, scope_hint(key))


def _at(field: ReadField, key: str | None) -> str | None:
    return dict(field.values).get(key, field.default)


def _both(obj: ConfigObject, read: Read, allowed: str, denied: str) -> Iterator[Finding]:
    if allowed not in read or denied not in read:
        return
    for key in dict.fromkeys(key for name in (allowed, denied) for key, _ in read[name].values):
        names = [split_names(_at(read[name], key) or "", BLANK_OR_COMMA) for name in (allowed, denied)]
        for word in names[0]:
            if word in names[1]:
                message = f'"{word}" is in {allowed} and in {denied}: it is denied'
                yield BOTH_LISTS.finding(obj, denied, message, scope_hint(key))


def _capacity(cluster: Cluster, obj: ConfigObject, read: Read) -> Iterator[Finding]:
    if {"qtype", "pe_list", "ckpt_list"} <= read.keys():
        texts = [text for name in ("qtype", "pe_list", "ckpt_list") for _, text in read[name].values]
        if all(is_none(text) for text in texts):
            message = f'queue "{obj.name}" takes no jobs: it has no type, no parallel and no checkpointing environment'
            yield NO_JOBS.finding(obj, "qtype", message)
    if "slots" in read:
        used = instance_values(cluster, obj, "slots").used
        if used and all(parse_unsigned(text) == 0 for _, text in used):
            yield NO_SLOTS.finding(obj, "slots", f'queue "{obj.name}" has no slots on any host')
