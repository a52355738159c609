"""A comparison in words: a task, and how it stands under two policies."""

from qmon_tui.cli.text import count
from qmon_tui.simulation import Standing, TaskReason
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
        f"{sign} {standing_words(standing)}"
        for sign, standing in zip(("A:", f"{letter}:"), reason.standings, strict=True)
    ]
    head = (
        f"{task_words(reason.job, reason.task, reason.name, reason.owner)}"
        if names_task
        else f"at {format_time(reason.time)}"
    )
    elsewhere = " starts at another place" if names_task and reason.is_elsewhere else ""
    return f"{head}{elsewhere}; " + "; ".join(words)


def standing_in_short(standing: Standing | None) -> str:
    """The place where a task starts, or what it waits for and who is ahead."""
    if standing is None:
        return "it takes no part then"
    if standing.starts_on:
        return f"starts on {standing.starts_on[0]}"
    rank = f", place {standing.rank} of {standing.pending} in the list" if standing.rank is not None else ""
    behind = f", {standing.behind}" if standing.behind else ""
    return f"waits{rank}{behind}" + (f"; {standing.waits_for}" if standing.waits_for else "")


def prior_words(standing: Standing) -> str:
    """The priority, term by term."""
    terms = " + ".join(f"{name} {value:.5f}" for name, value in standing.terms)
    return f"prior {standing.prior:.5f}" + (f" = {terms}" if terms else "")


def standing_words(standing: Standing | None) -> str:
    """Priority term by term, and the place where it starts, or what it waits for."""
    if standing is None:
        return "it takes no part"
    terms = " + ".join(f"{name} {value:.5f}" for name, value in standing.terms)
    numbers = f"prior {standing.prior:.5f}" + (f" ({terms})" if terms else "")
    if standing.starts_on:
        return f"starts on {standing.starts_on[0]}, {numbers}"
    rank = f", place {standing.rank} of {standing.pending}" if standing.rank is not None else ""
    behind = f", {standing.behind}" if standing.behind else ""
    return f"waits, {numbers}{rank}{behind}" + (f": {standing.waits_for}" if standing.waits_for else "")
