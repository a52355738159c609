"""A pytest plugin that runs only the tests named in a file, in its order."""

import os
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path

import pytest

from tests.quick.recording import test_of

NAMES_VARIABLE = "QMON_TUI_SELECTED"


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    yield
    names = Path(os.environ[NAMES_VARIABLE]).read_text().splitlines()
    rank = {name: number for number, name in enumerate(names)}
    ranks = [(min(rank.get(name, len(names)) for name in _names_of(item)), item) for item in items]
    config.hook.pytest_deselected(items=[item for number, item in ranks if number == len(names)])
    items[:] = [item for number, item in sorted(ranks, key=itemgetter(0)) if number < len(names)]


def _names_of(item: pytest.Item) -> tuple[str, str, str]:
    """Return the names that select a case: its own, its test's and its file's."""
    return item.nodeid, test_of(item.nodeid), item.nodeid.partition("::")[0]
