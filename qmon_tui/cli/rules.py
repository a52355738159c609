"""List every rule that check knows: its id, how severe it is, what it demands, its source, and an example."""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby

from qmon_tui.checks import RULES
from qmon_tui.cli.answer import Answer, InputError, paragraph
from qmon_tui.formats import RULES as FORMAT_RULES
from qmon_tui.model import Severity
from qmon_tui.report import count
from qmon_tui.values import meant

_FORMAT = "format"


@dataclass(frozen=True, slots=True)
class _Shown:
    """One rule as it is printed."""

    id: str
    kind: str
    severity: str
    demands: str
    source: str
    example: str
    says: str


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("which", nargs="*", help="the beginnings of rule ids: queue, complex.relop; all without one")


def answer(options: argparse.Namespace) -> Answer:
    """Return the rules of the checks and of the readers. Raises InputError if none matches."""
    rules = [rule for rule in _all() if not options.which or any(_begins(rule.id, prefix) for prefix in options.which)]
    if not rules:
        beginnings = dict.fromkeys(
            ".".join(words[:size]) for rule in _all() for words in [rule.id.split(".")] for size in (1, 2, 3)
        )
        advice = next(filter(None, (meant(word.lower(), beginnings) for word in options.which)), "")
        hint = advice or "without a name all are listed."
        raise InputError(f"no rule's id begins with {' or '.join(options.which)}; {hint}")
    shown = [{name: getattr(rule, name) for name in _Shown.__slots__} for rule in rules]
    return Answer({"rules": shown}, lambda width: _lines(rules, width), closing=f"{count(len(rules), 'rule')}.")


def _all() -> Sequence[_Shown]:
    examples: Mapping[str, tuple[str, str]] = json.loads(
        files("qmon_tui.cli").joinpath("examples.json").read_text(encoding="utf-8")
    )
    nothing = ("", "")
    checks = [
        _Shown(
            rule.id, rule.kind.value, rule.severity.value, rule.summary, rule.source, *examples.get(rule.id, nothing)
        )
        for rule in RULES.values()
    ]
    readers = [
        _Shown(name, _FORMAT, Severity.ERROR.value, rule.demand, rule.source, *examples.get(name, nothing))
        for name, rule in FORMAT_RULES.items()
    ]
    return [*checks, *readers]


def _begins(rule: str, words: str) -> bool:
    """Return True if the id begins with these whole words: `queue` does not match `queues.x`."""
    return f"{rule}.".startswith(f"{words.rstrip('.')}.")


def _lines(rules: Iterable[_Shown], width: int) -> Iterable[str]:
    for number, (kind, group) in enumerate(groupby(rules, key=lambda rule: rule.kind)):
        if number:
            yield ""
        yield kind
        for rule in group:
            yield from paragraph(f"{rule.id}  ({rule.severity}; {rule.source})", width, first="  ", rest="      ")
            yield from paragraph(rule.demands, width, first="      ", rest="      ")
            yield from paragraph(rule.example, width, first="      e.g.  ", rest="            ")
            yield from paragraph(rule.says, width, first="      says  ", rest="            ")
