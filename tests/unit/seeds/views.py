"""What a seed shows, asked of our outcome and of the recorded real one at once; both must agree."""

from collections import Counter

from tests.differential.seeds import last_run, our_outcome

Places = dict[str, dict[str, int]]
"""Job name -> queue instance -> slots; empty for what waits."""


def places(seed: str) -> Places:
    """Where the jobs are after the run."""
    ours = {
        job.name: dict(sum((Counter(task.granted) for task in job.tasks), Counter())) for job in our_outcome(seed).jobs
    }
    real = {
        job.name: dict(sum((Counter(row.granted) for row in job.rows), Counter())) for job in last_run(seed).after.jobs
    }
    assert ours == real
    return ours


def slots(seed: str) -> dict[str, int]:
    """How many slots each job has."""
    return {name: sum(granted.values()) for name, granted in places(seed).items()}


def hosts(seed: str) -> dict[str, set[str]]:
    """On which hosts each job is."""
    return {name: {place.partition("@")[2] for place in granted} for name, granted in places(seed).items()}


def states(seed: str) -> dict[str, str]:
    """qstat's letters of each job's only task, without the t of the first seconds."""
    ours = {job.name: _arrived(job.tasks[0].state) for job in our_outcome(seed).jobs}
    real = {job.name: _arrived(job.rows[0].state) for job in last_run(seed).after.jobs}
    assert ours == real
    return ours


def instances(seed: str) -> dict[str, tuple[str, int, int]]:
    """Queue instance -> letters, used and total slots."""
    ours = {one.name: (one.state, one.used, one.total) for one in our_outcome(seed).queue_instances}
    real = {one.name: (one.state, one.used, one.total) for one in last_run(seed).after.instances}
    assert ours == real
    return ours


def value(seed: str, instance: str, name: str) -> str:
    """A value as qstat -F prints it, such as hc:mem."""
    (ours,) = (one.values[name] for one in our_outcome(seed).queue_instances if one.name == instance)
    (real,) = (one.values[name] for one in last_run(seed).after.instances if one.name == instance)
    assert ours == real
    return ours


def _arrived(state: str) -> str:
    return "r" if state == "t" else state.replace("t", "")
