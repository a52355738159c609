"""Number ranges of `-pe`, `-t` and task lists: `4-8`, `2-`, `-8`, `1-10:2`, `1,3,5-9`."""

import re
from collections.abc import Iterable

OPEN_END = 9999999
"""Last number of a range without an end."""

_RANGE = re.compile(r"(?P<first>[0-9]*)(?P<dash>-?)(?P<last>[0-9]*)(?::(?P<step>[0-9]+))?")


def parse_ranges(text: str) -> tuple[tuple[int, int, int], ...]:
    """Ranges as (first, last, step); a missing first is 1, a missing last is 9999999. Raises ValueError."""
    return tuple(_range(part.strip(" \t"), text) for part in text.split(","))


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


def _range(part: str, text: str) -> tuple[int, int, int]:
    found = _RANGE.fullmatch(part)
    if found is None or not (found["first"] or found["last"]):
        raise ValueError(f'"{text}" is not a range of numbers: write 4, 4-8, 2-, -8 or 1-10:2')
    first = int(found["first"] or 1)
    last = int(found["last"] or OPEN_END) if found["dash"] else first
    step = int(found["step"] or 1)
    if last < first:
        raise ValueError(f'"{text}" is not a range of numbers: {last} comes before {first}')
    if step == 0:
        raise ValueError(f'"{text}" is not a range of numbers: the step must be positive')
    return first, last, step


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
