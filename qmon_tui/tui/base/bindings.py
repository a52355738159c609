"""The bindings of the screen and of widgets, made from the registry."""

from collections.abc import Mapping

from textual.binding import Binding, BindingsMap, BindingType
from textual.widget import Widget

from qmon_tui.tui.localkeys import LOCAL_KEYS
from qmon_tui.tui.registry import REGISTRY, Registry

_BY_ID = {entry.id: entry for entry in LOCAL_KEYS}


def local_bindings(actions: Mapping[str, str]) -> list[BindingType]:
    """The bindings of a widget: id of a local key -> its action.

    Their ids are those of the keys, by which the application gives them the user's keys.
    """
    return [
        Binding(",".join(_BY_ID[id_].keys), action, _BY_ID[id_].description, show=False, id=id_)
        for id_, action in actions.items()
    ]


def key_of(widget: Widget, action_id: str) -> str:
    """The key of an action as the user has it, for sentences that say what to press."""
    registry = getattr(widget.app, "key_registry", REGISTRY)
    return str(registry.by_id[action_id].key)


def action_bindings(registry: Registry) -> BindingsMap:
    """The bindings of the screen. Those of places and panels come first: where they work, a key is theirs."""
    return BindingsMap(
        Binding(",".join(action.keys), f"do('{action.id}')", action.label, show=False, tooltip=action.description)
        for action in sorted(registry.actions, key=lambda action: not action.where)
        if action.keys
    )
