"""XML as a small tree with line numbers, read safely: no document types, no entities, bounded depth and size.

qstat writes `<` in a text as `%lt;` (clients.md#qstat--xml); texts are given with the sign that was meant.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from qmon_tui.values import need_whole_number

DEEPEST: Final = 100
MOST_ELEMENTS: Final = 5_000_000
_MISSPELT: Final = "%lt;"


class XmlError(ValueError):
    """Why a text is no XML that we read, and the line where that shows."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


@dataclass(slots=True)
class Element:
    """One element; namespaces are dropped from its name."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list["Element"] = field(default_factory=list)
    text: str = ""

    def child(self, tag: str) -> "Element | None":
        """The first child of a name."""
        return next((child for child in self.children if child.tag == tag), None)

    def all(self, tag: str) -> Iterator["Element"]:
        """All children of a name."""
        return (child for child in self.children if child.tag == tag)

    def word(self, tag: str) -> str:
        """Return the stripped text of the first child with this tag; empty if there is none."""
        element = self.child(tag)
        return element.text.strip() if element is not None else ""

    def walk(self, tag: str) -> Iterator["Element"]:
        """All elements of a name below this one, in document order; none inside another of them."""
        for child in self.children:
            if child.tag == tag:
                yield child
            else:
                yield from child.walk(tag)


Say = Callable[[Element, str], None]
"""Notes a message about an element."""


def whole_of(element: Element, tag: str, say: Say, least: int, most: int, otherwise: int) -> int:
    """Return the whole number in the first child of a name; `otherwise` if there is none, or a wrong one, noted."""
    text = element.word(tag)
    if not text:
        return otherwise
    try:
        return need_whole_number(tag, text, least, most)
    except ValueError as error:
        say(element, f"{error}: {otherwise} is taken")
        return otherwise


def read_xml(data: bytes) -> Element:
    """The root element. Raises XmlError."""
    return _Builder().read(data)


class _Builder:
    def __init__(self) -> None:
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
        self._root: Element | None = None
        self._count = 0

    def read(self, data: bytes) -> Element:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            raise XmlError(f"this is not XML:  {expat.ErrorString(error.code)}", error.lineno) from None
        except XmlError:
            raise
        except (ValueError, LookupError):  # what Python's codecs say of an encoding that expat asks them for
            raise XmlError("the encoding that the first line names is not read: convert the file to UTF-8", 1) from None
        assert self._root is not None
        return self._root

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        line = self._parser.CurrentLineNumber
        self._count += 1
        if len(self._open) >= DEEPEST:
            raise XmlError(f"elements are nested more than {DEEPEST} deep", line)
        if self._count > MOST_ELEMENTS:
            raise XmlError(f"there are more than {MOST_ELEMENTS} elements", line)
        element = Element(name.rpartition(":")[2], attributes, line)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)
        self._texts.append([])

    def _end(self, _: str) -> None:
        self._open.pop().text = "".join(self._texts.pop()).replace(_MISSPELT, "<")

    def _text(self, text: str) -> None:
        self._texts[-1].append(text)

    def _refuse(self, *_: object) -> None:
        raise XmlError("a document type is declared, which none of Grid Engine's programs does", self._line)

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber
