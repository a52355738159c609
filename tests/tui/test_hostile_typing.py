"""Texts that nobody should type, in every question of the program: each is refused or taken, and nothing ends."""

import random
from pathlib import Path

import pytest
from textual import events
from textual.keys import _character_to_key
from textual.widgets import Input

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.tui.lists import ObjectFiles
from qmon_tui.tui.registry import REGISTRY
from qmon_tui.workspace import SetField
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


WORDS = (
    "slots",
    "limit users {*} to slots=5",
    "system",
    "squad Yes",
    "node[01-03]",
    "drains",
    "2 hours",
    "exclusive Y",
)
"""Each has a letter that opens the save dialog, the question of quitting, or another one that changes much."""


def files_of(folder: Path) -> dict[str, bytes]:
    """The contents of all files of a folder."""
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    "place", [*sorted({action.where for action in REGISTRY.actions}), "queue", "complex", "scheduler"]
)
async def test_words_typed_anywhere_change_no_file(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[object] = []
    monkeypatch.chdir(tmp_path)
    async with opened(cluster_copy("site", tmp_path)) as it:
        monkeypatch.setattr(it.app, "exit", left.append)
        monkeypatch.setattr(ObjectFiles, "edit", lambda *_: None)
        before = files_of(it.folder)
        dice = random.Random(place)
        for word in dice.sample(WORDS, 2):
            it.main.apply(SetField(Kind.QUEUE, "short.q", "seq_no", str(dice.randrange(10**6))))
            if place in set(map(str, Kind)):
                it.main.go_to(Kind(place), next(iter(it.workspace.cluster.objects(Kind(place))), None))
                await it.settle()
                it.main.form.focus()
                await it.settle()
            else:
                await at_its_place(it, place)
            if dice.random() < 0.5:
                await it.press(*map(key_of_character, word), "enter")
            else:
                for character in [*word, "\r"]:
                    it.app.post_message(events.Key(key_of_character(character), character))
                await it.settle()
            assert files_of(it.folder) == before, word
            while not it.at_main:
                await it.press("escape")


def key_of_character(character: str) -> str:
    """The name that the framework gives to the key of a character."""
    return _character_to_key(character) if character != "\r" else "enter"


async def test_a_character_on_a_field_begins_its_edit(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path)) as it:
        await it.go_to(Kind.QUEUE, "short.q", "prolog")
        await it.press(*"suq", "enter")
        queue = it.workspace.cluster.objects(Kind.QUEUE)["short.q"]
        assert queue.text("prolog") == "suq"
        assert it.main.form.field == "prolog"
        assert "^z undo" in it.text
        await it.press("ctrl+z")
        assert not it.workspace.changes()
        await it.go_to(Kind.QUEUE, "short.q", "epilog")
        assert queue.text("epilog").upper() == "NONE"
        await it.press("enter", *"x1", "enter")
        assert it.workspace.cluster.objects(Kind.QUEUE)["short.q"].text("epilog") == "x1"
        await it.go_to(Kind.PE, "smp", "allocation_rule")
        await it.press("enter", "4", "enter")
        assert it.workspace.cluster.objects(Kind.PE)["smp"].text("allocation_rule") == "4"


async def test_a_question_takes_no_key_from_before_it_was_seen(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path)) as it:
        await it.go_to(Kind.QUEUE, "short.q")
        it.main.apply(SetField(Kind.QUEUE, "short.q", "seq_no", "77"))
        await it.settle()
        before = files_of(it.folder)
        for key in ("s", "f2"):
            it.app.post_message(events.Key(key, None))
        await it.settle()
        assert not it.at_main
        await it.press("enter")
        assert it.at_main, "Enter keeps editing"
        assert files_of(it.folder) == before
        await it.press("s", "s", "f2")
        assert files_of(it.folder) != before
