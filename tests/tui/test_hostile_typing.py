"""Texts that nobody should type, in every question of the program: each is refused or taken, and nothing ends."""

import random
from pathlib import Path

import pytest
from textual.widgets import Input

from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.tui.registry import REGISTRY
from tests.tui.screen_harness import Opened, cluster_copy, opened
from tests.tui.test_screen_all_keys import at_its_place

NUMBERS = ("-+5", "--5", "+-5", "²", "٣", "9" * 4300, "9" * 5000, "-" + "9" * 5000, "1e400", "nan", "inf", "0x",
           "1_0", "1-" + "9" * 5000, "9" * 5000 + ":1:1", "+" + "9" * 400 + "d", "1." * 2000, "4G" * 99)  # fmt: skip
OTHERS = ("\0", "\x1b[31m", "\ud800", "‮abc", "漢字", "[bold]", "[/]", "a=" * 3000, "@{\0}", "@{1}",
          "/dev/zero", "/proc/self/mem", "/" * 5000, "x" * 5000, "~nobody\0/", "'", '"', "\\", "$(id)", ";", "=", ",",
          "hosts=+²", f"hosts=+{'9' * 5000}", "workload.load=1e400", "scheduler.weight_urgency=²",
          "queues.all.q.slots=" + "9" * 5000, "*" * 200, "(" * 500, "!" * 300, "-l h_vmem=" + "9" * 5000,
          "@{" + "9" * 5000 + "}", "-t 1-" + "9" * 5000,
          "-p -+5", "-tc ²", "-pe x ²", "-hold_jid " + "9" * 5000, "-a " + "9" * 14, "-dl ²")  # fmt: skip


def drawn(seed: int, count: int) -> list[str]:
    """Pieces of the texts above, put together."""
    dice = random.Random(seed)
    pieces = [*NUMBERS, *OTHERS, *"0123456789+-.:,=@{}()[] kKmMgG"]
    return ["".join(dice.choice(pieces) for _ in range(dice.randrange(1, 5)))[:6000] for _ in range(count)]


async def asked(it: Opened, place: str, key: str) -> Input | None:
    """The input that a key puts the focus into."""
    await at_its_place(it, place)
    await it.press(key)
    focused = it.app.screen.focused
    return focused if isinstance(focused, Input) else None


@pytest.mark.parametrize("place", sorted({action.where for action in REGISTRY.actions}))
async def test_no_text_ends_the_program(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some name a file to write
    texts = [*NUMBERS, *OTHERS, *drawn(1, 4)]
    dice = random.Random(place)
    async with opened(cluster_copy("site", tmp_path)) as it:
        for action in REGISTRY.actions:
            if action.where != place or not action.keys or action.id == "quit":
                continue
            if await asked(it, place, action.keys[0]) is None:
                continue
            dialog = it.app.screen
            if isinstance(dialog, NameDialog):
                for text in dice.sample(texts, 25):
                    dialog._check(text)
            for text in dice.sample(texts, 1):
                focused = it.app.screen.focused
                if isinstance(focused, Input):
                    focused.value = text
                    await it.press("enter")
                    assert it.app.is_running, (action.id, text)
            while not it.at_main:
                await it.press("escape")


@pytest.mark.usefixtures("dialogs_survive")
async def test_a_question_that_fails_stays_open_and_says_so(tmp_path: Path) -> None:
    def fails(text: str | None) -> str | None:
        raise OverflowError(f"[bold]{text}\x1b")

    answers: list[str | None] = []

    def fails_once(text: str | None) -> None:
        answers.append(text)
        if len(answers) == 1:
            fails(text)

    async with opened(cluster_copy("site", tmp_path)) as it:
        question = NameDialog("Name", "A name:", fails)
        it.app.push_screen(question)
        await it.settle()
        await it.press("7")
        await it.press("enter")
        assert it.app.screen is question
        assert any("OverflowError: [bold]7" in toast and "\x1b" not in toast for toast in it.toasts)
        await it.press("escape")
        assert it.at_main
        it.app.push_screen(NameDialog("Name", "A name:", lambda text: None), fails_once)
        await it.settle()
        await it.press("8", "enter")
        assert isinstance(it.app.screen, NameDialog)
        await it.press("enter")
        assert it.at_main
        assert answers == ["8", "8"]
