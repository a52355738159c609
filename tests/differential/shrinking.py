"""What can be taken out of a scenario: lines, options and requests of the session, objects, fields and list entries.

Each level lists what can go and puts what stays together again; `Parts.without` is what the shrinker tries.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import yaml

from tests.differential.drawing import scenario
from tests.differential.scenarios import Scenario

_TIMES: Final = re.compile(r"(\d+)x (.*)")
_QSUB: Final = re.compile(r"(?P<who>\S+[$#] qsub)(?P<words>.*)")
_OPTION: Final = re.compile(r"\s+(?=-[a-z]|(?:sleep|true)\b)")
_LISTS: Final = ("-l", "-q")

Path = tuple[Any, ...]
"""Where something is: indices of a line and its words, or keys of the cluster."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A scenario in a form that things can be taken out of."""

    cluster: dict[str, Any]
    """Section -> object -> field -> text; or section -> field -> text."""
    lines: tuple[str, ...]

    @classmethod
    def of(cls, given: Scenario) -> "Draft":
        """All files in one, and every repeated line as often as it is repeated."""
        cluster: dict[str, Any] = {}
        for text in given.files.values():
            for key, section in (yaml.load(text, Loader=yaml.CBaseLoader) or {}).items():
                cluster[key] = {**cluster.get(key, {}), **section} if isinstance(section, dict) else section
        lines = (line.strip() for line in given.session.splitlines())
        return cls(cluster, tuple(single for line in lines if line and line[0] != "#" for single in _singles(line)))

    def scenario(self, name: str) -> Scenario:
        """As a scenario again."""
        return replace(scenario(self.cluster, _repeated(self.lines)), name=name)

    def up_to(self, run: int) -> "Draft":
        """Without what comes after a run."""
        ends = [place for place, line in enumerate(self.lines) if line == "run"]
        return replace(self, lines=self.lines[: ends[run - 1] + 1])


Level = Callable[[Draft], tuple[list[Path], Callable[[set[Path]], Draft]]]
"""What can be taken out, and the draft without some of it."""


def _singles(line: str) -> list[str]:
    found = _TIMES.fullmatch(line)
    return [found[2]] * int(found[1]) if found else [line]


def _repeated(lines: Sequence[str]) -> Iterator[str]:
    place = 0
    while place < len(lines):
        count = 1
        while place + count < len(lines) and lines[place + count] == lines[place] != "run":
            count += 1
        yield f"{count}x {lines[place]}" if count > 1 and " qsub" in lines[place] else lines[place]
        place += count if " qsub" in lines[place] else 1


def lines(draft: Draft) -> tuple[list[Path], Callable[[set[Path]], Draft]]:
    """Lines of the session; the last run stays."""
    places: list[Path] = [(place,) for place in range(len(draft.lines) - 1)]

    def without(gone: set[Path]) -> Draft:
        return replace(draft, lines=tuple(line for place, line in enumerate(draft.lines) if (place,) not in gone))

    return places, without


def words(draft: Draft) -> tuple[list[Path], Callable[[set[Path]], Draft]]:
    """Options of qsub, and entries of the lists of -l and -q."""
    split = [_split_line(line) for line in draft.lines]
    places: list[Path] = []
    for line, (_, options) in enumerate(split):
        for place, option in enumerate(options):
            places.append((line, place))
            entries = _option_entries(option)
            places += [(line, place, entry) for entry in range(len(entries)) if len(entries) > 1]

    def without(gone: set[Path]) -> Draft:
        kept: list[str] = []
        for line, (who, options) in enumerate(split):
            shown = [
                _without_entries(option, {path[2] for path in gone if path[:2] == (line, place) and len(path) > 2})
                for place, option in enumerate(options)
                if (line, place) not in gone
            ]
            kept.append(" ".join((who, *filter(None, shown))))
        return replace(draft, lines=tuple(kept))

    return places, without


def _split_line(line: str) -> tuple[str, list[str]]:
    found = _QSUB.fullmatch(line)
    return (found["who"], [option for option in _OPTION.split(found["words"]) if option]) if found else (line, [])


def _option_entries(option: str) -> list[str]:
    name, _, argument = option.partition(" ")
    return _entries(argument.strip("'"), ",") if name in _LISTS else []


def _without_entries(option: str, gone: set[int]) -> str:
    if not gone:
        return option
    kept = [entry for place, entry in enumerate(_option_entries(option)) if place not in gone]
    return f"{option.partition(' ')[0]} '{','.join(kept)}'" if kept else ""


def sections(draft: Draft) -> tuple[list[Path], Callable[[set[Path]], Draft]]:
    """Whole sections of the cluster."""
    return [(key,) for key in draft.cluster], lambda gone: _without_keys(draft, gone)


def objects(draft: Draft) -> tuple[list[Path], Callable[[set[Path]], Draft]]:
    """Objects, or the fields of a section that is one object."""
    places: list[Path] = [
        (key, name) for key, section in draft.cluster.items() if isinstance(section, dict) for name in section
    ]
    return places, lambda gone: _without_keys(draft, gone)


def fields(draft: Draft) -> tuple[list[Path], Callable[[set[Path]], Draft]]:
    """Fields of objects."""
    places: list[Path] = [
        (key, name, field)
        for key, name in objects(draft)[0]
        if isinstance(draft.cluster[key][name], dict) and key != "complexes"
        for field in draft.cluster[key][name]
    ]
    return places, lambda gone: _without_keys(draft, gone)


def entries(draft: Draft) -> tuple[list[Path], Callable[[set[Path]], Draft]]:
    """Entries of lists in fields, and values for some hosts only."""
    texts = {path: draft.cluster[path[0]][path[1]][path[2]] for path in fields(draft)[0]}
    split = {path: _field_entries(path[2], text) for path, text in texts.items() if isinstance(text, str)}
    places: list[Path] = [
        (*path, place) for path, found in split.items() if len(found) > 1 for place in range(len(found))
    ]

    def without(gone: set[Path]) -> Draft:
        cluster = _copied(draft.cluster)
        for path, found in split.items():
            kept = [entry for place, entry in enumerate(found) if (*path, place) not in gone]
            if kept and len(kept) < len(found):
                separator = " " if path[2] == "hostlist" else ","
                cluster[path[0]][path[1]][path[2]] = separator.join(kept)
        return replace(draft, cluster=cluster)

    return places, without


def _field_entries(field: str, text: str) -> list[str]:
    return text.split() if field == "hostlist" else _entries(text, ",")


def _entries(text: str, separator: str) -> list[str]:
    """Split outside brackets."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == separator and not depth:
            found.append("")
        else:
            found[-1] += letter
    return found


def _without_keys(draft: Draft, gone: set[Path]) -> Draft:
    cluster = _copied(draft.cluster)
    for path in gone:
        holder = cluster
        for key in path[:-1]:
            holder = holder[key]
        del holder[path[-1]]
    return replace(draft, cluster=cluster)


def _copied(content: Any) -> Any:
    return {key: _copied(value) for key, value in content.items()} if isinstance(content, dict) else content


LEVELS: Final[tuple[Level, ...]] = (lines, sections, objects, words, fields, entries)
"""From coarse to fine."""
