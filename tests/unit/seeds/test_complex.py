"""configs/seeds/complex-*: what complex(5) explains (seed 000)."""

from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.sources import read_folder
from tests.differential.seeds import SEEDS, last_run, our_outcome
from tests.unit.seeds.views import hosts, places, value

ALL = {f"lx{n}-x86" for n in (22, 24, 25, 26)} | {"lx24-amd64", "sol-sparc", "sol-sparc64", "sol-x86", "sol-x64"}


def test_the_list_of_patterns() -> None:
    assert hosts("complex-strings") == {
        "p1": {"lx24-x86", "lx24-amd64", "sol-sparc", "sol-sparc64", "sol-x86", "sol-x64"},
        "p2": {"sol-x86", "sol-x64"},
        "p3": {"lx22-x86", "lx24-x86", "lx26-x86"},
        "p4": {"lx24-x86", "lx25-x86", "lx26-x86"},
        "p5": {"lx22-x86", "lx24-x86", "lx25-x86", "lx26-x86"},
        "p6": ALL - {"lx24-x86", "sol-sparc"},
        "p7": set(),
    }


def test_the_bar_divides_before_the_brackets() -> None:
    reading = read_folder(SEEDS / "complex-strings")
    host = reading.cluster.objects(Kind.HOST)["sol-x64"]
    changed = reading.cluster.with_object(host.with_value("complex_values", "arch=6]-x86"))
    job = schedule(changed, reading.state).job(7)
    assert job is not None
    assert dict(job.tasks[0].granted) == {"all.q@sol-x64": 1}


def test_exclusive_use() -> None:
    assert hosts("complex-exclusive") == {"shared": {"sim1"}, "alone": {"sim2"}, "later": set(), "next": {"sim1"}}


def test_a_forced_attribute_keeps_out_who_does_not_ask() -> None:
    assert hosts("complex-forced") == {"asks": {"sim1"}, "plain": {"sim2"}, "waits": set()}


def test_consumables_by_slot_by_job_and_by_default() -> None:
    assert places("complex-consumables") == {"wide": {"all.q@sim1": 4}, "plain": {"all.q@sim1": 1}, "big": {}}
    assert value("complex-consumables", "all.q@sim1", "hc:mem") == "4.000G"
    assert value("complex-consumables", "all.q@sim1", "hc:lic") == "1"


def test_urgency_of_numbers_and_texts() -> None:
    expected = {"number": 80, "text": 500, "nothing": 0, "one": 30}
    assert {job.name: job.rrcontr for job in our_outcome("complex-urgency").jobs} == expected
    assert {job.name: int(job.columns["rrcontr"]) for job in last_run("complex-urgency").after.jobs} == expected


def test_of_the_count_and_the_report_the_less_is_left() -> None:
    there = hosts("complex-load")
    assert (there["full50"], there["full40"]) == (set(), {"full"})
    assert (there["used30"], there["used20"]) == (set(), {"used"})
    assert value("complex-load", "all.q@full", "hc:scratch") == "40.000G"  # reported
    assert value("complex-load", "all.q@used", "hc:scratch") == "0.000"  # 100G less 80G and 20G
