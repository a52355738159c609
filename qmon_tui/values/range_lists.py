"""Lists of number ranges as Grid Engine gathers, sorts and joins them (compared with qsub -t and -pe of 8.1.9).

A list is taken in range by range, where only plain ranges meet; then what overlaps is spread out into single numbers,
each of which goes into the list by itself; and in the end neighbours are joined that continue each other. Where steps
meet, what comes out depends on each of these in its order.
"""

from collections.abc import Iterable
from typing import Final

Range = tuple[int, int, int]
"""First, last and step."""

MOST_SPREAD: Final = 20_000
"""So many numbers are put into a list one by one; the real client, too, is not heard of again when there are many."""


def gathered(ranges: Iterable[Range]) -> list[Range]:
    """Ranges in the order in which they are kept while they are read: the later plain ones first."""
    known: list[Range] = []
    for one in ranges:
        _take_in(known, one)
    return known


def joined(ranges: Iterable[Range]) -> list[Range]:
    """The ascending list of what was gathered. Raises ValueError where too many numbers overlap.

    A range ends with the number that was written, `1-4:2` with 4 though it has only 1 and 3: `1-4:2,6` is `1-6:2`.
    """
    aside: list[Range] = []
    kept: list[Range] = []
    for one in sorted(ranges, key=_first):
        (aside if kept and one[0] <= kept[-1][1] else kept).append(one)
    if sum(len(range(first, last + 1, step)) for first, last, step in aside) > MOST_SPREAD:
        raise ValueError("too many numbers are in several ranges")
    for first, last, step in aside:
        for number in range(first, last + 1, step):
            _put(kept, number)
    return _continued(kept)


def _take_in(known: list[Range], one: Range) -> None:
    """Take one more range in: a plain one grows together with the plain ones that it meets."""
    first, last, step = one
    for place, (begin, end, stride) in enumerate(known):
        if step > 1 or stride > 1 or first > end:
            known.insert(0, one)
            return
        if last < begin:
            continue
        known[place] = (min(first, begin), max(last, end), stride)
        if first < begin:
            _swallow(known, place)
        return
    known.append(one)


def _swallow(known: list[Range], place: int) -> None:
    """Let a range that has grown downwards take in those behind it, whatever their steps, but not every second one."""
    first, last, step = known[place]
    behind = place + 1
    while behind < len(known):
        begin, end, _ = known[behind]
        if first > end:
            return
        del known[behind]
        if first >= begin:
            known[place] = (begin, last, step)
            return
        behind += 1


def _put(kept: list[Range], number: int) -> None:
    """Put a number into an ascending list: into a range that has it, at the end of one that it continues, or alone."""
    kept.sort(key=_first)
    place = next((at for at in reversed(range(len(kept))) if number >= kept[at][1]), -1)
    before = kept[place] if place >= 0 else None
    behind = kept[place + 1] if place + 1 < len(kept) else None
    if behind and number > behind[0]:
        first, last, step = behind
        if over := (number - first) % step:
            parts = (first, number - over, step), (number, number, 1), (number - over + step, last, step)
            kept[place + 1 : place + 2] = map(_plain_if_single, parts)
    elif (before and before[1] == number) or (behind and behind[0] == number):
        return
    elif before and before[1] + before[2] == number:
        kept[place] = (before[0], number, before[2])
    elif behind and behind[0] - behind[2] == number:
        kept[place + 1] = (number, *behind[1:])
    else:
        kept.insert(place + 1, (number, number, 1))


def _continued(kept: list[Range]) -> list[Range]:
    """The list with neighbours joined that continue each other; two single numbers always do."""
    result = kept[:1]
    for one in kept[1:]:
        whole = _together(result[-1], one)
        if whole is None:
            result.append(one)
        else:
            result[-1] = _plain_if_single(whole)
    return result


def _together(one: Range, other: Range) -> Range | None:
    """Two neighbours as one range, None where there is none."""
    (first, last, step), (begin, end, stride) = one, other
    alone, single = first == last and step == 1, begin == end and stride == 1
    if step == stride and last + step == begin:
        return first, end, step
    if alone and last + stride == begin:
        return first, end, stride
    if single and last + step == begin:
        return first, end, step
    return (first, begin, begin - first) if alone and single else None


def _first(one: Range) -> int:
    return one[0]


def _plain_if_single(one: Range) -> Range:
    first, last, step = one
    return first, last, 1 if first == last else step
