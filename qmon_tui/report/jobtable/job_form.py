"""The form of a job: fields for options and resources, their values in a qsub line, and the help below the form."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from qmon_tui.formats import ParsedQsub, altered, options_given, overridden, parse_qsub, with_command, without
from qmon_tui.model import Cluster, ComplexEntry, Kind, complex_index
from qmon_tui.report.jobtable.job_columns import environment
from qmon_tui.report.spans import Line, Span, TextRole, wrap, wrap_lines
from qmon_tui.values import format_qsub_date


class Input(StrEnum):
    """How a value is given."""

    TEXT = "text"
    CHOICE = "choice"
    """One of a few values; Enter selects the next."""
    PICK = "pick"
    """One of many values, or typed."""
    FLAG = "flag"
    """Given or not given; Enter changes it."""


@dataclass(frozen=True, slots=True)
class FormField:
    """One row: an option of qsub, or a resource of -l; `choices` are the values offered."""

    key: str
    """An option such as `-q` or `-soft -q`, or a resource as `-l NAME`."""
    title: str
    help: str
    input: Input = Input.TEXT
    choices: tuple[str, ...] = ()


FLAG_ON: Final = "yes"
_PATH: Final = "a path, with HOST: before it for one host"


def form_fields(cluster: Cluster, *, altering: bool = False) -> tuple[FormField, ...]:
    """Return the options, then every requestable attribute, with the choices of this cluster.

    Override tickets have a field only with `altering`, as qsub has no -ot.
    """

    def names(kind: Kind) -> tuple[str, ...]:
        return tuple(cluster.objects(kind))

    queues = names(Kind.QUEUE)
    options = (
        FormField("command", "command", "the command with its arguments; `sleep 60` runs 60 simulated seconds"),
        FormField("-N", "name", "the name of the job"),
        FormField("-P", "project", "the project that it belongs to", Input.PICK, names(Kind.PROJECT)),
        FormField("-q", "queue", "cluster queues or instances that it may use", Input.PICK, queues),
        FormField("-soft -q", "soft queue", "queues that it prefers", Input.PICK, queues),
        FormField("-masterq", "master queue", "where the master task of a parallel job may be", Input.PICK, queues),
        FormField("-pe", "parallel env.", "parallel environment and slots: mpi 4-8", Input.PICK, names(Kind.PE)),
        FormField("-t", "tasks", "an array of tasks: 1-10 or 1-9:2"),
        FormField("-tc", "at once", "how many tasks may run at the same time"),
        FormField("-p", "priority", "-1023 to 1024; users may not go above 0"),
        *((FormField("-ot", "override", "override tickets of the job"),) if altering else ()),
        FormField("-js", "job share", "its part of the functional tickets of jobs"),
        FormField("-hold_jid", "waits for", "numbers or names of jobs that must end first"),
        FormField("-hold_jid_ad", "tasks wait for", "array jobs whose tasks of the same number must end first"),
        FormField("-h", "hold", "u user, o operator, s system", Input.CHOICE,
                  ("", "u", "o", "s", "uo", "us", "os", "uos")),
        FormField("-a", "not before", "a date CCYYMMDDhhmm.SS"),
        FormField("-dl", "deadline", "a date CCYYMMDDhhmm.SS; for deadline users only"),
        FormField("-now", "at once only", "y: it starts in the next run or not at all", Input.CHOICE, ("", "y")),
        FormField("-R", "reserve", "y: resources are reserved for it", Input.CHOICE, ("", "y")),
        FormField("-ar", "adv. reserv.", "the number of an advance reservation to run in"),
        FormField("-r", "rerun", "may be run again", Input.CHOICE, ("", "y", "n")),
        FormField("-ckpt", "checkpointing", "a checkpointing environment", Input.PICK, names(Kind.CKPT)),
        FormField("-c", "checkpoint at", "n never, s shutdown, m min. interval, x suspension, or a time"),
        FormField("-w", "verify", "e refuse, w warn, n nothing, v verify only, p as it is now", Input.CHOICE,
                  ("", "e", "w", "v", "p")),
        FormField("-A", "account", "the account string in accounting records"),
    )  # fmt: skip
    return (*options, *resource_fields(cluster), *_FILES)


_FILES: Final = (
    FormField("-cwd", "in this folder", "run in the folder of the submission", Input.FLAG, ("", FLAG_ON)),
    FormField("-wd", "in folder", "the working directory"),
    FormField("-o", "output", _PATH),
    FormField("-e", "errors", _PATH),
    FormField("-i", "input", _PATH),
    FormField("-j", "merge errors", "errors go to the output", Input.CHOICE, ("", "y")),
    FormField("-S", "shell", _PATH),
    FormField("-b", "binary", "y: the command is a program, not a script", Input.CHOICE, ("", "y", "n")),
    FormField("-shell", "by a shell", "n: the program is run without one", Input.CHOICE, ("", "y", "n")),
    FormField("-C", "prefix", "what begins the lines of options in the script"),
    FormField("-v", "environment", "variables: A=1,B=2"),
    FormField("-V", "all of it", "all variables of the submitting shell", Input.FLAG, ("", FLAG_ON)),
    FormField("-ac", "context", "job context: name=value,..."),
    FormField("-m", "mail at", "b begin, e end, a abort, s suspension, n never"),
    FormField("-M", "mail to", "addresses"),
    FormField("-notify", "warn it", "a signal before it is suspended or killed", Input.FLAG, ("", FLAG_ON)),
    FormField("-binding", "binding", "to cores: linear:2"),
    FormField("-jsv", "verifier", "a job submission verifier; it is not run for simulated jobs"),
)
"""Options that scheduling ignores."""


def resource_fields(cluster: Cluster) -> tuple[FormField, ...]:
    """Return a field per requestable complex; FORCED ones first, as some queues require them."""
    entries = [entry for entry in complex_index(cluster).entries.values() if entry.requestable != "NO"]
    entries.sort(key=lambda entry: entry.requestable != "FORCED")
    return tuple(_resource(entry) for entry in entries if entry.name != "slots")


def _resource(entry: ComplexEntry) -> FormField:
    is_bool = entry.type == "BOOL"
    words = (
        entry.type,
        entry.relop,
        {"YES": "per slot", "JOB": "per job", "HOST": "per host"}.get(entry.consumable, ""),
        "forced" if entry.requestable == "FORCED" else "",
        "" if entry.default in ("0", "NONE") else f"default {entry.default}",
    )
    kind, choices = (Input.CHOICE, ("", "TRUE", "FALSE")) if is_bool else (Input.TEXT, ())
    return FormField(f"-l {entry.name}", entry.name, " ".join(filter(None, words)), kind, choices)


_SOFT: Final = "-soft "
_FLAGS: Final = frozenset({"-cwd", "-V", "-notify"})

_READ: Final[dict[str, Callable[[ParsedQsub], str]]] = {
    "command": lambda parsed: " ".join(map(shlex.quote, parsed.request.command)),
    "-P": lambda parsed: parsed.request.project or "",
    "-q": lambda parsed: ",".join(parsed.request.hard_queues),
    "-soft -q": lambda parsed: ",".join(parsed.request.soft_queues),
    "-masterq": lambda parsed: ",".join(parsed.request.master_queues),
    "-pe": lambda parsed: environment(parsed.request),
    "-t": lambda parsed: _array(parsed),
    "-tc": lambda parsed: str(parsed.request.max_running_tasks or ""),
    "-p": lambda parsed: str(parsed.request.priority or ""),
    "-hold_jid": lambda parsed: ",".join(parsed.request.hold_jid),
    "-hold_jid_ad": lambda parsed: ",".join(parsed.request.hold_jid_ad),
    "-h": lambda parsed: parsed.request.hold,
    "-now": lambda parsed: "y" if parsed.request.immediate else "",
    "-R": lambda parsed: "y" if parsed.request.reserve else "",
    "-r": lambda parsed: parsed.request.rerun,
    "-ar": lambda parsed: parsed.request.advance_reservation or "",
    "-w": lambda parsed: parsed.request.verify,
    "-a": lambda parsed: _date(parsed.request.start_time),
    "-dl": lambda parsed: _date(parsed.request.deadline),
    "-ckpt": lambda parsed: parsed.request.checkpoint or "",
    "-c": lambda parsed: parsed.request.checkpoint_when,
    "-A": lambda parsed: parsed.request.account or "",
    "-js": lambda parsed: str(parsed.request.job_share or ""),
    "-ot": lambda parsed: str(parsed.request.override_tickets or ""),
}


def _array(parsed: ParsedQsub) -> str:
    array = parsed.request.array
    if array is None:
        return ""
    return f"{array.first}-{array.last}" + (f":{array.step}" if array.step != 1 else "")


def _date(seconds: int | None) -> str:
    return "" if seconds is None else format_qsub_date(seconds)


def value_of(line: str, key: str) -> str:
    """Return the value of a field in a qsub line; empty if the line does not set it."""
    parsed = parse_qsub(line)
    if key.startswith("-l "):
        name = key.removeprefix("-l ")
        for requested, text in (*parsed.request.hard, *parsed.request.soft):
            if requested == name:
                return "TRUE" if text is None else text
        return ""
    if key == "-N":
        return parsed.name if "-N" in options_given(line) else ""
    if key in _READ:
        return _READ[key](parsed)
    texts = [argument for option, argument in parsed.request.kept if option == key]
    return "" if not texts else FLAG_ON if key in _FLAGS else texts[-1]


def is_soft(line: str, key: str) -> bool:
    """Return True if a resource is requested only as soft."""
    parsed = parse_qsub(line)
    name = key.removeprefix("-l ")
    return name in dict(parsed.request.soft) and name not in dict(parsed.request.hard)


def with_value(line: str, key: str, text: str, *, soft: bool | None = None) -> str:
    """Return the line with another value of a field; an empty text removes the option. The rest is unchanged."""
    text = text.strip()
    if key == "command":
        return with_command(line, text)
    if key.startswith("-l "):
        return _with_resource(line, key.removeprefix("-l "), text, is_soft(line, key) if soft is None else soft)
    if not text:
        return without(line, key.removeprefix(_SOFT), soft=key.startswith(_SOFT))
    if key in _FLAGS:
        return altered(line, key)
    if key == "-ac":
        return altered(line, f"-sc {shlex.quote(text)}")
    if key == "-pe":
        name, _, slots = text.partition(" ")
        return altered(line, f"-pe {shlex.quote(name)} {slots.strip() or '1'}")
    return altered(line, f"{key} {shlex.quote(text)}")


def _with_resource(line: str, name: str, text: str, soft: bool) -> str:
    request = parse_qsub(line).request
    for is_soft_list, pairs in ((False, request.hard), (True, request.soft)):
        kept = [(requested, value) for requested, value in pairs if requested != name]
        if text and is_soft_list is soft:
            place = next((index for index, (requested, _) in enumerate(pairs) if requested == name), len(kept))
            kept.insert(place, (name, text))
        if list(pairs) == kept:
            continue
        words = ",".join(requested if value is None else f"{requested}={value}" for requested, value in kept)
        if words:
            line = altered(line, f"{_SOFT if is_soft_list else ''}-l {shlex.quote(words)}")
        else:
            line = without(line, "-l", soft=is_soft_list)
    return line


def field_named(fields: Sequence[FormField], text: str) -> FormField | None:
    """Return the field for some letters: an option, else start of a title, part of a title or help; None without."""
    text = text.strip().casefold()
    tests: tuple[Callable[[FormField], bool], ...] = (
        lambda field: field.key.casefold() in (text, f"-{text}", f"-l {text}"),
        lambda field: field.title.casefold().startswith(text),
        lambda field: text in field.title.casefold(),
        lambda field: text in field.help.casefold(),
    )
    return next((field for is_meant in tests for field in fields if text and is_meant(field)), None)


KEYS = "Enter edits a value, Del removes it, ~ makes a request soft, / finds a field. The line can be typed, too."

_WARNING = ("qsub", "qalter")
"""Clients that warn if an option is repeated."""


def verdict_lines(
    program: str, line: str, tries: str, objection: str | None, cells: int, *, begun: bool
) -> tuple[Line, ...]:
    """Return the client's objection, or that it accepts the line, or help to begin; `tries` names the trial key."""
    if objection is not None and begun:
        return wrap_lines(objection, cells, TextRole.ERROR, first="✗ ", rest="  ")
    keys = wrap(KEYS, cells, TextRole.DIM)
    if objection is not None:
        return (*wrap_lines(objection, cells), *keys)
    taken = (
        Span(f"{program} would accept it. ", TextRole.RUNNING),
        Span(f"{tries} tries it in a scheduling run", TextRole.DIM),
    )
    return (taken, *_warnings(program, line, cells), *keys)


