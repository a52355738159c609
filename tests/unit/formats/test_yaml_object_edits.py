"""Objects that come, go and change in YAML, and where they stand then."""

from collections.abc import Callable

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import edited_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind

Edit = Callable[[Cluster], Cluster]


def added(kind: Kind, name: str, **values: str) -> Edit:
    name_field = spec(kind).name_field
    assert name_field is not None
    return lambda cluster: cluster.with_object(config_object(kind, name, {name_field: name, **values}))


def removed(kind: Kind, name: str) -> Edit:
    return lambda cluster: cluster.without(kind, name)


def renamed(kind: Kind, name: str, new: str) -> Edit:
    return lambda cluster: cluster.without(kind, name).with_object(cluster.objects(kind)[name].renamed(new))


def changed(kind: Kind, name: str, **values: str | None) -> Edit:
    def edit(cluster: Cluster) -> Cluster:
        obj = cluster.objects(kind)[name]
        for field, value in values.items():
            obj = obj.with_value(field, value)
        return cluster.with_object(obj)

    return edit


def together(*edits: Edit) -> Edit:
    def edit(cluster: Cluster) -> Cluster:
        for each in edits:
            cluster = each(cluster)
        return cluster

    return edit


def saved(texts: dict[str, str], edit: Edit) -> dict[str, str | None]:
    before = read_texts(Layout.YAML, "c", texts).cluster
    return edited_texts(Layout.YAML, texts, before, edit(before))


TWO = "queues:\n  q: {slots: 1}\n---\nqueues:\n  r: {slots: 2}\n"
DEADLINE = removed(Kind.USERSET, "deadlineusers")
INTERVAL = changed(Kind.SCHEDULER, "scheduler", schedule_interval="0:0:30")
NO_SCHEDULER = removed(Kind.SCHEDULER, "scheduler")
THREE = "hosts:\n  n[1-3]: {load_scaling: a=1}   # three\n"
FOUR = "hosts:\n  n[1-2,08-09]: {load_scaling: a=1}   # four\n"
LIST = "managers:   # who\n- x # a\n- y\n# end\noperators: z\n"
TREE = "sharetree: |  # t\n  id=0\n  name=Root\n\n# end\nqueues: {}\n"
LIMITS = changed(Kind.QUOTA, "q", limit="a\nb", description="d", nuance="x", colour="red")


