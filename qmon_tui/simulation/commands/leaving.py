"""What the qmaster changes when tasks go: their queue instances, quota sets that counted them, and environments."""

from collections.abc import Collection

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import ENVIRONMENT, QUOTA_SET, State
from qmon_tui.scheduler.compiled.cluster import compile_cluster
from qmon_tui.scheduler.matching.level import Adjustments
from qmon_tui.scheduler.quotas.ledger import Ledger, party_of
from qmon_tui.scheduler.resources import Resources
from qmon_tui.scheduler.started import started_jobs


def left_by(cluster: Cluster, state: State, job: int, tasks: Collection[int]) -> list[str]:
    """What changes when these tasks of a job end, each where it comes last, by its name in `State.changed`."""
    compiled = compile_cluster(cluster)
    run_job = next((one for one in started_jobs(compiled, state) if one.id == job), None)
    if run_job is None:
        return []
    resources = Resources(compiled, state, Adjustments(), scales_loads=False)
    ledger = None
    if compiled.territory is not None:
        ledger = Ledger(compiled.qmaster_territory or compiled.territory, resources)
    names: list[str] = []
    for number in tasks:
        task = run_job.job.tasks[number]
        names += task.granted
        environment = resources.environment_of(run_job.job, number)
        party = party_of(run_job, environment) if ledger is not None else None
        if ledger is not None and party is not None:
            counted = ledger.credit(party, run_job.demand, resources.grants_of(task))
            names += (QUOTA_SET.format(name) for name, _ in sorted(counted.items(), key=lambda item: item[1]))
        if environment is not None:
            names.append(ENVIRONMENT.format(environment))
    return list(dict.fromkeys(reversed(names)))[::-1]
