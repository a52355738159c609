"""Plans for a running cluster: their commands, what they affect, and the result of each command."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from qmon_tui.model import Kind
from qmon_tui.report.spans import Line, Span, TextRole, visible, width, wrap
from qmon_tui.report.unsaved_changes import change_lines, summary_of
from qmon_tui.report.words import count, day_and_time, moment
from qmon_tui.values import format_ranges
from qmon_tui.workspace import Conflict, JobKey, differences, object_words

if TYPE_CHECKING:  # not imported at run time: only running clusters have plans
    from qmon_tui.applying import Applied, Changed, Effects, Plan, Record, Step, Written

_INDENT: Final = 6
"""Indent of the changes below a command, in cells."""
_MOST: Final = 6
"""Number of jobs, users or queue instances that are named; the others are counted."""


def plan_summary(plan: "Plan") -> str:
    """Return the plan in one line: changes, number of commands, target."""
    changes = summary_of(differences(plan.base, plan.wanted)) or "no object changes"
    refused = f", {len(plan.refusals)} refused" if plan.refusals else ""
    where = f"{plan.target.location.rstrip(':')} ({plan.target.version})"
    return f"{changes}; {count(len(plan.steps), 'command')}{refused} for {where}"


def plan_lines(plan: "Plan", effects: "Effects | None", cells: int) -> tuple[Line, ...]:
    """Return summary, refusals, commands in order, and effects; `effects` None leaves these out."""
    return tuple(_plan(plan, effects, cells))


def _plan(plan: "Plan", effects: "Effects | None", cells: int) -> Iterator[Line]:
    yield from wrap(visible(plan_summary(plan)), cells, TextRole.STRONG)
    for refusal in plan.refusals:
        yield from _command(Span("✗ ", TextRole.ERROR), refusal.line, TextRole.ERROR, cells)
        for message in refusal.messages:
            yield from wrap(visible(message), cells, TextRole.ERROR, first="  the qmaster would refuse it: ", rest="  ")
    if plan.steps:
        yield ()
    for number, step in enumerate(plan.steps, start=1):
        yield from _step(number, step, cells)
    if effects is not None:
        yield ()
        for role, text in effect_sentences(effects):
            yield from wrap(visible(text), cells, role)


def _step(number: int, step: "Step", cells: int) -> Iterator[Line]:
    """Yield the command line and, if it reads a file, the difference that the file makes."""
    yield from _command(Span(f"{number:>3} ", TextRole.DIM), step.line, TextRole.PLAIN, cells)
    blanks = Span(" " * _INDENT)
    if any(call.text is not None for call in step.calls):
        changes = differences(step.before, step.after)
        yield from ((blanks, *row) for row in change_lines(changes, cells - _INDENT, is_edited=False))
    if step.is_whole:
        words = "a whole object: what others change in it meanwhile is lost"
        yield (blanks, Span(words, TextRole.WARNING))


def _command(lead: Span, text: str, role: TextRole, cells: int) -> tuple[Line, ...]:
    """Return a command, wrapped and never cut, as the user confirms it."""
    blanks = Span(" " * len(lead.text))
    rows = wrap(visible(text), cells - len(lead.text), role, rest="    ")
    return tuple((blanks if number else lead, *row) for number, row in enumerate(rows))


def effect_sentences(effects: "Effects") -> Iterator[tuple[TextRole, str]]:
    """Yield (role, sentence) for each effect of a plan."""
    if effects.instances:
        number = count(len(effects.instances), "queue instance")
        yield TextRole.PLAIN, f"It concerns {number}: {_first_names(effects.instances)}."
    if effects.running:
        yield TextRole.RUNNING, f"{_jobs(effects.running)} run there, of {_first_names(effects.users)}."
    old, new = effects.slots
    if old != new:
        yield TextRole.CHANGED, f"Slots of the cluster: {old} → {new}."
    if effects.quotas:
        yield TextRole.PLAIN, f"Quota sets: {_first_names(effects.quotas)}."
    until = f" (simulated until {day_and_time(effects.reached)})"
    moves: tuple[tuple[TextRole, Collection[JobKey], str], ...] = (
        (TextRole.MOVED_UP, effects.starts, "The next run starts, and would not without it"),
        (TextRole.MOVED_DOWN, effects.waits, "The next run no longer starts"),
        (TextRole.MOVED, effects.elsewhere, "The next run starts elsewhere"),
        (TextRole.MOVED_UP, effects.earlier, f"Earlier{until}"),
        (TextRole.MOVED_DOWN, effects.later, f"Later{until}"),
        (TextRole.MOVED_UP, effects.at_all, f"They start, and would not without it{until}"),
        (TextRole.ERROR, effects.never, f"They no longer start at all{until}"),
    )
    for role, keys, words in moves:
        if keys:
            by = f", {_longest(keys)}" if isinstance(keys, Mapping) else ""
            yield role, f"{words}: {_jobs(keys)}{by}."
    if not any(keys for _, keys, _ in moves):
        yield TextRole.DIM, "No pending job starts earlier, later or elsewhere by it."


def _longest(times: Mapping[JobKey, int]) -> str:
    seconds = max(times.values())
    hours, minutes = divmod(round(seconds / 60), 60)
    words = f"{hours} h {minutes:02}" if hours else f"{minutes} min" if minutes else f"{seconds} s"
    return f"by {words}" if len(times) == 1 else f"by up to {words}"


def _jobs(keys: Iterable[JobKey]) -> str:
    """Return number and names of the tasks' jobs, at most `_MOST` named: `3 jobs (506, 510.1-4, 511)`."""
    tasks: dict[int, list[int]] = {}
    for job, task in keys:
        tasks.setdefault(job, []).append(task)
    named = [f"{job}" if numbers == [1] else f"{job}.{format_ranges(numbers)}" for job, numbers in tasks.items()]
    return f"{count(len(tasks), 'job')} ({_first_names(named)})"


