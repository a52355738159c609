"""Every field of a cluster's state, declared once: jobs, tasks, queue instances, reservations, usage.

A new field is an attribute of the item (`model/jobs.py`, `model/state.py`) and an entry here: reader,
printer, editor, merge and docs/cluster-folder.md follow from it (`formats/state`).
"""

from typing import Final

from qmon_tui.model.exceptions import Drain
from qmon_tui.model.jobs import COLUMNS, HOLD_LETTERS, NO_RESERVATION, TASK_LETTERS, AdvanceReservation, Job, Task
from qmon_tui.model.state import CHANGED_AT, HIGHEST_NUMBER, REASON_AT, SEEN_AT, State, Usage
from qmon_tui.model.state_fields import StateField, StateSpec, StateType

TASKS: Final = "tasks"
STATE: Final = "state"
CHANGED: Final = "changed"
SEEN: Final = "seen"
SUSPENDED: Final = "suspended"
FAILED: Final = "failed"
REJECTED: Final = "rejected"
UNLIMITED: Final = "INFINITY"
PROJECTS: Final = "projects"
"""Field of a user's usage: project -> usage of the user's jobs in that project."""
QUEUE_STATES: Final = "aACDduESsco"
RESERVATION_STATES: Final = ("w", "r", "E", "W", "X", "d")

JOB: Final = StateSpec(
    "Jobs",
    Job,
    "Each begins with a dash in the list `jobs`.",
    (
        StateField("id", StateType.ID, "number of the job; without it, one more than the job before",
                   wrong=f'"{{text}}" is not a job number, write 1 to {HIGHEST_NUMBER}', source="qstat(1)"),
        StateField("owner", StateType.WORD, "the user who submitted it", needed=True, always=True, source="qstat(1)"),
        StateField("group", StateType.WORD, "the Unix group of the owner", always=True, source="qstat(1)"),
        StateField("submitted", StateType.SUBMITTED, "when; or an offset from the first job, such as +90s; without it, "
                   "as the job before", always=True, source="qstat(1)"),
        StateField("qsub", StateType.QSUB, "the options and the command of qsub", always=True,
                   example="-N blast -l h_vmem=2G sleep 600", source="qsub(1)"),
        StateField("name", StateType.WORD, "its name; without it, as the options or the command say", always=True,
                   in_qsub=True, source="qsub(1) -N"),
        StateField("runtime", StateType.SECONDS, "how long each task runs; without it, the argument of sleep",
                   in_qsub=True, digits=11, wrong='"{text}" is not a run time, write whole seconds'),
        StateField("runtimes", StateType.TASK_SECONDS, "how long tasks run that run for another time than that",
                   digits=11, example="{2-5: 60, 7: 90}",
                   wrong='"{text}" is not a run time, write tasks and whole seconds such as {{2-5: 60}}'),
        StateField(CHANGED, StateType.EVENT_TIME, "when a command, or the end of a job for which it waited, changed it "
                   "last", source="lifecycle.md#list-of-jobs"),
        StateField("project", StateType.WORD, "the default project that it got when it was submitted, or NONE; without "
                   "it, that of its user now", source="user(5)"),
        StateField("department", StateType.WORD, "the department that it got when it was submitted; without it, that "
                   "of its user now", source="access_list(5)"),
        StateField("category_ar", StateType.RESERVATION, "the advance reservation by which the scheduler still "
                   "groups it, if qalter -ar has given it another one since", source="qalter(1) -ar",
                   wrong=f'"{{text}}" is not an advance reservation, write its number, or {NO_RESERVATION} for none'),
        StateField("reservation", StateType.FLAG, "the scheduler has given up reservations for jobs with the same "
                   "requests", attribute="reservation_rejected", choices=(REJECTED,), source="qsub(1) -R",
                   wrong=f'"{{text}}" is nothing that a reservation is, write {REJECTED} where none is tried any more'),
        StateField("columns", StateType.COLUMNS, f"its columns {', '.join(COLUMNS)} after the last run, which stay as "
                   "they are if the qmaster refuses its start", choices=COLUMNS, example="nurg: 1, npprior: 0.5",
                   wrong=f'"{{text}}" is not a column of a job, write {", ".join(COLUMNS)}', source="qstat(1) -urg"),
        StateField(TASKS, StateType.TASKS, "tasks that are not plainly pending; 1 for a job that is not an array",
                   example="{1: {state: r, granted: {all.q@sim1: 1}}}", source="qstat(1)"),
    ),
)  # fmt: skip

