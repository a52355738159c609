"""Compute the qalter options that change a job's options into the wanted ones (qalter(1), tried with 8.1.9)."""

import shlex
from dataclasses import dataclass
from typing import Final

from qmon_tui.formats.qalter_application import CONTEXT, GivenOption, context_of, joined, split_options
from qmon_tui.model import sorted_holds

NOT_ALTERED: Final = frozenset(
    {"", "-t", "-now", "-C", "-b", "-shell", "-sync", "-terse", "-clear", "-he", "-pty", "-c"}
)
"""Options that qalter cannot change; the first is the command."""

_TAKEN_AWAY: Final = {
    ("-l", False): "-l ''",
    ("-l", True): "-soft -l '' -hard",
    # There is no way back to no queue list: any queue is the nearest.
    ("-q", False): "-q '*'",
    ("-q", True): "-soft -q '*' -hard",
    ("-masterq", False): "-masterq '*'",
    ("-P", False): "-P ''",
    ("-A", False): "-A sge",
    ("-a", False): "-a 197001010000",
    ("-ckpt", False): "-ckpt ''",
    ("-hold_jid", False): "-hold_jid 0",
    ("-hold_jid_ad", False): "-hold_jid_ad 0",
    ("-ar", False): "-ar 0",
    ("-tc", False): "-tc 0",
    ("-p", False): "-p 0",
    ("-js", False): "-js 0",
    ("-ot", False): "-ot 0",
    ("-w", False): "-w n",
    ("-m", False): "-m n",
    ("-j", False): "-j n",
    ("-R", False): "-R n",
}
"""(Option, is soft) -> qalter options that remove it, or the nearest to that."""

About = tuple[str, bool]
"""Subject of an option: its name, and True if it is soft."""
_CONTEXT: Final[About] = ("-ac", False)
COMMAND: Final = "command"
"""Stands for the command among the names of options."""


@dataclass(frozen=True, slots=True)
class Alteration:
    """qalter's options, and the names of options that qalter cannot change or remove (`lasting`)."""

    options: str
    lasting: tuple[str, ...] = ()


def changed_options(before: str, after: str) -> tuple[str, ...]:
    """Return the options of two lines of qsub whose arguments differ, soft ones under the same name; also COMMAND."""
    old, new = _by_subject(before), _by_subject(after)
    return tuple(dict.fromkeys(about[0] or COMMAND for about in (*old, *new)
                               if [piece.words for piece in old.get(about, [])]
                               != [piece.words for piece in new.get(about, [])]))  # fmt: skip


def qalter_options(before: str, after: str) -> Alteration:
    """Return the qalter options that change a job with the line `before` to one with `after`."""
    old, new = _by_subject(before), _by_subject(after)
    options: list[str] = []
    lasting: list[str] = []
    for about in dict.fromkeys((*old, *new)):
        present, wanted = old.get(about, []), new.get(about, [])
        if [piece.words for piece in present] == [piece.words for piece in wanted]:
            continue
        if about[0] in NOT_ALTERED:
            lasting.append(about[0] or COMMAND)
        elif about[0] == "-h":
            options.append(_holds(_letters(present), _letters(wanted)))
        elif about == _CONTEXT:
            options.append(_context(context_of(present), context_of(wanted)))
        elif wanted:
            texts = " ".join(piece.text for piece in wanted)
            options.append(f"-soft {texts} -hard" if about[1] else texts)
        elif about in _TAKEN_AWAY:
            options.append(_TAKEN_AWAY[about])
        elif not any(new.get((other, False)) for other in _INSTEAD.get(about[0], ())):
            lasting.append(about[0])
    return Alteration(" ".join(options).removesuffix(" -hard"), tuple(lasting))


_INSTEAD: Final = {"-cwd": ("-wd",), "-wd": ("-cwd",), "-v": ("-V",), "-V": ("-v",)}
"""Option -> options that disappear if it is given."""


def merged_lines(base: str, mine: str, theirs: str) -> str | None:
    """Merge the changes of both sides, in the order of theirs; None if both changed the same option."""
    lines = [_by_subject(line, spelt=True) for line in (base, mine, theirs)]
    pieces: list[GivenOption] = []
    for about in dict.fromkeys((*lines[2], *lines[1])):
        before, my_words, their_words = ([piece.words for piece in line.get(about, [])] for line in lines)
        if my_words not in (before, their_words) and their_words != before:
            return None
        pieces += lines[1 if their_words == before else 2].get(about, [])
    return joined([*(piece for piece in pieces if piece.option), *(piece for piece in pieces if not piece.option)])


def holds_after(holds: str, letters: str) -> str:
    """Return the holds (of u, o, s) of a task after `-h letters`: small letters set, capitals remove, n removes all."""
    if "n" in letters:
        return ""
    return sorted_holds({hold for hold in (*holds, *letters) if hold.upper() not in letters})


def _by_subject(line: str, *, spelt: bool = False) -> dict[About, list[GivenOption]]:
    """Return subject -> options; `spelt` also keeps options that mean the same as no option."""
    by_subject: dict[About, list[GivenOption]] = {}
    for piece in split_options(line):
        if (
            (spelt or not piece.only_removes)
            and piece.option not in ("-hard", "-soft")
            and (piece.option or piece.text)
        ):
            about = _CONTEXT if piece.option in CONTEXT else piece.subject
            by_subject.setdefault(about, []).append(piece)
    return by_subject


def _letters(pieces: list[GivenOption]) -> str:
    if not pieces:
        return ""
    return pieces[-1].words[1] if len(pieces[-1].words) > 1 else "u"


def _context(present: str, wanted: str) -> str:
    """Return the option that sets the whole wanted context, or removes all names of the old one."""
    if wanted:
        return f"-sc {shlex.quote(wanted)}"
    return f"-dc {shlex.quote(','.join(pair.partition('=')[0] for pair in present.split(',')))}"


def _holds(before: str, after: str) -> str:
    """Return an -h option towards `after`; -h cannot both set and remove holds, so missing ones are set first."""
    added = sorted_holds(set(after) - set(before))
    removed = sorted_holds(set(before) - set(after))
    return f"-h {added or removed.upper() or 'n'}"
