"""Differences between two situations of a step as paths, and the facts among them, which students may not edit."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

from qmon_tui.formats import COMMAND, OPTIONS, changed_options, differing, same_text
from qmon_tui.formats.state import changed_entries
from qmon_tui.lessons.edits import KINDS, ClusterState, job_label
from qmon_tui.model import FINISHED, GONE, Job, StateEntry, StateKind, Task
from qmon_tui.model.catalogue import spec

NAME: Final = "-N"
HOLD: Final = "-h"
SUSPENDED: Final = "suspended"
TASKS: Final = "tasks"
_FACTS_OF_JOBS: Final = ("owner", "group", "submitted", "runtime", "runtimes", "project", "department")
_LEFT_BY_COMMANDS: Final = ("changed", "category_ar", "reservation_rejected")
"""Attributes of a job that commands set as side effects."""
FACTS: Final = (*_FACTS_OF_JOBS, *_LEFT_BY_COMMANDS, COMMAND, TASKS)
"""Last parts of those paths of jobs that are facts."""
ITEM_KEYS: Final = {
    StateKind.TIME: "now",
    StateKind.LOADS: "loads",
    StateKind.INSTANCE: "states",
    StateKind.USAGE: "usage",
    StateKind.RESERVATION: "reservations",
    StateKind.JOB: "jobs",
}
_LETTERS_OF_QMOD: Final = frozenset("ds")
"""States of queue instances that qmod sets and clears."""
_PLAIN: Final = Task("qw")
_WHOLE: Final = ("simulation", "pe_alg")
"""Keys of a folder's settings, besides the time and the dialect."""


UNLISTED: Final = frozenset((*ITEM_KEYS.values(), "dialect", *_WHOLE)) - {ITEM_KEYS[StateKind.JOB]}
"""Keys of paths that `known_paths` leaves out, since the items that they name need not exist yet."""


class Change(NamedTuple):
    """One difference, by its path such as `queues.all.q.slots` or `jobs.jobB4.-p`."""

    path: str
    item: str
    """The path that `changed_fields` counts: of a field, or of a whole job, host or queue instance of the state."""
    is_fact: bool = False
    """True if no command and no configuration sets it: a submission time, an owner, where a task runs."""
    by_number: str = ""
    """The path with the number of the job; empty for anything else."""

    def fits(self, pattern: str) -> bool:
        """Return True if a pattern (fnmatch) matches this path, or that of the object to which it belongs."""
        return any(
            fnmatchcase(path, whole)
            for path in (self.path, self.by_number)
            if path
            for whole in (pattern, f"{pattern}.*")
        )

    def is_named_by(self, pattern: str) -> bool:
        """Return True if a pattern fits and names the fact itself: `jobs.*.submitted`, not `jobs.*`."""
        key, _, rest = self.path.partition(".")
        if key == ITEM_KEYS[StateKind.JOB]:
            return self.fits(pattern) and pattern.rpartition(".")[2] == rest.rpartition(".")[2]
        return self.fits(pattern) and pattern.partition(".")[0] == key


def changes_between(before: ClusterState, after: ClusterState) -> tuple[Change, ...]:
    """Return every difference, the configuration first; side effects of commands only if there is nothing else."""
    changes = [*_configuration_changes(before, after)]
    side_effects: list[Change] = []
    for old, new in changed_entries(before.state, after.state):
        item = new or old
        # Skip records that the qmaster does not have, such as the reason for disabling: goals are not about them.
        if item is None or item.kind in (StateKind.NUMBER, StateKind.DRAIN, StateKind.EXCEPTION):
            continue
        if item.kind is StateKind.JOB:
            changes += _job_changes(before, after, old, new)
            continue
        left_over = item.kind is StateKind.INSTANCE and _letters(old) == _letters(new)
        (side_effects if left_over else changes).append(_item_change(item, old, new))
    if before.cluster.dialect != after.cluster.dialect:
        changes.append(Change("dialect", "dialect", is_fact=True))
    different = (word for word in _WHOLE if getattr(before.state, word) != getattr(after.state, word))
    changes += [Change(word, word, is_fact=True) for word in different]
    return tuple(changes or side_effects)


def others(changes: Iterable[Change], patterns: Iterable[str]) -> list[str]:
    """Return the paths that no pattern fits; a pattern for an object fits all of its fields."""
    allowed = tuple(patterns)
    return [change.path for change in changes if not any(change.fits(pattern) for pattern in allowed)]


def path_words(path: str) -> str:
    """Return what a path or a pattern of paths names: `-p of all jobs`, `slots of queue all.q`."""
    key, _, rest = path.partition(".")
    if key in KINDS:
        known = spec(KINDS[key])
        names = frozenset(known.by_name)
    elif key == ITEM_KEYS[StateKind.JOB]:
        names = frozenset((*OPTIONS, SUSPENDED, *FACTS))
    else:
        return f"{_OF_STATE.get(key, f'the {key}')} {rest}".rstrip()
    if key in KINDS and known.single:
        single = f"the {_NOUNS.get(key, known.title.lower())}"
        return single if rest in ("", "*") else f"{rest} of {single}"
    name, dot, field = rest.rpartition(".")
    if not dot or (field not in names and field != "*"):
        name, field = rest, ""
    noun = _NOUNS.get(key, "job" if key not in KINDS else KINDS[key].value)
    owner = f"all {key}" if name == "*" else f"{noun} {name}"
    return f"{field} of {owner}" if field not in ("", "*") else owner


_NOUNS: Final = {
    "pes": "parallel environment",
    "ckpts": "checkpointing environment",
    "quotas": "resource quota set",
    "scheduler": "scheduler configuration",
}
_OF_STATE: Final = {
    "now": "the time",
    "loads": "the load values of",
    "states": "the state of",
    "usage": "the usage of",
    "reservations": "advance reservation",
}


