"""README and docs: pictures and files are there, commands print what is shown, keys do what is said."""

import re
from pathlib import Path

import pytest

from qmon_tui.cli import COMMANDS
from tests import waiting
from tests.documents import PAGES, ROOT, Shown, Task, commands, fences, printed, tasks
from tests.key_tables import PAGE, with_keys
from tests.site import assembled, raw_fences
from tests.tui.screen_harness import cluster_copy, opened

TEXTS = {page: page.read_text(encoding="utf-8") for page in PAGES}
_INLINE = re.compile(r"`qmon-tui ([a-z]+)(?!:)\b[^`]*`")
_OPENS = re.compile(r"qmon-tui(?: --[a-z-]+)*(?: qmaster:| [A-Z./~][\w./-]*| configs/[\w-]+)?(?: --play)?")


def test_the_tables_of_keys_are_those_of_the_registry() -> None:
    assert TEXTS[PAGE] == with_keys(TEXTS[PAGE]), "run: python -m tests.key_tables"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_and_file_that_is_linked_is_there(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#\s]+)", TEXTS[page])
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_site_has_fences_that_python_markdown_reads(page: Path) -> None:
    """A language, and nothing behind it; whatever a document's tests read there is left out."""
    lines = [line for line in assembled(TEXTS[page], "").splitlines() if line.startswith("```")]
    assert [line for line in lines if not re.fullmatch(r"```[\w-]*", line)] == []
    assert len(lines) == len([line for line in TEXTS[page].splitlines() if line.startswith("```")])
    assert len(lines) % 2 == 0


def test_a_built_page_with_a_raw_fence_is_found(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    (tmp_path / "index.html").write_text("<pre><code>:</code></pre>")
    (tmp_path / "reference" / "a.html").write_text("<p>```keys teaching</p>")
    assert raw_fences(tmp_path) == ["reference/a.html"]


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(shown, id=f"{page.name}: {shown.command}")
        for page, text in TEXTS.items()
        for shown in commands(text)
    ],
)
def test_a_command_prints_what_is_shown(shown: Shown) -> None:
    assert printed(shown.command) == shown.output, "run: python -m tests.documents"


@pytest.mark.parametrize(
    "task",
    [pytest.param(task, id=f"{page.name}-{at}") for page, text in TEXTS.items() for at, task in enumerate(tasks(text))],
)
async def test_keys_do_what_is_said(task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting.draw_when_tests_wait(monkeypatch)
    waiting.wait_for_what_works(monkeypatch)
    waiting.parse_styles_once(monkeypatch)
    async with opened(cluster_copy(task.cluster, tmp_path), size=(140, 40), page="jobs") as it:
        for step in task.steps:
            await it.press(*step.keys)
            assert step.words in it.text, it.text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_other_commands_can_be_given(page: Path) -> None:
    """Of what a fence for a shell shows: targets of make, clusters that are there, commands of qmon-tui."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for fence in fences(TEXTS[page], "sh"):
        for line in fence["body"].splitlines():
            command = line.partition("#")[0].strip()
            words = command.split()
            if words and words[0] == "make":
                assert words[1] in targets, line
            elif words and words[0] == "qmon-tui":
                assert _OPENS.fullmatch(command) or words[1] in COMMANDS, line
                assert all((ROOT / word.partition("@")[0]).exists() for word in words if word.startswith("configs/")), (
                    line
                )
    assert [word for word in _INLINE.findall(TEXTS[page]) if word not in COMMANDS] == []


def test_the_readme_names_every_command() -> None:
    told = set(re.findall(r"^\| `qmon-tui ([a-z]+)", TEXTS[ROOT / "README.md"], re.MULTILINE))
    assert told == set(COMMANDS)


def test_the_site_shows_every_page() -> None:
    listed = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    aside = {"ARCHITECTURE.md", "style.md", "README.md"}
    assert [page.name for page in PAGES if page.name not in aside and f'"{page.name}"' not in listed] == []
