"""XML with line numbers, read safely: no document types, no entities, bounded depth, and jobs one by one.

Each job is passed on at its end tag and then forgotten: a listing of 200,000 jobs needs no memory for its XML.
qstat writes `<` in a text as `%lt;` (clients.md#qstat--xml); the texts of elements have `<` again.
"""

import re
from collections.abc import Callable, Iterator, Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from qmon_tui.values import need_whole_number

DEEPEST: Final = 100
MOST_ELEMENTS: Final = 5_000_000
"""Maximum number of elements that are kept; those of jobs are not."""
_MISSPELT: Final = "%lt;"
_MISNAMED: Final = re.compile(rb"<(/?)JATASK:[^<>]*>")
"""Tag of tasks in qstat -j if a restarted qmaster has read them from its spool: `<JATASK:       1.>`."""


class XmlError(ValueError):
    """Raised if a text is not XML or not accepted; `line` (1-based) is the place of the error."""

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

    @property
    def tags(self) -> AbstractSet[str]:
        """The tags of the children."""
        return {child.tag for child in self.children}

    def child(self, tag: str) -> "Element | None":
        """Return the first child with this tag; None if there is none."""
        return next((child for child in self.children if child.tag == tag), None)

    def all(self, tag: str) -> Iterator["Element"]:
        """Return all children with this tag."""
        return (child for child in self.children if child.tag == tag)

    def word(self, tag: str) -> str:
        """Return the stripped text of the first child with this tag; empty if there is none."""
        element = self.child(tag)
        return element.text.strip() if element is not None else ""

    def walk(self, tag: str) -> Iterator["Element"]:
        """Yield all elements with this tag below this one, in document order, but none inside another of them."""
        for child in self.children:
            if child.tag == tag:
                yield child
            else:
                yield from child.walk(tag)


class Row(Element):
    """One job of a listing: its elements by tag, which are rarely nested."""

    __slots__ = ("parts",)

    def __init__(self, tag: str, attributes: dict[str, str], line: int) -> None:
        super().__init__(tag, attributes, line)
        self.parts: dict[str, Element | str | list[Element | str]] = {}
        """Tag -> its element, or a list of several; a text for an element without attributes and children."""

    @property
    def tags(self) -> AbstractSet[str]:
        return self.parts.keys()

    def child(self, tag: str) -> Element | None:
        return next(self.all(tag), None)

    def all(self, tag: str) -> Iterator[Element]:
        parts = self.parts.get(tag, [])
        for part in parts if isinstance(parts, list) else (parts,):
            yield Element(tag, {}, self.line, text=part) if isinstance(part, str) else part

    def word(self, tag: str) -> str:
        part = self.parts.get(tag, "")
        if type(part) is str:
            return part.strip()
        element = self.child(tag)
        return element.text.strip() if element is not None else ""

    def add(self, tag: str, part: Element | str) -> None:
        """Add a child, or only the text of one without attributes and children."""
        known = self.parts.get(tag)
        if known is None:
            self.parts[tag] = part
        elif isinstance(known, list):
            known.append(part)
        else:
            self.parts[tag] = [known, part]


Say = Callable[[Element, str], None]
"""Reports a message about an element."""


def whole_of(element: Element, tag: str, say: Say, least: int, most: int, otherwise: int) -> int:
    """Return the whole number in the first child with this tag; `otherwise` if missing or, with a finding, wrong."""
    text = element.word(tag)
    if not text:
        return otherwise
    try:
        return need_whole_number(tag, text, least, most)
    except ValueError as error:
        say(element, f"{error}: {otherwise} is taken")
        return otherwise


TakeJob = Callable[[Element, Element], None]
"""Takes a job and its parent element."""


def read_xml(data: bytes, take: TakeJob | None = None) -> Element:
    """Read the root element. Raises XmlError.

    `take` gets each job of a listing (`job_list`) and of `qstat -j` (an entry of `djob_info`) at its end tag, with its
    parent element; these jobs are not added to the parent's children.
    """
    return _Builder(take).read(_MISNAMED.sub(rb"<\1element>", data) if b"<JATASK:" in data else data)


