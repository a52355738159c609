"""A pytest plugin that leaves of the collected tests those that are named in a file, in its order."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.quick.recording import test_of

NAMES_VARIABLE = "QMON_TUI_SELECTED"


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    yield
    ranks = {name: rank for rank, name in enumerate(Path(os.environ[NAMES_VARIABLE]).read_text().splitlines())}
    left_out = [item for item in items if _rank(item, ranks) is None]
    items[:] = sorted(
        (item for item in items if _rank(item, ranks) is not None), key=lambda item: _rank(item, ranks) or 0
    )
    config.hook.pytest_deselected(items=left_out)


def _rank(item: pytest.Item, ranks: dict[str, int]) -> int | None:
    """None where a test is not to run; a test stands for all its cases, a file for all its tests."""
    return next((ranks[name] for name in names_of(item) if name in ranks), None)


def names_of(item: pytest.Item) -> tuple[str, ...]:
    """What a case is chosen by: itself, its test or its file."""
    return item.nodeid, test_of(item.nodeid), item.nodeid.partition("::")[0]
