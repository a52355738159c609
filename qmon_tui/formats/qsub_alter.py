"""The options of a job changed as qalter changes them: what is given replaces what was there, the rest stays."""

import re
import shlex
from dataclasses import dataclass
from typing import Final

from qmon_tui.formats.qsub import words_of_option

_WORD: Final = re.compile(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""", re.DOTALL)
_PER_HARDNESS: Final = frozenset({"-l", "-q"})
"""Options that mean something else behind -soft, so that each replaces only its own kind."""
_EMPTY_IS_NONE: Final = frozenset({"-l", "-q", "-masterq"})
_NOTHING: Final = ("-h n",)


@dataclass(frozen=True, slots=True)
class _Piece:
    """An option with its arguments as typed; without an option it is the command."""

    option: str
    text: str
    soft: bool

    @property
    def speaks_of(self) -> tuple[str, bool]:
        """What the option is about."""
        return (self.option, self.soft and self.option in _PER_HARDNESS)


def altered(line: str, options: str) -> str:
    """The line of a job after qalter with these options; an empty list (`-l ''`) and `-h n` take theirs away."""
    old, new = _pieces(line), _pieces(options)
    replaced = {piece.speaks_of for piece in new if piece.option not in ("-hard", "-soft", "")}
    kept = [piece for piece in old if piece.option and piece.speaks_of not in replaced]
    added = [piece for piece in new if piece.option and not _is_nothing(piece)]
    command = next((piece for piece in (*new, *old) if not piece.option and piece.text), _Piece("", "", False))
    return _joined([*kept, *added, command])


def _joined(pieces: list[_Piece]) -> str:
    """The pieces as a line; -soft and -hard stand where they are needed."""
    texts: list[str] = []
    soft = False
    for piece in pieces:
        if piece.option in ("-hard", "-soft"):
            continue
        if piece.option in _PER_HARDNESS and piece.soft is not soft:
            texts.append("-soft" if piece.soft else "-hard")
            soft = piece.soft
        texts.append(piece.text)
    return " ".join(texts).strip()


def without(line: str, option: str, *, soft: bool = False) -> str:
    """The line without an option, wherever it stands; of -l and -q only the hard or the soft ones."""
    pieces = [piece for piece in _pieces(line) if piece.speaks_of != (option, soft and option in _PER_HARDNESS)]
    return _joined(pieces)


def with_command(line: str, command: str) -> str:
    """The line with another command behind the same options."""
    return _joined([*(piece for piece in _pieces(line) if piece.option), _Piece("", command, False)])


def options_given(line: str) -> tuple[str, ...]:
    """The options of a line in their order, each once, `-soft -l` for a soft list."""
    found = (piece for piece in _pieces(line) if piece.option not in ("-hard", "-soft", ""))
    names = (f"-soft {piece.option}" if piece.speaks_of[1] else piece.option for piece in found)
    return tuple(dict.fromkeys(names))


def _is_nothing(piece: _Piece) -> bool:
    words = shlex.split(piece.text)
    return piece.text in _NOTHING or (piece.option in _EMPTY_IS_NONE and words[1:] == [""])


def _pieces(line: str) -> list[_Piece]:
    raw = _WORD.findall(line)
    words = [_unquoted(text) for text in raw]
    if words and words[0].rpartition("/")[2] == "qsub":
        raw, words = raw[1:], words[1:]
    pieces: list[_Piece] = []
    soft = False
    position = 0
    while position < len(words) and words[position].startswith("-") and words[position] != "-":
        count = words_of_option(words, position)
        option = words[position]
        soft = {"-soft": True, "-hard": False}.get(option, soft)
        pieces.append(_Piece(option, " ".join(raw[position : position + count]), soft))
        position += count
    return [*pieces, _Piece("", " ".join(raw[position:]), False)]


def _unquoted(raw: str) -> str:
    try:
        return "".join(shlex.split(raw))
    except ValueError:
        return raw
