"""User resampling: another trace of the same kind of users (Zakay and Feitelson 2014, workloads.md#user-resampling)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from qmon_tui.formats import qsub_line
from qmon_tui.simulation.workload.arrivals import WEEK
from qmon_tui.simulation.workload.dice import Dice
from qmon_tui.simulation.workload.generation import MOST
from qmon_tui.simulation.workload.traces import Moved, at_time
from qmon_tui.values import whole_number


def resampled(moved: Sequence[Moved], seed: int, scale: float = 1.0) -> list[Moved]:
    """Draw users with replacement, `scale` times as many, each with all own jobs, moved by whole weeks.

    Jobs get new numbers, from 1 on. Drawing stops at `MOST` jobs.
    """
    if not moved:
        return []
    start = moved[0][0].submitted
    weeks = (moved[-1][0].submitted - start) // WEEK + 1
    by_user: dict[str, list[Moved]] = {}
    for job_and_tasks in moved:
        by_user.setdefault(job_and_tasks[0].owner, []).append(job_and_tasks)
    users = sorted(by_user)
    dice = Dice(seed, "resampling")
    times: Counter[str] = Counter()
    drawn: list[Moved] = []
    number = 0
    for _ in range(max(1, round(len(users) * scale))):
        if number >= MOST:
            break
        user = users[dice.below(len(users))]
        shift = dice.below(weeks) * WEEK
        times[user] += 1
        owner = user if times[user] == 1 else f"{user}_{times[user]}"
        numbers = {job_and_tasks[0].id: number + place for place, job_and_tasks in enumerate(by_user[user], 1)}
        number += len(numbers)
        for job, ended in by_user[user]:
            request = job.request
            if request.hold_jid:
                kept = (numbers.get(whole_number(text) or 0) for text in request.hold_jid)
                request = replace(request, hold_jid=tuple(str(other) for other in kept if other is not None))
            mine = replace(job, id=numbers[job.id], owner=owner, request=request)
            if request is not job.request:
                mine = replace(mine, qsub=qsub_line(request, job.name))
            time = start + (job.submitted - start + shift) % (weeks * WEEK)
            drawn.append(at_time((mine, [replace(task, job=mine.id) for task in ended]), time))
    return sorted(drawn, key=lambda job_and_tasks: (job_and_tasks[0].submitted, job_and_tasks[0].id))
