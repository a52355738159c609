"""Number ranges of `-pe`, `-t` and `processors`: parse, format and merge them as 8.1.9 does.

A list is parsed range by range, merging plain ranges (step 1) only; then overlapping ranges are split into single
numbers, each inserted separately; at the end neighbours that continue each other are joined. With other steps the
result depends on each of these operations in its order.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from qmon_tui.values.c_library import double_prefix, integer_prefix

Range = tuple[int, int, int]
"""First, last and step."""

MOST_SINGLE_NUMBERS: Final = 20_000
"""Largest range that is split into single numbers; the real client does not return from much larger ones."""


def gathered(ranges: Iterable[Range]) -> list[Range]:
    """Return the ranges as 8.1.9 collects them while parsing: overlapping plain ones merged, later ones first."""
    known: list[Range] = []
    for number_range in ranges:
        _add_range(known, number_range)
    return known


def joined(ranges: Iterable[Range]) -> list[Range]:
    """Return gathered ranges as one ascending list. Raises ValueError if too many numbers overlap.

    The written end of a range counts: `1-4:2` ends with 4 though it has only 1 and 3, so `1-4:2,6` is `1-6:2`.
    """
    overlapping: list[Range] = []
    kept: list[Range] = []
    for number_range in sorted(ranges, key=_first):
        (overlapping if kept and number_range[0] <= kept[-1][1] else kept).append(number_range)
    if sum(len(range(first, last + 1, step)) for first, last, step in overlapping) > MOST_SINGLE_NUMBERS:
        raise ValueError("too many numbers are in several ranges")
    for first, last, step in overlapping:
        for number in range(first, last + 1, step):
            _insert_number(kept, number)
    return _join_neighbours(kept)


def _add_range(known: list[Range], number_range: Range) -> None:
    """Add a range to `known`; a plain range is merged with a plain one that it overlaps."""
    first, last, step = number_range
    for place, (begin, end, stride) in enumerate(known):
        if step > 1 or stride > 1 or first > end:
            known.insert(0, number_range)
            return
        if last < begin:
            continue
        known[place] = (min(first, begin), max(last, end), stride)
        if first < begin:
            _delete_covered(known, place)
        return
    known.append(number_range)


def _delete_covered(known: list[Range], place: int) -> None:
    """Delete ranges covered by a range that has grown downwards, whatever their steps; 8.1.9 skips every second."""
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


def _insert_number(kept: list[Range], number: int) -> None:
    """Insert a number into an ascending list: within the range around it, as an end of a range, or alone."""
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


def _join_neighbours(kept: list[Range]) -> list[Range]:
    """Join neighbours if one continues the other; two single numbers always join."""
    result = kept[:1]
    for number_range in kept[1:]:
        union = _union(result[-1], number_range)
        if union is None:
            result.append(number_range)
        else:
            result[-1] = _plain_if_single(union)
    return result


def _union(number_range: Range, other: Range) -> Range | None:
    """Return two neighbouring ranges as one; None if no single range has these numbers."""
    (first, last, step), (begin, end, stride) = number_range, other
    is_single, other_is_single = first == last and step == 1, begin == end and stride == 1
    if step == stride and last + step == begin:
        return first, end, step
    if is_single and last + stride == begin:
        return first, end, stride
    if other_is_single and last + step == begin:
        return first, end, step
    return (first, begin, begin - first) if is_single and other_is_single else None


def _first(number_range: Range) -> int:
    return number_range[0]


def _plain_if_single(number_range: Range) -> Range:
    first, last, step = number_range
    return first, last, 1 if first == last else step


OPEN_END: Final = 9999999
"""Last number of a range without an end."""

_WORD_BITS: Final = 0xFFFFFFFF
_WHOLE_WITHIN: Final = 1e-12


def parse_ranges(text: str, *, steps: bool = True, open_end: bool = True) -> tuple[Range, ...]:
    """Parse ranges: ascending, joined if one continues the other; empty for the word UNDEFINED.

    `-pe` and `processors` take no steps, `-t` no open end. Raises ValueError in the qmaster's words.
    """
    parts = [part for part in text.split(",") if part]
    if parts and _is_undefined(parts[0]):
        if len(parts) > 1:
            raise ValueError('error: unexpected range following "UNDEFINED"')
        return ()
    if any(map(_is_undefined, parts)):
        raise ValueError('error: unexpected "UNDEFINED" following range')
    if not parts:
        raise ValueError(f'"{text}" has no range of numbers')
    return tuple(joined(gathered(_parse_range(part, steps=steps, open_end=open_end) for part in parts)))


def range_numbers(ranges: Iterable[Range]) -> Iterator[int]:
    """Yield every number of the ranges once, in the order of the ranges."""
    seen: set[int] = set()
    for first, last, step in ranges:
        for number in range(first, last + 1, step):
            if number not in seen:
                seen.add(number)
                yield number


def format_ranges(ids: Iterable[int]) -> str:
    """Return the shortest text of a set of numbers: `1-3,7`, with a step if three or more are evenly spaced."""
    numbers = sorted(set(ids))
    parts: list[str] = []
    start = 0
    while start < len(numbers):
        end = _end_of_run(numbers, start)
        parts.append(_text(numbers[start], numbers[end], numbers[start + 1] - numbers[start] if end > start else 1))
        start = end + 1
    return ",".join(parts)


def slots_text(ranges: Iterable[Range]) -> str:
    """Return the ranges as -pe takes them, without steps: `4,6,8-10`, `2-`."""
    return ",".join(chain.from_iterable(map(_without_step, ranges)))


def _without_step(number_range: Range) -> Iterator[str]:
    first, last, step = number_range
    if step > 1 and last < OPEN_END:
        yield from map(str, range(first, last + 1, step))
    elif first == 1 and step > 1:
        yield "-"
    else:
        yield str(first) if first == last else f"{first}-{'' if last >= OPEN_END else last}"


def _is_undefined(part: str) -> bool:
    return part.upper() == "UNDEFINED"


def _parse_range(part: str, *, steps: bool, open_end: bool) -> Range:
    if part == "-":
        # Without a step, 8.1.9 takes the width of the range.
        last = _last_of_open(part, open_end)
        return 1, last, last - 1
    if part.startswith("-"):
        last, end = _whole(part[1:])
        if end != len(part) - 1 or steps:
            raise ValueError(f'Range specifier "{part}" has unknown trailer "{part[1:]}"')
        return _ordered(1, last, 1)
    first, end = _whole(part)
    rest = part[end:]
    if not rest:
        return first, first, 1
    if not (rest[0] == "-" or len(rest) == 1 or rest[1].isdigit() or (steps and rest[0] == ":")):
        raise ValueError(f'Range specifier "{part}" has unknown trailer "{rest}"')
    tail = rest[1:]
    if not tail:
        return _ordered(first, _last_of_open(part, open_end), 1)
    last, end = _whole(tail)
    rest = tail[end:]
    if rest and not (steps and rest[0] == ":"):
        raise ValueError(f'Range specifier "{tail}" has unknown trailer "{rest}"')
    return _ordered(first, last, _step(rest[1:]) if rest else 1)


def _whole(text: str) -> tuple[int, int]:
    """Return the leading number, cut to 32 bits, and the index where it ends."""
    prefix = integer_prefix(text)
    if prefix is None:
        raise _no_number(text)
    return prefix[0] & _WORD_BITS, prefix[1]


def _last_of_open(part: str, open_end: bool) -> int:
    if not open_end:
        raise ValueError(f'Range specifier "{part}" has no end')
    return OPEN_END


def _step(text: str) -> int:
    prefix = double_prefix(text)
    if prefix is None:
        raise _no_number(text)
    value, end = prefix
    if not value > 0:
        raise ValueError("Negative or zero step in range is not allowed")
    if value > _WORD_BITS or value % 1 > _WHOLE_WITHIN or value < 1:
        raise _no_number(text)
    if end != len(text):
        raise ValueError(f'Range specifier "{text}" has unknown trailer "{text[end:]}"')
    return int(value)


def _no_number(text: str) -> ValueError:
    return ValueError(f'Numerical value invalid!\nThe initial portion of string "{text}" contains no decimal number')


def _ordered(first: int, last: int, step: int) -> Range:
    return min(first, last), max(first, last), step


def _end_of_run(numbers: list[int], start: int) -> int:
    """Return the index at which the evenly spaced run from `start` ends; two numbers are a run only if adjacent."""
    if start + 1 == len(numbers):
        return start
    step = numbers[start + 1] - numbers[start]
    end = start + 1
    while end + 1 < len(numbers) and numbers[end + 1] - numbers[end] == step:
        end += 1
    return end if step == 1 or end - start >= 2 else start


def _text(first: int, last: int, step: int) -> str:
    if first == last:
        return str(first)
    return f"{first}-{last}" if step == 1 else f"{first}-{last}:{step}"
