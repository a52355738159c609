"""The value of one object given to others of its kind, as one edit: what qconf -mattr does object by object."""

from pathlib import Path

from qmon_tui.model.kinds import Kind
from tests.tui.screen_harness import Opened, cluster_copy, opened


def texts(it: Opened, kind: Kind, field: str) -> dict[str, str]:
    return {name: obj.text(field) for name, obj in it.workspace.cluster.objects(kind).items()}


async def test_all_users_get_the_project_of_one_and_one_undo_takes_it_back(tmp_path: Path) -> None:
    async with opened(cluster_copy("campus", tmp_path)) as it:
        before = texts(it, Kind.USER, "default_project")
        await it.go_to(Kind.USER, "theo", "default_project")
        await it.press("Y")
        assert "Who else gets default_project language?" in it.text
        assert "climate" in it.text, "what each has so far stands beside its name"
        await it.press("ctrl+a", "enter")
        assert set(texts(it, Kind.USER, "default_project").values()) == {"language"}
        await it.press("u")
        assert texts(it, Kind.USER, "default_project") == before


async def test_one_of_many_hosts_is_found_by_a_few_letters_and_gets_the_whole_text(tmp_path: Path) -> None:
    async with opened(cluster_copy("campus", tmp_path)) as it:
        await it.go_to(Kind.HOST, "node01", "complex_values")
        await it.press("Y", *"oom02", "space", "enter")
        assert texts(it, Kind.HOST, "complex_values")["room02"] == "h_vmem=128G,scratch=800G"
        assert texts(it, Kind.HOST, "complex_values")["room01"] == "h_vmem=32G,scratch=200G"


async def test_what_the_qmaster_refuses_of_the_others_is_said_before(tmp_path: Path) -> None:
    async with opened(cluster_copy("campus", tmp_path)) as it:
        await it.go_to(Kind.HOSTGROUP, "@allhosts", "hostlist")
        await it.press("Y", *"room", "space")
        assert "✗" in it.text, "a group would contain itself"


async def test_names_are_not_given_to_others_and_nothing_where_nothing_may_be_changed(tmp_path: Path) -> None:
    async with opened(cluster_copy("campus", tmp_path)) as it:
        await it.go_to(Kind.HOST, "node01", "hostname")
        await it.press("Y")
        assert it.at_main
    async with opened(cluster_copy("teaching", tmp_path), read_only=True) as it:
        await it.go_to(Kind.COMPLEX, "gpu", "urgency")
        await it.press("Y")
        assert it.at_main


async def test_only_the_scope_that_is_looked_at_is_given_to_others(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path)) as it:
        assert texts(it, Kind.QUEUE, "slots")["long.q"] == "12,[old01=6]"
        await it.go_to(Kind.QUEUE, "short.q", "slots")
        it.main.form.choose_scope("old01")
        await it.settle()
        await it.press("f7")
        assert "Who else gets slots 8 for old01?" in it.text
        await it.press(*"long", "space", "enter")
        assert texts(it, Kind.QUEUE, "slots")["long.q"] == "12,[old01=8]"
        it.main.form.choose_scope("")
        await it.settle()
        await it.press("f7")
        assert "Who else gets slots 16?" in it.text
        await it.press(*"long", "space", "enter")
        assert texts(it, Kind.QUEUE, "slots")["long.q"] == "16,[old01=8]"
