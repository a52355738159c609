"""Drawn objects judged by us alone, and scheduled with whatever they are: checks and engine never raise."""

import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from qmon_tui.checks import check_object
from qmon_tui.formats import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.qconf.complex_table import read_complexes
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import schedule
from tests.differential.generating import Case, cases
from tests.differential.object_cases import DELETE, ObjectCase, object_cases
from tests.differential.object_verdicts import object_context, our_object_verdict, read_case
from tests.differential.verdicts import FILE, context, our_verdict
from tests.fuzz.damage import damaged

_SCHEDULED_OF = 8
"""Of how many cases one is scheduled as well, which takes ten times as long as judging it."""
_JOBS = """now: 2026-03-02T09:30:00
jobs:
- {id: 1, owner: user1, submitted: 2026-03-02T08:30:00, qsub: -q there.q -l v_int=1 x,
   tasks: {1: {state: r, granted: {there.q@host1: 1}, started: 2026-03-02T08:31:00}}}
- {id: 2, owner: user2, submitted: 2026-03-02T08:31:00, qsub: -R y -pe mpi 2-4 -l v_mem=1G x}
- {id: 3, owner: user1, submitted: 2026-03-02T08:32:00, qsub: -P proj1 -t 1-3 -l v_bool=1 -soft -l arch=a x}
- {id: 5, owner: user3, submitted: 2026-03-02T08:34:00, qsub: x}
- {id: 4, owner: user3, submitted: 2026-03-02T08:33:00, qsub: "-ckpt saver -hold_jid 1 -q there.q,sub.q x"}
"""


def broken(seed: int, count: int, said: Callable[[str], None] = lambda text: None) -> Counter[str]:
    """Where an exception was raised -> how often, of as many cases; `said` gets the first of each kind in full."""
    found: Counter[str] = Counter()
    for judged, text in _trials(seed, count):
        try:
            judged()
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{type(error).__name__} in {place.name}, {place.filename.rpartition('/')[2]}:{place.lineno}"
            if where not in found:
                said(f"{traceback.format_exc()}\n{text}")
            found[where] += 1
    return found


def _trials(seed: int, count: int) -> Iterator[tuple[Callable[[], object], str]]:
    state = read_texts(Layout.YAML, "c", {"jobs.yaml": _JOBS}).state
    random = Random(seed)
    lists_and_queues, others = context(), object_context()
    drawn = cases(seed, count // 2, lists_and_queues), object_cases(seed, count - count // 2, others)
    for case in drawn[0]:
        damage = Case(case.option, _damaged(random, case.text)) if random.random() < 0.3 else case
        yield partial(_queue_or_list, lists_and_queues, state, damage, _lot(random)), str(damage)
    for other in drawn[1]:
        text = _damaged(random, other.text) if other.text and random.random() < 0.3 else other.text
        hurt = ObjectCase(other.kind, other.act, other.name, text)
        yield partial(_other, others, state, hurt, _lot(random)), str(hurt)


def _lot(random: Random) -> bool:
    return random.randrange(_SCHEDULED_OF) == 0


def _damaged(random: Random, text: str) -> str:
    return damaged(random, (text.encode(),)).decode("utf-8", "replace")


def _queue_or_list(cluster: Cluster, state: State, case: Case, run: bool) -> None:
    our_verdict(cluster, case)
    if case.option == "-Mc":
        entries, _ = read_complexes(case.text, FILE)
        after = Cluster(kinds={**cluster.kinds, Kind.COMPLEX: {entry.name: entry for entry in entries}})
        for queue in after.objects(Kind.QUEUE).values():
            check_object(after, queue, state)
        if run:
            schedule(after, state)
    elif case.option != "-dq":
        _other(cluster, state, ObjectCase(Kind.QUEUE, "", "", case.text), run)


def _other(cluster: Cluster, state: State, case: ObjectCase, run: bool) -> None:
    if case.act:
        our_object_verdict(cluster, case)
    if case.act == DELETE or not case.text:
        return
    obj, _ = read_case(case)
    if obj is None:
        return
    after = cluster.with_object(obj)
    check_object(after, obj, state)
    if run:
        schedule(after, state)
