"""Every kind of object judged by one real qmaster and by us, in thousands: `python -m tests.differential.judging`.

Each process has a qmaster of its own, as starting qconf is what takes the time, and a part of the cases. With `--alone`
only we judge, damaged objects as well: the question is then whether anything raises.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from qmon_tui.model.kinds import Kind
from tests.differential.clock import universal_time
from tests.differential.generating import cases
from tests.differential.judging_alone import broken
from tests.differential.object_cases import KINDS, object_cases
from tests.differential.object_verdicts import object_context, object_disagreements, real_object_verdicts
from tests.differential.odd_spellings import odd_cases
from tests.differential.qmaster import Qmaster, why_unavailable
from tests.differential.verdicts import context, disagreements, real_verdicts

COUNT = 5400
SEED = 20260
ALL_KINDS = (Kind.COMPLEX, Kind.QUEUE, *KINDS)
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of some of the cases."""

    cases: Counter[Kind]
    accepted: Counter[Kind]
    disagreed: Counter[Kind]
    texts: tuple[str, ...]
    """Where we differ, with the file."""

    def __add__(self, other: "Judged") -> "Judged":
        return Judged(
            self.cases + other.cases,
            self.accepted + other.accepted,
            self.disagreed + other.disagreed,
            self.texts + other.texts,
        )


def judge(qmaster: Qmaster, seed: int, count: int) -> Judged:
    """As many cases over all kinds, judged by a qmaster and by us."""
    # Of three of the first kind of case one is about complexes, so that every kind has about the same number.
    first = count * 3 // (len(ALL_KINDS) + 1)
    return _lists_and_queues(qmaster, seed, first) + _other_kinds(qmaster, seed, count - first)


def _lists_and_queues(qmaster: Qmaster, seed: int, count: int) -> Judged:
    cluster = context()
    real = list(real_verdicts(qmaster, cases(seed, count, cluster)))
    found = list(disagreements(cluster, real))
    return Judged(
        Counter(verdict.case.kind for verdict in real),
        Counter(verdict.case.kind for verdict in real if verdict.clean),
        Counter(verdict.case.kind for verdict, _ in found),
        tuple(text for _, text in found),
    )


def _other_kinds(qmaster: Qmaster, seed: int, count: int) -> Judged:
    cluster = object_context()
    odd = count // 4
    drawn = (*object_cases(seed, count - odd, cluster), *odd_cases(seed, odd, cluster))
    real = list(real_object_verdicts(qmaster, drawn))
    found = list(object_disagreements(cluster, real))
    return Judged(
        Counter(verdict.case.kind for verdict in real),
        Counter(verdict.case.kind for verdict in real if verdict.accepted),
        Counter(verdict.case.kind for verdict, _ in found),
        tuple(text for _, text in found),
    )


def _part(seed: int, count: int) -> Judged:
    with universal_time(), Qmaster() as qmaster:
        return judge(qmaster, seed, count)


def table(judged: Judged) -> Iterator[str]:
    """A line for each kind."""
    yield f"{'kind':<16}{'cases':>8}{'accepted':>10}{'disagreements':>15}"
    for kind in ALL_KINDS:
        yield f"{kind.value:<16}{judged.cases[kind]:>8}{judged.accepted[kind]:>10}{judged.disagreed[kind]:>15}"
    sums = (judged.cases.total(), judged.accepted.total(), judged.disagreed.total())
    yield f"{'all':<16}{sums[0]:>8}{sums[1]:>10}{sums[2]:>15}"


def main(words: list[str]) -> int:
    """Judge and print the table; 1 where we differ, 2 where there is no real system."""
    parser = argparse.ArgumentParser("python -m tests.differential.judging")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--alone", action="store_true", help="judge without a real system, and tell what raises")
    asked = parser.parse_args(words)
    if asked.alone:
        return _alone(asked)
    if reason := why_unavailable():
        print(reason, file=sys.stderr)
        return 2
    begun = time.monotonic()
    share = -(-asked.count // asked.processes)
    with ProcessPoolExecutor(asked.processes, get_context("spawn")) as pool:
        parts = [pool.submit(_part, asked.seed + number, share) for number in range(asked.processes)]
        judged = sum((part.result() for part in parts), Judged(Counter(), Counter(), Counter(), ()))
    for text in judged.texts[:_SHOWN]:
        print(f"{text}\n")
    print("\n".join(table(judged)))
    print(f"{time.monotonic() - begun:.0f} s in {asked.processes} processes, seed {asked.seed}")
    return 1 if judged.disagreed else 0


def _alone(asked: argparse.Namespace) -> int:
    with ProcessPoolExecutor(asked.processes, get_context("spawn")) as pool:
        share = -(-asked.count // asked.processes)
        parts = [pool.submit(_part_alone, asked.seed + number, share) for number in range(asked.processes)]
        found = sum((part.result() for part in parts), Counter[str]())
    for where, times in found.most_common():
        print(f"{times:8}  {where}")
    print(f"{asked.count} cases, seed {asked.seed}: {found.total()} raised")
    return 1 if found else 0


def _part_alone(seed: int, count: int) -> Counter[str]:
    with universal_time():
        return broken(seed, count, print)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
