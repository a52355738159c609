"""YAML text to the events of a parser, by libyaml where it is sure to say the same as ruamel, else by ruamel.

ruamel reads YAML 1.2 and is the reference. libyaml is some thirty times as fast, but reads YAML 1.1: it treats tabs,
odd line ends and byte order marks differently, and sees other places for what is empty, tagged or anchored. So it reads
only what has nothing of the kind, which is nearly every file; a test compares the two.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

_ODD: Final = re.compile("[\t\x85\u2028\u2029\ufeff]|^%", re.MULTILINE)
"""Characters, and the beginning of directives, that the two read differently."""

_BLOCK_STYLES: Final = ("|", ">")


class NeedsReferenceParser(Exception):
    """A text that is left to ruamel."""


class YamlError(Exception):
    """The text is no YAML, or not YAML that is read here; says what and where (1-based)."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def quick_events(text: str) -> Iterator[Any]:
    """The events of a text without anything unusual; raises Unusual at what is, and at every error."""
    if _ODD.search(text):
        raise NeedsReferenceParser
    import yaml  # late, as ruamel below: a folder in qconf's layout needs neither

    if not yaml.__with_libyaml__:
        raise NeedsReferenceParser
    try:
        for event in yaml.parse(text, Loader=yaml.CBaseLoader):
            if _unusual(event):
                raise NeedsReferenceParser
            yield event
    except (yaml.YAMLError, UnicodeEncodeError):
        raise NeedsReferenceParser from None


def reference_events(text: str) -> Iterator[Any]:
    """The events of any text; raises YamlError."""
    from ruamel.yaml import YAML  # late: the faster parser mostly does
    from ruamel.yaml.error import MarkedYAMLError, YAMLError as AnyYAMLError

    try:
        yield from YAML(typ="safe", pure=True).parse(text)
    except MarkedYAMLError as error:
        mark: Any = error.problem_mark or error.context_mark
        message = " ".join(part for part in (error.context, error.problem) if part)
        raise YamlError(message, mark.line + 1 if mark else 1, mark.column + 1 if mark else 1) from None
    except (AnyYAMLError, ValueError) as error:
        # Characters that YAML forbids, and numbers in a %YAML line that are none.
        raise YamlError(str(error).split("\n")[0], 1, 1) from None


def _unusual(event: Any) -> bool:
    """True if the two parsers may disagree on an event or its place."""
    if getattr(event, "anchor", None) or getattr(event, "tag", None) or getattr(event, "explicit", False):
        return True
    if type(event).__name__ != "ScalarEvent":
        return False
    return event.style in _BLOCK_STYLES or (not event.style and not event.value)