TASK: Final = StateSpec(
    "Tasks",
    Task,
    "Each is written below `tasks` of its job, under its number or a range such as 2-5.",
    (
        StateField(STATE, StateType.TASK_STATE, "as in qstat; z: just ended; gone: forgotten by the qmaster",
                   choices=tuple(TASK_LETTERS), needed=True, essential=True, always=True, source="qstat(1)",
                   wrong='"{text}" is not a state of a task, write letters of qstat such as qw, hqw, r, t, s, or gone'),
        StateField("start", StateType.FLAG, "the qmaster refused to start it, or its host failed",
                   attribute="start_failed", choices=(FAILED,), source="dispatch.md#acceptance-of-a-start-order",
                   wrong=f'"{{text}}" is not a start of a pending task: write {FAILED}, or leave it out'),
        StateField("reason", StateType.WORD, "why it is in error", example="can't chdir to /home/anna: No such file",
                   source="qstat(1) -j"),
        StateField("hold", StateType.LETTERS, "its own holds; without it, those of its job",
                   choices=tuple(HOLD_LETTERS), wrong=f'"{{text}}" is not a hold, write letters of {HOLD_LETTERS}',
                   source="qhold(1)"),
        StateField("granted", StateType.GRANTED, "where it runs, the master queue first; of a pending task: where it "
                   "ran before", essential=True, example="{all.q@sim1: 2}", source="qstat(1) -g t"),
        StateField("pe", StateType.WORD, "the parallel environment in which it runs, or NONE; without it, that is not "
                   "known", attribute="environment", source="sge_pe(5)"),
        StateField("started", StateType.EVENT_TIME, "since when it runs; without it, since it was submitted",
                   source="qstat(1)"),
        StateField("used", StateType.AMOUNTS, "what it has used and is not booked yet", example="cpu: 60",
                   source="accounting(5)"),
        StateField("unclean", StateType.HOSTS, "hosts where runs from which it was rescheduled are not cleaned up",
                   source="lifecycle.md#clean-up-of-an-earlier-run"),
        StateField("tickets", StateType.AMOUNTS, "numbers of the columns tckts, otckt, ftckt, stckt, prior, ntckts, "
                   "share that stay as they were", example="tckts: 250", source="qstat(1) -ext"),
        StateField(CHANGED, StateType.EVENT_TIME, "when a threshold or qmod last suspended or resumed it",
                   source="qmod(1) -sj"),
        StateField("wallclock_limit", StateType.LIMIT, "the run time for which it was started", digits=10,
                   wrong=f'"{{text}}" is not a limit of the run time, write whole seconds or {UNLIMITED}',
                   source="queue_conf(5) h_rt"),
        StateField(SEEN, StateType.FLAG, "the scheduler treats it as suspended, whatever it does",
                   attribute="seen_suspended", choices=(SUSPENDED,),
                   source="suspension.md#when-the-scheduler-knows-of-it",
                   wrong=f'"{{text}}" is not how the scheduler can see a task: write {SUSPENDED}, '
                   "or leave it out"),
    ),
)  # fmt: skip

RESERVATION: Final = StateSpec(
    "Advance reservations",
    AdvanceReservation,
    "Each begins with a dash in the list `reservations`.",
    (
        StateField("id", StateType.ID, "its number", needed=True, source="qrstat(1)"),
        StateField("owner", StateType.WORD, "the user who has it", needed=True, always=True, source="qrstat(1)"),
        StateField("start", StateType.TIME, "when it begins; or an offset from the first job", needed=True, always=True,
                   source="qrsub(1) -a"),
        StateField("end", StateType.TIME, "the first moment after it", needed=True, always=True, source="qrsub(1) -e"),
        StateField(STATE, StateType.CHOICE, "w waits for its start, r runs, E in error, W waits and is in error, X "
                   "over, d deleted; without it, the times tell w or r", choices=RESERVATION_STATES, essential=True,
                   always=True, source="qrstat(1)", wrong=f'"{{text}}" is not a state of a reservation, write one of '
                   f"{' '.join(RESERVATION_STATES)}"),
        StateField("granted", StateType.GRANTED, "what is kept, the master queue first", needed=True, essential=True,
                   always=True, example="{all.q@sim1: 2}", source="qrstat(1)"),
        StateField("requests", StateType.REQUESTS, "hard requests, per slot", example="lic=1", source="qrsub(1) -l"),
        StateField("users", StateType.NAMES, "who may use it, with @ before a userset or group; without it, everybody",
                   example="anna bert @staff", source="qrsub(1) -u"),
        StateField("pe", StateType.WORD, "the parallel environment in which it was granted", attribute="environment",
                   source="qrsub(1) -pe"),
        StateField("submitted", StateType.TIME, "when it was granted", source="qrstat(1)"),
        StateField("strict", StateType.BOOLEAN, "its jobs do not start while it is in error",
                   choices=("true", "false"), wrong="strict is true or false", source="qrsub(1) -he"),
        StateField("name", StateType.WORD, "its name", source="qrsub(1) -N"),
        StateField("account", StateType.WORD, "its account", source="qrsub(1) -A"),
    ),
)  # fmt: skip

