"""Puts the pages of the site together in build/docs: docs/, the pictures, and the README as its first page.

`python -m tests.site --check` looks at the built pages.
"""

import re
import shutil
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
BUILD: Final = ROOT / "build" / "docs"
_ELSEWHERE: Final = re.compile(
    r"\[([^\]]+)\]\((?:\.\./)*(?:configs|tests|qmon_tui|CHANGELOG\.md|LICENSE|CONTRIBUTING\.md)[^)]*\)"
)

_WORDS_OF_FENCE: Final = re.compile(r"^(```[\w-]+) +[^`\n]+$", re.MULTILINE)
"""Words behind the language of a fence: what the documents' tests read there, Python-Markdown takes for no fence."""


def raw_fences(folder: Path) -> list[str]:
    """Return the built pages that show a fence as text instead of a block of code, by their names in the folder."""
    pages = sorted(folder.rglob("*.html"))
    return [str(page.relative_to(folder)) for page in pages if "```" in page.read_text(encoding="utf-8")]


def assembled(text: str, up: str) -> str:
    """A page as the site has it: pictures beside the pages, no links to what the site does not show."""
    text = _WORDS_OF_FENCE.sub(r"\1", _ELSEWHERE.sub(r"\1", text))
    text = re.sub(r"(?<=\.md#)[\w-]+", lambda anchor: re.sub("-+", "-", anchor.group()), text)  # as the site names them
    return text.replace("../screenshots/", f"{up}screenshots/")


def main() -> None:
    """Make the folder anew."""
    shutil.rmtree(BUILD, ignore_errors=True)
    shutil.copytree(ROOT / "docs", BUILD)
    shutil.copytree(ROOT / "screenshots", BUILD / "screenshots", ignore=shutil.ignore_patterns("*.png"))
    for page in BUILD.rglob("*.md"):
        page.write_text(assembled(page.read_text(encoding="utf-8"), ""), encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (BUILD / "index").with_suffix(".md").write_text(assembled(readme.replace("](docs/", "]("), ""), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        broken = raw_fences(BUILD.parent / "site")
        sys.exit(f"These pages show fences as text: {', '.join(broken)}" if broken else 0)
    main()
