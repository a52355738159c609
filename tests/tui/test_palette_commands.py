"""Command lines typed into the palette do what they say, and say what is possible where they do not."""

from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.screens.palette_commands import PaletteCommands
from tests.tui.screen_harness import Opened, cluster_copy, opened


async def run(it: Opened, line: str) -> None:
    """Type a command after the colon."""
    await it.press("colon")
    await it.type(line)
    await it.press("enter")


def letters(it: Opened, name: str) -> str:
    return it.workspace.state.queue_states.get(name, "")


async def test_queue_instances_are_disabled_enabled_and_cleared(tmp_path: Path) -> None:
    folder = cluster_copy("site", tmp_path)
    (folder / "states.yaml").write_text("states:\n  gpu.q@gpu01: E\n  gpu.q@gpu02: E\n  inter.q@node01: E\n")
    async with opened(folder) as it:
        await run(it, "disable node05")
        await it.press(*"disk", "enter")
        assert set(it.workspace.state.drains) == {"node05"}
        assert {name for name, state in it.workspace.state.queue_states.items() if "d" in state} >= {"long.q@node05"}
        await run(it, "enable node05")
        assert "disk" in it.text
        await it.press("y")
        assert not it.workspace.state.drains
        await run(it, "drain @gpunodes")
        await it.press(*"fw", "enter")
        assert set(it.workspace.state.drains) == {"gpu01", "gpu02"}
        await it.press("u")
        await run(it, "qmod -d *@@gpunodes")
        await it.press(*"fw", "enter")
        assert set(it.workspace.state.drains) == {"gpu01", "gpu02"}
        await run(it, "qmod -cq gpu.q")
        assert "Clear the error state of 2 queue instances" in it.text
        await it.press("y")
        assert [name for name in ("gpu.q@gpu01", "gpu.q@gpu02", "inter.q@node01") if "E" in letters(it, name)] == [
            "inter.q@node01"
        ]
        await run(it, "qmod -c inter.q@node[01-02]")
        assert "E" not in letters(it, "inter.q@node01")
        await run(it, "qmod -sq short.q@node01")
        assert letters(it, "short.q@node01") == "s"


async def test_qconf_opens_forms_and_asks_before_it_deletes(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path)) as it:
        for line, kind, name in (
            ("qconf -mq long.q", Kind.QUEUE, "long.q"),
            ("qconf -sq short.q", Kind.QUEUE, "short.q"),
            ("qconf -me node03", Kind.HOST, "node03"),
            ("qconf -mhgrp @gpunodes", Kind.HOSTGROUP, "@gpunodes"),
            ("qconf -mc", Kind.COMPLEX, None),
            ("qconf -msconf", Kind.SCHEDULER, None),
            ("qconf -sql", Kind.QUEUE, None),
            ("qconf -mconf global", Kind.CONFIGURATION, "global"),
        ):
            await run(it, line)
            assert it.at_main, line
            assert it.main.kind is kind
            assert name is None or it.main.chosen == name
        await run(it, "qconf -aq new.q")
        await it.press("enter")
        assert "new.q" in it.workspace.cluster.objects(Kind.QUEUE)
        await run(it, "qconf -de node[01-02]")
        assert "Delete 2 hosts: node[01-02]" in it.text
        await it.press("escape")
        await run(it, "qconf -de node01")
        assert "is still referenced in cluster queue" in " ".join(it.text.split())
        assert "Removing it there" not in it.text, "jobs run there, so that it is not offered"
        await it.press("escape")
        await run(it, "qconf -aattr exechost complex_values gpu=2 node04")
        assert "gpu=2" in it.workspace.cluster.objects(Kind.HOST)["node04"].text("complex_values")
        await run(it, "qconf -am zoe")
        assert "zoe" in it.workspace.cluster.single(Kind.MANAGERS).text("entries")


