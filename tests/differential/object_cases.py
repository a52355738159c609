"""Seeded generators of files and deletions for all kinds but complexes and queues: mostly one thing varied."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import yaml

from qmon_tui.checks.name_lists import LISTS
from qmon_tui.formats.qconf.objects import write_object
from qmon_tui.formats.qconf.quotas import write_quotas
from qmon_tui.formats.qconf.sharetree import write_sharetree
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.fields import Field, ValueType
from qmon_tui.model.kinds import Kind
from tests.differential import generating
from tests.differential.generating import NUMBERS, UNSIGNED

ADD, MODIFY, DELETE = "add", "modify", "delete"
FRESH: Final = "fresh"

KINDS: Final = (
    *(Kind.HOST, Kind.HOSTGROUP, Kind.PE, Kind.CKPT, Kind.CALENDAR, Kind.USERSET, Kind.PROJECT, Kind.USER),
    *(Kind.QUOTA, Kind.SHARETREE, Kind.SCHEDULER, Kind.CONFIGURATION),
    *LISTS,
)
TEXTS: Final[Mapping[str, Mapping[str, list[str]]]] = yaml.load(
    Path(__file__).with_name("object_texts.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
)
SHARED: Final = TEXTS["shared"]
DELETED: Final = {Kind(word): names for word, names in TEXTS["deleted"].items()}
FORMED: Final = (Kind.HOST, Kind.PE, Kind.CKPT, Kind.CALENDAR, Kind.USERSET, Kind.PROJECT, Kind.SCHEDULER)
"""Kinds whose files are drawn with faults of form, too.