def _first_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(names[:_MOST]) + more


def plan_json(plan: "Plan", effects: "Effects | None") -> dict[str, object]:
    """Return a plan as JSON data."""
    return {
        "target": asdict(plan.target),
        "source": plan.source,
        "summary": plan_summary(plan),
        "commands": [
            {
                "line": step.line, "files": [call.text for call in step.calls if call.text is not None],
                "objects": [{"kind": kind.value, "name": name} for kind, name in step.keys], "whole": step.is_whole,
            }
            for step in plan.steps
        ],
        "refused": [{"line": refusal.line, "messages": list(refusal.messages)} for refusal in plan.refusals],
        "effects": None if effects is None else {
            "queue_instances": list(effects.instances), "running": _keys(effects.running), "users": list(effects.users),
            "slots": {"before": effects.slots[0], "after": effects.slots[1]}, "quotas": list(effects.quotas),
            "next_run": {name: _keys(getattr(effects, name)) for name in ("starts", "waits", "elsewhere")},
            "simulated_until": effects.reached, "earlier": _seconds(effects.earlier), "later": _seconds(effects.later),
            "at_all": _keys(effects.at_all), "never": _keys(effects.never),
        },
    }  # fmt: skip


def _keys(keys: Iterable[JobKey]) -> list[dict[str, int]]:
    return [{"job": job, "task": task} for job, task in keys]


def _seconds(times: Mapping[JobKey, int]) -> list[dict[str, int]]:
    return [{"job": job, "task": task, "seconds": seconds} for (job, task), seconds in times.items()]


# Results ----------------------------------------------------------------------------------------------------------


def written_lines(number: int, written: "Written", cells: int) -> tuple[Line, ...]:
    """Return a command with its verdict, and the qmaster's answer if it failed."""
    sign, role = ("✓", TextRole.RUNNING) if written.verdict.is_well else ("✗", TextRole.ERROR)
    lines = _numbered(sign, number, written.line, written.verdict, role, cells)
    if not written.verdict.is_well:
        for text in written.answer or ("it answered nothing",):
            lines += wrap(visible(text), cells, TextRole.ERROR, first="      ", rest="      ")
    return tuple(lines)


