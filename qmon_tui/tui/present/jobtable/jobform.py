"""The options of a new job as rows of a form: what the line of qsub says, typed, with what may be chosen."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from qmon_tui.formats.qsub import ParsedQsub, parse_qsub
from qmon_tui.formats.qsub_alter import altered, with_command, without
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.present.jobtable.columns import environment
from qmon_tui.tui.present.spans import Idea, Line, Span, fit, left


class Input(StrEnum):
    """How a value is given."""

    TEXT = "text"
    CHOICE = "choice"
    """One of a few; Enter goes through them."""
    PICK = "pick"
    """One of many, or typed."""


@dataclass(frozen=True, slots=True)
class FormField:
    """One row: an option of qsub, or a resource to ask for with -l."""

    key: str
    """The option, or `-l NAME`."""
    title: str
    help: str
    input: Input = Input.TEXT
    choices: tuple[str, ...] = ()


def quoted(text: str) -> str:
    """A word for the line of qsub."""
    import shlex

    return shlex.quote(text)


def form_fields(cluster: Cluster) -> tuple[FormField, ...]:
    """The options, then every attribute that can be requested, with what this cluster offers to choose."""

    def names(kind: Kind) -> tuple[str, ...]:
        return tuple(cluster.objects(kind))

    options = (
        FormField("command", "command", "what is run, with its arguments; a simulated job runs so many seconds"),
        FormField("-N", "name", "the name of the job"),
        FormField("-P", "project", "the project that it belongs to", Input.PICK, names(Kind.PROJECT)),
        FormField("-q", "queue", "cluster queues or instances that it may use", Input.PICK, names(Kind.QUEUE)),
        FormField("-pe", "parallel env.", "parallel environment and slots: mpi 4-8", Input.PICK, names(Kind.PE)),
        FormField("-t", "tasks", "an array of tasks: 1-10 or 1-9:2"),
        FormField("-tc", "at once", "how many tasks may run at the same time"),
        FormField("-p", "priority", "-1023 to 1024; users may not go above 0"),
        FormField("-hold_jid", "waits for", "numbers or names of jobs that must end first"),
        FormField("-h", "hold", "u user, o operator, s system", Input.CHOICE, ("", "u", "o", "s")),
        FormField("-R", "reserve", "have a reservation made", Input.CHOICE, ("", "y")),
        FormField("-r", "rerun", "may be run again", Input.CHOICE, ("", "y", "n")),
        FormField("-a", "not before", "a date CCYYMMDDhhmm.SS"),
        FormField("-dl", "deadline", "a date CCYYMMDDhhmm.SS; for deadline users only"),
        FormField("-ckpt", "checkpointing", "a checkpointing environment", Input.PICK, names(Kind.CKPT)),
        FormField("-A", "account", "a word for the accounting"),
        FormField("-js", "job share", "its part of its owner's functional tickets"),
    )
    return (*options, *_resources(cluster))


def _resources(cluster: Cluster) -> tuple[FormField, ...]:
    """The complexes that can be requested; FORCED ones first, since some queues demand them."""
    found = [obj for obj in cluster.objects(Kind.COMPLEX).values() if obj.text("requestable") != "NO"]
    found.sort(key=lambda obj: obj.text("requestable") != "FORCED")
    return tuple(_resource(obj) for obj in found if obj.name != "slots")


def _resource(obj: ConfigObject) -> FormField:
    is_bool = obj.text("type") == "BOOL"
    default = obj.text("default")
    words = (
        obj.text("type"),
        obj.text("relop"),
        _nature(obj.text("consumable")),
        "forced" if obj.text("requestable") == "FORCED" else "",
        "" if default in ("0", "NONE") else f"default {default}",
    )
    choices = ("", "TRUE", "FALSE") if is_bool else ()
    return FormField(f"-l {obj.name}", obj.name, " ".join(filter(None, words)), Input.CHOICE if is_bool else Input.TEXT,
                     choices)  # fmt: skip


def _nature(consumable: str) -> str:
    return {"YES": "per slot", "JOB": "per job", "HOST": "per host"}.get(consumable, "")


_READ: Final[dict[str, Callable[[ParsedQsub], str]]] = {
    "command": lambda parsed: " ".join(map(quoted, parsed.request.command)),
    "-P": lambda parsed: parsed.request.project or "",
    "-q": lambda parsed: ",".join(parsed.request.hard_queues),
    "-pe": lambda parsed: environment(parsed.request),
    "-t": lambda parsed: _array(parsed),
    "-tc": lambda parsed: str(parsed.request.max_running_tasks or ""),
    "-p": lambda parsed: str(parsed.request.priority or ""),
    "-hold_jid": lambda parsed: ",".join(parsed.request.hold_jid),
    "-h": lambda parsed: parsed.request.hold,
    "-R": lambda parsed: "y" if parsed.request.reserve else "",
    "-r": lambda parsed: parsed.request.rerun,
    "-a": lambda parsed: _date(parsed.request.start_time),
    "-dl": lambda parsed: _date(parsed.request.deadline),
    "-ckpt": lambda parsed: parsed.request.checkpoint or "",
    "-A": lambda parsed: parsed.request.account or "",
    "-js": lambda parsed: str(parsed.request.job_share or ""),
}


def _array(parsed: ParsedQsub) -> str:
    array = parsed.request.array
    if array is None:
        return ""
    return f"{array.first}-{array.last}" + (f":{array.step}" if array.step != 1 else "")


def _date(seconds: int | None) -> str:
    from qmon_tui.values.times import format_qsub_date

    return "" if seconds is None else format_qsub_date(seconds)


def value_of(line: str, key: str) -> str:
    """What a line says for a field; empty where it says nothing."""
    parsed = parse_qsub(line)
    if key.startswith("-l "):
        name = key.removeprefix("-l ")
        for one, text in (*parsed.request.hard, *parsed.request.soft):
            if one == name:
                return "TRUE" if text is None else text
        return ""
    if key == "-N":
        return parsed.name if "-N" in line.split() else ""
    return _READ[key](parsed)


def is_soft(line: str, key: str) -> bool:
    """Tell whether a resource is asked for softly."""
    parsed = parse_qsub(line)
    name = key.removeprefix("-l ")
    return name in dict(parsed.request.soft) and name not in dict(parsed.request.hard)


def with_value(line: str, key: str, text: str, *, soft: bool | None = None) -> str:
    """The line with another value of a field; empty takes it out. Everything else stays as it was typed."""
    text = text.strip()
    if key == "command":
        return with_command(line, text)
    if key.startswith("-l "):
        return _with_resource(line, key.removeprefix("-l "), text, is_soft(line, key) if soft is None else soft)
    if not text:
        return without(line, key)
    if key == "-pe":
        name, _, slots = text.partition(" ")
        return altered(line, f"-pe {quoted(name)} {slots.strip() or '1'}")
    return altered(line, f"{key} {quoted(text)}")


def _with_resource(line: str, name: str, text: str, soft: bool) -> str:
    request = parse_qsub(line).request
    for is_soft_list, pairs in ((False, request.hard), (True, request.soft)):
        kept = [(one, value) for one, value in pairs if one != name]
        if text and is_soft_list is soft:
            place = next((index for index, (one, _) in enumerate(pairs) if one == name), len(kept))
            kept.insert(place, (name, text))
        if list(pairs) == kept:
            continue
        words = ",".join(one if value is None else f"{one}={value}" for one, value in kept)
        if words:
            line = altered(line, f"{'-soft ' if is_soft_list else ''}-l {quoted(words)}")
        else:
            line = without(line, "-l", soft=is_soft_list)
    return line


class FormRows:
    """The fields as rows of a table: title, value, help."""

    def __init__(self, fields: Sequence[FormField], line: str) -> None:
        self.fields = fields
        self._line = line
        self._values = [value_of(line, field.key) for field in fields]
        self._at = {field.key: index for index, field in enumerate(fields)}

    def __len__(self) -> int:
        return len(self.fields)

    def key(self, index: int) -> Hashable:
        """The option."""
        return self.fields[index].key

    def find(self, key: Hashable) -> int | None:
        """Its place."""
        return self._at.get(str(key))

    def head(self, cells: int) -> Line | None:
        """No titles."""

    def line(self, index: int, cells: int) -> Line:
        """Title, value, and what it is."""
        field, value = self.fields[index], self._values[index]
        soft = value and field.key.startswith("-l ") and is_soft(self._line, field.key)
        room = max(12, min(34, cells // 3))
        return fit(
            (
                Span(left(field.title, 16), Idea.STRONG if value else Idea.PLAIN),
                Span(" "),
                Span(left(("~ " if soft else "") + (value or "·"), room), Idea.CHANGED if value else Idea.DIM),
                Span(f" {field.help}", Idea.DIM),
            ),
            cells,
        )

    def text(self, index: int) -> str:
        """Title, value and help."""
        return f"{self.fields[index].title} {self._values[index]} {self.fields[index].help}"