def _warnings(program: str, line: str, cells: int) -> tuple[Line, ...]:
    """Return the warnings of the client about repeated options, with the effect."""
    if program not in _WARNING:
        return ()
    texts = (
        f"{option} is given more than once: {program} warns of it, and "
        + ("then holds nothing." if option == "-h" and program == "qsub" else "the last one counts.")
        for option in dict.fromkeys(overridden(line))
    )
    return tuple(row for text in texts for row in wrap(text, cells, TextRole.WARNING, first="! ", rest="  "))


def choice_lines(field: FormField, cells: int) -> tuple[Line, ...]:
    """Return the title and help of a field, and its choices."""
    lines = wrap(f"{field.title}: {field.help}", cells)
    if not field.choices:
        return lines
    return (
        *lines,
        *wrap("  ".join(field.choices), cells, TextRole.ACCENT),
        (Span("Tab completes a name", TextRole.DIM),),
    )


def completed(field: FormField, text: str) -> str:
    """Return the text with its last name extended to the common prefix of all choices that begin with it."""
    lead, comma, last = text.rpartition(",")
    fitting = [choice for choice in field.choices if choice.startswith(last)]
    if not fitting:
        return text
    common = fitting[0]
    while not all(choice.startswith(common) for choice in fitting):
        common = common[:-1]
    return f"{lead}{comma}{common}"
