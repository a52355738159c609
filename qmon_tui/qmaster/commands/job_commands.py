"""The commands for jobs as values: qsub, qalter, qhold, qrls, qmod and qdel."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from qmon_tui.model import Cluster, Job, State
from qmon_tui.qmaster.commands.alter import alter
from qmon_tui.qmaster.commands.command import Command, Reply, Target
from qmon_tui.qmaster.commands.execd_cleanup import clean_up
from qmon_tui.qmaster.commands.holds import hold, release
from qmon_tui.qmaster.commands.modify import JobCommand, modify
from qmon_tui.qmaster.commands.qalter_refusals import depends_on_others
from qmon_tui.qmaster.commands.qdel import delete
from qmon_tui.qmaster.commands.qsub import submit
from qmon_tui.qmaster.commands.several_jobs import for_each
from qmon_tui.values import format_ranges

_MODIFY_WORDS = {
    JobCommand.SUSPEND: "suspend",
    JobCommand.UNSUSPEND: "resume",
    JobCommand.CLEAR_ERROR: "clear the error of",
    JobCommand.RESCHEDULE: "reschedule",
    JobCommand.FORCE_RESCHEDULE: "reschedule by force",
}


def target_text(target: Target) -> str:
    """Format a job or tasks of it as commands take them: `17`, `17.2-5`."""
    return f"{target.job}" + (f".{format_ranges(target.tasks)}" if target.tasks is not None else "")


def target_words(targets: Sequence[Target]) -> str:
    """Describe the jobs in a sentence: `job 17`, `job 17.2-5`, `3 jobs`."""
    return f"{len(targets)} jobs" if len(targets) > 1 else f"job {target_text(targets[0])}"


def _line(program: str, targets: Sequence[Target]) -> str:
    return " ".join([program, *map(target_text, targets)])


@dataclass(frozen=True, slots=True)
class Qsub(Command):
    """Submission of a job by its owner."""

    job: Job

    @property
    def words(self) -> str:
        return f"submit job {self.job.id} {self.job.name}"

    @property
    def line(self) -> str:
        return f"qsub {self.job.qsub}"

    def apply(self, cluster: Cluster, state: State) -> Reply:
        return submit(cluster, state, self.job)


@dataclass(frozen=True, slots=True)
class _ForJobs(Command):
    """A command for one job or many."""

    targets: tuple[Target, ...]

    @property
    def count(self) -> int:
        return len(self.targets)


def _unknown_holds(letters: str) -> str | None:
    """Return the message for invalid hold letters (that of qalter, also for qhold and qrls); None if valid."""
    return (
        None
        if letters and set(letters) <= set("uos")
        else f'qalter: Unknown hold list "{letters}" specified to -h option'
    )


@dataclass(frozen=True, slots=True)
class Qhold(_ForJobs):
    """Setting of holds."""

    letters: str = "u"

    @property
    def words(self) -> str:
        return f"hold {target_words(self.targets)} ({self.letters})"

    @property
    def line(self) -> str:
        """Shell command line, always with the letters, which are clearer than the default."""
        return _line(f"qhold -h {self.letters}", self.targets)

    def apply(self, cluster: Cluster, state: State) -> Reply:
        if (text := _unknown_holds(self.letters)) is not None:
            return Reply(state, (text,))
        return for_each(cluster, state, self.targets, lambda c, s, target: hold(c, s, target, self.letters))


@dataclass(frozen=True, slots=True)
class Qrls(_ForJobs):
    """Removal of holds."""

    letters: str = "u"

    @property
    def words(self) -> str:
        return f"release {target_words(self.targets)}"

    @property
    def line(self) -> str:
        return _line(f"qrls -h {self.letters}", self.targets)

    def apply(self, cluster: Cluster, state: State) -> Reply:
        if (text := _unknown_holds(self.letters)) is not None:
            return Reply(state, (text,))
        return for_each(cluster, state, self.targets, lambda c, s, target: release(c, s, target, self.letters))


@dataclass(frozen=True, slots=True)
class QmodJobs(_ForJobs):
    """Suspension, resumption, clearing of errors and rescheduling by qmod."""

    command: JobCommand = JobCommand.SUSPEND

    @property
    def words(self) -> str:
        return f"{_MODIFY_WORDS[self.command]} {target_words(self.targets)}"

    @property
    def line(self) -> str:
        return _line(f"qmod {self.command}", self.targets)

    def apply(self, cluster: Cluster, state: State) -> Reply:
        """Change the jobs one after the other; suspension affects others on the host."""
        return for_each(
            cluster, state, self.targets, lambda c, s, target: modify(c, s, self.command, target), with_neighbours=True
        )


@dataclass(frozen=True, slots=True)
class Qdel(_ForJobs):
    """Deletion of jobs, with `force` also of those whose hosts do not answer."""

    force: bool = False

    @property
    def words(self) -> str:
        return f"delete {target_words(self.targets)}"

    @property
    def line(self) -> str:
        """Shell command line; tasks are named by -t, one command for each job."""
        program = "qdel -f" if self.force else "qdel"
        whole = [target for target in self.targets if target.tasks is None]
        lines = [_line(program, whole)] if whole else []
        lines += [
            f"{program} {target.job} -t {format_ranges(target.tasks)}"
            for target in self.targets
            if target.tasks is not None
        ]
        return " && ".join(lines)

    def apply(self, cluster: Cluster, state: State) -> Reply:
        return for_each(
            cluster,
            state,
            self.targets,
            lambda c, s, target: delete(c, s, target, force=self.force),
            with_neighbours=self.force,
        )


@dataclass(frozen=True, slots=True)
class Qalter(_ForJobs):
    """Replacement of options."""

    options: str = ""
    of_tasks: bool = False
    """True if targets with tasks mean only these, as on the command line; otherwise they mean their jobs."""

    @property
    def words(self) -> str:
        return f"qalter {self.options} of {target_words(self._jobs)}"

    @property
    def line(self) -> str:
        return _line(f"qalter {self.options}", self._jobs)

    @property
    def count(self) -> int:
        return len(self._jobs)

    def apply(self, cluster: Cluster, state: State) -> Reply:
        return for_each(
            cluster,
            state,
            self._jobs,
            lambda c, s, target: alter(c, s, target.job, self.options, tasks=target.tasks),
            lambda job: depends_on_others(job, self.options),
        )

    def objection(self, cluster: Cluster, state: State) -> str | None:
        """Return qalter's message for the first job that it refuses or leaves unchanged; None if there is none."""
        known = {job.id: job for job in state.jobs}
        for target in self._jobs:
            job = known.get(target.job)
            alone = job is not None and not depends_on_others(job, self.options)
            seen = replace(state, jobs=(job,)) if alone and job else state
            reply = alter(cluster, seen, target.job, self.options)
            if reply.state is seen:
                return "; ".join(reply.reasons) or "that changes nothing"
        return None

    @property
    def _jobs(self) -> tuple[Target, ...]:
        if self.of_tasks:
            return self.targets
        return tuple(Target(number) for number in dict.fromkeys(target.job for target in self.targets))


@dataclass(frozen=True, slots=True)
class CleanUp(_ForJobs):
    """Cleaning up after rescheduled runs by the hosts, for which there is no command."""

    @property
    def words(self) -> str:
        return f"clean up after {target_words(self.targets)}"

    @property
    def line(self) -> str:
        return ""

    def apply(self, cluster: Cluster, state: State) -> Reply:
        return for_each(cluster, state, self.targets, lambda _, s, target: clean_up(s, target))
