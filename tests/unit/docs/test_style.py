"""No text of the program and no page uses a word that docs/style.md rules out."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
STYLE = ROOT / "docs" / "style.md"
MODULES = sorted(ROOT.glob("qmon_tui/**/*.py"))
PAGES = sorted(
    {
        ROOT / "README.md",
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("docs/reference/*.md"),
        *ROOT.glob("configs/lessons/*.yaml"),
    }
    - {STYLE}
)
EXCEPTED = re.compile(r'host group(?= (?:name )?"|$)|^Host Groups$|there is no', re.IGNORECASE)
"""What the qmaster says, to the letter; a tab of qmon; and what is plainly missing."""


@cache
def ruled_out() -> re.Pattern[str]:
    """The words of the table's first column."""
    table = STYLE.read_text(encoding="utf-8").partition("## Words that we do not use")[2]
    cells = re.findall(r"^\| ([^|]+?) \|", table, re.MULTILINE)[1:]
    words = [word.strip() for cell in cells for word in cell.split(",")]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})s?\b", re.IGNORECASE)


def printed(source: str) -> Iterator[str]:
    """All texts of a module but its docstrings; what is put in is {}."""
    tree = ast.parse(source)
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            silent.update(id(part) for part in ast.walk(node) if part is not node)
    for node in ast.walk(tree):
        if id(node) in silent:
            continue
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def found(text: str) -> list[str]:
    return ruled_out().findall(EXCEPTED.sub("", text))


def test_what_the_program_prints() -> None:
    texts = ((path, text) for path in MODULES for text in printed(path.read_text(encoding="utf-8")))
    assert [(path.name, text) for path, text in texts if found(text)] == []


def test_what_the_pages_say() -> None:
    pages = {
        path: re.sub(r"```.*?```|`[^`]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL) for path in PAGES
    }
    assert [(path.name, line) for path, text in pages.items() for line in text.splitlines() if found(line)] == []


def test_the_table_is_read_and_the_qmasters_words_are_left_alone() -> None:
    assert found("The Host groups go on") == ["Host groups", "go on"]
    assert not found('denied: host group "@big" does not exist')
