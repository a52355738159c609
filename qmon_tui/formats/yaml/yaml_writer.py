"""Write model values as YAML: plain if they read back unchanged, else quoted."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from qmon_tui.formats.yaml.field_texts import LINES, MERGE, free_field
from qmon_tui.model import ConfigObject, Field
from qmon_tui.model.catalogue import spec

INDENT: Final = "  "

_PLAIN: Final = re.compile(
    r"""(?:[^\s\x00-\x20!&*\-?:,\[\]{}\#|>@`"'%]|-(?=[^\s,\[\]{}]))  # not an indicator
        (?:[^\s\x00-\x1f:#]|:(?=\S)|(?<=\S)\#|[ ](?=\S))*  # no colon before a blank, no hash after one
    """,
    re.VERBOSE,
)
_FLOW_SIGNS: Final = re.compile(r"[,\[\]{}]")
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def scalar(text: str, *, style: str = "", flow: bool = False) -> str:
    """Return the text on one line: in quoting style `style` (' or "), or plain if it is empty and plain is safe."""
    if style in ("'", '"') or not is_plain(text, flow):
        if style == "'" and not _unprintable().search(text):
            return _single(text)
        if style == '"' or _unprintable().search(text) or not ("\\" in text or '"' in text):
            return _double(text)
        return _single(text)
    return text


def braces(texts: Mapping[str, str]) -> str:
    """Return names and values that are YAML already in curly braces."""
    return "{" + ", ".join(f"{scalar(name, flow=True)}: {text}" for name, text in texts.items()) + "}"


def named_lines(key: str, texts: Mapping[str, str], indent: str = "") -> Iterator[str]:
    """Yield the lines of a key with names and values that are YAML already; none without any."""
    if texts:
        yield f"{indent}{key}:"
    yield from (f"{indent}{INDENT}{scalar(name)}: {text}" for name, text in texts.items())


@cache
def _unprintable() -> re.Pattern[str]:
    """Return a pattern of the characters that YAML requires escaped; compiled on first use because that is slow."""
    return re.compile("[^\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def is_plain(text: str, flow: bool) -> bool:
    """True if a text reads back unchanged without quotes."""
    if not _PLAIN.fullmatch(text) or _unprintable().search(text) or text in (MERGE, "---", "..."):
        return False
    if text.startswith(("--- ", "... ")) or text.endswith(":"):
        return False
    return not (flow and _FLOW_SIGNS.search(text))


def value(field: Field, text: str, indent: str, *, flow: bool = False) -> str:
    """Return the text after a field's colon, with the blank or line end before it; `indent` is that of its lines."""
    if field.type in LINES and "\n" in text:
        if flow:
            return " [" + ", ".join(scalar(line, flow=True) for line in text.split("\n")) + "]"
        if not text.startswith(" "):  # leading blanks would be read as indentation
            return " |\n" + "\n".join(indent + INDENT + line if line else "" for line in text.split("\n"))
    return " " + scalar(text, flow=flow)


def body(obj: ConfigObject, indent: str, *, flow: bool = False) -> str:
    """Return the text after an object's colon; `indent` is that of its fields."""
    known = spec(obj.kind)
    names = [name for name in ordered(obj) if name != known.name_field]
    pairs = [(name, obj.values[name]) for name in names]
    if not pairs:
        return " {}"
    fields = [(name, known.by_name.get(name) or free_field(name), text) for name, text in pairs]
    if flow:
        inner = ", ".join(
            scalar(name, flow=True) + ":" + value(field, text, "", flow=True) for name, field, text in fields
        )
        return " {" + inner + "}"
    return "".join(f"\n{indent}{scalar(name)}:{value(field, text, indent)}" for name, field, text in fields)


def ordered(obj: ConfigObject) -> list[str]:
    """Return the given fields in the catalogue's order, unknown ones last."""
    known = [field.name for field in spec(obj.kind).fields if field.name in obj.values]
    return known + [name for name in obj.values if name not in known]


def _single(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _double(text: str) -> str:
    escaped = "".join(_ESCAPES.get(sign, sign) for sign in text)
    return '"' + _unprintable().sub(_code, escaped) + '"'


def _code(match: re.Match[str]) -> str:
    number = ord(match.group())
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"
