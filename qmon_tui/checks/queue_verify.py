"""Verify a cluster queue that could be read: first the checks of qconf, then those of the qmaster.

Source: queue.md#verification and queue.md#fields.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from qmon_tui.checks.queue_read import ReadField, instance_values
from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.checks.value_problems import value_problem
from qmon_tui.model import Cluster, ComplexEntry, ConfigObject, Finding, Kind, ValueType, complex_index, find_group
from qmon_tui.model.catalogue import spec
from qmon_tui.model.catalogue.queues import MAX_SLOTS, SHELL_START_MODES
from qmon_tui.values import (
    BLANK_OR_COMMA,
    c_integer_prefix,
    integer_prefix,
    is_group,
    is_host_name,
    is_none,
    name_problem,
    parse_subordinates,
    parse_unsigned,
    split_entries,
    split_names,
)

_book = RuleBook(Kind.QUEUE, "queue.md#fields")

NO_DEFAULT = _book.error(
    "default", "A field that differs per host has a default too.", "queue_conf(5) hostlist, #syntax"
)
SHELL = _book.error("shell", "The shell is an absolute path.")
PRIORITY = _book.error("priority", "The priority is a number from -20 to 20.", "queue_conf(5) priority, #priority")
PROCESSORS = _book.error("processors", "Processors are UNDEFINED or ranges of numbers.")
SHELL_START_MODE = _book.error(
    "shell_start_mode", "The start mode is posix_compliant, unix_behavior or script_from_stdin."
)
INITIAL_STATE = _book.error("initial_state", "The initial state is default, enabled or disabled.")
NAME = _book.error("name", "The name of a queue is an object name.", "sge_types(1) object_name, #qname")
HOST = _book.error("hostlist.host", "Every host of the host list can be resolved.")
GROUP = _book.error("hostlist.group", "Every hostgroup of the host list exists.")
KEY_GROUP = _book.error("overrides.group", "Settings are for hostgroups that exist.", "#values-that-differ-per-host")
KEY_HOST = _book.error("overrides.host", "A setting names its host.", "#values-that-differ-per-host")
SLOTS = _book.error("slots.range", f"A queue instance has 0 to {MAX_SLOTS} slots.", "queue_conf(5) slots, #slots")
REFERENCE = _book.error("reference", "Calendars, environments, usersets and projects that a queue names exist.")
COMPLEX = _book.error("complex_values.name", "complex_values names attributes.", "#values-of-attributes")
SUBORDINATE = _book.error("subordinates.queue", "Subordinated queues exist.", "#subordinate_list")
SUBORDINATE_SELF = _book.error("subordinates.self", "A queue is not subordinated by itself.", "#subordinate_list")

VERIFY_ORDER = (
    *("seq_no", "nsuspend", "slots", "tmpdir", "shell", "calendar", "priority", "processors", "prolog", "epilog"),
    *("shell_start_mode", "starter_method", "suspend_method", "resume_method", "terminate_method", "initial_state"),
    *("rerun", "s_fsize", "h_fsize", "s_data", "h_data", "s_stack", "h_stack", "s_core", "h_core", "s_rss", "h_rss"),
    *("s_vmem", "h_vmem", "s_rt", "h_rt", "s_cpu", "h_cpu", "suspend_interval", "min_cpu_interval", "notify", "qtype"),
    *("ckpt_list", "pe_list", "owner_list", "user_lists", "xuser_lists", "projects", "xprojects", "complex_values"),
    *("load_thresholds", "suspend_thresholds", "subordinate_list"),
)
"""The order in which qconf and the qmaster verify the fields."""

REFERENCE_WORDS = {
    Kind.CALENDAR: "Calendar",
    Kind.CKPT: "Ckpt",
    Kind.PE: "Parallel environment",
    Kind.USERSET: "Userset",
    Kind.PROJECT: "Project",
}
"""Kind -> the qmaster's word for a missing object."""

UNCHECKED_PE = "make"
"""The parallel environment whose existence the qmaster does not check."""

_MISSPELT = {"nsuspend": "nuspend"}
"""Field -> its misspelt name in two messages."""

_NO_HOSTS = ("NONE", "GLOBAL", "TEMPLATE")
_STATES = ("default", "enabled", "disabled")

