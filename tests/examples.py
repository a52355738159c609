"""How many examples a test draws."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings


def examples(many: int) -> settings:
    """So many where EXAMPLES=100 is said, as a whole: fewer in `make test`, more in `make drawn`."""
    return settings(max_examples=max(5, many * settings().max_examples // 100))


def one_in(share: int, cases: Iterable[Any]) -> list[Any]:
    """The cases of a test of which `make test` runs one in so many; `make drawn` runs all."""
    return [
        case if number % share == 0 else pytest.param(*_values(case), marks=pytest.mark.long)
        for number, case in enumerate(cases)
    ]


def _values(case: Any) -> Iterable[Any]:
    """A case that is no tuple is the value of a single parameter."""
    return case if isinstance(case, tuple) else (case,)
