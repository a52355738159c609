"""Absurd clusters of any size, as the texts of a folder."""

from collections.abc import Iterable, Mapping

Texts = Mapping[str, str]

_TREE = "scheduler: {weight_tickets_share: 1000}\nusers: {u: {}}\nsharetree: |\n"


def node_sets(size: int) -> Texts:
    """Each line stands for many hosts."""
    return {"c.yaml": "hosts:\n" + "".join(f"  n{i}x[1-100000]: {{}}\n" for i in range(size))}


def node_sets_in_hostlists(size: int) -> Texts:
    """The same in the lists of queues."""
    return {"c.yaml": "queues:\n" + "".join(f"  q{i}: {{hostlist: 'n{i}x[1-100000]'}}\n" for i in range(size))}


def group_chain(size: int) -> Texts:
    """Each hostgroup lists the next one, the last one a host."""
    return _grouped([*(f"@g{i + 1}" for i in range(size)), "sim1"])


def group_circle(size: int) -> Texts:
    """Each hostgroup lists the next one, the last one the first."""
    return _grouped([*(f"@g{i + 1}" for i in range(size - 1)), "@g0"])


def group_lattice(size: int) -> Texts:
    """Each hostgroup lists the next two: as many ways as two to the power of the size."""
    return _grouped([f"@g{i + 1} @g{i + 2}" for i in range(size)] + ["sim1", "sim1"])


def quota_rules(size: int) -> Texts:
    """One set with a rule for each user."""
    rules = "".join(f"    - users u{i} hosts * to slots=4\n    - users {{*,!u{i}}} to slots=9\n" for i in range(size))
    return {**_plain(), "q.yaml": f"quotas:\n  r:\n    enabled: TRUE\n    limit:\n{rules}", "j.yaml": _jobs(["x"] * 3)}


def hold_chain(size: int) -> Texts:
    """Each job waits for the one before, by its number."""
    return {**_plain(), "j.yaml": _jobs(["x", *(f"-hold_jid {i} x" for i in range(1, size))])}


def named_hold_chain(size: int) -> Texts:
    """Each job waits for the one before, by its name."""
    return {**_plain(), "j.yaml": _jobs(["-N n0 x", *(f"-N n{i} -hold_jid n{i - 1} x" for i in range(1, size))])}


def deep_tree(size: int) -> Texts:
    """Each node of the share tree has one child."""
    nodes = "".join(_node(i, "Root" if not i else f"n{i}", str(i + 1)) for i in range(size))
    return {**_plain(), "t.yaml": f"{_TREE}{nodes}{_node(size, 'u', 'NONE')}", "j.yaml": _jobs(["x"] * 2)}


def wide_tree(size: int) -> Texts:
    """The root has all nodes as children."""
    users = ", ".join(f"u{i}: {{}}" for i in range(1, size + 1))
    nodes = "".join(_node(i, f"u{i}", "NONE") for i in range(1, size + 1))
    root = _node(0, "Root", ",".join(map(str, range(1, size + 1))))
    return {**_plain(), "t.yaml": _TREE.replace("u: {}", users) + root + nodes, "j.yaml": _jobs(["x"] * 2)}


def refused_jobs(size: int) -> Texts:
    """Jobs that qsub would refuse."""
    return {**_plain(), "j.yaml": _jobs([f"-q nope{i % 7}.q x" for i in range(size)])}


def _plain() -> dict[str, str]:
    return {"c.yaml": "hosts: {sim1: {}}\nqueues:\n  all.q: {hostlist: sim1, slots: 2, load_thresholds: NONE}\n"}


def _grouped(lists: Iterable[str]) -> Texts:
    groups = "".join(f"  '@g{number}': {{hostlist: '{text}'}}\n" for number, text in enumerate(lists))
    queue = "  all.q: {hostlist: '@g0', slots: '1,[@g0=2]', load_thresholds: NONE}\n"
    return {"c.yaml": f"hosts: {{sim1: {{}}}}\nhostgroups:\n{groups}queues:\n{queue}", "j.yaml": _jobs(["x"] * 2)}


def _jobs(options: Iterable[str]) -> str:
    lines = (
        f'- {{id: {number}, owner: u, submitted: 2026-03-02T08:30:00, qsub: "{text}"}}\n'
        for number, text in enumerate(options, 1)
    )
    return f"now: 2026-03-02T09:30:00\njobs:\n{''.join(lines)}"


def _node(number: int, name: str, children: str) -> str:
    return f"  id={number}\n  name={name}\n  type=0\n  shares=1\n  childnodes={children}\n"


def slotwise_chain(size: int) -> Texts:
    """Each queue subordinates the next one slot by slot."""
    lists = [*(f"slots=1(q{i + 1})" for i in range(size - 1)), "NONE"]
    queues = "".join(
        f"  q{i}: {{hostlist: sim1, slots: 1, load_thresholds: NONE, subordinate_list: '{text}'}}\n"
        for i, text in enumerate(lists)
    )
    return {"c.yaml": f"hosts: {{sim1: {{}}}}\nqueues:\n{queues}", "j.yaml": _jobs(["x"] * 2)}