Of a list that goes on in the next line (hostgroups) qconf names another line than we do, and blanks behind a user's
default project belong to its name, which we do not mind.
"""
FRESH_ONES: Final = ("arusers", "deadlineusers", "defaultdepartment")
LONG_NAMES: Final = ("x" * 512, "x" * 513)
ENTRY_VALUES: Final = tuple(value for value in NUMBERS if " " not in value and "," not in value)


@dataclass(frozen=True, slots=True)
class ObjectCase:
    """A file to add or to modify an object with, or a deletion."""

    kind: Kind
    act: str
    name: str
    text: str = ""


def object_cases(seed: int, count: int, base: Cluster) -> Iterator[ObjectCase]:
    """As many cases, the kinds in turn."""
    random = Random(seed)
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        lot = random.random()
        if kind in LISTS:
            yield ObjectCase(kind, random.choice((ADD, DELETE)), random.choice(TEXTS["listed"][kind.value]))
        elif kind in DELETED and lot < 0.1:
            yield ObjectCase(kind, DELETE, random.choice(DELETED[kind]))
        elif kind is Kind.SHARETREE:
            tree = config_object(kind, kind.value, {"tree": share_tree(random)})
            yield ObjectCase(kind, ADD, kind.value, write_sharetree(tree))
        else:
            yield _file(random, kind, base)


def _file(random: Random, kind: Kind, base: Cluster) -> ObjectCase:
    obj = random.choice([obj for obj in known(kind, base) if obj.name not in FRESH_ONES])
    act = MODIFY if spec(kind).single or obj.name == "global" else random.choice((ADD, MODIFY))
    # Now and then what is added is there, and what is changed is not.
    if not spec(kind).single and (act == ADD) == (random.random() < 0.93):
        obj = renamed(obj, _new_name(random, kind, act))
    names = [field for field in spec(kind).fields if field.name != spec(kind).name_field]
    if kind is Kind.CONFIGURATION:
        names = [field for field in names if field.name in TEXTS["configuration"]]
    changed = random.sample(names, min(len(names), random.choice((1, 1, 1, 2))))
    obj = obj.with_values({field.name: field_text(random, kind, field) for field in changed})
    text = write_quotas([obj], single_line=True) if kind is Kind.QUOTA else write_object(obj, single_line=True)
    if kind in FORMED and random.random() < 0.08:
        text = generating.with_fault_of_form(random, text)
    return ObjectCase(kind, act, obj.name, text)


def known(kind: Kind, base: Cluster) -> list[ConfigObject]:
    if spec(kind).single:
        return [base.single(kind)]
    if kind is Kind.CONFIGURATION:
        cluster_wide = config_object(kind, "global", dict(_configuration(base.single(kind))))
        return [cluster_wide, cluster_wide, *base.objects(kind).values()]
    return list(base.objects(kind).values())


def _configuration(obj: ConfigObject) -> Iterator[tuple[str, str]]:
    for field in spec(Kind.CONFIGURATION).fields:
        if obj.text(field.name):
            yield field.name, obj.text(field.name)


def renamed(obj: ConfigObject, name: str) -> ConfigObject:
    if obj.kind is Kind.CONFIGURATION:
        return config_object(obj.kind, name, obj.values)
    field = spec(obj.kind).name_field
    values = {f.name: obj.text(f.name) for f in spec(obj.kind).fields if f.name != field}
    return config_object(obj.kind, name, values | ({field: name} if field else {}))


def _new_name(random: Random, kind: Kind, act: str) -> str:
    if kind in (Kind.HOST, Kind.CONFIGURATION):
        return random.choice(SHARED["host_names" if kind is Kind.HOST else "configured"])
    if random.random() < 0.75 or (act == MODIFY and kind is Kind.QUOTA):
        # Behind the file of quota sets stand names, between commas.
        return f"@{FRESH}" if kind is Kind.HOSTGROUP else FRESH
    name = random.choice((*SHARED["names"], *LONG_NAMES))
    return name if kind is not Kind.HOSTGROUP or random.random() < 0.2 else f"@{name}"


def field_text(random: Random, kind: Kind, field: Field) -> str:
    """Something for a field, right or wrong."""
    own = TEXTS.get(kind.value, {}).get(field.name)
    if own is not None:
        return random.choice(own)
    if field.type is ValueType.ENTRIES:
        return _entries(random)
    if field.refers_to is Kind.USERSET:
        return random.choice(SHARED["usersets"])
    if field.refers_to is Kind.PROJECT:
        return random.choice(SHARED["projects"])
    if field.type is ValueType.DOUBLE:
        return random.choice(SHARED["doubles"])
    if field.name.endswith(("_args", "_command")):
        return random.choice(SHARED["commands"])
    return generating.plain_text(random, field)


def _entries(random: Random) -> str:
    if random.random() < 0.15:
        return random.choice(SHARED["entries"])
    names = random.choices(SHARED["attributes"], k=random.choice((1, 1, 2)))
    return random.choice((",", ",", ", ", " ")).join(f"{name}={random.choice(ENTRY_VALUES)}" for name in names)


def share_tree(random: Random) -> str:
    """A tree of a few nodes: users, projects, folders and `default` in places where they may be or not."""
    pool = ("user1", "user2", "proj1", "proj2", "default", "folder", "nobody", "a/b")
    nodes: list[list[str]] = []

    def grow(name: str, depth: int) -> int:
        number = len(nodes)
        shares = random.choice(UNSIGNED) if random.random() < 0.1 else str(random.randint(0, 50))
        nodes.append([name, random.choice("0001"), shares, "NONE"])
        leaf = name in ("user1", "user2", "default") and random.random() < 0.93
        count = 0 if leaf or depth > 2 else random.choice((0, 1, 2, 2, 3)) if depth else random.choice((1, 2, 3))
        chosen = random.sample(pool, count) if random.random() < 0.9 else random.choices(pool, k=count)
        children = [grow(child, depth + 1) for child in chosen]
        if children:
            nodes[number][3] = ",".join(map(str, children))
        return number

    grow("Root", 0)
    if random.random() < 0.05:
        random.choice(nodes)[3] = "77"
    lines = [
        f"id={number}\nname={name}\ntype={kind}\nshares={shares}\nchildnodes={children}"
        for number, (name, kind, shares, children) in enumerate(nodes)
    ]
    return "\n".join(lines)
