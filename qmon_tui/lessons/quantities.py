"""Quantities that lessons can ask for, by name: functions of a situation and the quantity's options.

A value is a number, a text, True or False, or a tuple of names.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from qmon_tui.formats.state import entry
from qmon_tui.lessons.changes import others, path_words
from qmon_tui.lessons.data import LessonError, quoted
from qmon_tui.lessons.edits import KINDS, STATE_KINDS, command_of, split_path
from qmon_tui.lessons.lesson import AnswerKind, CommandLine, Quantity
from qmon_tui.lessons.situation import Day, Situation
from qmon_tui.model import InstanceOutcome, JobOutcome, Kind, StateKind, TaskOutcome, config_object
from qmon_tui.model.catalogue import spec
from qmon_tui.simulation import TaskRecord, Unit, measure_title, measures, unit_of
from qmon_tui.values import decimal_number, meant, whole_number

Value = float | str | bool | tuple[str, ...]
NOWHERE: Final = "nowhere"
NONE: Final = "none"
_LONGEST_WORDS: Final = 120
COLUMNS: Final = (
    *("prior", "nurg", "npprior", "ntckts", "ppri", "urg", "rrcontr", "wtcontr", "dlcontr"),
    *("tckts", "ovrts", "otckt", "ftckt", "stckt", "share", "slots"),
)
"""Columns of qstat that are numbers."""
_TASK_COLUMNS: Final = frozenset({"prior", "ntckts", "tckts", "otckt", "ftckt", "stckt", "share"})
_NODE: Final = ("target", "level", "total", "long_term", "actual", "usage", "shares", "jobs", "running")


@dataclass(frozen=True, slots=True)
class Known:
    """The definition of one quantity: function, options, and its name in sentences."""

    value: Callable[[Situation, Quantity], Value]
    kind: AnswerKind
    words: str
    """Beginning of a sentence with `{0}` for the argument and the keys of `words_of` for the options."""
    options: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    """Allowed arguments; empty for any."""
    many: bool = False
    """True if the argument is a list."""


def value_of(situation: Situation, quantity: Quantity) -> Value:
    """Compute a quantity. Raises LessonError if that is impossible, such as for a missing job."""
    try:
        return QUANTITIES[quantity.name].value(situation, quantity)
    except LessonError as error:
        raise LessonError(error.message, error.line or quantity.line, error.hint) from None


def words_of(quantity: Quantity) -> str:
    """Return the quantity as the beginning of a sentence: `prior of jobC1`."""
    options = {name: "" for name in ("job", "shows", "for", "owner", "attribute", "of")} | dict(quantity.options)
    of_job = f" of {options['job']}" if options["job"] else ""
    over = f" over {options['for']}" if options["for"] else ""
    owner = f" of {options['owner']}" if options["owner"] else ""
    of_word = f" for {options['of']}" if options["of"] else ""
    named: Iterable[str] = quantity.argument
    if quantity.name == "changes_only":
        named = map(path_words, named)
    elif quantity.name == "day" and not of_job:
        named = map(measure_title, named)
    text = QUANTITIES[quantity.name].words.format(
        ", ".join(named), of_job=of_job, over=over, of_owner=owner, of_word=of_word, **options
    )
    return quoted(text, _LONGEST_WORDS)


def is_time(quantity: Quantity) -> bool:
    """True if the value is a number of seconds."""
    if quantity.name != "day":
        return False
    return (
        quantity.word in ("wait", "started", "ended")
        if "job" in quantity.options
        else (unit_of(quantity.word) is Unit.SECONDS)
    )


# A job in the run ---------------------------------------------------------------------------------------------------


def _task(situation: Situation, name: str) -> tuple[JobOutcome, TaskOutcome]:
    """Return a job and its named task (7.2), else its first waiting task, else its first. Raises LessonError."""
    job = situation.outcome_of(name)
    number = whole_number(name.rpartition(".")[2])
    if "." in name and number is not None:
        task = next((task for task in job.tasks if task.task == number), None)
        if task is None:
            raise LessonError(f"there is no task {quoted(name)}")
        return job, task
    if not job.tasks:
        raise LessonError(f"job {quoted(name)} has no task" + (f": {job.rejected}" if job.rejected else ""))
    return job, next((task for task in job.tasks if not task.granted), job.tasks[0])


def _tasks(situation: Situation, name: str) -> tuple[TaskOutcome, ...]:
    """Return all tasks of a job, or only the named one (7.2). Raises LessonError."""
    if "." in name and whole_number(name.rpartition(".")[2]) is not None and name.partition(".")[0]:
        return (_task(situation, name)[1],)
    return situation.outcome_of(name).tasks


def _column(situation: Situation, quantity: Quantity) -> Value:
    job, task = _task(situation, quantity.options["job"])
    column = quantity.word
    if column == "slots":
        return float(job.slots_of(task))
    return float(getattr(task if column in _TASK_COLUMNS else job, column))


def _pending(situation: Situation) -> list[JobOutcome]:
    """Return the pending jobs in the order in which the run tried them, including those that it started."""
    ranks = situation.explainer.ranks
    return sorted((job for job in situation.outcome.jobs if job.id in ranks), key=lambda job: ranks[job.id])


def _order(situation: Situation, quantity: Quantity) -> Value:
    wanted = {situation.job(name).id: name for name in quantity.argument}
    listed = tuple(wanted[job.id] for job in _pending(situation) if job.id in wanted)
    missing = [name for number, name in wanted.items() if name not in listed]
    if missing:
        raise LessonError(f"{missing[0]} is not in the list of pending jobs")
    return listed


def _first(situation: Situation, quantity: Quantity) -> Value:
    pending = _pending(situation)
    if quantity.word == "started":
        pending = [job for job in pending if any(task.state == "t" for task in job.tasks)]
    return situation.label(pending[0].id) if pending else NONE


def _starts(situation: Situation, quantity: Quantity) -> Value:
    ranks = situation.explainer.ranks
    job = situation.outcome_of(quantity.word)
    return job.id in ranks and any(task.state == "t" for task in _tasks(situation, quantity.word))


def _places(situation: Situation, quantity: Quantity) -> Value:
    tasks = _tasks(situation, quantity.word)
    held = (task.reserved if quantity.name == "reserved" else task.granted for task in tasks)
    return tuple(dict.fromkeys(name for places in held for name in places)) or (NOWHERE,)


def _reason(situation: Situation, quantity: Quantity) -> Value:
    job = situation.outcome_of(quantity.word)
    return job.rejected or "\n".join((*job.reasons, *situation.outcome.messages)) or NONE


def _count(situation: Situation, quantity: Quantity) -> Value:
    owner = quantity.options.get("owner")
    tasks = [(job.id, task) for job in situation.outcome.jobs if owner in (None, job.owner) for task in job.tasks]
    if quantity.word == "started":
        ranks = situation.explainer.ranks
        return float(sum(task.state == "t" and number in ranks for number, task in tasks))
    if quantity.word == "pending":
        return float(sum("q" in task.state for _, task in tasks))
    return float(sum(bool(task.granted) for _, task in tasks))


# Places and policies ------------------------------------------------------------------------------------------------


def _instance(situation: Situation, quantity: Quantity) -> Value:
    name, shows = quantity.word, quantity.options["shows"]
    instance = next((known for known in situation.outcome.queue_instances if known.name == name), None)
    if instance is None:
        names = [instance.name for instance in situation.outcome.queue_instances]
        raise LessonError(f"there is no queue instance {quoted(name)}", hint=meant(name, names))
    if shows in ("used", "reserved", "total", "state"):
        return _number_or_text(getattr(instance, shows))
    return _number_or_text(_host_value(instance, shows))


def _host_value(instance: InstanceOutcome, shows: str) -> str:
    if shows not in instance.values:
        raise LessonError(f"{instance.name} has no value {quoted(shows)}", hint=meant(shows, instance.values))
    return instance.values[shows]


def _node(situation: Situation, quantity: Quantity) -> Value:
    shows = quantity.options["shows"]
    if shows not in _NODE:
        raise LessonError(
            f'a node has no "{quoted(shows)}"', hint=meant(shows, _NODE) or f"known are {', '.join(_NODE)}"
        )
    node = next((node for node in situation.outcome.sharetree if node.path == quantity.word), None)
    if node is None:
        paths = [node.path for node in situation.outcome.sharetree]
        hint = meant(quantity.word, paths) or (
            "there is no share tree" if not paths else f"nodes: {', '.join(paths[:9])}"
        )
        raise LessonError(f"there is no node {quoted(quantity.word)}", hint=hint)
    return float(getattr(node, shows))


def _quota(situation: Situation, quantity: Quantity) -> Value:
    options = quantity.options
    if options["shows"] not in ("used", "limit"):
        raise LessonError("a quota shows: used or shows: limit")
    for use in situation.outcome.quotas or ():
        if use.rule != quantity.word or options.get("attribute", use.attribute) != use.attribute:
            continue
        if "of" not in options or options["of"] in use.filter.replace(",", " ").split():
            return _number_or_text((use.limit if options["shows"] == "limit" else use.used) or NONE)
    if options["shows"] == "used":
        return 0.0  # qquota omits unused limits
    raise LessonError(f"qquota shows nothing of {quoted(quantity.word)}")


def _field(situation: Situation, quantity: Quantity) -> Value:
    key, name, field = split_path(quantity.word, quantity.line)
    if key in STATE_KINDS:
        kind_of_item = STATE_KINDS[key]
        name = str(situation.job(name).id) if kind_of_item is StateKind.JOB else name
        item = entry(situation.state, kind_of_item, name)
        return _number_or_text((item.given(field) if item is not None else None) or NONE)
    kind = KINDS[key]
    obj = situation.cluster.get(kind, name)
    if obj is None and not spec(kind).single and (kind, name) != (Kind.HOST, "global"):
        raise LessonError(f"there is no {kind.value} {quoted(name)}", hint=meant(name, situation.cluster.objects(kind)))
    return _number_or_text((obj or config_object(kind, name, {})).text(field))


def _accepts(situation: Situation, quantity: Quantity) -> Value:
    command = command_of(situation.place, _typed(quantity))
    return command.apply(situation.cluster, situation.state).changes(situation.state)


def _replies(situation: Situation, quantity: Quantity) -> Value:
    command = command_of(situation.place, _typed(quantity))
    return "\n".join(command.apply(situation.cluster, situation.state).messages) or NONE


def _typed(quantity: Quantity) -> CommandLine:
    return CommandLine(quantity.word, quantity.options.get("owner", "root"), quantity.line)


def _findings(situation: Situation, quantity: Quantity) -> Value:
    word = quantity.word
    return float(sum(word in ("all", finding.severity.value) for finding in situation.findings))


# A simulated day ----------------------------------------------------------------------------------------------------

_OF_RECORD: Final = ("wait", "started", "ended", "place", "restarts", "run_time")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


def seconds_of(text: str) -> int:
    """Return the number of seconds in a text such as 90m, 8h, 7d or 3600. Raises LessonError."""
    number, unit = (text[:-1], text[-1]) if text[-1:] in _SECONDS else (text, "s")
    count = whole_number(number, most=999_999_999)
    if count is None:
        raise LessonError(f'"{quoted(text)}" is no length of time', hint="write 90m, 8h or 7d")
    return count * _SECONDS[unit]


def _day(situation: Situation, quantity: Quantity) -> Value:
    length = quantity.options.get("for")
    day = situation.day(seconds_of(length) if length is not None else None)
    if "job" in quantity.options:
        return _value_of_task(situation, day, quantity)
    owner = quantity.options.get("owner")
    records = [record for record in day.records if owner in (None, record.owner)]
    value: Any = measures(records, day.start, day.end, day.slots)
    for part in quantity.word.split("."):
        if not isinstance(value, Mapping) or part not in value:
            names = list(value) if isinstance(value, Mapping) else []
            raise LessonError(
                f'there is no measure "{quoted(quantity.word)}"',
                hint=meant(part, names) or (f"known here are {', '.join(map(str, names))}" if names else ""),
            )
        value = value[part]
    if not isinstance(value, int | float):
        raise LessonError(f'"{quoted(quantity.word)}" is several measures', hint=f"one of {', '.join(value)}")
    return float(value)


def _value_of_task(situation: Situation, day: Day, quantity: Quantity) -> Value:
    name = quantity.options["job"]
    job, wanted = situation.job(name), quantity.word
    if wanted not in _OF_RECORD:
        raise LessonError(
            f'a job has no "{quoted(wanted)}" in a simulated day', hint=f"known are {', '.join(_OF_RECORD)}"
        )
    task = whole_number(name.rpartition(".")[2]) if "." in name else None
    records = (record for record in day.records if record.job == job.id)
    record = next((record for record in records if task is None or record.task == task), None)
    if record is None:
        raise LessonError(f"job {quoted(name)} does not come in the simulated day")
    return _record_value(record, wanted, day.start)


def _record_value(record: TaskRecord, wanted: str, start: int) -> Value:
    match wanted:
        case "place":
            return tuple(record.granted) or (NOWHERE,)
        case "started" | "ended":
            time = getattr(record, wanted)
            return NONE if time is None else float(time - start)
        case _:
            number = getattr(record, wanted)
            return NONE if number is None else float(number)


def _number_or_text(text: object) -> Value:
    """Return a number if the text is one, else the text."""
    if isinstance(text, int | float):
        return float(text)
    number = decimal_number(str(text))
    return str(text) if number is None else number


QUANTITIES: Final[Mapping[str, Known]] = {
    "column": Known(_column, AnswerKind.NUMBER, "{0}{of_job}", ("job",), ("job",), COLUMNS),
    "order": Known(_order, AnswerKind.ORDER, "the order of {0} in the pending list", many=True),
    "first": Known(_first, AnswerKind.TEXT, "the first {0} job", arguments=("pending", "started")),
    "starts": Known(_starts, AnswerKind.CHOICE, "{0} starts"),
    "runs": Known(lambda here, of: any(task.granted for task in _tasks(here, of.word)), AnswerKind.CHOICE, "{0} runs"),
    "waits": Known(
        lambda here, of: any("q" in task.state for task in _tasks(here, of.word)), AnswerKind.CHOICE, "{0} waits"
    ),
    "place": Known(_places, AnswerKind.PLACE, "the place of {0}"),
    "granted": Known(
        lambda here, of: float(sum(sum(task.granted.values()) for task in _tasks(here, of.word))),
        AnswerKind.NUMBER,
        "the number of slots that {0} has",
    ),
    "reserved": Known(_places, AnswerKind.PLACE, "the reservation of {0}"),
    "state": Known(lambda here, of: _task(here, of.word)[1].state, AnswerKind.TEXT, "the state of {0}"),
    "reason": Known(_reason, AnswerKind.TEXT, "the reason why {0} waits"),
    "count": Known(
        _count,
        AnswerKind.NUMBER,
        "the number of {0} tasks{of_owner}",
        ("owner",),
        arguments=("started", "pending", "running"),
    ),
    "instance": Known(_instance, AnswerKind.NUMBER, "{shows} of {0}", ("shows",), ("shows",)),
    "node": Known(_node, AnswerKind.NUMBER, "{shows} of the node {0}", ("shows",), ("shows",)),
    "quota": Known(
        _quota, AnswerKind.NUMBER, "{shows} of the quota rule {0}{of_word}", ("shows", "attribute", "of"), ("shows",)
    ),
    "field": Known(_field, AnswerKind.TEXT, "{0}"),
    "accepts": Known(_accepts, AnswerKind.CHOICE, "the qmaster accepts `{0}`", ("owner",)),
    "replies": Known(_replies, AnswerKind.TEXT, "the reply to `{0}`", ("owner",)),
    "findings": Known(
        _findings, AnswerKind.NUMBER, "the number of findings ({0})", arguments=("error", "warning", "info", "all")
    ),
    "changed_fields": Known(
        lambda here, _: float(len(here.changed)), AnswerKind.NUMBER, "the number of changed fields", arguments=("all",)
    ),
    "changes_only": Known(
        lambda here, of: not others(here.changes, of.argument),
        AnswerKind.CHOICE,
        "nothing else than {0} is changed",
        many=True,
    ),
    "day": Known(_day, AnswerKind.NUMBER, "{0}{of_job}{of_owner} in the simulated time{over}", ("for", "owner", "job")),
}
"""Key in a lesson (docs/teach.md) -> quantity."""
