"""The global and the host configurations; most of their values are stored as they are typed."""

from collections.abc import Iterator

from qmon_tui.checks.rules import RuleBook
from qmon_tui.checks.value_problems import is_command, variable_problem
from qmon_tui.model import (
    GLOBAL,
    WHOLE_LINES,
    Cluster,
    ConfigObject,
    Finding,
    Kind,
    ValueType,
    kept_configuration,
)
from qmon_tui.model.catalogue import spec
from qmon_tui.model.catalogue.configuration import LOG_LEVELS
from qmon_tui.model.catalogue.queues import SHELL_START_MODES
from qmon_tui.values import BLANK_OR_COMMA, canonical, is_none, is_number, parse_ranges, split_names

_book = RuleBook(Kind.CONFIGURATION, "configuration.md#fields")

EMPTY = _book.error("missing", "A field that is given has a value.")
NOTHING = _book.error("nothing", "The configuration of a host gives at least one field.", "#reading")
AUTO_USER = _book.error("auto_user", "Tickets and shares of automatic users are numbers that are not negative.")
REFERENCE = _book.error("reference", "Usersets and projects that a configuration names exist.")
INFINITE = _book.error("infinity", "load_report_time and max_unheard are finite.")
WORD = _book.error("word", "loglevel and shell_start_mode are words that exist.")
VARIABLE = _book.error("variable", "prolog and epilog use only variables that exist.", "sge_conf(5) prolog, #prolog")
JSV = _book.error("jsv_url", "A JSV is a script.")
SHELL = _book.error("shell", "The configuration has no shell: queues have.")
PATH = _book.error("path", "A command is an absolute path, with user@ in front if wanted.")
GID_RANGE = _book.error("gid_range", "The lowest group id for jobs is 100.")
SINGLE = _book.warning(
    "single", "A value is one word; only commands, lists and parameters have more.", "#several-words"
)
VALUE_MEANING = _book.warning("meaning", "Numbers and times are numbers; what cannot be read counts as 0.")
PROJECT_UNKNOWN = _book.warning("auto_user.project", "The default project of automatic users exists.")

_MAYBE_NONE = ("prolog", "epilog", "load_sensor", "mailer", "set_token_cmd", "pag_cmd", "shepherd_cmd")
_DAEMONS = ("qlogin_daemon", "rlogin_daemon", "rsh_daemon")
_STREAMS = ("stdin", "stdout", "stderr")
_VARIABLES = frozenset(("host", "ja_task_id", "job_owner", "job_id", "job_name", "processors", "queue", "merge_stderr"))
_VARIABLES |= {f"{stream}_path" for stream in _STREAMS}
_VARIABLES |= {f"fs_{stream}_{what}" for stream in _STREAMS for what in ("host", "path", "tmp_path", "file_staging")}
_WORDS = {"loglevel": LOG_LEVELS, "shell_start_mode": SHELL_START_MODES}
_LOWEST_GROUP = 100
_AUTO_USER = ("auto_user_oticket", "auto_user_fshare")
_FIRST = ("gid_range", *_AUTO_USER)
_NUMBERS = (ValueType.UNSIGNED, ValueType.TIME)


def configuration_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about one configuration; only fields that it gives are checked.

    The qmaster checks some fields first (tried with 8.1.9: of two wrong fields it names only one).
    """
    if not obj.values and obj.name != GLOBAL:
        hint = "Give it a field, or delete it: without one the global configuration holds anyway."
        yield NOTHING.finding(obj, None, f'error: error reading file: "{obj.name}"', hint)
    kept = kept_configuration(obj)
    for name, text in kept.values.items():
        if name in _FIRST and text.strip():
            yield from _first(obj, name, text)
    fields = spec(Kind.CONFIGURATION).by_name
    for name, text in kept.values.items():
        if obj.values[name].strip() != text:
            yield from _cut_off(obj, name, text)
        declared = fields.get(name)
        if not text.strip():
            message = f'value == NULL for attribute "{name}" in configuration list of "{canonical(obj.name)}"'
            yield EMPTY.finding(obj, name, message)
        elif name == "shell":
            no_path = 'the path given for "shell" must start with a "/"'
            message = f'got invalid value "{text}" for shell' if text.startswith("/") else no_path
            yield SHELL.finding(obj, name, f"denied: {message}")
        elif declared is not None:
            yield from _field(cluster, obj, name, text)
            if declared.type in _NUMBERS and not is_number(text) and not name.startswith("auto_user_"):
                yield VALUE_MEANING.finding(obj, name, f'"{text}" is not a number: it counts as 0')


def _cut_off(obj: ConfigObject, name: str, kept: str) -> Iterator[Finding]:
    """Warn about words that the qmaster drops; it gives no message for gid_range and for text after a tab."""
    sentence = f'only a single value is allowed for configuration attribute "{name}"'
    message = f'what follows "{kept}" is dropped' if name == "gid_range" or name in WHOLE_LINES else sentence
    yield SINGLE.finding(obj, name, message, f"The qmaster keeps {kept}; it drops the rest.")


def _first(obj: ConfigObject, name: str, text: str) -> Iterator[Finding]:
    if name in _AUTO_USER:
        if text.startswith("-") and text != "-":
            yield AUTO_USER.finding(obj, name, f'error: parameter "{name}" must be a positive number')
    elif is_none(text):
        return
    elif problem := _ranges_problem(name, text):
        yield GID_RANGE.finding(obj, name, problem, "Write ranges of group ids such as 65400-65500.")
    elif any(first < _LOWEST_GROUP for first, _, _ in _group_ranges(text)):
        message = "minimum group id in gid_range may not be less than 100 in cluster configuration"
        yield GID_RANGE.finding(obj, name, message)


def _ranges_problem(name: str, text: str) -> str | None:
    """Return the qmaster's message for unreadable ranges, None for none; among several it reads one as UNDEFINED."""
    parts = [part for part in text.split(",") if part]
    unread = [not _group_ranges(part) for part in parts]
    if len(parts) > 1 and any(unread):
        what = 'range following "UNDEFINED"' if unread[0] else '"UNDEFINED" following range'
        return f"error: unexpected {what}"
    # The qmaster exchanges name and value.
    return f'incorrect value "{name}" given for configuration attribute "{text}"' if all(unread) else None


