"""The questions of the Jobs page: holds, priority and other numbers, deletion, rescheduling, tasks, options."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from textual.widget import Widget

from qmon_tui.formats import AMOUNTS, PRIORITIES
from qmon_tui.model import HOLD_LETTERS, Job, Request
from qmon_tui.qmaster import JobCommand, Qalter, Qdel, Qhold, QmodJobs, Qrls, Target, target_words
from qmon_tui.tui.base import EditRequested
from qmon_tui.tui.dialogs import Answer, ChoiceDialog, NameDialog, paragraphs
from qmon_tui.tui.jobs import submit_and_alter
from qmon_tui.values import format_ranges, parse_ranges, range_numbers, whole_number
from qmon_tui.workspace import HOLD_WORDS, CommandEdit, Workspace

if TYPE_CHECKING:
    from qmon_tui.report.jobtable import JobTableRow
    from qmon_tui.tui.jobs.view import JobsView


@dataclass(frozen=True, slots=True)
class NumberOption:
    """An option of qalter with a whole number."""

    option: str
    title: str
    help: str
    allowed: range
    read: Callable[[Request], int]

    def number(self, text: str) -> int | None:
        """Parse a number in the allowed range; None for any other text."""
        return whole_number(text, self.allowed.start, self.allowed.stop - 1)

    def problem(self, text: str) -> str | None:
        """Return a sentence if the text is no such number, else None."""
        if self.number(text) is not None:
            return None
        return f"A whole number from {self.allowed.start} to {self.allowed.stop - 1} is needed."


PRIORITY: Final = NumberOption(
    "-p", "POSIX priority", "-1023 to 1024; 0 is the default, higher comes earlier.", PRIORITIES,
    lambda request: request.priority,
)  # fmt: skip
OVERRIDE_TICKETS: Final = NumberOption(
    "-ot", "Override tickets", "They count where O is in policy_hierarchy and weight_ticket is not 0.", AMOUNTS,
    lambda request: request.override_tickets,
)  # fmt: skip
JOB_SHARE: Final = NumberOption(
    "-js", "Job share", "Its share of the functional tickets for jobs (weight_job), relative to other jobs.", AMOUNTS,
    lambda request: request.job_share,
)  # fmt: skip


_MOST: Final = 5
"""Number of jobs that a question names."""
_NAMED: Final = 20
"""Number of hidden jobs that are named."""


def _jobs(view: "JobsView", targets: Sequence[Target]) -> list[Job]:
    return _jobs_in(view.workspace, targets)


def _jobs_in(workspace: Workspace, targets: Sequence[Target]) -> list[Job]:
    wanted = {target.job for target in targets}
    return [job for job in workspace.state.jobs if job.id in wanted]


def _named(jobs: Sequence[Job]) -> str:
    """Return the first jobs by number, name and owner, and how many more there are."""
    names = ", ".join(f"{job.id} {job.name} of {job.owner}" for job in jobs[:_MOST])
    return f"{names} and {len(jobs) - _MOST} more." if len(jobs) > _MOST else f"{names}."


def ask_hidden(view: "JobsView", act: Callable[[], None]) -> None:
    """Name the marked jobs that the filter hides; act on all marked jobs, only on the shown ones, or not at all."""
    hidden = view.hidden_marks
    jobs = ", ".join(f"{job.id} {job.name} of {job.owner}" for job in _jobs(view, tuple(map(Target, hidden)))[:_NAMED])
    more = f" and {len(hidden) - _NAMED} more" if len(hidden) > _NAMED else ""

    def chosen(answer: str | None) -> None:
        if answer == "shown":
            view.mark(view.marked - set(hidden))
        if answer:
            act()

    answers = [Answer("n", "no", "", safe=True)]
    answers += [Answer("s", "only those in sight", "shown")] if len(hidden) < len(view.marked) else []
    answers.append(Answer("y", "all marked", "all"))
    texts = f"The filter {view.settings.filter.text} hides: {jobs}{more}."
    title = f"Act on {len(view.marked)} marked jobs, {len(hidden)} of them hidden?"
    view.app.push_screen(ChoiceDialog(title, paragraphs(texts), answers), chosen)


def ask_hold(view: "JobsView", targets: Sequence[Target]) -> None:
    """Ask for a hold to set (its letter) or to release (the capital); r releases all."""
    answers: list[Answer[tuple[bool, str]]] = [
        *(
            answer
            for letter, word in HOLD_WORDS.items()
            for answer in (
                Answer(letter, f"{word} hold", (True, letter)),
                Answer(letter.upper(), f"no {word} hold", (False, letter)),
            )
        ),
        Answer("r", "release all", (False, HOLD_LETTERS), safe=True),
    ]

    def chosen(answer: tuple[bool, str]) -> None:
        sets, letters = answer
        view.edit(CommandEdit((Qhold if sets else Qrls)(tuple(targets), letters)))

    words = "A job with a hold is not scheduled. As an operator you can set and release all three kinds."
    content = paragraphs(_named(_jobs(view, targets)), words)
    ChoiceDialog(f"Holds of {target_words(targets)}", content, answers).ask(view.app, chosen)


def ask_number(view: "JobsView", asked: NumberOption, targets: Sequence[Target]) -> None:
    """Ask for a whole number, and set it for the jobs by qalter."""
    jobs = _jobs(view, targets)

    title = f"{asked.title} of {target_words(targets)}"
    value = str(asked.read(jobs[0].request)) if jobs else "0"
    NameDialog(title, asked.help, asked.problem, value).ask(
        view.app, lambda text: view.edit(CommandEdit(Qalter(tuple(targets), f"{asked.option} {asked.number(text)}")))
    )


def ask_delete(view: Widget, workspace: Workspace, targets: Sequence[Target], hidden: Sequence[int] = ()) -> None:
    """Ask whether to delete the jobs, by force if some run; name running jobs and those that the filter hides."""
    jobs = _jobs_in(workspace, targets)
    runs = any(task.granted for job in jobs for task in job.tasks.values())
    texts = [_named(jobs)]
    if hidden:
        texts.append(f"{len(hidden)} hidden by the filter: {', '.join(map(str, hidden))}.")
    if runs:
        texts.append(
            "Running tasks keep their slots in state dr until they end; forced (qdel -f) they are removed immediately."
        )
    answers = [Answer("n", "no", "", safe=True), Answer("y", "delete", "delete")]
    answers += [Answer("f", "delete by force", "force")] if runs else []

    ChoiceDialog(f"Delete {target_words(targets)}?", paragraphs(*texts), answers).ask(
        view.app, lambda answer: view.post_message(EditRequested(CommandEdit(Qdel(tuple(targets), answer == "force"))))
    )


NOT_RERUNNABLE: Final = "jobs are not rerunable"
"""Part of the qmaster's message about a job that it does not reschedule."""


