"""Number ranges of `-pe`, `-t` and `processors`: `4-8`, `2-`, `-8`, `1-10:2`, `1,3,5-9` (semantics/dispatch.md).

What the qmaster reads is wider than what is documented: `8-4` is `4-8`, and any one sign may stand for the dash.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from qmon_tui.values.cfloat import double_prefix, integer_prefix
from qmon_tui.values.range_lists import Range, gathered, joined

OPEN_END: Final = 9999999
"""Last number of a range without an end."""

_WORD_BITS: Final = 0xFFFFFFFF
_WHOLE_WITHIN: Final = 1e-12


def parse_ranges(text: str, *, steps: bool = True, open_end: bool = True) -> tuple[Range, ...]:
    """Ranges in ascending order, joined where one continues the other; the word UNDEFINED is none at all.

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
    """Every number of the ranges, each once, in the order of the ranges."""
    seen: set[int] = set()
    for first, last, step in ranges:
        for number in range(first, last + 1, step):
            if number not in seen:
                seen.add(number)
                yield number


def format_ranges(ids: Iterable[int]) -> str:
    """Shortest text of a set of numbers, ascending: `1-3,7`, with a step where three or more are evenly apart."""
    numbers = sorted(set(ids))
    parts: list[str] = []
    start = 0
    while start < len(numbers):
        end = _run(numbers, start)
        parts.append(_text(numbers[start], numbers[end], numbers[start + 1] - numbers[start] if end > start else 1))
        start = end + 1
    return ",".join(parts)


def slots_text(ranges: Iterable[Range]) -> str:
    """The ranges as -pe takes them, which has no steps: `4,6,8-10`, `2-`."""
    return ",".join(chain.from_iterable(map(_without_step, ranges)))


def _without_step(one: Range) -> Iterator[str]:
    first, last, step = one
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
        # Nothing says its step: it is as wide as the range.
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
    """Leading number cut to 32 bits, and where it ends."""
    found = integer_prefix(text)
    if found is None:
        raise _no_number(text)
    return found[0] & _WORD_BITS, found[1]


def _last_of_open(part: str, open_end: bool) -> int:
    if not open_end:
        raise ValueError(f'Range specifier "{part}" has no end')
    return OPEN_END


def _step(text: str) -> int:
    found = double_prefix(text)
    if found is None:
        raise _no_number(text)
    value, end = found
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


def _run(numbers: list[int], start: int) -> int:
    """Index of the last number of the even run that begins at `start`; two numbers are a run only if adjacent."""
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
