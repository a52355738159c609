"""What the state of a queue instance means that takes no jobs, and what suspends it (lifecycle.md 4 and 5.1)."""

from collections.abc import Iterator

from qmon_tui.qmaster.run import Run
from qmon_tui.scheduler.compiled.queues import Instance
from qmon_tui.scheduler.compiled.subordination import Tie
from qmon_tui.scheduler.queue_states import UNHEARD
from qmon_tui.scheduler.suspending.queue_wise import reached

_MEANING = {
    UNHEARD: "its host is not heard from (u): it takes jobs as soon as the execution daemon there reports",
    "E": "a job could not be started there (E): it takes none until somebody clears the error",
    "s": "somebody has suspended it (s)",
}


def state_words(run: Run, number: int) -> str:
    """Why a queue instance that is not available is so; empty where its letters do not tell."""
    letters = run.availability.states[number]
    return "; ".join(
        (*(words for letter, words in _MEANING.items() if letter in letters), *filter(None, (suspenders(run, number),)))
    )


def suspenders(run: Run, number: int) -> str:
    """As in `while 2 or more slots of hi.q@h1 are in use`; empty where nobody suspends it."""
    return " and ".join(_each(run, number))


def _each(run: Run, number: int) -> Iterator[str]:
    for instance, tie in suspending(run, number):
        slots = instance.profile.slots
        least = tie.threshold or slots
        few = "a slot" if least == 1 else f"{least} or more slots" if least < slots else "all slots"
        yield f"while {few} of {instance.name} {'is' if least == 1 else 'are'} in use"


def suspending(run: Run, number: int) -> Iterator[tuple[Instance, Tie]]:
    """The superordinates that suspend a queue instance now."""
    subordination = run.compiled.subordination
    # The scheduler takes slot-wise subordinates for ones without a threshold (dispatch.md section 11).
    counts_slot_wise = number in run.availability.suspended
    for other, ties in subordination.ties.items() if subordination is not None else ():
        instance, used = run.resources.instances[other], run.resources.slots_used(other)
        for tie in ties:
            is_counted = tie.instance == number and (counts_slot_wise or not tie.slot_wise)
            if is_counted and reached(tie, used, instance.profile.slots):
                yield instance, tie