def _numbered(sign: str, number: int, text: str, words: str, role: TextRole, cells: int) -> list[Line]:
    *lines, last = _command(Span(f"{sign} {number:>3} ", role), text, TextRole.PLAIN, cells)
    end = Span(f"   {words}", role)
    return [*lines, (*last, end)] if width((*last, end)) <= cells else [*lines, last, (Span("      "), end)]


def applied_lines(applied: "Applied", cells: int, *, with_tried: bool = True) -> tuple[Line, ...]:
    """Return commands done and not tried, changes by others, and the summary; `with_tried` False omits those done."""
    lines: list[Line] = []
    for number, written in enumerate(applied.written if with_tried else (), start=1):
        lines += written_lines(number, written, cells)
    left = applied.plan.steps[len(applied.written) :] if not applied.changed else ()
    for number, step in enumerate(left, start=len(applied.written) + 1):
        lines += _numbered("·", number, step.line, "not tried", TextRole.DIM, cells)
    for entry in applied.changed:
        lines += changed_lines(entry, cells)
    lines += wrap(f"{applied.words}.", cells, TextRole.STRONG)
    return tuple(lines)


def changed_lines(entry: "Changed", cells: int) -> tuple[Line, ...]:
    """Return the changes of an object since the plan was made, and the changes by the plan."""
    kind, name = entry.key
    title = object_words(kind, name) if kind is not Kind.COMPLEX else "the complexes"
    lines = list(wrap(visible(f"{title} has changed since the plan was made"), cells, TextRole.WARNING))
    lines.append((Span("  somebody's change:", TextRole.DIM),))
    lines += change_lines(differences(entry.base, entry.now), cells, is_edited=False)
    lines.append((Span("  the plan's change:", TextRole.DIM),))
    lines += change_lines(differences(entry.base, entry.wanted), cells, is_edited=False)
    return tuple(lines)


def clash_lines(clashes: Iterable[Conflict], cells: int) -> tuple[Line, ...]:
    """Return the places that a merge or a take-back leaves alone, with their three versions."""
    lines: list[Line] = []
    for clash in clashes:
        texts = [
            text if isinstance(text, str) else "not there" if text is None else "there"
            for text in (clash.base, clash.mine, clash.theirs)
        ]
        versions = "was {}, wanted {}, is now {}".format(*texts)
        lines += wrap(visible(f"left alone: {clash.label} ({versions})"), cells, TextRole.WARNING)
    return tuple(lines)


def record_line(record: "Record") -> str:
    """Return an apply in one line: name, time, source, target, and how it ended."""
    end = record.end or ("is running" if record.is_running else f"was interrupted after {len(record.results)} commands")
    where = f"{record.plan.source}, {record.plan.target.location.rstrip(':')}"
    return f"{record.name}  {moment(record.began)}  {where}: {end}"


def apply_words(record: "Record") -> str:
    """Return a sentence about the apply that a plan finishes or takes back."""
    end = record.end or f"interrupted after {len(record.results)} commands"
    return f"The apply of {moment(record.began)} by {record.plan.source} ({record.name}): {end}."


def interrupted_words(record: "Record") -> str:
    """Return a sentence about an apply whose program was killed, with both ways to deal with it."""
    total = len(record.plan.steps)
    begun = "" if record.begun is None else f"; number {record.begun + 1} had begun"
    return (
        f"an apply of {moment(record.began)} was interrupted: {len(record.results)} of {total} commands done{begun}."
        f" Finish it with qmon-tui apply --finish {record.name}, or take it back with --back {record.name}"
    )


def applied_json(applied: "Applied") -> dict[str, object]:
    """Return the result of an apply as JSON data."""
    tried = [
        {"line": written.line, "verdict": written.verdict.value, "answer": list(written.answer), "log": written.log}
        for written in applied.written
    ]
    return {
        "done": applied.is_whole,
        "summary": applied.words,
        "commands": tried,
        "not_tried": [step.line for step in applied.plan.steps[len(tried) :]] if not applied.changed else [],
        "changed_meanwhile": [{"kind": entry.key[0].value, "name": entry.key[1]} for entry in applied.changed],
        "record": applied.record,
    }
