"""The rows of the form of a job: every option of qsub that a job can have, then every attribute to request."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from qmon_tui.model import Cluster, ComplexEntry, Kind, complex_index


class Input(StrEnum):
    """How a value is given."""

    TEXT = "text"
    CHOICE = "choice"
    """One of a few; Enter goes through them."""
    PICK = "pick"
    """One of many, or typed."""
    FLAG = "flag"
    """Given or not given; Enter changes it."""


@dataclass(frozen=True, slots=True)
class FormField:
    """One row: an option of qsub, or a resource to ask for with -l."""

    key: str
    """The option, with `-soft` before it where it is that, or `-l NAME`."""
    title: str
    help: str
    input: Input = Input.TEXT
    choices: tuple[str, ...] = ()


FLAG_ON: Final = "yes"
_PATH: Final = "a path, with HOST: before it for one host"


def form_fields(cluster: Cluster, *, altering: bool = False) -> tuple[FormField, ...]:
    """The options, then every attribute that can be requested, with what this cluster offers to choose.

    Override tickets have a row only where a job is altered: qsub knows no -ot.
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
"""Options without a meaning for scheduling."""


def resource_fields(cluster: Cluster) -> tuple[FormField, ...]:
    """The complexes that can be requested; FORCED ones first, since some queues demand them."""
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