FOUND_BY_CLIENT = frozenset(
    rule.id for rule in (NO_DEFAULT, SHELL, PRIORITY, PROCESSORS, SHELL_START_MODE, INITIAL_STATE)
)
"""Ids of the rules that qconf checks itself."""

Read = Mapping[str, ReadField]
Fault = tuple[Rule, str] | None


def client_errors(obj: ConfigObject, read: Read) -> Iterator[Finding]:
    """Yield errors that qconf finds in readable fields, at most one per field."""
    for name in VERIFY_ORDER:
        field = read[name]
        if field.rule is not None:
            continue
        if field.default is None:
            message = f'"{_MISSPELT.get(name, name)}" has no default value'
            yield NO_DEFAULT.finding(obj, name, message, "Put a value for all other hosts in front.")
        elif name in _CLIENT:
            yield from _first(obj, name, field, _CLIENT[name], explained=True)


def server_errors(cluster: Cluster, obj: ConfigObject, read: Read) -> Iterator[Finding]:
    """Yield errors that the qmaster finds in the name, the host list and readable fields."""
    if name_problem(obj.name):
        message = f'cluster queue name "{obj.name}" is not valid'
        yield NAME.finding(obj, "qname", message, name_problem(obj.name) or "")
    yield from _hostlist(cluster, obj)
    fields = [(name, read[name]) for name in VERIFY_ORDER if read[name].rule is None]
    for name, field in fields:
        if any(key == "" for key, _ in field.values):
            yield KEY_HOST.finding(obj, name, 'invalid hostname ""')
    for name, field in fields:
        yield from _unknown_groups(cluster, obj, name, field)
        if name in _SERVER:
            yield from _first(obj, name, field, partial(_SERVER[name], cluster, obj, name))


def scope_hint(key: str | None) -> str:
    """Return a hint that names the host or hostgroup of a setting; empty for the default."""
    return "" if key is None else f"In the setting for {key}."


def _first(
    obj: ConfigObject, name: str, field: ReadField, check: Callable[[str], Fault], *, explained: bool = False
) -> Iterator[Finding]:
    """Yield the first error of a field's settings, checked from the last one back to the default.

    `explained` adds the rule's summary as a hint.
    """
    for key, text in reversed(field.values):
        fault = check(text)
        if fault is not None:
            rule, message = fault
            hint = f"{scope_hint(key)} {rule.summary if explained else ''}".strip()
            yield rule.finding(obj, name, message, hint)
            return


def _shell(text: str) -> Fault:
    return None if text.startswith("/") else (SHELL, f'Invalid value "{text}" for shell')


def _priority(text: str) -> Fault:
    value = ((c_integer_prefix(text) or 0) + 2**31) % 2**32 - 2**31  # the qmaster stores 32 bits
    if value == 0 and not text.startswith("0"):
        return PRIORITY, "Invalid character"
    return None if -20 <= value <= 20 else (PRIORITY, "Priority not in range -20 to +20")


def _processors(text: str) -> Fault:
    """Return the first error in ranges; any character may separate the two ends, and both may be missing."""
    if text.upper() == "UNDEFINED":
        return None
    for part in filter(None, text.split(",")):
        rest = part[1:]
        if not part.startswith("-"):
            number = integer_prefix(part)
            if number is None:
                return PROCESSORS, "Numerical value invalid!"
            rest = part[number[1] + 1 :]
        if not rest:
            continue
        number = integer_prefix(rest)
        if number is None:
            return PROCESSORS, "Numerical value invalid!"
        if trailer := rest[number[1] :]:
            return PROCESSORS, f'Range specifier "{rest}" has unknown trailer "{trailer}"'
    return None


def _shell_start_mode(text: str) -> Fault:
    return (
        None if text.lower() in SHELL_START_MODES else (SHELL_START_MODE, f'Invalid value "{text}" as shell start mode')
    )


def _initial_state(text: str) -> Fault:
    return None if text.lower() in _STATES else (INITIAL_STATE, f'Invalid value "{text}" as initial state')


_CLIENT: Mapping[str, Callable[[str], Fault]] = {
    "shell": _shell,
    "priority": _priority,
    "processors": _processors,
    "shell_start_mode": _shell_start_mode,
    "initial_state": _initial_state,
}


