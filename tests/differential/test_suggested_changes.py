"""What `why` offers: done by our own commands where recorded jobs wait, and by the real one for some drawn ones."""

from itertools import islice
from pathlib import Path

import pytest

from qmon_tui.explain import Change, Explainer
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.report import all_changes
from qmon_tui.workspace import edit_of_change
from tests.differential.families import families
from tests.differential.folders import contents_of
from tests.differential.hidden_state import HiddenState
from tests.differential.qmaster import Qmaster
from tests.differential.recording import kept_runs
from tests.differential.running import real_runs
from tests.differential.scenarios import CLUSTERS, read_scenario
from tests.differential.suggested_changes import judge, offer, waiting_jobs

LOOKED_AT = 3
EACH = 12
"""So many recorded clusters are passed over in a quick test."""
PLAYED = [("arrays", 0), ("altered", 9), *(("arrays", number) for number in range(1, 8)),
          *(("altered", number) for number in range(4))]  # fmt: skip
ALWAYS = 1


def made(cluster: Cluster, state: State, change: Change) -> tuple[Cluster, State]:
    """The world after one change, which a command of ours or an edit makes."""
    if change.kind not in set(Kind):
        order = edit_of_change(cluster, change)
        assert order is not None, change
        return cluster, order.command.apply(cluster, state).state
    kind = Kind(change.kind)
    obj = cluster.get(kind, change.name)
    if obj is None and kind is Kind.HOST:
        obj = config_object(kind, change.name, {"hostname": change.name})
    obj = obj or cluster.single(kind)
    return cluster.with_object(obj.with_value(change.field, change.after)), state


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(folder.name, marks=[pytest.mark.long][: bool(place % EACH)])
        for place, folder in enumerate(sorted(CLUSTERS.iterdir()))
    ],
)
def test_our_own_commands_keep_what_is_offered(name: str) -> None:
    scenario = read_scenario(CLUSTERS / name)
    memory = HiddenState()
    for real in kept_runs(scenario):
        run = memory.completed(real)
        contents = contents_of(run, scenario.files)
        explainer = Explainer(simulate(contents.cluster, contents.state))
        memory.note(run, explainer.run)
    for number in waiting_jobs(explainer.outcome):
        task = explainer.explanation(number).task
        for change in islice(explainer.changes(number), LOOKED_AT):
            cluster, state = contents.cluster, contents.state
            for part in all_changes(change):
                cluster, state = made(cluster, state, part)
            found = simulate(cluster, state)
            places = [
                found.resources.instances[instance].name
                for start in found.starts_of(number).values()
                if start.task == task and start.denial is None
                for instance, _ in start.grants
            ]
            assert sorted(places) == sorted(change.starts_on), [part.description for part in all_changes(change)]


@pytest.mark.qmaster
@pytest.mark.parametrize(
    ("family", "number"),
    [pytest.param(*one, marks=[pytest.mark.long][: place >= ALWAYS]) for place, one in enumerate(PLAYED)],
)
def test_the_real_one_keeps_what_is_offered(family: str, number: int, qmaster: Qmaster, tmp_path: Path) -> None:
    scenario = families()[family].scenario(number)
    changed = offer(real_runs(qmaster, scenario), scenario, tmp_path).scenario
    assert changed is not None
    verdict = judge(real_runs(qmaster, changed), changed, tmp_path)
    assert not verdict.complaint, verdict.complaint
