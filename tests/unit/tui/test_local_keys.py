"""Every key that a widget or dialog binds stands in the registry, so that it is listed and can be changed."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode

import qmon_tui.tui
from qmon_tui.tui.registry import REGISTRY

TUI = Path(qmon_tui.tui.__file__).parent


def classes(kind: type[DOMNode] = DOMNode) -> Iterator[type[DOMNode]]:
    """Everything of ours that can bind keys."""
    for module in pkgutil.walk_packages(qmon_tui.tui.__path__, "qmon_tui.tui."):
        importlib.import_module(module.name)
    waiting = [kind]
    seen = set()
    while waiting:
        for found in waiting.pop().__subclasses__():
            if found not in seen:
                seen.add(found)
                waiting.append(found)
                if found.__module__.startswith("qmon_tui.") and not issubclass(found, App):
                    yield found


def test_every_bound_key_is_one_of_the_registry() -> None:
    bound = [(found, binding) for found in classes() for binding in found.__dict__.get("BINDINGS", ())]
    assert len(bound) > 60
    for found, binding in bound:
        assert isinstance(binding, Binding), f"{found.__name__} binds {binding} past the registry"
        assert binding.id is not None, f"{found.__name__} binds {binding.key} past the registry"
        assert tuple(binding.key.split(",")) == REGISTRY.keys[binding.id]


def test_every_local_key_is_bound_by_something() -> None:
    ids = {binding.id for found in classes() for binding in found.__dict__.get("BINDINGS", ())}
    assert {entry.id for entry in REGISTRY.local} <= ids


def test_no_key_is_taken_by_its_name_elsewhere() -> None:
    by_name = re.compile(r"event\.key (==|!=|in|not in) [\"'({\[]|def _?key_[a-z]+\(self|Binding\(\"[a-z]")
    taken = {path.name: found[0] for path in TUI.rglob("*.py") if (found := by_name.search(path.read_text("utf-8")))}
    assert taken == {"app.py": 'Binding("c'}, "only Ctrl+Q, the way out that nobody can lose, is bound by its name"
