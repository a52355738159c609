"""Every source that the code names is a heading of docs/reference, and every link in the documents leads somewhere."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from qmon_tui.checks import RULES
from qmon_tui.formats.format_findings import RULES as FORMAT_RULES

ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "docs" / "reference"
CODE = sorted((*ROOT.glob("qmon_tui/**/*.py"), *ROOT.glob("tests/**/*.py")))
PAGES = sorted(ROOT.glob("docs/**/*.md"))
_CITED = re.compile(r"\b(?P<page>[\w-]+\.md)(?P<anchor>#[\w-]+)?")
_LINK = re.compile(r"\]\((?P<page>[\w./-]*\.md)?(?P<anchor>#[^)\s]+)?\)")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def anchor_of(heading: str) -> str:
    """The anchor that a heading has on a page: lower case, blanks as hyphens, punctuation dropped."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


@cache
def anchors(page: Path) -> frozenset[str]:
    """All anchors of a page; a heading that is there twice has a number the second time."""
    seen: dict[str, int] = {}
    found = set()
    for heading in re.findall(r"^#{1,6} (.*)$", _FENCE.sub("", page.read_text()), re.MULTILINE):
        anchor = anchor_of(heading)
        found.add(f"{anchor}-{seen[anchor]}" if anchor in seen else anchor)
        seen[anchor] = seen.get(anchor, 0) + 1
    return frozenset(found)


def broken(text: str) -> Iterator[str]:
    """The citations in a text that name no page or heading of the reference."""
    for cited in _CITED.finditer(text):
        page = REFERENCE / cited["page"]
        if not page.exists():
            if not any(ROOT.glob(f"**/{cited['page']}")):
                yield cited.group()
        elif cited["anchor"] and cited["anchor"][1:] not in anchors(page):
            yield cited.group()


def test_what_the_code_cites_is_a_heading() -> None:
    texts = ((path, path.read_text()) for path in CODE if path != Path(__file__))
    assert [(path.name, cited) for path, text in texts for cited in broken(text)] == []


def test_every_rule_names_a_heading() -> None:
    sources = {rule: known[rule].source for known in (RULES, FORMAT_RULES) for rule in known}
    assert {rule: source for rule, source in sources.items() if ".md#" not in source or list(broken(source))} == {}


def dangling(path: Path) -> Iterator[str]:
    """The links of a page that lead to no page or heading."""
    for link in _LINK.finditer(_FENCE.sub("", path.read_text())):
        page = path.parent / link["page"] if link["page"] else path
        if not page.exists() or (link["anchor"] and page.suffix == ".md" and link["anchor"][1:] not in anchors(page)):
            yield link.group()


def test_every_link_leads_somewhere() -> None:
    assert [(path.name, link) for path in PAGES for link in dangling(path)] == []


def test_a_citation_of_nothing_is_noticed() -> None:
    assert list(broken("see queue.md#load_thresholds")) == []
    assert list(broken("see queue.md#no-such-heading and nowhere-at-all.md")) == [
        "queue.md#no-such-heading", "nowhere-at-all.md"]  # fmt: skip


@pytest.mark.parametrize(
    "page", [ROOT / "docs" / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name
)
def test_files_that_a_document_names_are_there(page: Path) -> None:
    named = re.findall(r"`((?:qmon_tui|tests|configs|docs)/[\w./-]+)`", page.read_text())
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
