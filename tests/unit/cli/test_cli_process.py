"""What only a process of its own shows: pipes, closed streams. What it imports is in test_imports."""

import subprocess
import sys
from pathlib import Path

import pytest

CONFIGS = Path(__file__).parents[3] / "configs"


@pytest.mark.parametrize("output_format", ["table", "json"])
def test_a_reader_that_leaves_early_gets_no_complaint(output_format: str) -> None:
    command = [sys.executable, "-m", "qmon_tui", "schedule", str(CONFIGS / "site"), "--format", output_format]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        talk = process.stderr.read()
        assert process.wait() == 0
    assert "Traceback" not in talk
    assert "BrokenPipe" not in talk


def test_talk_that_nobody_reads_changes_no_exit_code() -> None:
    command = [sys.executable, "-m", "qmon_tui", "diff", str(CONFIGS / "teaching"), str(CONFIGS / "broken-qconf")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        process.stderr.close()
        assert process.wait() == 2


@pytest.mark.parametrize(
    ("words", "who"),
    [
        ("info", "qmon-tui info"),
        ("--version", "qmon-tui"),
        ("--help", "qmon-tui"),
        ("check --help", "qmon-tui check"),
    ],
)
def test_a_full_disk_is_a_sentence(words: str, who: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    command = [sys.executable, "-m", "qmon_tui", *words.split()]
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == f"{who}: the answer cannot be written: No space left on device.\n"


def test_a_closed_stdout_is_no_crash() -> None:
    command = f'"{sys.executable}" -m qmon_tui info >&-'
    ran = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_an_ascii_terminal_gets_question_marks_instead_of_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text("queues:\n  é.q: {hostlist: sim1, priority: 99}\n", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "qmon_tui", "check", str(tmp_path)],
        env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert "queue ?.q" in ran.stdout
    assert "\n-> " in ran.stdout, "an arrow of ours has a plainer form"
    assert "Traceback" not in ran.stderr
