"""Check parallel environments, checkpointing environments and calendars.

Source: sge_pe(5), checkpoint(5), calendar_conf(5); pe.md#fields and calendar.md#fields.
"""

from collections.abc import Callable, Iterator

from qmon_tui import values
from qmon_tui.checks.field_grammar import grammar_errors
from qmon_tui.checks.rules import RuleBook
from qmon_tui.checks.users_and_projects import access_findings
from qmon_tui.checks.value_problems import is_command, variable_problem
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind
from qmon_tui.model.catalogue.queues import MAX_SLOTS
from qmon_tui.values import is_none, is_number, name_problem, parse_unsigned

_pe = RuleBook(Kind.PE, "pe.md#fields")
_ckpt = RuleBook(Kind.CKPT, "ckpt.md#fields")
_calendar = RuleBook(Kind.CALENDAR, "calendar.md#fields")

PE_NAME = _pe.error(
    "name", "The name of a parallel environment is an object name.", "sge_types(1) object_name, #pe_name"
)
PE_SLOTS = _pe.error("slots.range", "An environment has 0 to 9999999 slots.")
PE_VARIABLE = _pe.error(
    "variable", "Commands and the allocation rule use only variables that exist.", "sge_pe(5), #start_proc_args"
)
PE_PATH = _pe.error("path", "Start and stop commands are absolute paths, with user@ in front if wanted.")
PE_URGENCY = _pe.error("urgency_slots", "urgency_slots is min, max, avg or a number.")
PE_REFERENCE = _pe.error("reference", "Usersets that an environment names exist.")
PE_BOTH = _pe.error("access.both", "A userset is not allowed and denied at the same time.")
PE_ALLOCATION = _pe.warning(
    "allocation_rule",
    "The allocation rule is a number, $pe_slots, $fill_up or $round_robin.",
    "sge_pe(5), #allocation_rule",
)
CKPT_NAME = _ckpt.error(
    "name", "The name of a checkpointing environment is an object name.", "sge_types(1), #ckpt_name"
)
CKPT_INTERFACE = _ckpt.error("interface", "The interface is one of the five that exist.", "checkpoint(5), #interface")
CKPT_VARIABLE = _ckpt.error("variable", "Commands use only variables that exist.", "checkpoint(5), #ckpt_command")
CKPT_SIGNAL = _ckpt.error("signal", "The signal is none, a number or the name of a signal without SIG.")
CKPT_WHEN = _ckpt.error("when", "`when` has the letters s, m, x and r, or is n.")
CALENDAR_NAME = _calendar.error(
    "name", "The name of a calendar is an object name.", "sge_types(1) object_name, #calendar_name"
)
CALENDAR_LIST = _calendar.error(
    "list", "year and week are lists of days, daytimes and states.", "calendar_conf(5), #messages"
)

