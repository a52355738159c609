"""Key bindings of the main screen and of widgets, with the keys that the user has set."""

from collections.abc import Mapping

from textual.binding import Binding, BindingsMap, BindingType
from textual.widget import Widget

from qmon_tui.tui.keys import USUAL_KEYS, KeyRegistry, shown_key


def local_bindings(actions: Mapping[str, str], *, priority: bool = False) -> list[BindingType]:
    """Return the bindings of a widget or dialog. `actions`: id in `USUAL_KEYS` -> the widget's action.

    By this id, which each binding has, the application replaces the usual keys with the user's.
    """
    return [
        Binding(",".join(USUAL_KEYS[id_]), action, show=False, id=id_, priority=priority)
        for id_, action in actions.items()
    ]


def key_of(widget: Widget, id_: str) -> str:
    """Return the first key of an action or local key, as the user has set it, for sentences; empty without a key."""
    registry: KeyRegistry | None = getattr(widget.app, "key_registry", None)
    keys = registry.keys if registry is not None else USUAL_KEYS
    return shown_key(next(iter(keys.get(id_, ())), ""))


def day_begins(widget: Widget) -> str:
    """Return the sentence for a day that has not begun, with the keys that play it."""
    monitor, play = key_of(widget, "go-monitor"), key_of(widget, "monitor.play")
    return f"Nothing has been submitted yet: {monitor} opens Monitor, {play} plays the day there."


def key_hints(widget: Widget, *labels: tuple[str, str]) -> tuple[str, ...]:
    """Return `F2 keep` for each pair of action id and label: the line below a dialog's content."""
    return tuple(f"{key_of(widget, id_)} {words}" for id_, words in labels)


def action_bindings(registry: KeyRegistry) -> BindingsMap:
    """Return the bindings of the main screen; actions of pages and panels come first, to take precedence there."""
    return BindingsMap(
        Binding(",".join(action.keys), f"do('{action.id}')", action.label, show=False, tooltip=action.description)
        for action in sorted(registry.actions, key=lambda action: not action.where)
        if action.keys
    )
