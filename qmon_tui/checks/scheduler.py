"""Check the scheduler configuration. Source: sched_conf(5); scheduler-configuration.md#fields."""

import re
from collections.abc import Callable, Iterator, Mapping

from qmon_tui.checks.field_grammar import grammar_errors
from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.checks.value_problems import formula_problem
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind, all_params, complex_index
from qmon_tui.values import COMMA, is_none, is_number, parse_number, parse_ranges, parse_unsigned, split_entries

_book = RuleBook(Kind.SCHEDULER, "scheduler-configuration.md#fields")

ALGORITHM = _book.error("algorithm", "The algorithm is default.")
TIME = _book.error("time", "Times are numbers that are not negative, finite but for default_duration.")
JOB_INFO = _book.error("schedd_job_info", "schedd_job_info is true, false or job_list with job numbers.")
PARAMS = _book.error(
    "params",
    "The parameters are PROFILE, MONITOR, JC_FILTER, DURATION_OFFSET and PE_RANGE_ALG.",
    "sched_conf(5) params, #params",
)
PENDING = _book.error("max_pending_tasks_per_job", "At least one task of an array job is looked at.")
HIERARCHY = _book.error("policy_hierarchy", "The hierarchy has the letters O, F and S, each at most once, or is NONE.")
DECAY = _book.error("halflife_decay_list", "Each kind of usage has a number of minutes.")
FORMULA = _book.error(
    "load_formula", "The load formula is a sum of weighted attributes.", "sched_conf(5) load_formula, #load_formula"
)
RESERVATION = _book.error("default_duration", "Reservation needs a default duration.")
ADJUSTMENT_NAME = _book.warning("job_load_adjustments.name", "Load adjustments are for attributes that exist.")
ADJUSTMENT_VALUE = _book.warning("job_load_adjustments.value", "A load adjustment is a number.")
SORT_METHOD = _book.warning(
    "queue_sort_method", "Queues are sorted by load or by seqno.", "sched_conf(5), #queue_sort_method"
)

_SWITCHES = ("PROFILE", "MONITOR", "JC_FILTER")

Fault = tuple[Rule, str] | None


_NO_TEXT = "error reading in file"


def scheduler_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about the scheduler configuration."""
    unreadable = list(grammar_errors(obj))
    yield from unreadable
    wrong = {finding.field for finding in unreadable}
    faults = [
        (field, *fault)
        for field, check in _CHECKS.items()
        if field not in wrong and (fault := check(field, obj.text(field)))
    ]
    # Errors without their own text come after all others, in qconf's last line.
    for field, rule, message in sorted(faults, key=lambda fault: fault[2] == _NO_TEXT):
        yield rule.finding(obj, field, message, rule.summary)
    if "load_formula" not in wrong:
        formula = obj.text("load_formula")
        problem = formula_problem(complex_index(cluster), formula, "load_formula")
        if is_none(formula):
            problem = 'The keyword "none" is not allowed in "load_formula"'
        if problem:
            yield FORMULA.finding(obj, "load_formula", problem)
    if "max_reservation" not in wrong and parse_unsigned(obj.text("max_reservation").strip()) > 0 and _is_zero(obj):
        message = "error: denied: resource reservation requires valid default duration"
        yield RESERVATION.finding(obj, "default_duration", message)
    if "job_load_adjustments" not in wrong:
        yield from _adjustments(cluster, obj)


def _is_zero(obj: ConfigObject) -> bool:
    duration = obj.text("default_duration")
    return is_number(duration) and parse_number(duration) == 0


def _adjustments(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    for word, value in split_entries(obj.text("job_load_adjustments"), COMMA):
        entry = complex_index(cluster).find(word)
        if entry is None:
            message = f'Complex attribute "{word}" does not exist'
            yield ADJUSTMENT_NAME.finding(obj, "job_load_adjustments", message, "The qmaster accepts it here.")
        elif not is_number(value):
            message = f'the adjustment "{value}" of "{word}" is not a number'
            yield ADJUSTMENT_VALUE.finding(obj, "job_load_adjustments", message)


def _algorithm(field: str, text: str) -> Fault:
    if text in ("default", "simple_sched") or text.startswith("ext_"):
        return None
    return ALGORITHM, f'error: attribute "{text}" is not a valid algorithm name.'


def _time(field: str, text: str) -> Fault:
    problem = None
    if "-" in text:
        problem = "a Error! value not positive"
    elif not is_number(text):
        problem = "a time value"
    elif text.lower() == "infinity" and field != "default_duration":
        problem = "a value that can be set to infinity"
    return None if problem is None else (TIME, f'error: attribute "{field}" is not {problem}')


def _job_info(field: str, text: str) -> Fault:
    """Return the error; after true and false any text is accepted."""
    word, *numbers = text.split() or [text]
    if word in ("true", "false"):
        return None
    if word != "job_list":
        return JOB_INFO, 'error: attribute "schedd_job_info " is not a valid parameter'
    try:
        parse_ranges(",".join(numbers), steps=False, open_end=False)
    except ValueError:
        return JOB_INFO, 'error: attribute "schedd_job_info" is not a valid job_list'
    return None


def _params(field: str, text: str) -> Fault:
    for word, name, value in all_params(text):
        if name in _SWITCHES:
            if not re.match(r"0|1|true|false", value or "", re.IGNORECASE):
                return PARAMS, f'error: Invalid scheduler param setting: "{word}"'
        elif name == "DURATION_OFFSET":
            if not is_number(value or ""):
                return PARAMS, _NO_TEXT
        elif name == "PE_RANGE_ALG":
            if (value or "").lower() not in ("auto", "least", "bin", "highest"):
                return PARAMS, _NO_TEXT
        else:
            return PARAMS, f'error: found unknown param: "{word}"'
    return None


def _pending(field: str, text: str) -> Fault:
    if parse_unsigned(text.strip()) > 0:
        return None
    return PENDING, f'error: invalid setting for param: "{field}"(should be ">0")'


def _hierarchy(field: str, text: str) -> Fault:
    if text.upper() == "NONE" or (set(text) <= set("OFS") and len(set(text)) == len(text)):
        return None
    return HIERARCHY, "error: Invalid policy hierarchy string. Disabling policy hierarchy."


def _decay(field: str, text: str) -> Fault:
    """Return the error; after a number any text is accepted."""
    if is_none(text) or all(re.match(r"[^=]+=\s*[+-]?[0-9.]", part) for part in text.split(":")):
        return None
    return DECAY, "error: Invalid halflife_day_list. Ignoring the setting."


def _sort_method(field: str, text: str) -> Fault:
    if text.lower() == "load" or text.lower() == "seqno":
        return None
    meant = "seqno" if text.lower().startswith("seqno") else "load"
    return SORT_METHOD, f'"{text}" is stored as {meant}'


_CHECKS: Mapping[str, Callable[[str, str], Fault]] = {
    "algorithm": _algorithm,
    "schedule_interval": _time,
    "queue_sort_method": _sort_method,
    "load_adjustment_decay_time": _time,
    "schedd_job_info": _job_info,
    "params": _params,
    "reprioritize_interval": _time,
    "max_pending_tasks_per_job": _pending,
    "halflife_decay_list": _decay,
    "policy_hierarchy": _hierarchy,
    "default_duration": _time,
}
