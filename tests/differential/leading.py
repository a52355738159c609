"""Pairs of configurations, and a real qmaster that the commands lead from one to the other."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from qmon_tui.checks import check
from qmon_tui.formats.layout import LISTS
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.model.references import references_of, references_to
from qmon_tui.qmaster.commands.leading_commands import leading_commands, script_lines
from qmon_tui.sources import read_folder
from qmon_tui.workspace import ObjectChange, differences
from tests.differential.loading import host_names, load
from tests.differential.printing import saved_folder
from tests.differential.qmaster import Qmaster

CONFIGS: Final = Path(__file__).parents[2] / "configs"
NAMES: Final = ("teaching", "site", "campus", "genome", "racks", "desktops")
_PLAIN: Final = ("slots", "seq_no", "h_rt", "priority", "complex_values", "load_thresholds", "shares", "fshare", "week")
_FIXED: Final = frozenset({Kind.COMPLEX, Kind.SCHEDULER, Kind.CONFIGURATION, *LISTS})


def drawn_pair(seed: int) -> tuple[Cluster, Cluster]:
    """A shipped configuration, and one that is made of it and parts of another; both are accepted."""
    random = Random(seed)
    first, second = (read_folder(CONFIGS / name).cluster for name in random.sample(NAMES, 2))
    for _ in range(50):
        mixed = _mixed(random, first, second)
        if not any(finding.severity is Severity.ERROR for finding in check(mixed)):
            return (first, mixed) if random.random() < 0.5 else (mixed, first)
    return first, second


def _mixed(random: Random, first: Cluster, second: Cluster) -> Cluster:
    cluster = first
    candidates = [obj for kind in Kind if kind not in LISTS for obj in second.objects(kind).values()]
    for obj in random.sample(candidates, min(len(candidates), random.randint(0, 12))):
        cluster = cluster.with_objects(_with_what_it_names(second, obj))
    for kind in (Kind.QUEUE, Kind.PROJECT, Kind.USERSET, Kind.USER, Kind.HOST, Kind.CALENDAR, Kind.USERSET):
        cluster = _changed(random, cluster, kind)
    for kind in (Kind.QUOTA, Kind.QUEUE, Kind.PE, Kind.HOSTGROUP, Kind.HOST, Kind.CALENDAR, Kind.PROJECT, Kind.USERSET):
        for name in list(cluster.objects(kind)):
            if random.random() < 0.4 and name != "global" and not references_to(cluster, kind, name):
                cluster = cluster.without(kind, name)
    return cluster


def _changed(random: Random, cluster: Cluster, kind: Kind) -> Cluster:
    objects = list(cluster.objects(kind).values())
    for obj in random.sample(objects, len(objects) // 2):
        other = random.choice(objects)
        field = random.choice(_PLAIN)
        # An access list may be added with shares but not be given any (userset.md#fshare).
        if field in other.values and not (
            field == "fshare" and "DEPT" not in obj.text("type") and kind is Kind.USERSET
        ):
            cluster = cluster.with_object(obj.with_value(field, other.text(field)))
    return cluster


def _with_what_it_names(cluster: Cluster, obj: ConfigObject) -> list[ConfigObject]:
    found, left = {(obj.kind, obj.name): obj}, [obj]
    while left:
        for (kind, name), _ in references_of(left.pop()):
            named = cluster.get(kind, name)
            if named is not None and (kind, name) not in found:
                found[kind, name] = named
                left.append(named)
    return list(found.values())


def led(qmaster: Qmaster, before: Cluster, after: Cluster) -> Iterator[str | ObjectChange]:
    """What the real system refuses of the commands, and what then differs from what it has where `after` is loaded."""
    goal = _loaded(qmaster, after)
    start = _loaded(qmaster, before)
    for host in sorted(host_names(after)):
        qmaster.world.names.add_host(host)
    script = "\n".join(("set -e", *script_lines(leading_commands(start, goal))))
    answer = qmaster.run("bash", "-c", script)
    if answer.status:
        yield f"{answer.text}\n{script}"
    yield from differences(saved_folder(qmaster).cluster, goal)


def _loaded(qmaster: Qmaster, cluster: Cluster) -> Cluster:
    qmaster.restart()
    load(qmaster, cluster)
    return saved_folder(qmaster).cluster
