"""What a real qmaster said, as rows for the tests of this folder (tests/data/values/README.md)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

_RECORDED = json.loads((Path(__file__).parents[2] / "data" / "values" / "recorded.json").read_text())


def recorded(section: str) -> list[Any]:
    return list(_RECORDED[section])


def refusal(parse: Callable[[str], object], text: str) -> str | None:
    """First line of what is said against the text; None if it is taken."""
    try:
        parse(text)
    except ValueError as error:
        return str(error).splitlines()[0]
    return None
