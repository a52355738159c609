"""Commands as a script for a shell: it stops at a refusal, and texts of the cluster stay texts."""

import os
import subprocess
from pathlib import Path

import pytest

from qmon_tui.model import Cluster, Kind, config_object
from qmon_tui.model.defaults import default_complexes, default_objects
from qmon_tui.model.state import State
from qmon_tui.qmaster import Command, QconfAttribute, Qsub, leading_commands, new_job
from qmon_tui.qmaster.commands.qconf import QconfAdd, QconfDelete
from qmon_tui.report import command_script
from qmon_tui.workspace import Remark, differences

FRESH = Cluster().with_objects([*default_complexes(), *default_objects()])
QUEUE = config_object(Kind.QUEUE, "q", {"hostlist": "n1", "slots": "4"})
HOSTILE = (
    *("a b", "$(touch owned)", "`touch owned`", "'; touch owned; '", '"; touch owned; "', "x\ntouch owned"),
    *("\x1b[2J", "-x", "../up", "END\ntouch owned\n"),
)


def script(before: Cluster, after: Cluster) -> tuple[str, ...]:
    commands = leading_commands(before, after)
    return command_script(("Edits of site",), commands, differences(before, after))


def test_each_object_has_its_difference_as_a_comment() -> None:
    before = FRESH.with_objects([QUEUE, config_object(Kind.PROJECT, "sea", {"name": "sea"})])
    after = before.without(Kind.PROJECT, "sea").with_object(QUEUE.with_values({"slots": "8", "hostlist": "n1 n2"}))
    lines = script(before, after)
    assert lines[:4] == ("#!/bin/sh", "# Edits of site", "# 1 object changed, 1 removed; 3 commands", "set -e")
    assert lines[lines.index("# ● queue q   changed") - 1 :] == (
        "", "# ● queue q   changed", "#   hostlist  n1 → n1 n2", "#   slots     4 → 8",
        "qconf -aattr queue hostlist n2 q", "qconf -rattr queue slots 8 q", "",
        "# - project sea   removed", "#   name  sea", "qconf -dprj sea",
    )  # fmt: skip


def test_without_a_difference_there_is_no_command() -> None:
    assert not any(line.startswith("qconf") for line in script(FRESH, FRESH))


CLIENT = """\
#!/bin/sh
printf '%s\\n' "$@" >> "$CALLS"
case $* in *refused*) echo 'denied: no'; esac
case $* in *-Aq*) echo 'root@h added "q" to cluster queue list'; exit 1; esac
"""


def run(lines: tuple[str, ...], folder: Path) -> tuple[int, list[str]]:
    """Run a script with clients that note their arguments. Returns the exit code and the arguments."""
    for name in ("qconf", "qsub", "qalter"):
        (folder / name).write_text(CLIENT)
        (folder / name).chmod(0o755)
    calls = folder / "calls"
    calls.write_text("")
    environment = {"PATH": f"{folder}:{os.environ['PATH']}", "CALLS": str(calls), "TMPDIR": str(folder)}
    work = folder / "work"
    work.mkdir(exist_ok=True)
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(["sh"], input=text, text=True, cwd=work, env=environment, capture_output=True, check=False)
    assert not list(folder.rglob("owned*")), text
    return done.returncode, calls.read_text().splitlines()


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_the_cluster_is_a_command(text: str, tmp_path: Path) -> None:
    values = {"hostlist": text, "prolog": text}
    objects = [config_object(Kind.QUEUE, text, values), config_object(Kind.PROJECT, text, {"name": text, "acl": text})]
    commands: list[Command | Remark] = [
        *(QconfAdd(obj) for obj in objects),
        QconfAttribute(Kind.QUEUE, "q", "prolog", text),
        QconfAttribute(Kind.QUEUE, text, "prolog", "x"),
        QconfDelete(Kind.QUEUE, text),
        Qsub(new_job(State(), text, f"-N {text} run.sh {text}")),
        Remark(text),
    ]
    after = FRESH.with_objects(objects)
    code, calls = run(command_script((text,), commands, differences(FRESH, after)), tmp_path)
    assert code == 0
    assert "-rattr" in calls or not text.isprintable()


@pytest.mark.parametrize(
    ("names", "code", "last"),
    [(("q", "b"), 0, "b"), (("refused", "b"), 1, "refused")],
    ids=["added although the exit code is 1", "refused although it is 0"],
)
def test_what_qconf_prints_decides(names: tuple[str, str], code: int, last: str, tmp_path: Path) -> None:
    commands = [QconfAdd(QUEUE), *(QconfDelete(Kind.QUEUE, name) for name in names)]
    assert run(command_script((), commands, ()), tmp_path)[0] == code
    assert (tmp_path / "calls").read_text().splitlines()[-1] == last
