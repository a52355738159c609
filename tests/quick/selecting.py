"""A pytest plugin that leaves of the collected tests those that are named in a file, in its order."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.quick.recording import test_name

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
    """None where a test is not to run; a file that is named stands for all its tests."""
    return ranks.get(test_name(item.nodeid), ranks.get(item.nodeid.partition("::")[0]))
