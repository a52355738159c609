"""Parsing of commands from their command lines."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from qmon_tui.formats import parse_qsub
from qmon_tui.model import Cluster, Kind
from qmon_tui.model.catalogue.qconf_options import QCONF
from qmon_tui.qmaster.commands.command import Command, Target
from qmon_tui.qmaster.commands.job_commands import Qalter, Qdel, Qhold, QmodJobs, Qrls
from qmon_tui.qmaster.commands.modify import JobCommand
from qmon_tui.qmaster.commands.qconf import NAME_LISTS, QconfAccess, QconfDelete, QconfListName
from qmon_tui.qmaster.commands.qconf_attribute import OPTIONS, PURGE, QconfAttribute
from qmon_tui.qmaster.commands.qmod_queues import InstanceCommand, instances_named
from qmon_tui.qmaster.commands.queue_commands import QmodQueues, QmodReschedule, Qrdel, Qrsub
from qmon_tui.qmaster.commands.share_nodes import DELETE_NODE, NODE_OPTIONS, QconfNodes
from qmon_tui.values import parse_ranges, range_numbers, whole_number

_KINDS: Final = {options.attribute: kind for kind, options in QCONF.items() if options.attribute is not None}
_DELETED: Final = {
    options.delete: kind for kind, options in QCONF.items() if options.delete is not None and kind not in NAME_LISTS
}
_LISTED: Final = {
    **{QCONF[kind].add_file: (kind, True) for kind in NAME_LISTS},
    **{QCONF[kind].delete: (kind, False) for kind in NAME_LISTS},
}
"""Option -> (list of names, True if it adds)."""


def read_command(cluster: Cluster, line: str, owner: str = "") -> Command | None:
    """Parse a command line; None if it is no supported command. `owner`: the user who types it.

    Names of queue instances may be patterns, which the cluster resolves. qsub is not parsed: its job depends on the
    state, see `new_job`.
    """
    try:
        program, *words = shlex.split(line)
    except ValueError:
        return None
    if "&&" in words:
        return _joined([read_command(cluster, part, owner) for part in _parts((program, *words))])
    read = _PROGRAMS.get(program)
    if program == "qrsub":
        return Qrsub(owner, line.strip().removeprefix("qrsub").strip())
    return read(cluster, words) if read is not None and words else None


def _qdel(_: Cluster, words: list[str]) -> Command | None:
    force = "-f" in words
    words = [word for word in words if word != "-f"]
    if "-t" in words:
        place = words.index("-t")
        if place != 1 or len(words) != 3:
            return None
        words = [f"{words[0]}.{words[2]}"]
    targets = _targets(words)
    return Qdel(targets, force) if targets else None


def _qalter(_: Cluster, words: list[str]) -> Command | None:
    names = _last_targets(words)
    targets = _targets(names)
    options = words[: len(words) - len(names)]
    of_tasks = any(target.tasks is not None for target in targets)
    return Qalter(targets, shlex.join(options), of_tasks) if targets and options else None


def _holding(make: Callable[[tuple[Target, ...], str], Command]) -> Callable[[Cluster, list[str]], Command | None]:
    def read(_: Cluster, words: list[str]) -> Command | None:
        letters = "u"
        if words[0] == "-h" and len(words) > 2:
            letters, words = words[1], words[2:]
        targets = _targets(words)
        return make(targets, letters) if targets else None

    return read


def _qmod(cluster: Cluster, words: list[str]) -> Command | None:
    option, *names = words
    if option == "-f" and names:
        option, *names = f"-f {names[0]}", *names[1:]
    if option in _EITHER and names:
        option += "j" if all(read_target(name) is not None for name in names) else "q"
    if option in list(JobCommand):  # qmod takes job numbers joined by commas as one name
        targets = () if any("," in name for name in names) else _targets(names)
        return QmodJobs(targets, JobCommand(option)) if targets else None
    names = [name for word in names for name in word.split(",") if name]
    # Names that are no queue instances are reported among the others.
    unknown = frozenset(name for name in names if not instances_named(cluster, name))
    instances = tuple(instance for name in names for instance in instances_named(cluster, name) or (name,))
    if len(unknown) == len(set(names)):
        return None
    if option in ("-rq", "-f -rq"):
        there = tuple(name for name in instances if name not in unknown)
        return QmodReschedule(there, force=option != "-rq")
    if option not in list(InstanceCommand):
        return None
    return QmodQueues(InstanceCommand(option), instances, unknown=unknown)


_EITHER: Final = ("-s", "-us", "-c", "-r", "-f -r")
"""Options that take jobs or queues."""


def _qrdel(_: Cluster, words: list[str]) -> Command | None:
    force = words[0] == "-f"
    numbers = [whole_number(word) for word in (words[1:] if force else words)]
    given = tuple(number for number in numbers if number is not None)
    return Qrdel(given, force) if given and len(given) == len(numbers) else None


def _qconf(_: Cluster, words: list[str]) -> Command | None:
    option, *rest = words
    if option in OPTIONS and len(rest) > 3 and rest[0] in _KINDS:
        attribute, field, value, name, *others = rest
        return QconfAttribute(_KINDS[attribute], name, field, value, option, tuple(others))
    if option == PURGE and len(rest) > 2 and rest[0] in _KINDS:
        attribute, field, name, *others = rest
        return QconfAttribute(_KINDS[attribute], name, field, "", option, tuple(others))
    if option in _LISTED and len(rest) == 1:
        kind_of_list, adds = _LISTED[option]
        return QconfListName(kind_of_list, rest[0], adds)
    if option in ("-au", "-du") and len(rest) == 2:
        users, lists = (tuple(filter(None, word.split(","))) for word in rest)
        return QconfAccess(users, lists, option == "-au") if users and lists else None
    if option in NODE_OPTIONS and len(rest) == 1:
        nodes = tuple(_node(word, removes=option == DELETE_NODE) for word in rest[0].split(","))
        return QconfNodes(option, nodes) if all(path for path, _ in nodes) else None
    kind = _DELETED.get(option)
    if kind is None or len(rest) > 1 or (QCONF[kind].is_named and not rest):
        return None
    return QconfDelete(kind, rest[0] if rest else _ONLY.get(kind, ""))


def _node(word: str, *, removes: bool) -> tuple[str, int | None]:
    """Return the path and shares of a node of the share tree; an empty path if the text is no such node."""
    path, equals, shares = word.partition("=")
    number = whole_number(shares) if equals else None
    is_read = path.startswith("/") and (not equals if removes else number is not None)
    return path if is_read else "", number


_ONLY: Final[Mapping[Kind, str]] = {Kind.SHARETREE: "sharetree"}
"""Names of single objects."""
_PROGRAMS: Final[Mapping[str, Callable[[Cluster, list[str]], Command | None]]] = {
    "qdel": _qdel,
    "qalter": _qalter,
    "qhold": _holding(Qhold),
    "qrls": _holding(Qrls),
    "qmod": _qmod,
    "qrdel": _qrdel,
    "qconf": _qconf,
}


def read_target(word: str) -> Target | None:
    """Parse a job, or tasks of it: `17`, `17.2-5`; None if it is neither."""
    text, dot, tasks = word.partition(".")
    number = whole_number(text)
    if number is None:
        return None
    try:
        return Target(number, tuple(range_numbers(parse_ranges(tasks))) if dot else None)
    except ValueError:
        return None


def _targets(words: list[str]) -> tuple[Target, ...]:
    targets = [read_target(part) for word in words for part in (word.split(",") if _is_list(word) else [word])]
    return () if None in targets else tuple(target for target in targets if target is not None)


def _is_list(word: str) -> bool:
    """True if a word names several jobs; `17.2-5,8` names tasks of one job."""
    return "." not in word and all(word.split(","))


def _last_targets(words: list[str]) -> list[str]:
    """Return the job numbers at the end of a line of qalter: as many as leave valid options."""
    count = 0
    while count < len(words) and _targets([words[-count - 1]]):
        count += 1
    while count > 1 and parse_qsub(shlex.join(words[: len(words) - count])).problems:
        count -= 1
    return words[len(words) - count :]


def _parts(words: Sequence[str]) -> Iterator[str]:
    """Yield the lines joined by `&&`."""
    part: list[str] = []
    for word in (*words, "&&"):
        if word == "&&":
            yield shlex.join(part)
            part = []
        else:
            part.append(word)


def _joined(parts: list[Command | None]) -> Command | None:
    """Return several lines of qdel as one command, since each takes tasks of one job only."""
    deletions = [part for part in parts if isinstance(part, Qdel)]
    forces = {deletion.force for deletion in deletions}
    if len(deletions) < len(parts) or len(forces) != 1:
        return None
    return Qdel(tuple(target for deletion in deletions for target in deletion.targets), forces.pop())