def ask_reschedule(view: "JobsView", targets: Sequence[Target]) -> None:
    """Reschedule the jobs; ask first whether to force those that are not rerunnable."""
    workspace = view.workspace
    order = CommandEdit(QmodJobs(tuple(targets), JobCommand.RESCHEDULE))
    refused = [
        line for line in order.command.apply(workspace.cluster, workspace.state).messages if NOT_RERUNNABLE in line
    ]
    if not refused:
        view.edit(order)
        return
    some = len(refused) < sum(1 for job in _jobs(view, targets) for task in job.tasks.values() if task.granted)
    answers = [Answer("n", "no", "", safe=True)]
    answers += [Answer("o", "only rerunnable ones", "only")] if some else []
    answers.append(Answer("f", "force it", "force"))
    words = "Neither qsub -r y nor rerun of the queue makes it rerunnable. qmod -f -rj reschedules it anyway."

    def chosen(answer: str) -> None:
        forced = CommandEdit(QmodJobs(tuple(targets), JobCommand.FORCE_RESCHEDULE))
        view.edit(forced if answer == "force" else order)

    title = f"Reschedule {target_words(targets)} anyway?"
    ChoiceDialog(title, paragraphs("; ".join(refused[:3]), words), answers, wide=True).ask(view.app, chosen)


def ask_tasks(view: "JobsView", row: "JobTableRow") -> None:
    """Ask for the tasks of an array that commands change, until the cursor moves to another job or Esc is pressed."""
    job = row.known
    if job is None or job.request.array is None:
        view.notify("This job is not an array: commands apply to all of it.", markup=False)
        return
    known = job.task_ids

    def numbers(text: str) -> tuple[int, ...]:
        return tuple(number for number in range_numbers(parse_ranges(text)) if number in known)

    def check(text: str) -> str | None:
        try:
            tasks = numbers(text)
        except ValueError:
            return "Numbers and ranges are needed: 2-5 or 1-9:2 or 1,4,7."
        return None if tasks else f"It has the tasks {known[0]}-{known[-1]}."

    now = view.narrowed.tasks if view.narrowed is not None else None
    value = format_ranges(now) if now else row.task_ids
    title = f"Tasks of job {job.id} that commands apply to"
    NameDialog(title, "2-5 or 1-9:2 or 1,4,7; Esc ends it.", check, value).ask(
        view.app, lambda text: view.restrict_to_tasks(Target(job.id, numbers(text)))
    )


def ask_options(view: "JobsView", targets: Sequence[Target]) -> None:
    """Ask for options of qalter: for one job in a form; for several in a line, checked on the first 20 while typed."""
    workspace = view.workspace
    numbers = list(dict.fromkeys(target.job for target in targets))
    if len(numbers) == 1 and (jobs := _jobs(view, targets)):
        dialog = submit_and_alter.AlterDialog(workspace.cluster, workspace.state, jobs[0], workspace.hides_why)
        dialog.ask(view.app, lambda options: view.edit(CommandEdit(Qalter(tuple(targets), options))))
        return

    def check(text: str) -> str | None:
        return Qalter(tuple(map(Target, numbers[:20])), text).objection(workspace.cluster, workspace.state)

    explanation = "What you give replaces the present value: -l h_vmem=2G,gpu=1 -q all.q -pe mpi 4 -N name …"
    NameDialog(f"qalter … {target_words(targets)}", explanation, check).ask(
        view.app, lambda text: view.edit(CommandEdit(Qalter(tuple(targets), text)))
    )