def _configuration_changes(before: ClusterState, after: ClusterState) -> Iterator[Change]:
    for kind, name in differing(before.cluster, after.cluster):
        known = spec(kind)
        old = before.cluster.single(kind) if known.single else before.cluster.get(kind, name)
        new = after.cluster.single(kind) if known.single else after.cluster.get(kind, name)
        lead = known.yaml_key if known.single else f"{known.yaml_key}.{name}"
        if old is None or new is None:
            yield Change(lead, lead)
            continue
        for field in dict.fromkeys((*old.values, *new.values)):
            if not same_text(old, new, field):
                yield Change(f"{lead}.{field}", f"{lead}.{field}")


def _item_change(item: StateEntry, old: StateEntry | None, new: StateEntry | None) -> Change:
    """Return the change of a queue instance, of load values, usage, a reservation or the time."""
    key = ITEM_KEYS[item.kind]
    path = key if item.kind is StateKind.TIME else f"{key}.{item.name}"
    is_fact = item.kind is not StateKind.RESERVATION or (old is not None and new is not None)
    if item.kind is StateKind.INSTANCE:
        had, has = _letters(old), _letters(new)
        is_fact = had == has or not (has - had <= _LETTERS_OF_QMOD and had - has <= _LETTERS_OF_QMOD | {"E"})
    return Change(path, path, is_fact)


def _letters(item: StateEntry | None) -> frozenset[str]:
    return frozenset((item.given("state") or "") if item is not None else "")


# Jobs ---------------------------------------------------------------------------------------------------------------


def _job_changes(
    before: ClusterState, after: ClusterState, old: StateEntry | None, new: StateEntry | None
) -> Iterator[Change]:
    was, now = _job(old), _job(new)
    job = was or now
    if job is None:
        return
    # A lesson knows a job by its name before the edits; a new job must not be taken for an old one of that name.
    taken = was is None and any(other.name == job.name for other in before.state.jobs)
    label = str(job.id) if taken else job_label(before.state if was is not None else after.state, job)
    lead, number = f"jobs.{label}", f"jobs.{job.id}"
    if was is None or now is None or (_has_ended(now) and not _has_ended(was)):
        is_made_up = was is None and not (job.is_untouched and job.submitted == int(after.state.now))
        yield Change(lead, lead, is_made_up, number)
        return
    if now.changed is not None and now.changed >= after.state.now:
        was = replace(was, **{word: getattr(now, word) for word in _LEFT_BY_COMMANDS})
    for word, is_fact in _attribute_changes(was, now):
        yield Change(f"{lead}.{word}", lead, is_fact, f"{number}.{word}")


def _job(item: StateEntry | None) -> Job | None:
    return item.item if item is not None and isinstance(item.item, Job) else None


def _has_ended(job: Job) -> bool:
    """Return True if all of its tasks have ended, as after qdel."""
    return all(task in job.tasks and job.tasks[task].state in (FINISHED, GONE) for task in job.task_ids)


def _attribute_changes(was: Job, now: Job) -> Iterator[tuple[str, bool]]:
    """Yield the options and attributes that differ, each once, and whether it is a fact."""
    differences: dict[str, bool] = {option: option == COMMAND for option in changed_options(was.qsub, now.qsub)}
    if was.name != now.name:
        differences.setdefault(NAME, False)
    differences |= {word: True for word in _FACTS_OF_JOBS if getattr(was, word) != getattr(now, word)}
    for number in dict.fromkeys((*was.tasks, *now.tasks)):
        word, is_fact = _task_change(was.tasks.get(number, _PLAIN), now.tasks.get(number, _PLAIN))
        if word:
            differences[word] = differences.get(word, False) or is_fact
    differences |= {word: True for word in _LEFT_BY_COMMANDS if getattr(was, word) != getattr(now, word)}
    if not differences and was.request != now.request:
        differences["qsub"] = True
    return iter(differences.items())


def _task_change(was: Task, now: Task) -> tuple[str, bool]:
    """Return the word for what differs (empty if nothing), and True if it is a fact that no command could cause."""
    if was == now:
        return "", False
    if replace(was, changed=None) == replace(now, changed=None):
        return TASKS, True
    if _without(was, "h") == _without(now, "h"):
        return HOLD, False
    if was.granted and _without(was, "rs") == _without(now, "rs"):
        return SUSPENDED, False
    is_sent_back = bool(was.granted) and "R" in now.state and "q" in now.state
    is_cleared = (
        "E" in was.state and replace(was, state=was.state.replace("E", ""), reason="", changed=now.changed) == now
    )
    return TASKS, not (now.state in (FINISHED, GONE) or is_sent_back or is_cleared)


def _without(task: Task, letters: str) -> Task:
    state = "".join(letter for letter in task.state if letter not in letters)
    return replace(task, state=state, hold="", changed=None, seen_suspended=False)


def known_paths(place: ClusterState) -> Iterator[Change]:
    """Yield every path that an edit of `place` can have, except those of `UNLISTED` and of added objects."""
    for key, kind in KINDS.items():
        known = spec(kind)
        names = [""] if known.single else list(place.cluster.objects(kind))
        for name in names:
            lead = f"{key}.{name}" if name else key
            yield Change(lead, lead)
            yield from (Change(f"{lead}.{field}", lead) for field in known.by_name)
    words = ("", *(f".{word}" for word in (*OPTIONS, SUSPENDED, *FACTS)))
    for job in place.state.jobs:
        label = job_label(place.state, job)
        yield from (Change(f"jobs.{label}{word}", "", by_number=f"jobs.{job.id}{word}") for word in words)
