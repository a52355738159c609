"""What qsub takes as the arguments of its options, as 8.1.9 was seen to read them; ValueError says what to write."""

import re
from itertools import combinations
from typing import Final

from qmon_tui.values import parse_number

_WORD: Final = 2**32
_INTEGER: Final = re.compile(r"[ \t]*([+-]?[0-9]{1,20})")
_CHECKPOINT_LETTERS: Final = frozenset("nsmxr")
_SOCKET_AND_CORE: Final = r"(?::+[0-9]+,[0-9]+(?::.*)?)?"
_LINEAR: Final = re.compile(rf"[^:]*linear[^:]*(?::+(?:slots|[0-9]+){_SOCKET_AND_CORE})?:*")
_STRIDING: Final = re.compile(rf"[^:]*striding[^:]*:+[0-9]+:+[0-9]+{_SOCKET_AND_CORE}:*")
_EXPLICIT: Final = re.compile(r"[^:]*explicit:+(?P<pairs>[0-9]+,[0-9]+(?::[0-9]+,[0-9]+)*):*")
_BINDING: Final = "write linear:AMOUNT, striding:AMOUNT:STEP or explicit:SOCKET,CORE:SOCKET,CORE"
_VERIFIER: Final = re.compile(r"(?:script)?:?[^:@]+")


def c_integer(text: str) -> int:
    """A whole number as C reads it in 32 bits: `4294967297` is 1. -p and -tc."""
    match = _INTEGER.fullmatch(text)
    if not match:
        raise ValueError("not a whole number")
    value = int(match[1]) % _WORD
    return value - _WORD if value >= _WORD // 2 else value


def unsigned(text: str) -> int:
    """A number of any type, cut to a whole one of 32 bits: `1.5` is 1, `1k` is 1000, `010` is 8. -js and -ar."""
    value = parse_number(text)
    if value < 0:
        raise ValueError("not a number from 0 on")
    return int(value) % _WORD


def check_checkpoint(text: str) -> None:
    """-c: letters, or an interval."""
    if text[:1].isdigit() or text.startswith(":"):
        if parse_number(text) > 0:
            return
    elif text and not set(text) - _CHECKPOINT_LETTERS:
        return
    raise ValueError("write some of n, s, m, x and r, or a time")


def check_binding(text: str) -> None:
    """-binding, without the word that says where."""
    match = _EXPLICIT.fullmatch(text)
    pairs = match["pairs"].split(":") if match and not ("linear" in text or "striding" in text) else []
    if any(pair == other for pair, other in combinations(pairs, 2)):
        raise ValueError("a pair of socket and core is there twice")
    if not pairs and not (_LINEAR.fullmatch(text) or ("linear" not in text and _STRIDING.fullmatch(text))):
        raise ValueError(_BINDING)


def check_verifier(text: str) -> None:
    """-jsv: whether the script is there, and what it makes of the job, is not known."""
    if not _VERIFIER.fullmatch(text):
        raise ValueError("write the path of a script")


def check_paths(text: str) -> None:
    """-o, -e, -i and -S: `[host:]path` between commas."""
    entries = [entry for entry in text.split(",") if entry]
    if not entries:
        raise ValueError("the list is empty")
    if any(colon and not path for _, colon, path in (entry.partition(":") for entry in entries)):
        raise ValueError("paths may not be empty strings")
