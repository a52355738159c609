"""A comparison in words: a task, and how it stands under two policies."""

from qmon_tui.cli.text import count
from qmon_tui.simulation import TaskInRun, TaskReason
from qmon_tui.values import format_time


def task_words(job: int, task: int, name: str, owner: str) -> str:
    """A task in a sentence: `507 glacier of lena`."""
    return f"{job}{f'.{task}' if task != 1 else ''} {name} of {owner}"


def changed_words(changed: int) -> str:
    """How many tasks start at another time, of two days that part."""
    if not changed:
        return "every task starts at the same time, some at another place"
    return f"{count(changed, 'task starts', 'tasks start')} at another time"


def reason_words(reason: TaskReason, letter: str, *, names_task: bool = True) -> str:
    """How a task stands under both policies at one moment."""
    words = [
        f"{sign} {in_run_words(in_run)}" for sign, in_run in zip(("A:", f"{letter}:"), reason.in_runs, strict=True)
    ]
    head = (
        f"{task_words(reason.job, reason.task, reason.name, reason.owner)}"
        if names_task
        else f"at {format_time(reason.time)}"
    )
    elsewhere = " starts at another place" if names_task and reason.is_elsewhere else ""
    return f"{head}{elsewhere}; " + "; ".join(words)


def in_run_in_short(in_run: TaskInRun | None) -> str:
    """The place where a task starts, or what it waits for and who is ahead."""
    if in_run is None:
        return "it takes no part then"
    if in_run.starts_on:
        return f"starts on {in_run.starts_on[0]}"
    rank = f", place {in_run.rank} of {in_run.pending} in the list" if in_run.rank is not None else ""
    behind = f", {in_run.behind}" if in_run.behind else ""
    return f"waits{rank}{behind}" + (f"; {in_run.waits_for}" if in_run.waits_for else "")


def prior_words(in_run: TaskInRun) -> str:
    """The priority, term by term."""
    terms = " + ".join(f"{name} {value:.5f}" for name, value in in_run.terms)
    return f"prior {in_run.prior:.5f}" + (f" = {terms}" if terms else "")


def in_run_words(in_run: TaskInRun | None) -> str:
    """Priority term by term, and the place where it starts, or what it waits for."""
    if in_run is None:
        return "it takes no part"
    terms = " + ".join(f"{name} {value:.5f}" for name, value in in_run.terms)
    numbers = f"prior {in_run.prior:.5f}" + (f" ({terms})" if terms else "")
    if in_run.starts_on:
        return f"starts on {in_run.starts_on[0]}, {numbers}"
    rank = f", place {in_run.rank} of {in_run.pending}" if in_run.rank is not None else ""
    behind = f", {in_run.behind}" if in_run.behind else ""
    return f"waits, {numbers}{rank}{behind}" + (f": {in_run.waits_for}" if in_run.waits_for else "")