_ROW: Final = "job_list"
_DETAILS: Final = "djob_info"
_NUMBER: Final = "JB_job_number"


class _Builder:
    def __init__(self, take: TakeJob | None) -> None:
        self._take = take
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._open: list[Element] = []
        self._texts: list[str] = []
        self._root: Element | None = None
        self._count = self._kept = 0
        self._read_tree()

    def read(self, data: bytes) -> Element:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            raise XmlError(f"this is not XML:  {expat.ErrorString(error.code)}", error.lineno) from None
        except XmlError:
            raise
        except (ValueError, LookupError):  # raised by Python's codecs for an encoding that expat asks for
            raise XmlError("the encoding that the first line names is not read: convert the file to UTF-8", 1) from None
        assert self._root is not None
        return self._root

    def _read_tree(self) -> None:
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._texts.append

    # Any element -----------------------------------------------------------------------------------------------------

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        line = self._parser.CurrentLineNumber
        if len(self._open) >= DEEPEST:
            raise XmlError(f"elements are nested more than {DEEPEST} deep", line)
        if name == _ROW or (self._open and self._open[-1].tag == _DETAILS):
            self._kept = self._count
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise XmlError(f"there are more than {MOST_ELEMENTS} elements", line)
        if self._open and not (text := "".join(self._texts)).isspace():  # blanks between a hundred thousand jobs
            self._open[-1].text += text
        self._texts.clear()
        tag = name.rpartition(":")[2]
        element = Element(tag, attributes, line)
        if self._open and tag == _ROW and self._take is not None:
            element = Row(tag, attributes, line)
            self._read_row(element)
        elif not self._open:
            self._root = element
        self._open.append(element)

    def _end(self, _: str) -> None:
        element = self._open.pop()
        element.text = (element.text + "".join(self._texts)).replace(_MISSPELT, "<")
        self._texts.clear()
        if self._open:
            self._close(element, self._open[-1])

    def _close(self, element: Element, parent: Element) -> None:
        """Pass a finished job to `take`; add any other element to its parent."""
        if isinstance(parent, Row):
            parent.add(element.tag, element)
            self._read_row(parent)
        elif self._take is not None and self._is_job(element, parent):
            self._take(element, parent)
            self._count = self._kept
        else:
            parent.children.append(element)

    def _is_job(self, element: Element, parent: Element) -> bool:
        if element.tag == _ROW:
            return True
        return parent.tag == _DETAILS and bool(element.children) and parent.child(_NUMBER) is None

    def _read_row(self, row: Row) -> None:
        """Read the elements of a job in a listing; there may be millions, and closures are fastest."""
        texts, parts, leaf = self._texts, row.parts, ""
        given: dict[str, str] = {}
        clear = texts.clear

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal leaf, given
            if leaf:  # the leaf has a child: read both like any element
                self._read_tree()
                self._start(leaf, given)
                self._start(name, attributes)
            else:
                leaf, given = name, attributes
                clear()

        def end(name: str) -> None:
            nonlocal leaf
            if not leaf:  # the job has ended
                self._read_tree()
                clear()
                self._open.pop()
                self._close(row, self._open[-1])
                return
            leaf = ""
            text = "".join(texts)
            if _MISSPELT in text:
                text = text.replace(_MISSPELT, "<")
            if given or name in parts or ":" in name:
                tag = name.rpartition(":")[2]
                row.add(tag, Element(tag, given, self._parser.CurrentLineNumber, text=text) if given else text)
            else:
                parts[name] = text

        self._parser.StartElementHandler, self._parser.EndElementHandler = start, end

    def _refuse(self, *_: object) -> None:
        raise XmlError(
            "a document type is declared, which none of Grid Engine's programs does", self._parser.CurrentLineNumber
        )
