"""Reasons in words, for screen and command line: headings, short names, repeated messages."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from qmon_tui.explain import Change, ExpectedStart, Holder, JobAhead, ReasonGroup, ReasonKind, ShownPriority
from qmon_tui.model import CalendarClosing, Filters
from qmon_tui.scheduler.quotas import rule_scope_text
from qmon_tui.values import format_time

FIRST_LINES = 20
"""Number of lines that `why` prints; `--all` prints all."""
HEADINGS = {
    ReasonKind.IMPOSSIBLE: "Can never run, even when other jobs end",
    ReasonKind.HELD: "Held",
    ReasonKind.NOT_YET: "Not yet eligible",
    ReasonKind.POLICY: "Policy",
    ReasonKind.QUOTA: "Quota rule",
    ReasonKind.BUSY: "Nothing free now",
    ReasonKind.STATE: "Queue state",
    ReasonKind.NEVER: "Never on these",
}
"""Kind of reason -> its heading, in the order in which they are shown."""
_NOWHERE = "Can never run"
_IN_PLACES = frozenset({ReasonKind.QUOTA, ReasonKind.BUSY, ReasonKind.STATE, ReasonKind.IMPOSSIBLE})


def is_never(groups: Iterable[ReasonGroup]) -> bool:
    """Return True if every place refuses the task even after all other jobs have ended."""
    kinds = {group.why for group in groups}
    return ReasonKind.NEVER in kinds and kinds.isdisjoint(_IN_PLACES)


def heading(why: ReasonKind, groups: Iterable[ReasonGroup]) -> str:
    """Return the heading of a kind of reason; that of NEVER depends on `groups`, all groups of the job."""
    return _NOWHERE if why is ReasonKind.NEVER and is_never(groups) else HEADINGS[why]


def by_heading(groups: Iterable[ReasonGroup]) -> dict[ReasonKind, list[ReasonGroup]]:
    """Return kind -> groups in the order of headings; NEVER first if the job can never run."""
    by_reason: dict[ReasonKind, list[ReasonGroup]] = {}
    for group in groups:
        by_reason.setdefault(group.why, []).append(group)
    first = (ReasonKind.NEVER,) if is_never(group for same in by_reason.values() for group in same) else ()
    return {why: by_reason[why] for why in dict.fromkeys((*first, *HEADINGS)) if why in by_reason}


def split_reasons(groups: Sequence[ReasonGroup]) -> tuple[Sequence[ReasonGroup], Sequence[ReasonGroup]]:
    """Return the reasons to show before the fixes, and those to show after them (places that never fit)."""
    if is_never(groups):
        return groups, ()
    return (
        tuple(group for group in groups if group.why is not ReasonKind.NEVER),
        tuple(group for group in groups if group.why is ReasonKind.NEVER),
    )


def ahead_words(ahead: JobAhead) -> str:
    """Return why a job is ahead: `tickets (ftckt)`, `submitted earlier`."""
    ties = {"submission time": "submitted earlier", "job number": "a lower job number"}
    return ties.get(ahead.by) or (f"{ahead.by} ({ahead.cause})" if ahead.cause else ahead.by)


def start_words(ahead: JobAhead) -> str:
    """Return where a job ahead starts, or why the run leaves it out; empty if it only waits."""
    if ahead.left_out:
        return f"left out by {ahead.left_out}"
    return f"starts on {ahead.place}" if ahead.place else ""


def shown_words(shown: ShownPriority) -> str:
    """Return the priority that qstat shows, and why it differs."""
    return f"qstat shows {shown.prior:.5f}: {shown.because}"


def all_changes(change: Change) -> tuple[Change, ...]:
    """Return a change and the further changes that it needs."""
    return (change, *change.also)


_WHOLE = ("-l", "-pe")


def commands_of(change: Change) -> list[str]:
    """Return the Grid Engine commands of a change, in order.

    `qalter -l` and `-pe` replace all earlier values of the option: only the last one is kept.
    """
    commands = [part.command for part in all_changes(change) if part.command]
    last = {_replaced_by(command): place for place, command in enumerate(commands)}
    return [command for place, command in enumerate(commands) if last[_replaced_by(command)] == place]


def _replaced_by(command: str) -> tuple[str, ...]:
    """Return a key of a command; a later command with the same key replaces its effect."""
    words = command.split()
    return (*words[:2], words[-1]) if words[0] == "qalter" and words[1] in _WHOLE else (command,)


_QUOTA = re.compile(r'limit "(?P<key>[^"/]*(?:/[^"/]*){5})"(?= in rule "(?P<rule>[^"]*)")')


def spelt_out(message: str, filters: Mapping[str, Filters]) -> str:
    """Return a message of qstat -j with the scope of a quota in words; `filters` are those of the rules."""
    return _QUOTA.sub(
        lambda match: f"the limit for {rule_scope_text(filters.get(match['rule']), match['key'])}", message
    )


_HOLDERS = 3
"""Number of holders of a resource that are named; the others are counted."""


def details_of(group: ReasonGroup, now: float) -> Sequence[str]:
    """Return details of a reason, one line each: prerequisites, and the jobs that hold the missing resource."""
    if not group.holders:
        return group.details
    named = [_holder_words(holder, now) for holder in group.holders[:_HOLDERS]]
    more = f"; and {len(group.holders) - _HOLDERS} more" if len(group.holders) > _HOLDERS else ""
    return (*group.details, f"held by {'; '.join(named)}{more}")


def no_change_words(tried: int) -> str:
    """Return the sentence for a search without result, with the number of tried changes."""
    if not tried:
        return "no change is known that would let it start now"
    changes = "the one change" if tried == 1 else f"none of the {tried} changes"
    return f"{changes} tried would {'not ' if tried == 1 else ''}let it start now"


def no_forecast_words(formulas: str) -> str:
    """Return the sentence that there is no forecast with other formulas than Grid Engine's."""
    return f"wait: with the formulas “{formulas}” no start is foretold, as days follow Grid Engine's"


