"""The reference that comes with the program: the pages of docs/reference as texts."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from qmon_tui.sources.source import SourceError


@cache
def reference_pages() -> Mapping[str, str]:
    """File name -> Markdown, in the order of names. Raises SourceError where the installation lacks them."""
    package = Path(str(files("qmon_tui")))
    # In a checkout nothing is shipped yet: the wheel takes them from docs/.
    for folder in (package / "shipped" / "reference", package.parent / "docs" / "reference"):
        if folder.is_dir():
            return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md"))}
    raise SourceError("the reference is missing from this installation")