USAGE: Final = StateSpec(
    "Past usage",
    Usage,
    "Of each user below `users` and each project below `projects` of `usage`; every other name is a kind of usage with "
    "its amount: cpu in seconds, mem in gigabyte seconds, io in gigabytes, finished_jobs ...",
    (
        StateField("time", StateType.TIME, "up to when it has faded; without it, the time of the run",
                   source="lifecycle.md#booking-of-usage"),
        StateField(PROJECTS, StateType.AMOUNTS_BY_PROJECT, "what the user's jobs used within projects, which is not in "
                   "the user's own amounts", attribute="by_project", example="{sea: {cpu: 100}}",
                   source="lifecycle.md#booking-of-usage"),
    ),
)  # fmt: skip

INSTANCE: Final = StateSpec(
    "Queue instances",
    State,
    "Each field is a key of the file with the names of queue instances, which may be node sets.",
    (
        StateField(STATE, StateType.LETTERS, "the letters that qstat -f shows before the run; empty in quotes is one "
                   "that was enabled though its queue starts disabled", attribute="queue_states", key="states",
                   choices=tuple(QUEUE_STATES), example="d", source="qstat(1) -f",
                   wrong=f'"{{text}}" is not a state, write letters of {QUEUE_STATES}'),
        StateField("reason", StateType.WORD, "why it has the letter E", attribute="error_reasons", key="reasons",
                   place=REASON_AT, example="queue all.q marked QERROR as result of job 7's failure at host sim1",
                   source="qstat(1) -explain E"),
        StateField(CHANGED, StateType.EVENT_TIME, "when the qmaster last changed it; also of a cluster queue, "
                   "quotas/NAME, pes/NAME and hosts/NAME", key="changed", place=CHANGED_AT,
                   example="2026-11-21T09:00:00", source="lifecycle.md#order-of-the-scheduler-lists"),
        StateField(SEEN, StateType.FLAG, "a superordinate queue had it suspended when it was last sent to the "
                   "scheduler",
                   attribute="seen_suspended", key=SEEN, place=SEEN_AT, choices=(SUSPENDED,), example=SUSPENDED,
                   source="suspension.md#when-the-scheduler-knows-of-it",
                   wrong=f'"{{text}}" is not how the scheduler can see a queue instance: '
                   f"write {SUSPENDED}, or leave it out"),
    ),
)  # fmt: skip

DRAIN: Final = StateSpec(
    "Drained hosts",
    Drain,
    "Below `drains`, under the name of a host or a queue instance, which may be a node set: one in curly braces, or "
    "several in a list. Grid Engine has no place for them: in a qconf folder they are in `drains.yaml`.",
    (
        StateField("reason", StateType.WORD, "why it was disabled", needed=True, essential=True, always=True,
                   example="new power supply"),
        StateField("who", StateType.WORD, "the administrator who disabled it", example="anna"),
        StateField("since", StateType.TIME, "when it was disabled", example="2026-11-21T09:00:00"),
        StateField("until", StateType.TIME, "when it should be ready again; without it, that is open",
                   example="2026-11-23T12:00:00"),
    ),
)  # fmt: skip

EXCEPTION: Final = StateSpec(
    "Exceptions",
    Drain,
    "Below `exceptions`, under userset/NAME/MEMBER for a member of a userset, or user/NAME, project/NAME, userset/NAME "
    "for its override tickets. Grid Engine has no place for them: in a qconf folder they are in `drains.yaml`.",
    (
        StateField("reason", StateType.WORD, "why the exception was made", needed=True, essential=True, always=True,
                   example="cover for anna"),
        StateField("who", StateType.WORD, "the administrator who made it", example="anna"),
        StateField("since", StateType.TIME, "when it was made", example="2026-11-21T09:00:00"),
        StateField("until", StateType.TIME, "its last second", needed=True, essential=True,
                   example="2026-12-01T23:59:59"),
    ),
)  # fmt: skip

WHOLE: Final = StateSpec(
    "The state as a whole",
    State,
    "Keys of a file with one value; besides them, `loads` holds the load values of hosts: `sim1: {np_load_avg: 0.3}`.",
    (
        StateField("now", StateType.TIME, "time of the scheduling run; without it, the newest time in the folder"),
        StateField("jobseqnum", StateType.COUNT, "the last number that a job was given"),
        StateField("arseqnum", StateType.COUNT, "the last number that an advance reservation was given"),
        StateField("pe_alg", StateType.SCORES, "what the scheduler remembers of its searches: least, bin, highest",
                   example="-34/-68/-136", source="sched_conf(5) PE_RANGE_ALG"),
    ),
)  # fmt: skip

STATE_SPECS: Final = (WHOLE, INSTANCE, DRAIN, EXCEPTION, USAGE, RESERVATION, JOB, TASK)