def waiting_words(expected: ExpectedStart, now: float) -> str:
    """Return the expected start: `wait: it would start at about 14:20, when job 12 has ended (h_rt)`."""
    return f"wait: it would start at about {clock_time(expected.at, now)}, when {expected.after}"


def _holder_words(holder: Holder, now: float) -> str:
    task = "" if holder.task is None else f".{holder.task}"
    until = "with no end known" if holder.until is None else f"until {clock_time(holder.until, now)} ({holder.by})"
    return f"job {holder.job}{task} ({holder.owner}): {holder.text} {until}"


def clock_time(seconds: int, now: float) -> str:
    """Return a time: `14:20`, with the date if it is not that of `now`."""
    text = format_time(seconds)
    date, _, clock = text.partition("T")
    clock = clock[:5]
    return clock if date == format_time(now).partition("T")[0] else f"{date} {clock}"


def closing_words(closing: CalendarClosing) -> str:
    """Return the effect of a calendar and its end: `calendar night disables it until 2026-11-22T06:00:00`."""
    verb = "suspends" if closing.suspends else "disables"
    until = "for good" if closing.until is None else f"until {format_time(closing.until)}"
    return f"calendar {closing.calendar} {verb} it {until}"


_PLACE = re.compile(r'"[^"]*"|(?<=of host )\S+$|(?<=of queue instance )\S+$')


def other_reasons(reasons: Iterable[str], groups: Iterable[ReasonGroup]) -> list[str]:
    """Return the reasons whose message, apart from places, is in no group."""
    known = {_without_places(group.message) for group in groups}
    return [reason for reason in reasons if _without_places(reason) not in known]


def _without_places(message: str) -> str:
    return _PLACE.sub("…", message)


_NAMED_PLACES = (
    re.compile(r"(?<=of host )(?P<place>\S+)$"),
    re.compile(r"(?<=of queue instance )(?P<place>\S+)$"),
    re.compile(r'"(?P<place>[^"]*)"'),
)
"""Patterns for the place in a message; the first match counts."""


def alike_reasons(reasons: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield (reason, "") or, for reasons that differ only in the place, (message, places).

    In such a message `…` replaces the place.
    """
    alike: dict[str, dict[str, str]] = {}
    for reason in reasons:
        message, place = _without_named_place(reason)
        alike.setdefault(message, {})[place] = reason
    for message, same in alike.items():
        yield (message, short_names(sorted(same))) if len(same) > 1 else (next(iter(same.values())), "")


def _without_named_place(reason: str) -> tuple[str, str]:
    for pattern in _NAMED_PLACES:
        match = pattern.search(reason)
        if match:
            return f"{reason[: match.start()]}…{reason[match.end() :]}", match["place"]
    return reason, ""


_NUMBERED = re.compile(r"(.*?)(\d{1,18})$")


def short_names(names: Sequence[str]) -> str:
    """Return names in short: consecutive numbered names become `short.q@node01–06`."""
    parts: list[str] = []
    first = last = ""
    for name in names:
        if last and _follows(last, name):
            last = name
            continue
        parts.extend(_run(first, last))
        first = last = name
    parts.extend(_run(first, last))
    return ", ".join(parts)


def _follows(before: str, after: str) -> bool:
    first, second = _NUMBERED.match(before), _NUMBERED.match(after)
    if first is None or second is None or first[1] != second[1] or len(first[2]) != len(second[2]):
        return False
    return int(second[2]) == int(first[2]) + 1


def _run(first: str, last: str) -> list[str]:
    if not first:
        return []
    if first == last:
        return [first]
    number = _NUMBERED.match(last)
    return [f"{first}–{number[2]}" if number else first]