def _hostlist(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    words = split_names(obj.text("hostlist"), BLANK_OR_COMMA)
    for word in words:
        if not is_group(word) and (word.upper() in _NO_HOSTS or not is_host_name(word)):
            yield HOST.finding(obj, "hostlist", f'unable to resolve host "{word}"')
    for word in words:
        if is_group(word) and find_group(cluster, word) is None:
            yield GROUP.finding(obj, "hostlist", f'denied: host group "{word}" does not exist')


def _unknown_groups(cluster: Cluster, obj: ConfigObject, name: str, field: ReadField) -> Iterator[Finding]:
    for key, _ in field.values:
        if key and is_group(key) and find_group(cluster, key) is None:
            message = f'Did not modify "{_MISSPELT.get(name, name)}" for host group "{key}" which does not exist.'
            yield KEY_GROUP.finding(obj, name, message)


def _slots(cluster: Cluster, obj: ConfigObject, name: str, text: str) -> Fault:
    value = parse_unsigned(text)
    if value <= MAX_SLOTS:
        return None
    limits = f"it must be a value between 0 and {MAX_SLOTS}"
    return SLOTS, f'{value} is an invalid value for the "slots" attribute - {limits}'


def _references(cluster: Cluster, obj: ConfigObject, name: str, text: str) -> Fault:
    field = spec(Kind.QUEUE).by_name[name]
    assert field.refers_to is not None
    known = cluster.objects(field.refers_to)
    if is_none(text):
        return None
    for word in (text,) if field.type is ValueType.REFERENCE else split_names(text, BLANK_OR_COMMA):
        if word not in known and not (field.refers_to is Kind.PE and word == UNCHECKED_PE):
            return REFERENCE, f'{REFERENCE_WORDS[field.refers_to]} "{word}" does not exist'
    return None


def _complex_values(cluster: Cluster, obj: ConfigObject, name: str, text: str) -> Fault:
    index = complex_index(cluster)
    for word, _ in split_entries(text, BLANK_OR_COMMA):
        if index.find(word) is None:
            return COMPLEX, f'Complex attribute "{word}" does not exist'
    return None


def _subordinate_list(cluster: Cluster, obj: ConfigObject, name: str, text: str) -> Fault:
    queues = [subordinate.queue for subordinate in parse_subordinates(text).queues]
    if obj.name in queues:
        return SUBORDINATE_SELF, f'Cluster queue "{obj.name}" can\'t get subordinated by itself'
    for queue in queues:
        if cluster.get(Kind.QUEUE, queue) is None:
            return SUBORDINATE, f'Subordinated cluster queue "{queue}" referenced in "{obj.name}" does not exist'
    return None


_SERVER: Mapping[str, Callable[[Cluster, ConfigObject, str, str], Fault]] = {
    "slots": _slots,
    "calendar": _references,
    "ckpt_list": _references,
    "pe_list": _references,
    "user_lists": _references,
    "xuser_lists": _references,
    "projects": _references,
    "xprojects": _references,
    "complex_values": _complex_values,
    "subordinate_list": _subordinate_list,
}


_instance_book = RuleBook(Kind.QUEUE, "queue.md#values-of-attributes")

VALUE = _instance_book.error("complex_values.value", "What an instance offers of an attribute is a value of its type.")

_ADDING = "Adding such a queue creates it, but no host can be added until this is fixed."


def instance_errors(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield an error for each setting of complex_values with a value that an instance cannot have."""
    index = complex_index(cluster)
    for key, text in instance_values(cluster, obj, "complex_values").used:
        for word, value in split_entries(text, BLANK_OR_COMMA):
            entry = index.find(word)
            problem = entry and _problem(entry, value)
            if problem:
                yield VALUE.finding(obj, "complex_values", problem, f"{scope_hint(key)} {_ADDING}".strip())
                break


def _problem(entry: ComplexEntry, value: str) -> str | None:
    """Return the problem of a value; in queues NONE means a missing value, but TRUE for a BOOL."""
    if is_none(value):
        return None if entry.type == "BOOL" else f'denied: missing value for resource "{entry.name}"'
    return value_problem(entry, value)
