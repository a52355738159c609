"""The reasons of qstat -j for people: those that differ only in the place that they name are said once."""

import re
from collections.abc import Iterable, Mapping

from qmon_tui.cli.text import Width, paragraph
from qmon_tui.model import Filters
from qmon_tui.report import short_names, spelt_out

_PLACES = (
    re.compile(r"(?<=of host )(?P<place>\S+)$"),
    re.compile(r"(?<=of queue instance )(?P<place>\S+)$"),
    re.compile(r'"(?P<place>[^"]*)"'),
)
"""Where a message names its place; the first of these that is found does."""


def reason_lines(reasons: Iterable[str], width: Width, filters: Mapping[str, Filters] | None = None) -> Iterable[str]:
    """The reasons, indented; one that holds for several places is followed by these.

    With the `filters` of quota rules it is said in words whom they count.
    """
    alike: dict[str, dict[str, str]] = {}
    for reason in reasons if filters is None else (spelt_out(text, filters) for text in reasons):
        message, place = _split(reason)
        alike.setdefault(message, {})[place] = reason
    for message, same in alike.items():
        yield from paragraph(
            next(iter(same.values())) if len(same) == 1 else message, width, first="      ", rest="        "
        )
        if len(same) > 1:
            places = short_names(sorted(same))
            yield from paragraph(places, width, first="          ", rest="          ")


def _split(reason: str) -> tuple[str, str]:
    """The message without its place, and the place."""
    for pattern in _PLACES:
        match = pattern.search(reason)
        if match:
            return f"{reason[: match.start()]}…{reason[match.end() :]}", match["place"]
    return reason, ""
