"""What the documents show is what happens: their commands are run, their keys pressed, their links followed.

Commands stand in fences of `console`, each behind `$ ` and followed by what it prints; `| head -N` keeps the first
lines. `python -m tests.documents` writes the outputs anew. Keys stand in fences of `keys CLUSTER`, each line with keys,
two blanks or more, and what they do; `= words` is what is on the screen then.
"""

import io
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from unittest.mock import patch

from qmon_tui.cli import main
from tests.differential.clock import universal_time

ROOT: Final = Path(__file__).resolve().parents[1]
PAGES: Final = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
_FENCE: Final = re.compile(r"^```(?P<kind>\w+)(?P<more>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_HEAD: Final = re.compile(r"^(?P<command>.*?) \| head -(?P<lines>\d+)$")
_WIDTH: Final = "110"
_KEYS: Final = {
    "Enter": "enter", "Esc": "escape", "Tab": "tab", "Space": "space", "Del": "delete", "⌫": "backspace",
    ":": "colon", "?": "question_mark", "/": "slash", "+": "plus", "-": "minus", "%": "percent_sign", "*": "asterisk",
    ",": "comma", ".": "full_stop", "=": "equals_sign", "<": "less_than_sign", ">": "greater_than_sign", "~": "tilde",
    "→": "right", "←": "left", "↑": "up", "↓": "down",
}  # fmt: skip


class Shown(NamedTuple):
    """A command and what a document shows of its output."""

    command: str
    output: str


class Step(NamedTuple):
    """Keys in Textual's names, or words that are on the screen."""

    keys: tuple[str, ...] = ()
    words: str = ""


class Task(NamedTuple):
    """A task that a document does by keys."""

    cluster: str
    steps: tuple[Step, ...]


def fences(text: str, kind: str) -> Iterator[re.Match[str]]:
    """The fences of a kind."""
    return (fence for fence in _FENCE.finditer(text) if fence["kind"] == kind)


def commands(text: str) -> list[Shown]:
    """The commands of a page."""
    found = []
    for fence in fences(text, "console"):
        for part in re.split(r"^\$ ", fence["body"], flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append(Shown(command, output.rstrip("\n")))
    return found


def tasks(text: str) -> list[Task]:
    """The tasks of a page."""
    return [
        Task(fence["more"].strip(), tuple(_step(line) for line in fence["body"].splitlines() if line.strip()))
        for fence in fences(text, "keys")
    ]


def _step(line: str) -> Step:
    if line.startswith("= "):
        return Step(words=line.removeprefix("= ").strip())
    keys: list[str] = []
    for typed, word in re.findall(r'"([^"]*)"|(\S+)', re.split(r"\s{2,}", line.strip())[0]):
        if typed:
            keys += [_KEYS.get(sign, "space" if sign == " " else "at" if sign == "@" else sign) for sign in typed]
        else:
            keys.append(_key(word))
    return Step(keys=tuple(keys))


def _key(word: str) -> str:
    if word.startswith("^") and len(word) > 1:
        return f"ctrl+{word[1:]}"
    return _KEYS.get(word) or (word.lower() if re.fullmatch(r"F\d+", word) else word)


@cache
def printed(command: str) -> str:
    """What a command prints in a folder that holds configs/, stdout first; at most as many lines as `head` keeps."""
    cut = _HEAD.match(command)
    words = shlex.split(cut["command"] if cut else command)
    assert words[0] == "qmon-tui", command
    code, out, err = _ran(words[1:])
    assert code in (0, 1), f"{command}: {err}"
    lines = out.rstrip("\n").splitlines() or err.rstrip("\n").splitlines()
    return "\n".join(lines[: int(cut["lines"])] if cut else lines).rstrip()


def _ran(arguments: list[str]) -> tuple[int, str, str]:
    """A command in this process, as readers give it: its exit code, and what it prints, not to a terminal."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with (
        tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, COLUMNS=_WIDTH), universal_time(),
        chdir(folder), redirect_stdout(out), redirect_stderr(err),
    ):  # fmt: skip
        Path("configs").symlink_to(ROOT / "configs")
        code = main(arguments)
    out.seek(0)
    err.seek(0)
    return code, out.read(), err.read()


def with_outputs(text: str) -> str:
    """The page with what its commands print now."""

    def anew(fence: re.Match[str]) -> str:
        if fence["kind"] != "console":
            return fence.group()
        shown = (f"$ {one.command}\n{printed(one.command)}\n" for one in commands(fence.group()))
        return f"```console{fence['more']}\n{''.join(shown)}```"

    return _FENCE.sub(anew, text)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(with_outputs(page.read_text(encoding="utf-8")), encoding="utf-8")
