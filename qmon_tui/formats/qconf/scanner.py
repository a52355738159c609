"""The scanner of qconf files: words, and the blanks, line ends, comments and wrapped lines between them.

Source: formats.md#reading-rules.
"""

import re
from typing import Final, NamedTuple

_BLANKS: Final = r"[ \t\r]*"
BREAK: Final = rf"{_BLANKS}\\{_BLANKS}\n{_BLANKS}"
"""A backslash and a line end, with the blanks around: the value continues on the next line."""

_GAP: Final = re.compile(rf"{_BLANKS}(?:(?P<broken>\\{_BLANKS}\n{_BLANKS})|(?P<end>\n))?")
_NAME: Final = re.compile(r"[A-Za-z0-9_/.#$\-]+|[^ \t\r\n]+")
"""A word, or any text in its place."""
_NUMBER: Final = re.compile(r"(?:-?\d)+(?:\.(?:-?\d)*|-(?:-?\d)+)?", re.ASCII)
_WORD: Final = re.compile(r"[A-Za-z0-9_/.#$\-]+")
_PIECE: Final = re.compile(rf",(?:{BREAK})*|(?:[^ \t\r\n\\#,]|(?<=[A-Za-z0-9_/.#$\-])\#)+|[\\#]")
"""A comma with the wrapped line ends after it, or other text; a # in a word is part of it."""
_RAW: Final = re.compile(rf"(?:[^\n\\]|\\{_BLANKS}\n|\\)*")


class Gap(NamedTuple):
    """Gap between two words: one blank for each run of blanks; True if a line or the text ends there."""

    blanks: str
    swallows: bool = False
    """True if a comment or an empty line is skipped with its line end, so that a value continues after it."""
    line_end: bool = False
    text_end: bool = False

    @property
    def ends(self) -> bool:
        """True if no word follows."""
        return self.line_end or self.text_end


class Scanner:
    """Current position in the text of a file.

    A wrapped line counts as a blank. An empty line after a wrapped line or a comment is skipped together with that
    blank, so that the value continues on the line after it.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.line = 1
        """Line as the qmaster counts: line ends of raw values count twice."""
        self._at_line_start = True

    def skip_gap(self, first_blank: bool = False) -> Gap:
        """Skip to the next word or past the line end; with `first_blank` only past the first blank."""
        blanks = ""
        swallows = broken = False
        while True:
            gap = _GAP.match(self.text, self.position)
            assert gap  # it may be empty
            moved = gap.end() > self.position
            self.position = gap.end()
            if gap["broken"]:
                broken = True
                self.line += 1
                self._at_line_start = self.text[self.position - 1] == "\n"
            elif gap["end"]:
                self.line += 1
                if not self._at_line_start:
                    self._at_line_start = True
                    return Gap(blanks, swallows, line_end=True)
                broken = False
                swallows = True
            else:
                if moved or broken:
                    blanks += " "
                    broken = self._at_line_start = False
                    if first_blank:
                        return Gap(blanks)
                if not self._skip_comment():
                    return Gap(blanks, swallows, text_end=self.position == len(self.text))
                swallows = True

    def _skip_comment(self) -> bool:
        """Skip a comment and its line end; False if there is none. A last line without a line end is no comment."""
        end = self.text.find("\n", self.position) + 1 if self.text.startswith("#", self.position) else 0
        if end:
            self.position = end
            self.line += 1
            self._at_line_start = True
        return end > 0

    def next_name(self) -> str:
        """Skip empty lines and comments, and return the next word; empty at the end of the text."""
        while self.position < len(self.text) and self.skip_gap().ends:
            pass
        return self._take(_NAME)

    def next_piece(self) -> str:
        """Return the next part of a value and move past it; empty at the end of the text."""
        piece = self._take(_PIECE)
        self.line += piece.count("\n")
        return piece

    def raw_value(self) -> str:
        """Return a raw value and move past it: to the end of its line or of its continuation lines."""
        value = self._take(_RAW)
        self.line += value.count("\n")
        return value

    def skip_line_end(self) -> None:
        """Skip the line end after a raw value."""
        if self.position < len(self.text):
            self.position += 1
            self.line += 2
        self._at_line_start = True

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.position)
        if match is None:
            return ""
        self.position = match.end()
        self._at_line_start = False
        return match.group()


def is_word(text: str) -> bool:
    """True if the scanner takes a text as a word, not as a number."""
    return _WORD.fullmatch(text) is not None and _NUMBER.fullmatch(text) is None
