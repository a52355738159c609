"""Which weekdays a list of weekdays and ranges of weekdays means to 8.1.9.

The qmaster joins what overlaps or adjoins, and makes mistakes: of two single weekdays that follow each other the later
one is lost (`fri,sat` is Friday only), while `fri-sat` and `sat,sun` are what they look like. The rule below was found
by asking a real qmaster; it holds for every list that names each weekday once, and for most others.
"""

from collections.abc import Iterable

Span = tuple[int, int | None]
"""First and last weekday, 0 for Sunday; no last one for a single weekday."""

_SATURDAY = 6


def weekdays_of(spans: Iterable[Span]) -> frozenset[int]:
    """The weekdays of a list as written; a range may go over the end of the week."""
    waiting = _unrolled(spans)
    joined: list[Span] = []
    while waiting:
        span, waiting = _joined(waiting[0], waiting[1:])
        joined.append(span)
    return frozenset(day for first, last in joined for day in range(first, _last((first, last)) + 1))


def _unrolled(spans: Iterable[Span]) -> list[Span]:
    """A range over the end of the week as its part from Sunday on, and at the end of the list what comes before."""
    beginnings: list[Span] = []
    endings: list[Span] = []
    for first, last in spans:
        if last is not None and first > last:
            beginnings.append((0, last))
            endings.append((first, _SATURDAY))
        else:
            beginnings.append((first, last))
    return beginnings + endings


def _joined(span: Span, others: list[Span]) -> tuple[Span, list[Span]]:
    """A span together with all that overlap or adjoin it, and the rest.

    What is compared is where the span ended at first, and a single weekday has no end that could be moved.
    """
    end, single = _last(span), span[1] is None
    rest: list[Span] = []
    for other in others:
        start, stop = other[0], _last(other)
        if span[0] <= start <= _last(span) or start == end + 1:
            if stop > end:
                span = (span[0], other[1] if single else stop)
        elif start <= span[0] <= stop or stop + 1 == span[0]:
            if single:
                span = (start, None if other[1] is None else max(_last(span), stop))
            else:
                span = (start, stop if stop > end else span[1])
        else:
            rest.append(other)
    return span, rest


def _last(span: Span) -> int:
    return span[0] if span[1] is None else span[1]