async def test_qstat_and_qhost_show_what_they_print(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path), size=(160, 45)) as it:
        await run(it, "qstat -u bela -s p")
        assert it.main.pages.page == "jobs"
        rows = it.main.pages.view.rows  # type: ignore[union-attr]
        assert {row.job.owner for row in rows} == {"bela"}
        await run(it, "qstat")
        assert len({row.job.owner for row in it.main.pages.view.rows}) > 1  # type: ignore[union-attr]
        await run(it, "qstat -f -q gpu.q")
        assert "[Queue instances (qstat -f)]" in it.text
        assert "long.q@node01" not in it.text
        await run(it, "qstat -g c")
        assert "[Cluster queues (qstat -g c)]" in it.text
        await run(it, "qhost -h node[01-02]")
        assert "[Hosts (qhost)]" in it.text
        assert "node02" in it.text
        job = next(job.id for job in it.workspace.state.jobs if not job.tasks)
        await run(it, f"qhold {job}")
        assert next(other for other in it.workspace.state.jobs if other.id == job).request.hold == "u"
        await run(it, f"qdel {job}")
        await it.press("y")
        assert job not in [other.id for other in it.workspace.state.jobs]


async def test_qsub_and_qrsub_are_of_the_user_and_qselect_lists_instances(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUDO_USER", "anna")
    async with opened(cluster_copy("site", tmp_path), size=(160, 45)) as it:
        number = max(job.id for job in it.workspace.state.jobs) + 1
        await run(it, "qsub -N palette -l h_vmem=2G sleep 60")
        job = it.workspace.state.jobs[-1]
        assert (job.id, job.owner, job.name, job.request.hard) == (number, "anna", "palette", (("h_vmem", "2G"),))
        assert it.main.pages.view.row.job.id == number  # type: ignore[union-attr]
        await run(it, "qrsub -d 3600 -q short.q")
        assert [reservation.owner for reservation in it.workspace.state.reservations] == ["anna"]
        assert it.main.pages.page == "reservations"
        await run(it, "qselect -q gpu.q")
        assert "gpu.q@gpu01" in it.text
        assert "long.q@node01" not in it.text
        await run(it, "qselect -pe mpi")
        assert "long.q@node01" in it.text
        assert "inter.q@node01" not in it.text
        number = it.workspace.state.reservations[0].id
        await run(it, f"qrdel {number}")
        await it.press("y")
        assert it.workspace.state.reservations == ()
        await it.press("u", "u", "u")
        assert not it.workspace.changes()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("qsub", "qsub needs a command"),
        ("qsub -l nothere=1 sleep 1", "unknown resource"),
        ("qrsub -q gpu.q", 'missing value for "end time or duration"'),
        ("qrsub -d 60 -q gpu.q", "advance_reservation: no suitable queues"),
        ("qselect -l gpu=1", "qselect -l is not known here: -q, -qs, -pe are."),
        ("qselect -pe nothere", "No queue instance has a parallel environment nothere."),
        ("disable node99", "There is no queue instance node99: write node05, node[05-08], @rack"),
        ("disable @nothere", "There is no queue instance @nothere"),
        ("qmod -x all.q", "qmod takes -d, -e, -sq"),
        ("qmod -cq nothere.q", "qmod takes"),
        ("qconf -mq nothere.q", "There is no queue nothere.q."),
        ("qconf -zz", "qconf -zz is not known here. Forms: -mc -mq -me"),
        ("qconf -de node[77-78]", "There is no host node77."),
        ("qstat -x", "qstat -x is not known here: -f, -ext"),
        ("qstat -u", "qstat -u needs a value."),
        ("qstat -s nonsense", "-s nonsense is not a state of qstat"),
        ("qrdel x", "qrdel needs numbers"),
        ("qrdel 77", "There is no advance reservation 77"),
        ("qconf -aattr queue slots", "qconf -aattr needs a kind, an attribute"),
        ("qdel", "Possible are qdel, qhold"),
        ("qhold 'x", "Possible are qdel, qhold"),
    ],
)
async def test_a_line_that_means_nothing_says_what_is_possible(tmp_path: Path, line: str, said: str) -> None:
    async with opened(cluster_copy("site", tmp_path)) as it:
        target = PaletteCommands(it.main).target(line)
        assert target is not None
        assert target.about.startswith(said)
        await run(it, line)
        assert any(toast.startswith(said) for toast in it.toasts)
        assert not it.workspace.changes()


async def test_other_words_are_searched_as_before_and_read_only_refuses(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path), read_only=True) as it:
        commands = PaletteCommands(it.main)
        assert [commands.target(text) for text in ("", "disable", "long.q", "queue", "undo")] == [None] * 5
        await run(it, "qmod -cq *")
        assert any("None of these" in toast for toast in it.toasts)
        await run(it, "qconf -am zoe")
        assert not it.workspace.changes()
        assert any("read-only" in toast.casefold() for toast in it.toasts)
