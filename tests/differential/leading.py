"""Pairs of configurations, and a real qmaster that the commands lead from one to the other."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from qmon_tui.checks import check, check_object
from qmon_tui.formats.layout import LISTS
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.fields import Field, ValueType
from qmon_tui.model.findings import Severity
from qmon_tui.model.instances import overrides_of
from qmon_tui.model.kinds import Kind
from qmon_tui.model.references import references_of, references_to
from qmon_tui.model.sharetree_editing import removed, tree_rows, typed_nodes, with_field, with_nodes
from qmon_tui.qmaster.commands.leading_commands import leading_commands
from qmon_tui.report import command_script
from qmon_tui.sources import read_folder
from qmon_tui.values import Overrides, join_entries, join_names, split_entries, split_names
from qmon_tui.workspace import ObjectChange, differences
from tests.differential.loading import host_names, load
from tests.differential.printing import saved_folder
from tests.differential.qmaster import Qmaster

CONFIGS: Final = Path(__file__).parents[2] / "configs"
NAMES: Final = ("teaching", "site", "campus", "genome", "racks", "desktops")
_PLAIN: Final = ("slots", "seq_no", "h_rt", "priority", "complex_values", "load_thresholds", "shares", "fshare", "week")
_LISTS: Final = (
    *((Kind.HOST, field) for field in ("complex_values", "load_scaling", "user_lists", "xuser_lists", "projects")),
    *((Kind.QUEUE, field) for field in ("complex_values", "load_thresholds", "suspend_thresholds", "pe_list")),
    *((Kind.QUEUE, field) for field in ("hostlist", "user_lists", "xuser_lists", "projects", "owner_list", "slots")),
    (Kind.PE, "user_lists"),
    (Kind.HOSTGROUP, "hostlist"),
    (Kind.USERSET, "entries"),
    (Kind.PROJECT, "acl"),
)
"""Fields that are lists of names or entries, or have settings for hosts."""
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
    for kind, field in random.choices(_LISTS, k=12):
        cluster = _with_elements(random, cluster, kind, field)
    cluster = _with_nodes(random, cluster)
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


def _with_elements(random: Random, cluster: Cluster, kind: Kind, field: str) -> Cluster:
    """Take elements out of a list, put others in, and change values and settings for hosts."""
    objects = [obj for name, obj in cluster.objects(kind).items() if name != "global"]
    if not objects:
        return cluster
    obj = random.choice(objects)
    declared = spec(kind).by_name[field]
    scopes = overrides_of(obj.text(field)) if declared.per_host else Overrides(obj.text(field))
    if declared.per_host and random.random() < 0.5 and (hosts := [*cluster.objects(Kind.HOST)]):
        key = random.choice([*hosts, *(key for key, _ in scopes.keyed)])
        value = None if random.random() < 0.3 else _with_others(random, cluster, declared, scopes.get(key) or "NONE")
        scopes = scopes.with_key(key, value)
    else:
        scopes = scopes.with_default(_with_others(random, cluster, declared, scopes.default or "NONE"))
    text = scopes.text()
    changed = cluster.with_object(obj.with_value(field, text)) if text else cluster
    findings = check_object(changed, changed.objects(kind)[obj.name])
    return cluster if any(finding.severity is Severity.ERROR for finding in findings) else changed


def _with_others(random: Random, cluster: Cluster, field: Field, text: str) -> str:
    if field.name == "slots":
        return str(random.randint(1, 9))
    if field.type is ValueType.ENTRIES:
        entries = list(split_entries(text, field.separator))
        entries = [(name, str(random.randint(1, 99)) if random.random() < 0.3 else value) for name, value in entries]
        entries = [entry for entry in entries if random.random() < 0.8]
        names = (
            [name for name, obj in cluster.objects(Kind.COMPLEX).items() if obj.text("type") != "HOST"]
            if field.name == "complex_values"
            else ["load_avg", "mem_free", "cpu"]
        )
        new = random.choice(names)
        if new not in dict(entries):
            entries.append((new, str(random.randint(1, 99))))
        return join_entries(entries, field.separator)
    names = [name for name in split_names(text, field.separator) if random.random() < 0.8]
    pool = [*cluster.objects(field.refers_to)] if field.refers_to is not None else ["anna", "bert", "cleo"]
    names += [name for name in random.sample(pool, min(2, len(pool))) if name not in (*names, "global")]
    return join_names(names, field.separator)


def _with_nodes(random: Random, cluster: Cluster) -> Cluster:
    """Change shares of the tree, take leaves away and add users."""
    text = cluster.single(Kind.SHARETREE).text("tree")
    for row in reversed(tree_rows(text)):
        if row.place and random.random() < 0.3:
            text = with_field(text, row.place, "shares", str(random.randint(0, 99)))
        elif row.place and row.is_leaf and random.random() < 0.2:
            text = removed(text, row.place)
    if text and (users := [*cluster.objects(Kind.USER)]):
        text, _ = with_nodes(text, (), typed_nodes(random.choice(users)), random.randint(1, 50))
    tree = cluster.single(Kind.SHARETREE).with_value("tree", text)
    changed = cluster.with_object(tree) if text else cluster
    return cluster if any(one.severity is Severity.ERROR for one in check_object(changed, tree)) else changed


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
    script = "\n".join(command_script((), leading_commands(start, goal), differences(start, goal)))
    answer = qmaster.run("sh", "-c", script)
    if answer.status:
        yield f"{answer.text}\n{script}"
    yield from differences(saved_folder(qmaster).cluster, goal)


def _loaded(qmaster: Qmaster, cluster: Cluster) -> Cluster:
    qmaster.restart()
    load(qmaster, cluster)
    return saved_folder(qmaster).cluster
