"""Candidate changes if a place takes no jobs now: states, calendars, superordinates, thresholds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, isfinite, log

from qmon_tui.explain import edits
from qmon_tui.explain.edits import (
    MOST_STEPS,
    SIZE_OF_LIST_CHANGE,
    SIZE_OF_OPEN_ACCESS,
    CandidateChange,
    EditedCluster,
    Impact,
    Place,
)
from qmon_tui.explain.rejection import CROSSED_THRESHOLD, UnmetRequirement, amount_text
from qmon_tui.explain.request_changes import asking, instance_of, place_of
from qmon_tui.explain.suspension_reasons import suspending
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.model import messages
from qmon_tui.scheduler.suspension import CONFIGURED, SUBORDINATED, UNREACHABLE
from qmon_tui.values import BLANK_OR_COMMA, join_entries

Thresholds = Sequence[tuple[str, str]]

_ABOVE, _BELOW = (">=", ">"), ("<=", "<")
_HUNDREDTHS = 100


def _state(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    """Yield the changes that clear the states of the queue instance, or remove the calendar that closes it."""
    place, closing = place_of(rejections, unmet), unmet.rejection.closing
    name = instance_of(rejections, unmet).name
    letters = "".join(letter for letter in rejections.run.availability.states[unmet.number] if letter not in CONFIGURED)
    if UNREACHABLE in letters:
        # No command makes an execd report.
        return
    if closing is None:
        yield from _not_suspended(rejections, unmet)
        # An instance suspended by a superordinate is resumed when that has fewer jobs, not by a command.
        if letters and SUBORDINATED not in letters:
            yield CandidateChange("state", Impact.PLACE, 0.3, lambda w, _: edits.instance_state(w, name, letters))
        return
    sentence = f"remove the calendar {closing.calendar} from {place.words}"

    def opened(edited: EditedCluster, _: int) -> EditedCluster:
        free = edits.instance_state(edited, name, letters) if letters else edited
        return edits.set_field(free, place, "calendar", "NONE", sentence)

    yield CandidateChange("calendar", Impact.PLACE, SIZE_OF_OPEN_ACCESS, opened)


def _not_suspended(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    """Yield higher thresholds of the superordinates that suspend the queue instance."""
    run, instance = rejections.run, instance_of(rejections, unmet)
    above = [instance for instance, tie in suspending(run, unmet.number) if not tie.slot_wise]
    used = {
        instance.name: run.resources.slots_used(run.resources.instance_numbers[instance.name]) for instance in above
    }
    room = min((instance.profile.slots - used[instance.name] for instance in above), default=0)
    if room <= 0:
        return

    def later(edited: EditedCluster, steps: int) -> EditedCluster:
        for queue_instance in above:
            subordinates, threshold = queue_instance.profile.subordinates, used[queue_instance.name] + steps
            assert subordinates is not None
            queues = tuple(
                subordinate._replace(threshold=threshold) if subordinate.queue == instance.queue else subordinate
                for subordinate in subordinates.queues
            )
            text = subordinates._replace(queues=queues).text()
            sentence = f"let {queue_instance.name} suspend {instance.queue} only with {threshold} slots in use"
            place = Place(queue_instance.host, queue_instance.queue)
            edited = edits.set_field(edited, place, "subordinate_list", text, sentence)
        return edited

    yield CandidateChange("subordinate_list", Impact.PLACE, SIZE_OF_LIST_CHANGE, later, room)


def _unclean(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    """Yield the cleaning up of the task's earlier runs, which hosts do after a while."""
    del unmet
    run_job = rejections.run_job
    task = run_job.queue[run_job.next_task]
    hosts = ", ".join(run_job.unclean)
    yield CandidateChange("clean", Impact.JOB, 0.3, lambda w, _: edits.cleaned_up(w, run_job.id, task, hosts))


