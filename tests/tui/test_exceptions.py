"""Members of usersets and override tickets get an end date, are named when it is over, and are forgotten."""

from datetime import datetime
from pathlib import Path

import pytest

from qmon_tui.cli import main
from qmon_tui.model import Kind
from qmon_tui.sources import read_folder
from tests.tui.screen_harness import Opened, cluster_copy, opened


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of configs/site."""
    monkeypatch.setenv("LOGNAME", "anna")
    monkeypatch.delenv("SUDO_USER", raising=False)
    return cluster_copy("site", tmp_path)


def ends(it: Opened) -> dict[str, tuple[str, str]]:
    """Place -> the key of its reason and its last day."""
    return {
        place: (given.key, str(datetime.fromtimestamp(given.until or 0).date()))
        for place, (given,) in it.workspace.state.exceptions.items()
    }


async def panel(it: Opened, kind: Kind, name: str, tab: str) -> None:
    await it.go_to(kind, name)
    it.main.form.choose_group(tab)
    await it.settle()


async def test_a_member_has_an_end_that_undo_takes_back_and_the_folder_keeps(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with opened(site, size=(200, 55)) as it:
        await panel(it, Kind.USERSET, "staff", "Members")
        await it.press("j", "Y")
        assert "member bela of userset staff" in it.text
        await it.type("2099-12-01")
        await it.press("enter")
        assert "A reason is needed" in it.text
        await it.type("2099-12-01 cover for chen")
        await it.press("enter")
        assert ends(it) == {"userset/staff/bela": ("anna: cover for chen", "2099-12-01")}
        assert "until 2099-12-01 (anna: cover for chen)" in it.text
        await it.press("u")
        assert not ends(it)
        await it.press("U")
        await it.press("s")
        assert "end of userset/staff/bela" in it.text
        await it.press("f2")
        await it.settle()
        assert dict(read_folder(site).state.exceptions) == dict(it.workspace.state.exceptions)
        await it.press("Y", "ctrl+a")
        assert "2099-12-01 cover for chen" in it.text
        await it.press("ctrl+k", "minus", "enter")
        assert not ends(it)
    assert main(["check", str(site)]) in (0, 1)
    assert "staff" not in capsys.readouterr().out


async def test_what_is_over_leads_to_its_place_and_is_forgotten_without_the_member(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "ends.yaml").write_text(
        "exceptions:\n  userset/staff/bela: {reason: cover, who: anna, until: 2020-01-07T23:59:59}\n"
    )
    assert main(["attention", str(site), "--format", "json"]) == 1
    assert '"userset/staff/bela"' in capsys.readouterr().out
    main(["check", str(site)])
    assert "the exception for member bela of userset staff has ended (anna: cover)" in capsys.readouterr().out
    async with opened(site, size=(160, 45)) as it:
        await it.press("8")
        await it.settle()
        await it.press("home", "j")
        assert "userset/staff/bela" in it.text
        await it.press("enter")
        await it.settle()
        assert "Usersets ▸ staff ▸ General ▸ entries" in it.text
    text = (site / "policy.yaml").read_text()
    (site / "policy.yaml").write_text(text.replace("anna,bela,chen", "anna,chen"))
    main(["attention", str(site), "--format", "json"])
    assert "userset/staff" not in capsys.readouterr().out


async def test_override_tickets_have_an_end_where_there_are_any(site: Path) -> None:
    async with opened(site, size=(200, 55)) as it:
        await panel(it, Kind.USER, "anna", "Standing")
        refusal = it.main.action_context().refusal("standing.except") or ""
        await it.go_to(Kind.USER, "anna", "oticket")
        await it.press("e", "ctrl+a", "ctrl+k", "7", "enter")
        it.main.form.choose_group("Standing")
        await it.settle()
        assert "set oticket first" in refusal
        await it.press("Y")
        await it.type("2099-12-01 deadline")
        await it.press("enter")
        assert ends(it) == {"user/anna": ("anna: deadline", "2099-12-01")}
        assert "until 2099-12-01 (anna: deadline)" in it.text
        await panel(it, Kind.SCHEDULER, "scheduler", "Shares")
        assert it.main.action_context().refusal("shares.except") is None, "the row of anna"
        await it.press("Y")
        assert "2099-12-01 deadline" in it.text
        await it.press("escape", "j")
        assert "set oticket first" in (it.main.action_context().refusal("shares.except") or "")
