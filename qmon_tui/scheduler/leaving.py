"""What the qmaster changes when tasks go: their queue instances, quota sets that counted them, and environments."""

from collections.abc import Collection
from dataclasses import replace

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import ENVIRONMENT, QUOTA_SET, State
from qmon_tui.scheduler.compiled.cluster import Compiled, compile_cluster
from qmon_tui.scheduler.compiled.identity import IdentityCache
from qmon_tui.scheduler.matching.level import Adjustments
from qmon_tui.scheduler.quotas.ledger import Ledger, party_of
from qmon_tui.scheduler.resources import Resources
from qmon_tui.scheduler.started import started_jobs

_books: IdentityCache[tuple[Resources, Ledger | None]] = IdentityCache(2)
"""Where something is counted, for the last few configurations; nothing is counted there."""


def left_by(cluster: Cluster, state: State, job: int, tasks: Collection[int]) -> list[str]:
    """What changes when these tasks of a job end, each where it comes last, by its name in `State.changed`."""
    compiled = compile_cluster(cluster)
    alone = replace(state, jobs=tuple(one for one in state.jobs if one.id == job))
    run_job = next(started_jobs(compiled, alone), None)
    if run_job is None:
        return []
    resources, ledger = _books.get((compiled,), lambda: _open_books(compiled))
    names: list[str] = []
    for number in tasks:
        task = run_job.job.tasks[number]
        names += task.granted
        environment = resources.environment_of(run_job.job, number)
        party = party_of(run_job, environment) if ledger is not None else None
        if ledger is not None and party is not None:
            counted = ledger.touched(party, run_job.demand, resources.grants_of(task))
            names += (QUOTA_SET.format(name) for name, _ in sorted(counted.items(), key=lambda item: item[1]))
        if environment is not None:
            names.append(ENVIRONMENT.format(environment))
    return list(dict.fromkeys(reversed(names)))[::-1]


def _open_books(compiled: Compiled) -> tuple[Resources, Ledger | None]:
    resources = Resources(compiled, State(), Adjustments(), scales_loads=False)
    territory = compiled.qmaster_territory or compiled.territory
    return resources, None if compiled.territory is None or territory is None else Ledger(territory, resources)
