"""The commands to the qmaster that the screens offer, as edits: for one job or many, always one step of undo."""

import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from qmon_tui.explain import CLEAN_UP, Change
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import Job, State
from qmon_tui.qmaster import (
    InstanceCommand,
    JobCommand,
    Reply,
    Target,
    change_instances,
    clean_up,
    delete,
    give_back,
    has_subordinates,
    hold,
    instances_named,
    latest_moment,
    looks_at_others,
    moments,
    release,
    remembered,
    reschedule_instances,
    reserve,
    submit,
    with_released_jobs,
)
from qmon_tui.qmaster.commands import alter, modify
from qmon_tui.values.number_ranges import format_ranges, parse_ranges, range_numbers
from qmon_tui.workspace.state_edits import CommandEdit

_MODIFY_WORDS = {
    JobCommand.SUSPEND: "suspend",
    JobCommand.UNSUSPEND: "resume",
    JobCommand.CLEAR_ERROR: "clear the error of",
    JobCommand.RESCHEDULE: "reschedule",
    JobCommand.FORCE_RESCHEDULE: "reschedule by force",
}
_INSTANCE_WORDS = {
    InstanceCommand.DISABLE: "disable",
    InstanceCommand.ENABLE: "enable",
    InstanceCommand.SUSPEND: "suspend",
    InstanceCommand.UNSUSPEND: "resume",
    InstanceCommand.CLEAR_ERROR: "clear the error of",
}
HOLD_WORDS = {"u": "user", "o": "operator", "s": "system"}


def target_words(targets: Sequence[Target]) -> str:
    """The jobs in a sentence: `job 17`, `job 17.2-5`, `3 jobs`."""
    if len(targets) > 1:
        return f"{len(targets)} jobs"
    (target,) = targets
    return f"job {target.job}" + (f".{format_ranges(target.tasks)}" if target.tasks is not None else "")


def _is_alone(_cluster: Cluster, _job: Job) -> bool:
    return False


def hold_jobs(targets: Sequence[Target], letters: str) -> CommandEdit:
    """qhold -h."""
    return _for_each(f"hold {target_words(targets)} ({letters})", targets, lambda c, s, t: hold(c, s, t, letters))


def release_jobs(targets: Sequence[Target], letters: str) -> CommandEdit:
    """qrls -h."""
    return _for_each(f"release {target_words(targets)}", targets, lambda c, s, t: release(c, s, t, letters))


def modify_jobs(command: JobCommand, targets: Sequence[Target]) -> CommandEdit:
    """qmod -sj, -usj, -cj or -rj."""
    label = f"{_MODIFY_WORDS[command]} {target_words(targets)}"
    return _for_each(label, targets, lambda c, s, t: modify(c, s, command, t), with_neighbours=True)


def delete_jobs(targets: Sequence[Target], *, force: bool) -> CommandEdit:
    """qdel, with `force` qdel -f."""
    label = f"delete {target_words(targets)}"
    return _for_each(label, targets, lambda c, s, t: delete(c, s, t, force=force), with_neighbours=force)


def clean_up_after(targets: Sequence[Target]) -> CommandEdit:
    """What no command does: the hosts have cleaned up after the runs that were sent back."""
    return _for_each(f"clean up after {target_words(targets)}", targets, lambda _, s, t: clean_up(s, t))


def alter_jobs(targets: Sequence[Target], options: str) -> CommandEdit:
    """qalter with some options; they are for whole jobs."""
    jobs = [Target(number) for number in dict.fromkeys(target.job for target in targets)]
    label = f"qalter {options} of {target_words(jobs)}"
    return _for_each(
        label,
        jobs,
        lambda c, s, t: alter(c, s, t.job, options),
        lambda cluster, job: looks_at_others(cluster, job, options),
    )


def objection_to_altering(cluster: Cluster, state: State, numbers: Sequence[int], options: str) -> str | None:
    """What qalter says of the first of some jobs that it refuses, or that it leaves as it is."""
    known = {job.id: job for job in state.jobs}
    for number in numbers:
        job = known.get(number)
        alone = job is not None and not looks_at_others(cluster, job, options)
        seen = replace(state, jobs=(job,)) if alone and job else state
        reply = alter(cluster, seen, number, options)
        if reply.state is seen:
            return "; ".join(reply.reasons) or "that changes nothing"
    return None


def submit_job(job: Job) -> CommandEdit:
    """qsub."""
    return CommandEdit(f"submit job {job.id} {job.name}", lambda cluster, state: submit(cluster, state, job))


def reschedule_in(names: Sequence[str], *, force: bool) -> CommandEdit:
    """qmod -rq, with `force` qmod -f -rq."""
    words = names[0] if len(names) == 1 else f"{len(names)} queue instances"
    label = f"reschedule {'by force ' if force else ''}what runs in {words}"
    return CommandEdit(label, lambda cluster, state: reschedule_instances(cluster, state, names, force=force))


def make_reservation(owner: str, options: str, group: str = "staff") -> CommandEdit:
    """qrsub."""
    return CommandEdit(
        f"reserve {options} for {owner}", lambda cluster, state: reserve(cluster, state, owner, options, group=group)
    )


