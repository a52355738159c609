"""Change a job's options as qalter does: the given options replace those of the job, the others stay."""

import re
import shlex
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from qmon_tui.formats.qsub import words_of_option
from qmon_tui.values import format_qsub_date, parse_qsub_date

_WORD: Final = re.compile(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""", re.DOTALL)
_PER_HARDNESS: Final = frozenset({"-l", "-q"})
"""Options that are hard or soft (after -soft); each replaces only options of its own hardness."""
_GATHERED: Final = frozenset({"-l", "-hold_jid", "-hold_jid_ad"})
"""Options that form one list, even if given several times."""
_EMPTY_IS_NONE: Final = frozenset({"-l", "-P", "-ckpt"})
_NOTHING: Final = frozenset(
    (
        *("-h n", "-hold_jid 0", "-hold_jid_ad 0", "-ar 0", "-tc 0", "-p 0", "-js 0", "-ot 0", "-w n", "-m n", "-j n"),
        *("-R n", "-a 197001010000"),
    )
)
"""Options with the meaning of no option: with them qalter removes the option."""
_ONCE: Final = frozenset(
    ("-a", "-A", "-b", "-display", "-h", "-he", "-j", "-N", "-now", "-P", "-pe", "-r", "-R", "-shell", "-sync", "-w")
)
"""Options for which the clients report that a later one replaces an earlier one."""
CONTEXT: Final = ("-ac", "-dc", "-sc")
"""Options that add pairs to a job's context, remove some, or set the whole context."""
_REPLACES: Final = {
    "-cwd": ("-cwd", "-wd"),
    "-wd": ("-cwd", "-wd"),
    "-v": ("-v", "-V"),
    "-V": ("-v", "-V"),
    "-ac": CONTEXT,
    "-dc": CONTEXT,
    "-sc": CONTEXT,
}
"""Option -> the options that it replaces, if not only itself."""
DATES: Final = ("-a", "-dl")
"""Options of qsub and qalter that take a date."""
_WITHOUT_YEAR: Final = len("MMDDhhmm")


@dataclass(frozen=True, slots=True)
class GivenOption:
    """An option with its arguments as typed (`text`); an empty `option` marks the command."""

    option: str
    text: str
    soft: bool

    @property
    def words(self) -> list[str]:
        """Option and arguments without quotes."""
        return _split(self.text)

    @property
    def subject(self) -> tuple[str, bool]:
        """The option, and True for a soft -l or -q."""
        return (self.option, self.soft and self.option in _PER_HARDNESS)

    @property
    def replaces(self) -> tuple[tuple[str, bool], ...]:
        """Subjects whose earlier options are removed when qalter gives this option."""
        options = _REPLACES.get(self.option)
        return (self.subject,) if options is None else tuple((option, False) for option in options)

    @property
    def only_removes(self) -> bool:
        """True if it only removes an option: `-h n`, `-P ''`."""
        words = self.words
        return " ".join(words) in _NOTHING or (self.option in _EMPTY_IS_NONE and words[1:] == [""])


def altered(line: str, options: str) -> str:
    """Return the line of a job after qalter with these options; `-soft -l ''` and `-h n` remove the job's own.

    An empty list of hard requests (`-l ''`) is kept: messages print it differently from no list.
    """
    old, new = split_options(line), split_options(options)
    replaced = {about for piece in new if piece.option not in ("-hard", "-soft", "") for about in piece.replaces}
    kept = [piece for piece in old if piece.option and piece.subject not in replaced]
    added = _effective([piece for piece in new if piece.option not in ("", *CONTEXT)])
    if any(piece.option in CONTEXT for piece in new) and (pairs := context_of([*old, *new])):
        added.append(GivenOption("-ac", f"-ac {shlex.quote(pairs)}", False))
    command = next((piece for piece in (*new, *old) if not piece.option and piece.text), GivenOption("", "", False))
    return joined([*kept, *added, command])


def _effective(pieces: list[GivenOption]) -> list[GivenOption]:
    """Return the pieces with an effect; a piece that only removes cancels earlier ones, except for lists."""
    options: list[GivenOption] = []
    lists = [piece for piece in pieces if piece.subject == ("-l", False)]
    empty = lists[0] if lists and all(piece.only_removes for piece in lists) else None
    for piece in pieces:
        if not piece.only_removes or piece is empty:
            options.append(piece)
        elif piece.option not in _GATHERED:
            options = [option for option in options if option.subject != piece.subject]
    return options


def context_of(pieces: list[GivenOption]) -> str:
    """Return the context after several options, applied in order: `a=1,b=2`."""
    pairs_by_name: dict[str, str] = {}
    for piece in pieces:
        if piece.option in CONTEXT:
            pairs = {pair.partition("=")[0]: pair for pair in ",".join(piece.words[1:]).split(",") if pair}
            if piece.option == "-sc":
                pairs_by_name.clear()
            pairs_by_name = (
                {n: p for n, p in pairs_by_name.items() if n not in pairs}
                if piece.option == "-dc"
                else {**pairs_by_name, **pairs}
            )
    return ",".join(pairs_by_name.values())


def joined(pieces: list[GivenOption]) -> str:
    """Join the pieces to a line, with -soft and -hard where needed."""
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
    """Return the line without an option; of -l and -q only the hard or the soft ones are removed."""
    pieces = [piece for piece in split_options(line) if piece.subject != (option, soft and option in _PER_HARDNESS)]
    return joined(pieces)


def only(line: str, options: Collection[str]) -> str:
    """Return the line with only these options, named as in `options_given`."""
    kept = (piece for piece in split_options(line) if piece.option)
    return joined([piece for piece in kept if _option_name(piece) in options])


def _option_name(piece: GivenOption) -> str:
    return f"-soft {piece.option}" if piece.subject[1] else piece.option


@lru_cache(maxsize=256)
def with_years(line: str, now: int, options: tuple[str, ...] = DATES) -> str:
    """Add the year of `now` to dates of the line without a year; invalid dates stay as typed."""
    pieces = split_options(line)
    dated = [_dated(piece, now) if piece.option in options else piece for piece in pieces]
    return line if dated == pieces else joined(dated)


def _dated(piece: GivenOption, now: int) -> GivenOption:
    date = "".join(piece.words[1:])
    if len(date.lstrip(".").partition(".")[0]) != _WITHOUT_YEAR:
        return piece
    try:
        seconds = parse_qsub_date(date, now)
    except ValueError:
        return piece
    return replace(piece, text=f"{piece.option} {format_qsub_date(seconds)}")


def with_command(line: str, command: str) -> str:
    """Return the line with another command after the same options."""
    return joined([*(piece for piece in split_options(line) if piece.option), GivenOption("", command, False)])


def options_given(line: str) -> tuple[str, ...]:
    """Return the names of a line's options in order, each once; `-soft -l` for a soft list."""
    pieces = (piece for piece in split_options(line) if piece.option not in ("-hard", "-soft", ""))
    return tuple(dict.fromkeys(map(_option_name, pieces)))


@lru_cache(maxsize=4096)
def overridden(line: str) -> tuple[str, ...]:
    """Return the name of each option that replaces its own earlier use in the line, once per replacement."""
    names = [piece.option for piece in split_options(line) if piece.option in _ONCE]
    return tuple(name for place, name in enumerate(names) if name in names[:place])


def split_options(line: str) -> list[GivenOption]:
    """Split a line into its options as typed, the command last."""
    raw = _WORD.findall(line)
    words = ["".join(_split(text)) for text in raw]
    if words and words[0].rpartition("/")[2] == "qsub":
        raw, words = raw[1:], words[1:]
    pieces: list[GivenOption] = []
    soft = False
    position = 0
    while position < len(words) and words[position].startswith("-") and words[position] != "-":
        count = words_of_option(words, position)
        option = words[position]
        soft = {"-soft": True, "-hard": False}.get(option, soft)
        pieces.append(GivenOption(option, " ".join(raw[position : position + count]), soft))
        position += count
    return [*pieces, GivenOption("", " ".join(raw[position:]), False)]


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()
