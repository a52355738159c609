"""Expand and fold host names written as node sets, `node[001-100]` (ClusterShell's syntax)."""

import re
from collections.abc import Iterable
from functools import lru_cache
from math import prod
from typing import Final

LARGEST: Final = 100_000
"""Maximum number of hosts in one node set."""
MOST_IN_FILE: Final = 200_000
"""Maximum number of hosts in all node sets of a file: a few lines could mean millions."""

_BRACKETS: Final = re.compile(r"\[([^\[\]]*)\]")
_RANGE: Final = re.compile(r"[0-9]{1,9}(?:-[0-9]{1,9}(?:/[1-9][0-9]{0,8})?)?")
_PLAIN: Final = re.compile(r"[^\[\]{}()!&^,*:@%/~\s]*")
_SIMPLE: Final = re.compile(rf"({_PLAIN.pattern}(?<!\d))\[([0-9]{{1,9}})-([0-9]{{1,9}})\]((?!\d){_PLAIN.pattern})")
"""The form of nearly all node sets; importing ClusterShell takes longer than reading a cluster."""
_SETS: Final = re.compile(r"(?:[^,\[\]]|\[[^\]]*\])*")


def is_nodeset(text: str) -> bool:
    """True if the text is a node set, which stands for several names."""
    return "[" in text and not text.startswith("@")


class NodeSetReader:
    """Expands the node sets of one file, up to MOST_IN_FILE hosts in total."""

    def __init__(self) -> None:
        self._left = MOST_IN_FILE

    def expand(self, text: str) -> tuple[str, ...]:
        """Expand like `expand_nodeset`; also raises ValueError if all node sets of the file together are too large."""
        if is_nodeset(text):
            self._left -= size(text)
            if self._left < 0:
                raise ValueError(f"the node sets of this file stand for more than {MOST_IN_FILE} hosts")
        return expand_nodeset(text)


def size(text: str) -> int:
    """Return the number of hosts in a node set without expanding it. Raises ValueError with a sentence."""
    hosts = prod(_size(brackets.group(1), text) for brackets in _BRACKETS.finditer(text))
    if hosts > LARGEST:
        raise ValueError(f'"{text}" stands for more than {LARGEST} hosts')
    return hosts


@lru_cache(maxsize=1024)
def expand_nodeset(text: str) -> tuple[str, ...]:
    """Return the names in a node set; a plain name is the only one. Raises ValueError with a sentence."""
    if not is_nodeset(text):
        return (text,)
    if simple := _SIMPLE.fullmatch(text):
        before, first, last, after = simple.groups()
        if len(first) == len(last) and int(first) <= int(last) < int(first) + LARGEST:
            return tuple(f"{before}{number:0{len(first)}}{after}" for number in range(int(first), int(last) + 1))
    size(text)
    if not _PLAIN.fullmatch(_BRACKETS.sub("", text)):
        raise ValueError(f'"{text}" is not a node set: write node[001-100]')
    from ClusterShell.NodeSet import (  # late: it is large, and plain ranges need none of it
        RESOLVER_NOGROUP,
        NodeSet,
        NodeSetException,
    )

    try:
        return tuple(NodeSet(text, resolver=RESOLVER_NOGROUP))
    except (NodeSetException, ValueError, IndexError, AssertionError) as error:  # ClusterShell asserts on bad input
        raise ValueError(f'"{text}" is not a node set: {error}') from None


def fold_hosts(names: Iterable[str]) -> tuple[str, ...]:
    """Return the fewest node sets for the names: node1 node2 gpu -> gpu, node[1-2]."""
    names = tuple(names)
    if len(names) == 1:
        return names
    from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet  # late, as above

    folded = NodeSet(resolver=RESOLVER_NOGROUP)
    odd = []
    for name in names:
        if name and _PLAIN.fullmatch(name) and not name.startswith("@"):
            folded.add(name)
        else:
            odd.append(name)
    return (*(node_set for node_set in _SETS.findall(str(folded)) if node_set), *odd)


def _size(ranges: str, text: str) -> int:
    """Return how many numbers are in `001-100,105`."""
    total = 0
    for part in ranges.split(","):
        if not _RANGE.fullmatch(part):
            raise ValueError(f'"{text}" is not a node set: "{part}" is neither a number nor a range')
        first, _, rest = part.partition("-")
        last, _, step = rest.partition("/")
        if last and int(last) < int(first):
            raise ValueError(f'"{text}" is not a node set: {last} comes before {first}')
        total += (int(last) - int(first)) // int(step or 1) + 1 if last else 1
    return total
