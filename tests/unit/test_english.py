"""Docstrings, comments and names are plain English: none is a riddle or uses a word that hides who does what.

Run as a program, it lists what it refuses: `python -m tests.unit.test_english [PATH...]`.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.unit.test_names import names

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "qmon_tui").rglob("*.py"))
START = re.compile(
    r"\A(?:Tell whether|Those|The ones?|The same|What|Which|Who|Whose|As|Of|Let|Be|Have|Something|Everything|All that"
    r"|It|They|Nothing)\b"
)
WORDS = re.compile(
    "|".join(
        (
            r"\b(?:nobody|somebody|anybody|whoever|whom)\b",
            r"\b(?:of|for|by|with) who\b",
            r"\b(?:go(?:es)?|went|gone|going) on\b",
            r"\b(?:stands?|stood|standing)\b(?! for\b)",
            r"\bcom(?:es?|ing) (?:of|to|out|down to|again|in between)\b|\bcame (?:of|to|out)\b",
            r"\bbec(?:omes?|ame) of\b",
            r"\b(?:is|are|was|were|been|be) told\b|\btells? of\b",
            r"\banew\b",
            r"\bat once\b",
            r"\bby (?:itself|themselves)\b",
            r"\bsome time\b|\bof then\b",
            r"\bso (?:many|much|long|few)\b(?! (?:as|that))",
            r"\bno matter\b",
            r"\b(?:has|have|had) (?:gone|come)\b",
            r"[;,] (?:None|empty|nothing|0|False) where\b",
            r"\b(?:where|which|as|that|when) one (?:is|can|comes|goes|wants|chooses|types?)\b",
            r"\banother one\b",
            r"\bkinds? of jobs?\b",
        )
    ),
    re.IGNORECASE,
)
NAMES = re.compile(r"(?:^|_)(?:told|said|beyond|standing|standstill|parting|outlook|happening|lone|lived|looks)(?:_|$)")
QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"")
"""Code, and the qmaster's own words."""


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of each docstring, those of fields and constants included."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of each comment."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline) if "# " in source else ():
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")


def unclear(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of each docstring (its first line), comment or name that is not plain English."""
    tree = ast.parse(source)
    for line, text in docstrings(tree):
        plain = QUOTED.sub("", text)
        if START.search(plain.strip()) or WORDS.search(plain):
            yield line, text.strip().partition("\n")[0]
    for line, text in comments(source):
        plain = QUOTED.sub("", text)
        if START.search(plain) or WORDS.search(plain):
            yield line, text
    yield from ((line, name) for line, name in names(tree) if NAMES.search(name.lower()))


def test_docstrings_and_comments_are_plain_english() -> None:
    unclear_texts = [f"{path}:{line}: {text}" for path in MODULES for line, text in unclear(path.read_text("utf-8"))]
    assert unclear_texts == []


def test_riddles_are_noticed() -> None:
    source = (
        '"""What it does."""\nx = 1  # it goes on\n"""As `is_for`."""\ndef f():\n    """Return "anew"."""\n    told = 1'
    )
    assert [line for line, _ in unclear(source)] == [1, 3, 2, 6]


if __name__ == "__main__":
    for file in [path for name in sys.argv[1:] for path in sorted(Path(name).rglob("*.py")) or [Path(name)]] or MODULES:
        for number, first in unclear(file.read_text("utf-8")):
            print(f"{file}:{number}: {first}")