def scaled(name: str, value: str) -> Edit:
    return changed(Kind.HOST, name, load_scaling=f"a={value}")


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        # A new object stands once, in the last section of its kind.
        (TWO, added(Kind.QUEUE, "s", slots="3"), TWO + "  s: {slots: 3}\n"),
        (TWO, changed(Kind.QUEUE, "q", slots="4"), TWO.replace("slots: 1", "slots: 4")),
        (TWO, removed(Kind.QUEUE, "r"), TWO.replace("\n  r: {slots: 2}", " {}")),
        ("usersets:\n", DEADLINE, "usersets:\n  deadlineusers: NONE\n"),
        (
            "usersets:\n",
            together(DEADLINE, added(Kind.USERSET, "x", entries="a")),
            "usersets:\n  x:\n    entries: a\n  deadlineusers: NONE\n",
        ),
        (
            "usersets: {x: {}}\n",
            together(DEADLINE, added(Kind.USERSET, "y", entries="a b")),
            "usersets: {x: {}, y: {entries: a b}, deadlineusers: NONE}\n",
        ),
        (
            "queues: # ours\n  # none\n\npes: {}\n",
            added(Kind.QUEUE, "q", slots="1"),
            "queues: # ours\n  q:\n    slots: 1\n  # none\n\npes: {}\n",
        ),
        ("queues: NONE\npes: ''\n", added(Kind.QUEUE, "q", slots="1"), "queues:\n  q:\n    slots: 1\npes: ''\n"),
        (
            "queues: NONE\npes: '' # x\n",
            added(Kind.PE, "p", slots="1"),
            "queues: NONE\npes: # x\n  p:\n    slots: 1\n",
        ),
        (
            "usersets: {x: {}}\n",
            together(DEADLINE, removed(Kind.USERSET, "defaultdepartment")),
            "usersets: {x: {}, deadlineusers: NONE, defaultdepartment: NONE}\n",
        ),
        # What a cluster has anyway is said to be gone, also where it was written.
        ("usersets: {deadlineusers: {entries: a}}\n", DEADLINE, "usersets: {deadlineusers: NONE}\n"),
        (
            "usersets: {deadlineusers: {entries: a}}\n",
            renamed(Kind.USERSET, "deadlineusers", "x"),
            "usersets: {x: {entries: a}, deadlineusers: NONE}\n",
        ),
        # A field that comes from elsewhere is given its default where it is taken away.
        (
            "queues:\n  a: &a {slots: 4}\n  b: {<<: *a}\n",
            changed(Kind.QUEUE, "b", slots=None),
            "queues:\n  a: &a {slots: 4}\n  b: {<<: *a, slots: 1}\n",
        ),
        (
            "complexes:\n  slots: {default: 5, urgency: 7}\n",
            changed(Kind.COMPLEX, "slots", urgency=None),
            "complexes:\n  slots: {default: 5, urgency: 0}\n",
        ),
        (
            "queues:\n q:\n  slots: 1\n",
            added(Kind.QUEUE, "r", slots="2"),
            "queues:\n q:\n  slots: 1\n r:\n  slots: 2\n",
        ),
        # New fields stand in the order of the catalogue, those that it does not know last by name.
        (
            "quotas:\n  q:\n    enabled: TRUE\n",
            LIMITS,
            "quotas:\n  q:\n    enabled: TRUE\n    description: d\n    limit: |\n      a\n      b\n"
            "    colour: red\n    nuance: x\n",
        ),
        (
            "quotas:\n  q: {enabled: TRUE}\n",
            LIMITS,
            "quotas:\n  q: {enabled: TRUE, description: d, limit: [a, b], colour: red, nuance: x}\n",
        ),
        # A new field behind one that goes stands behind the nearest that stays, at the end where none does.
        (
            "queues:\n  q: {hostlist: a, seq_no: 1, nsuspend: 2, slots: 2}\n",
            changed(Kind.QUEUE, "q", seq_no=None, nsuspend=None, priority="1"),
            "queues:\n  q: {hostlist: a, priority: 1, slots: 2}\n",
        ),
        (
            "queues:\n  q: {seq_no: 1, slots: 2}\n",
            changed(Kind.QUEUE, "q", seq_no=None, priority="1"),
            "queues:\n  q: {slots: 2, priority: 1}\n",
        ),
        (
            "queues:\n  q:\n    hostlist: a\n    seq_no: 1\n    slots: 2\n",
            changed(Kind.QUEUE, "q", seq_no=None, priority="1"),
            "queues:\n  q:\n    hostlist: a\n    priority: 1\n    slots: 2\n",
        ),
        # The only object of a kind.
        ("hosts: {}\nscheduler: {}\n", INTERVAL, "hosts: {}\nscheduler:\n  schedule_interval: 0:0:30\n"),
        ("scheduler: {algorithm: x} # s\n", INTERVAL, "scheduler: {algorithm: x, schedule_interval: 0:0:30} # s\n"),
        ("scheduler: # s\n  algorithm: x\n  # end\n", NO_SCHEDULER, "  # end\n"),
        ("{scheduler: {algorithm: x}, queues: {}}\n", NO_SCHEDULER, "{queues: {}}\n"),
        (
            "hosts: {}\nmanagers: x # w\n",
            changed(Kind.MANAGERS, "managers", entries="a,b"),
            "hosts: {}\nmanagers: a,b # w\n",
        ),
        (LIST, changed(Kind.MANAGERS, "managers", entries="x y z"), LIST.replace("- y\n", "- y\n- z\n")),
        (LIST, removed(Kind.MANAGERS, "managers"), "# end\noperators: z\n"),
        (TREE, changed(Kind.SHARETREE, "sharetree", tree="id=0\nname=R\nx=1"), TREE.replace("Root", "R\n  x=1")),
        (TREE, removed(Kind.SHARETREE, "sharetree"), "\n# end\nqueues: {}\n"),
        # What stands behind an object that gets its first fields stays, and others may come and go there.
        (
            "queues: {\n    q: {}   # q\n    }\n",
            together(changed(Kind.QUEUE, "q", slots="2"), added(Kind.QUEUE, "r", slots="3")),
            "queues: {\n    q: {slots: 2}, r: {slots: 3}   # q\n    }\n",
        ),
        (
            "queues: {p: {}, q: {}, r: {}}\n",
            together(changed(Kind.QUEUE, "q", slots="2"), removed(Kind.QUEUE, "r")),
            "queues: {p: {}, q: {slots: 2}}\n",
        ),
        # A value in place of an object, in curly braces and not.
        (
            'projects: \n  p:\nhostgroups: {"@a": [x, y], "@b": z}\n',
            changed(Kind.HOSTGROUP, "@b", hostlist="x, y"),
            'projects: \n  p:\nhostgroups: {"@a": [x, y], "@b": "x, y"}\n',
        ),
        (
            'projects: {}\nhostgroups:\n  "@b": z\n',
            changed(Kind.HOSTGROUP, "@b", hostlist="x, y"),
            'projects: {}\nhostgroups:\n  "@b": x, y\n',
        ),
        ('hostgroups: {"@b": z}\n', changed(Kind.HOSTGROUP, "@b", hostlist=None), 'hostgroups: {"@b": NONE}\n'),
        # Who of a node set stays as he was keeps the line and its comment.
        (THREE, scaled("n1", "2"), THREE.replace("1-3", "2-3") + "  n1: {load_scaling: a=2}\n"),
        (THREE, scaled("n2", "2"), THREE.replace("1-3", "1,3") + "  n2: {load_scaling: a=2}\n"),
        (
            THREE,
            together(scaled("n1", "2"), scaled("n2", "3"), scaled("n3", "4")),
            "hosts:\n  n1: {load_scaling: a=2}   # three\n  n2: {load_scaling: a=3}\n  n3: {load_scaling: a=4}\n",
        ),
        (
            THREE,
            together(removed(Kind.HOST, "n1"), scaled("n2", "2")),
            "hosts:\n  n3: {load_scaling: a=1}   # three\n  n2: {load_scaling: a=2}\n",
        ),
        (
            FOUR,
            together(scaled("n1", "2"), scaled("n08", "2")),
            FOUR.replace("1-2,08-09", "2,09") + "  n[1,08]: {load_scaling: a=2}\n",
        ),
        # What is no node set any more has several keys.
        (
            "hosts:\n  a[1-2]b[1-2]: {load_scaling: a=1}   # four\n",
            scaled("a2b2", "2"),
            "hosts:\n  a1b[1-2]: {load_scaling: a=1}   # four\n  a2b1: {load_scaling: a=1}\n"
            "  a2b2: {load_scaling: a=2}\n",
        ),
    ],
)
def test_what_becomes_of_a_text(before: str, edit: Edit, after: str) -> None:
    assert saved({"c.yaml": before}, edit) == {"c.yaml": after}


def test_an_object_that_changes_stays_in_its_file() -> None:
    texts = {"a.yaml": "queues: {q: {slots: 1}}\n", "b.yaml": "queues: {r: {slots: 1}}\n"}
    assert saved(texts, changed(Kind.QUEUE, "q", slots="2")) == {"a.yaml": "queues: {q: {slots: 2}}\n"}
    assert saved(texts, added(Kind.QUEUE, "s")) == {"b.yaml": "queues: {r: {slots: 1}, s: {}}\n"}