def delete_reservations(numbers: Sequence[int], *, force: bool) -> CommandEdit:
    """qrdel, with `force` qrdel -f."""

    def all_of_them(cluster: Cluster, state: State) -> Reply:
        reply = Reply(state)
        for number in numbers:
            reply = reply.then(give_back(cluster, reply.state, number, force=force))
        return reply

    words = f"reservation {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} reservations"
    return CommandEdit(f"delete advance {words}", all_of_them)


def change_queue_instances(
    command: InstanceCommand, names: Sequence[str], standing: dict[str, str] | None = None
) -> CommandEdit:
    """qmod -d, -e, -sq, -usq or -cq; `standing` has letters that the state does not say."""
    words = names[0] if len(names) == 1 else f"{len(names)} queue instances"
    return CommandEdit(
        f"{_INSTANCE_WORDS[command]} {words}",
        lambda cluster, state: change_instances(cluster, state, command, names, standing=standing),
    )


def edit_of_change(cluster: Cluster, change: Change) -> CommandEdit | None:
    """The edit that makes an offered change of jobs, queue instances or reservations; None where none does."""
    if change.field == CLEAN_UP:
        target = _target(change.name)
        return clean_up_after([target]) if target else None
    return edit_of_command(cluster, change.command)


def edit_of_command(cluster: Cluster, command: str) -> CommandEdit | None:
    """The edit that a line of qalter, qhold, qrls, qmod, qdel or qrdel makes; None for any other command.

    A job is gone at once, since there is no host that would take its time to end it.
    """
    try:
        program, *words = shlex.split(command)
    except ValueError:
        return None
    if len(words) < 1:
        return None
    *options, name = words
    if program == "qrdel":
        return delete_reservations([int(name)], force=False) if name.isdigit() else None
    if program == "qmod":
        return _qmod(cluster, " ".join(options), name)
    target = _target(name)
    if target is None:
        return None
    if program == "qdel":
        return delete_jobs([target], force=True)
    if program == "qalter":
        return alter_jobs([target], shlex.join(options))
    letters = options[1] if options[:1] == ["-h"] and len(options) == 2 else "u"
    make = {"qhold": hold_jobs, "qrls": release_jobs}.get(program)
    return make([target], letters) if make else None


def _qmod(cluster: Cluster, option: str, name: str) -> CommandEdit | None:
    if option in list(JobCommand):
        target = _target(name)
        return modify_jobs(JobCommand(option), [target]) if target else None
    names = instances_named(cluster, name) if option in list(InstanceCommand) else ()
    return change_queue_instances(InstanceCommand(option), names) if names else None


def _target(word: str) -> Target | None:
    """A job, or tasks of it: `17`, `17.2-5`."""
    number, dot, tasks = word.partition(".")
    if not number.isdigit():
        return None
    try:
        return Target(int(number), tuple(range_numbers(parse_ranges(tasks))) if dot else None)
    except ValueError:
        return None


def _for_each(
    label: str,
    targets: Iterable[Target],
    command: Callable[[Cluster, State, Target], Reply],
    among_others: Callable[[Cluster, Job], bool] = _is_alone,
    *,
    with_neighbours: bool = False,
) -> CommandEdit:
    """The command for each target. Each is given its own job alone, unless it has to look at the others.

    So it has where something is remembered of the job's category, which goes with the last job that is sent anew. With
    `with_neighbours` it is also given those on the same hosts, where queue instances stand still because of others.
    """
    targets = tuple(targets)

    def all_of_them(cluster: Cluster, state: State) -> Reply:
        known = {job.id: job for job in state.jobs}
        others = state
        neighbours = _Neighbours(state.jobs if with_neighbours and has_subordinates(cluster) else ())
        when = moments(latest_moment(state.jobs, state.now))
        changed = False
        said: list[str] = []
        for target in targets:
            job = known.get(target.job)
            looks = job is not None and (job.reservation_rejected or among_others(cluster, job))
            numbers = known if looks else [number for number in neighbours.of(target.job) if number in known]
            given = tuple(known[number] for number in numbers)
            seen = replace(others, jobs=given)
            reply = command(cluster, seen, target)
            said += reply.reasons
            if reply.state is seen:
                continue
            changed, others = True, reply.state
            left = {job.id: job for job in reply.state.jobs}
            for known_job in given:
                job_after = left.get(known_job.id)
                if job_after is None:
                    del known[known_job.id]
                elif known_job is job and job_after.changed != known_job.changed:
                    # It has come after those before it, of which it was not told.
                    known[known_job.id] = replace(job_after, changed=next(when))
                else:
                    known[known_job.id] = job_after
        if not changed:
            return Reply(state, tuple(said))
        after = replace(others, jobs=tuple(known.values()))
        return Reply(with_released_jobs(state, remembered(state, after)), tuple(said))

    return CommandEdit(label, all_of_them, len(targets))


class _Neighbours:
    """Which jobs run on the same hosts: subordination and its trees are a matter of one host."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._hosts: dict[int, frozenset[str]] = {}
        self._jobs: dict[str, set[int]] = {}
        for job in jobs:
            instances = (name for task in job.tasks.values() for name in task.granted)
            hosts = self._hosts[job.id] = frozenset(name.rpartition("@")[2] for name in instances)
            for host in hosts:
                self._jobs.setdefault(host, set()).add(job.id)

    def of(self, number: int) -> list[int]:
        """The job itself and its neighbours, by their numbers."""
        return sorted({number}.union(*(self._jobs[host] for host in self._hosts.get(number, ()))))