def _group_ranges(text: str) -> tuple[tuple[int, int, int], ...]:
    """Return ranges of group ids; none if one of them cannot be read."""
    try:
        return parse_ranges(text, steps=False, open_end=False)
    except ValueError:
        return ()


def _field(cluster: Cluster, obj: ConfigObject, name: str, text: str) -> Iterator[Finding]:
    if name in _AUTO_USER:
        if not is_number(text) or text.lower() == "infinity":
            yield AUTO_USER.finding(obj, name, f'format error for "{name}" in "{text}" configuration')
    elif name in ("user_lists", "xuser_lists", "projects", "xprojects"):
        yield from _references(cluster, obj, name, text)
    elif name in ("load_report_time", "max_unheard") and text.lower() == "infinity":
        message = f'infinity not allowed for attribute "{name}" in configuration list of "{canonical(obj.name)}"'
        yield INFINITE.finding(obj, name, message)
    elif name in _WORDS and text.lower() not in _WORDS[name]:
        hint = f"Use one of {', '.join(_WORDS[name])}."
        yield WORD.finding(obj, name, f'denied: got invalid value "{text}" for {name}', hint)
    elif _is_no_path(name, _with_blanks(obj, name) if name in _DAEMONS else text):
        yield PATH.finding(obj, name, f'denied: the path given for "{name}" must start with a "/"')
    elif name in ("prolog", "epilog") and (problem := variable_problem(text, _VARIABLES)):
        yield VARIABLE.finding(obj, name, f'denied: parameter "{name}" in configuration: "{problem}"')
    elif name == "jsv_url" and (kind := text.partition(":")[0]) != text and kind != "script":
        yield JSV.finding(obj, name, f'type "{kind}" in JSV URL is invalid')
    elif name == "auto_user_default_project" and not is_none(text) and cluster.get(Kind.PROJECT, text) is None:
        message = f'project "{text}" does not exist: no user can be added automatically'
        yield PROJECT_UNKNOWN.finding(obj, name, message)


def _references(cluster: Cluster, obj: ConfigObject, name: str, text: str) -> Iterator[Finding]:
    kind = Kind.PROJECT if name.endswith("projects") else Kind.USERSET
    if not is_none(text) and any(map(is_none, text.replace(",", " ").split())):
        yield REFERENCE.finding(obj, name, f'format error for "{name}" in "{canonical(obj.name)}" configuration')
        return
    for word in split_names(text, BLANK_OR_COMMA):
        if cluster.get(kind, word) is None:
            owner = f'referenced in {name} of configuration "{canonical(obj.name)}"'
            project = f'denied: project "{word}" {owner} does not exist'
            message = project if kind is Kind.PROJECT else f'Userset "{word}" does not exist'
            yield REFERENCE.finding(obj, name, message)


def _with_blanks(obj: ConfigObject, name: str) -> str:
    """Return the value up to a tab, trailing blanks included: with them the qmaster does not accept `builtin`."""
    return obj.values[name].lstrip().split("\t", 1)[0]


def _is_no_path(name: str, text: str) -> bool:
    """True if the field must be a path and is none; the other allowed words differ per field."""
    if name in _MAYBE_NONE and text.upper() == "NONE":
        return False
    if name in _DAEMONS and text.lower() == "builtin":
        return False
    if name not in (*_MAYBE_NONE, *_DAEMONS, "xterm"):
        return False
    commands = [part for part in text.split(",") if part] if name == "load_sensor" else [text]
    return any(is_none(command.split(" ")[0]) or not is_command(command.strip()) for command in commands)