_PE_VARIABLES = frozenset(
    ("pe_hostfile", "host", "job_owner", "job_id", "job_name", "pe", "pe_slots", "processors", "queue", "ja_task_id")
)
_RULE_VARIABLES = frozenset(("pe_slots", "fill_up", "round_robin"))
_CKPT_VARIABLES = frozenset(
    ("host", "ja_task_id", "job_owner", "job_id", "job_name", "queue", "job_pid", "ckpt_dir", "ckpt_signal")
)
_INTERFACES = ("userdefined", "hibernator", "transparent", "application-level", "cpr")
_SIGNALS = frozenset(
    (
        *("HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "IOT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE"),
        *("ALRM", "TERM", "STKFLT", "CLD", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ"),
        *("VTALRM", "PROF", "WINCH", "POLL", "IO", "PWR", "SYS"),
    )
)


def pe_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about one parallel environment."""
    unreadable = list(grammar_errors(obj))
    yield from unreadable
    wrong = {finding.field for finding in unreadable}
    if problem := name_problem(obj.name):
        # For characters that are not ASCII the qmaster has only this message.
        general = f'Invalid character in pe name of pe "{obj.name}"'
        yield PE_NAME.finding(obj, "pe_name", f"error: {problem if obj.name.isascii() else general}")
    if "slots" not in wrong and (slots := parse_unsigned(obj.text("slots").strip())) > MAX_SLOTS:
        text = f'{slots} is an invalid value for the "slots" attribute'
        yield PE_SLOTS.finding(obj, "slots", f"error: {text} - it must be a value between 0 and {MAX_SLOTS}")
    for field in ("start_proc_args", "stop_proc_args", "allocation_rule"):
        known = _RULE_VARIABLES if field == "allocation_rule" else _PE_VARIABLES
        if problem := variable_problem(obj.text(field), known):
            yield PE_VARIABLE.finding(obj, field, f'error: parameter {field} of pe "{obj.name}": {problem}')
    text = obj.text("urgency_slots").strip()
    if text and text.lower() not in ("min", "max", "avg") and not text[0].isdigit():
        message = f'error: rejecting invalid urgency_slots setting "{text}"'
        yield PE_URGENCY.finding(obj, "urgency_slots", message, PE_URGENCY.summary)
    # qconf reads all fields before the qmaster checks the lists.
    if not {"user_lists", "xuser_lists"} & wrong:
        lists = ("user_lists", "xuser_lists")
        yield from access_findings(cluster, obj, lists, PE_REFERENCE, PE_BOTH, "parallel environment")
    for field in ("start_proc_args", "stop_proc_args"):
        if not is_command(obj.text(field)):
            yield PE_PATH.finding(obj, field, f'denied: path given for "{field}" must start with a "/"')
    rule = obj.text("allocation_rule")
    if not rule.startswith("$") and not (is_number(rule) and rule.isdigit() and float(rule) > 0):
        message = f'allocation_rule "{rule}" is neither a positive number nor $pe_slots, $fill_up or $round_robin'
        yield PE_ALLOCATION.finding(obj, "allocation_rule", message)


def ckpt_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about one checkpointing environment."""
    yield from grammar_errors(obj)
    if problem := name_problem(obj.name):
        yield CKPT_NAME.finding(obj, "ckpt_name", f"error: {problem}")
    interface = obj.text("interface")
    if interface.lower() not in _INTERFACES:
        hint = f"Use one of {', '.join(_INTERFACES)}."
        yield CKPT_INTERFACE.finding(obj, "interface", f"error: no valid checkpoint interface {interface}", hint)
    for field in ("ckpt_command", "migr_command", "restart_command", "clean_command"):
        if variable_problem(obj.text(field), _CKPT_VARIABLES):
            message = f'error: parameter {field} of ckpt environment "{obj.name}": 0'
            yield CKPT_VARIABLE.finding(obj, field, message, "A $variable in it does not exist.")
    signal = obj.text("signal")
    if not (is_none(signal) or signal.isdigit() or signal.upper() in _SIGNALS):
        message = f'error: "{signal}" is not a signal string (like HUP, INT, WINCH, ..)'
        yield CKPT_SIGNAL.finding(obj, "signal", message)
    when = obj.text("when")
    if when and when != "n" and not set(when) <= set("smxr") and not (is_number(when) or when.startswith(":")):
        yield CKPT_WHEN.finding(obj, "when", f'Invalid "when" attribute for ckpt "{obj.name}"', CKPT_WHEN.summary)


def calendar_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about one calendar."""
    yield from grammar_errors(obj)
    if problem := name_problem(obj.name):
        yield CALENDAR_NAME.finding(obj, "calendar_name", problem)
    # In its message about a year the qmaster exchanges name and reason.
    yield from _list_errors(obj, "year", values.parse_year, 'error in disabled_year of calendar "{reason}": {name}')
    yield from _list_errors(obj, "week", values.parse_week, 'error in disabled_week of calendar "{name}": {reason}')


def _list_errors(obj: ConfigObject, field: str, parse: Callable[[str], object], message: str) -> Iterator[Finding]:
    try:
        parse(obj.text(field))
    except ValueError as error:
        yield CALENDAR_LIST.finding(obj, field, message.format(name=obj.name, reason=error))
