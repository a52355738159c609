"""The styles that are kept for all applications of the tests are those that Textual works out for each."""

from pathlib import Path

import pytest
from textual.color import Color
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

from qmon_tui.model.kinds import Kind
from tests import styles_once
from tests.tui.screen_harness import Opened, cluster_copy, opened


def rules(node: DOMNode) -> list[RulesMap]:
    """The rules of a node, and of the parts that it draws itself."""
    return [dict(styles.base._rules) for styles in (node.styles, *node._component_styles.values())]  # type: ignore[misc]


def differing(running: Opened) -> list[str]:
    """The nodes whose rules are others when Textual alone applies its stylesheet."""
    sheet = running.app.stylesheet
    nodes: list[DOMNode] = [running.app, *running.app.screen.walk_children(with_self=True)]
    found = []
    with pytest.MonkeyPatch.context() as textual_alone:
        textual_alone.setattr(Stylesheet, "apply", styles_once.apply)
        for node in nodes:
            kept = rules(node)
            sheet.apply(node)
            if rules(node) != kept:
                found.append(repr(node))
    return found


async def test_every_part_of_the_screen_has_its_own_styles(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as running:
        assert not differing(running)
        await running.go_to(Kind.QUEUE, "all.q", "slots")
        assert not differing(running)
        await running.press("tab", "down")
        assert not differing(running)
        await running.press("question_mark")
        assert not differing(running)
        running.app.screen.styles.base._rules["color"] = Color(1, 2, 3)
        assert differing(running) == [repr(running.app.screen)]
        dark = running.main.styles.background
    async with opened(tmp_path / "teaching", size=(60, 20), theme="light") as running:
        assert not differing(running)
        await running.press("j")
        assert not differing(running)
        assert running.main.styles.background != dark
