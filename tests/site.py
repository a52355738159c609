"""Puts the pages of the site together in build/docs: docs/, the pictures, and the README as its first page."""

import re
import shutil
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
BUILD: Final = ROOT / "build" / "docs"
_ELSEWHERE: Final = re.compile(
    r"\[([^\]]+)\]\((?:\.\./)*(?:configs|tests|qmon_tui|CHANGELOG\.md|LICENSE|CONTRIBUTING\.md)[^)]*\)"
)


def assembled(text: str, up: str) -> str:
    """A page as the site has it: pictures beside the pages, no links to what the site does not show."""
    text = _ELSEWHERE.sub(r"\1", text)
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
    main()
