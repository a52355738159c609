"""Ways out where a place takes no jobs now: states, calendars, superordinates, load and suspend thresholds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, isfinite, log

from qmon_tui.scheduler import messages
from qmon_tui.scheduler.compiled.queues import Instance
from qmon_tui.scheduler.explaining import edits
from qmon_tui.scheduler.explaining.edits import Edited
from qmon_tui.scheduler.explaining.lacks import Lack
from qmon_tui.scheduler.explaining.letting_in import LISTED, OPENED
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explaining.remedy import MOST_STEPS, Reach, Remedy
from qmon_tui.scheduler.explaining.spelling import amount_text
from qmon_tui.scheduler.explaining.state_words import suspending
from qmon_tui.scheduler.queue_states import CONFIGURED, UNHEARD
from qmon_tui.scheduler.suspending.letters import SUBORDINATED
from qmon_tui.values.lists import BLANK_OR_COMMA, join_entries

Thresholds = Sequence[tuple[str, str]]

_ABOVE, _BELOW = (">=", ">"), ("<=", "<")
_HUNDREDTHS = 100


def _instance(found: Obstacles, lack: Lack) -> Instance:
    return found.run.resources.instances[lack.number]


def _state(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """The queue instance is freed of its states, and of the calendar that has closed it."""
    instance, closing = _instance(found, lack), lack.obstacle.closing
    letters = "".join(one for one in found.run.availability.states[lack.number] if one not in CONFIGURED)
    if UNHEARD in letters:
        # No command makes an execd report.
        return
    if closing is None:
        yield from _not_suspended(found, lack)
        # What a superordinate suspends goes on when that has fewer jobs, and not by a command.
        if letters and SUBORDINATED not in letters:
            yield Remedy("state", Reach.PLACE, 0.3, lambda w, _: edits.instance_state(w, instance.name, letters))
        return
    sentence = f"take the calendar {closing.calendar} away from queue instance {instance.name}"

    def opened(world: Edited, _: int) -> Edited:
        free = edits.instance_state(world, instance.name, letters) if letters else world
        return edits.queue_field(free, instance.queue, instance.host, "calendar", "NONE", sentence)

    yield Remedy("calendar", Reach.PLACE, OPENED, opened)


def _not_suspended(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """Superordinates may have more slots in use before they suspend the queue instance."""
    run, instance = found.run, _instance(found, lack)
    above = [one for one, tie in suspending(run, lack.number) if not tie.slot_wise]
    used = {one.name: run.resources.slots_used(run.resources.instance_numbers[one.name]) for one in above}
    room = min((one.profile.slots - used[one.name] for one in above), default=0)
    if room <= 0:
        return

    def later(world: Edited, steps: int) -> Edited:
        for one in above:
            subordinates, threshold = one.profile.subordinates, used[one.name] + steps
            assert subordinates is not None
            queues = tuple(
                q._replace(threshold=threshold) if q.queue == instance.queue else q for q in subordinates.queues
            )
            text = subordinates._replace(queues=queues).text()
            sentence = f"let {one.name} suspend {instance.queue} only with {threshold} slots in use"
            world = edits.queue_field(world, one.queue, one.host, "subordinate_list", text, sentence)
        return world

    yield Remedy("subordinate_list", Reach.PLACE, LISTED, later, room)


def _unclean(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """The hosts of the task's earlier runs are cleaned up, as the real ones do by themselves in a while."""
    del lack
    run_job = found.run_job
    task = run_job.queue[run_job.next_task]
    hosts = ", ".join(run_job.unclean)
    yield Remedy("clean", Reach.JOB, 0.3, lambda w, _: edits.cleaned_up(w, run_job.id, task, hosts))


def _load_alarm(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    yield from _alarm(found, lack, "load_thresholds", _instance(found, lack).profile.load_thresholds)


def _suspend_alarm(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    yield from _alarm(found, lack, "suspend_thresholds", _instance(found, lack).profile.suspend_thresholds)


def _alarm(found: Obstacles, lack: Lack, field: str, limits: Thresholds) -> Iterator[Remedy]:
    """A threshold just beyond the load, where one reported load is the matter; or no thresholds."""
    levels = found.run.resources.levels_of(lack.number)
    reached = [entry for entry in limits if found.run.thresholds.alarm([entry], *levels) is not None]
    if len(reached) == 1:
        yield from _other_threshold(found, lack, field, limits, reached[0])
    instance = _instance(found, lack)
    sentence = f"take the {field.replace('_', ' ')} away from queue instance {instance.name}"
    yield Remedy(
        field,
        Reach.PLACE,
        OPENED,
        lambda w, _: edits.queue_field(w, instance.queue, instance.host, field, "NONE", sentence),
    )


def _other_threshold(
    found: Obstacles, lack: Lack, field: str, limits: Thresholds, reached: tuple[str, str]
) -> Iterator[Remedy]:
    name, limit = reached
    instance = _instance(found, lack)
    attribute = found.run.compiled.attributes.find(name)
    global_level, host, _ = found.run.resources.levels_of(lack.number)
    load = host.loads.get(name) or global_level.loads.get(name)
    if attribute is None or load is None or not attribute.numeric or attribute.relop not in (*_ABOVE, *_BELOW):
        return
    # No threshold is beyond a load without an end.
    if not isfinite(load.number * _HUNDREDTHS):
        return
    above = attribute.relop in _ABOVE

    def moved(world: Edited, steps: int) -> Edited:
        # Beyond the load that is reported comes what just-started jobs are assumed to add.
        far = steps if above else -steps
        if attribute.type == "MEMORY":
            unit = 1024.0 ** max(0, int(log(max(load.number, 1), 1024)))
            value = amount_text(
                attribute, unit * (ceil if above else int)(load.number * (1 + far / _HUNDREDTHS) / unit)
            )
        else:
            value = f"{((int if above else ceil)(load.number * _HUNDREDTHS) + far) / _HUNDREDTHS:g}"
        entries = ((key, value if key == name else old) for key, old in limits)
        verb, words = "raise" if above else "lower", field.removesuffix("s").replace("_", " ")
        sentence = f"{verb} the {words} {name} of queue instance {instance.name} from {limit} to {value}"
        text = join_entries(entries, BLANK_OR_COMMA)
        return edits.queue_field(world, instance.queue, instance.host, field, text, sentence)

    yield Remedy("other threshold", Reach.PLACE, LISTED, moved, MOST_STEPS)


OPENING: Mapping[int, Callable[[Obstacles, Lack], Iterator[Remedy]]] = {
    messages.NOT_CLEAN: _unclean,
    messages.DISABLED: _state,
    messages.NOT_AVAILABLE: _state,
    messages.SUSPENDED: _state,
    messages.OVERLOADED: _load_alarm,
    messages.SUSPEND_ALARM: _suspend_alarm,
}
"""By the message about a queue instance that takes no jobs now."""
