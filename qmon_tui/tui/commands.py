"""The command palette: every action of the registry, every kind, and every object by name."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from qmon_tui.model.catalogue import specs
from qmon_tui.tui.actions import actions_here

if TYPE_CHECKING:
    from qmon_tui.tui.screens.main import MainScreen


class Command(NamedTuple):
    """One entry of the palette."""

    text: str
    help: str
    run: Callable[[], None]


class Everything(Provider):
    """Actions first, then kinds, then objects."""

    @property
    def _main(self) -> "MainScreen":
        from qmon_tui.tui.screens.main import MainScreen

        screen = self.screen
        assert isinstance(screen, MainScreen)
        return screen

    def _actions(self) -> Iterator[Command]:
        now = self._main.situation()
        for action in actions_here(now):
            if action.id != "palette":
                reason = action.disabled_reason(now)
                keys = f"{action.key}  " if action.key else ""
                yield Command(f"{action.label}: {action.description}", keys + (reason or ""), self._do(action.id))

    def _do(self, action_id: str) -> Callable[[], None]:
        main = self._main
        return lambda: main.do(action_id)

    def _places(self) -> Iterator[Command]:
        main = self._main
        for kind, declared in specs().items():
            yield Command(f"go to {declared.title}", declared.help, lambda kind=kind: main.go_to(kind))  # type: ignore[misc]
        for obj in main.workspace.cluster:
            yield Command(
                f"{obj.kind} {obj.name}",
                "",
                lambda kind=obj.kind, name=obj.name: main.go_to(kind, name),  # type: ignore[misc]
            )

    async def discover(self) -> Hits:
        """Before anything is typed: the actions and the kinds."""
        for command in self._actions():
            yield DiscoveryHit(Content(command.text), command.run, command.text, command.help)
        for kind, declared in specs().items():
            text = f"go to {declared.title}"
            yield DiscoveryHit(Content(text), lambda kind=kind: self._main.go_to(kind), text)

    async def search(self, query: str) -> Hits:
        """Whatever contains the letters of the query in their order."""
        matcher = self.matcher(query)
        for commands in (self._actions(), self._places()):
            for command in commands:
                if (score := matcher.match(command.text)) > 0:
                    # What is typed as it is called comes before what merely contains it.
                    called = command.text.casefold().startswith(query.casefold())
                    yield Hit(
                        score * 2 if called else score,
                        matcher.highlight(command.text),
                        command.run,
                        command.text,
                        command.help,
                    )