def _alarm(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    """Yield a threshold just above the load if one reported load is the cause; and no thresholds."""
    profile = instance_of(rejections, unmet).profile
    field, limits = "load_thresholds", profile.load_thresholds
    if unmet.rejection.number == messages.SUSPEND_ALARM:
        field, limits = "suspend_thresholds", profile.suspend_thresholds
    levels = rejections.run.resources.levels_of(unmet.number)
    reached = [entry for entry in limits if rejections.run.thresholds.alarm([entry], *levels) is not None]
    if len(reached) == 1:
        yield from _other_threshold(rejections, unmet, field, limits, reached[0])
    yield _without_thresholds(rejections, unmet, field)


def _without_thresholds(rejections: TaskRejections, unmet: UnmetRequirement, field: str) -> CandidateChange:
    place = place_of(rejections, unmet)
    sentence = f"remove the {field.replace('_', ' ')} from {place.words}"
    return CandidateChange(
        field, Impact.PLACE, SIZE_OF_OPEN_ACCESS, lambda w, _: edits.set_field(w, place, field, "NONE", sentence)
    )


def _other_threshold(
    rejections: TaskRejections, unmet: UnmetRequirement, field: str, limits: Thresholds, reached: tuple[str, str]
) -> Iterator[CandidateChange]:
    name, limit = reached
    place = place_of(rejections, unmet)
    attribute = rejections.run.compiled.attributes.find(name)
    global_level, host, _ = rejections.run.resources.levels_of(unmet.number)
    load = host.loads.get(name) or global_level.loads.get(name)
    if attribute is None or load is None or not attribute.numeric or attribute.relop not in (*_ABOVE, *_BELOW):
        return
    # An infinite load cannot be exceeded.
    if not isfinite(load.number * _HUNDREDTHS):
        return
    above = attribute.relop in _ABOVE

    def moved(edited: EditedCluster, steps: int) -> EditedCluster:
        # Further steps cover the load adjustment for just started jobs.
        hundredths = steps if above else -steps
        if attribute.type == "MEMORY":
            unit = 1024.0 ** max(0, int(log(max(load.number, 1), 1024)))
            value = amount_text(
                attribute, unit * (ceil if above else int)(load.number * (1 + hundredths / _HUNDREDTHS) / unit)
            )
        else:
            value = f"{((int if above else ceil)(load.number * _HUNDREDTHS) + hundredths) / _HUNDREDTHS:g}"
        entries = ((key, value if key == name else old) for key, old in limits)
        verb, words = "raise" if above else "lower", field.removesuffix("s").replace("_", " ")
        sentence = f"{verb} the {words} {name} of {place.words} from {limit} to {value}"
        return edits.set_field(edited, place, field, join_entries(entries, BLANK_OR_COMMA), sentence)

    yield CandidateChange("other threshold", Impact.PLACE, SIZE_OF_LIST_CHANGE, moved, MOST_STEPS)


def _crossed(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    """Yield a smaller request, a threshold as low as the slots need, and no threshold."""
    crossed = unmet.rejection.crossed
    assert crossed is not None
    attribute, place = crossed.attribute, place_of(rejections, unmet)
    is_asked = attribute.name in rejections.run_job.demand.names
    share = (crossed.left - crossed.bound) / crossed.slots
    share = share if attribute.type == "DOUBLE" else float(int(share))
    if is_asked and 0 < share < crossed.each:
        text = amount_text(attribute, share)
        yield asking(rejections, attribute, text, (crossed.each - share) / crossed.each)
    if crossed.after >= 0:
        value = amount_text(attribute, crossed.after)
        limits = instance_of(rejections, unmet).profile.load_thresholds
        text = join_entries(
            (
                (key, value if old == crossed.limit and key in (attribute.name, attribute.shortcut) else old)
                for key, old in limits
            ),
            BLANK_OR_COMMA,
        )
        sentence = f"lower the load threshold {attribute.name} of {place.words} from {crossed.limit} to {value}"
        yield CandidateChange(
            "other threshold",
            Impact.PLACE,
            SIZE_OF_LIST_CHANGE,
            lambda w, _: edits.set_field(w, place, "load_thresholds", text, sentence),
        )
    yield _without_thresholds(rejections, unmet, "load_thresholds")


QUEUE_STATE_CANDIDATES: Mapping[int, Callable[[TaskRejections, UnmetRequirement], Iterator[CandidateChange]]] = {
    CROSSED_THRESHOLD: _crossed,
    messages.NOT_CLEAN: _unclean,
    messages.DISABLED: _state,
    messages.NOT_AVAILABLE: _state,
    messages.SUSPENDED: _state,
    messages.OVERLOADED: _alarm,
    messages.SUSPEND_ALARM: _alarm,
}
"""Number of the message about a queue instance -> candidate changes."""
