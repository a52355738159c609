"""Requests against global, host and queue, in qstat -j's words (matching.md#one-level-at-a-time)."""

import pytest

from tests.unit.scheduler.building import (
    attribute,
    cluster,
    host,
    job,
    places,
    queue,
    reasons,
    run,
    running,
    scheduler,
)

LIC = attribute("lic lic INT <= YES YES 0")
ONE = queue("all.q", "h1", 10)


# Section 16, example 1.
def test_a_global_licence() -> None:
    on = cluster(LIC, ONE, host("global", "lic=3"))
    outcome = run(on, running(1, "all.q@h1", "-l lic=2"), job(2, "-l lic=2"), job(3, "-l lic=1"))
    assert reasons(outcome, 2) == ("(-l lic=2) cannot run globally because it offers only gc:lic=1.000000",)
    assert places(outcome) == {3: "all.q@h1"}


# Example 2: the default of a consumable is asked for where the consumable is configured.
def test_a_default_request() -> None:
    on = cluster(attribute("h_vmem h_vmem MEMORY <= YES YES 1G"), ONE, host("h1", "h_vmem=4G"))
    outcome = run(on, *(job(number) for number in range(1, 6)))
    assert list(places(outcome)) == [1, 2, 3, 4]
    assert reasons(outcome, 5) == (
        '(-l NONE) cannot run at host "h1" because for default request it offers only hc:h_vmem=0.000',
    )


# Example 4: levels are added up, never overridden.
def test_every_level_must_agree() -> None:
    mem = attribute("mem mem MEMORY <= YES NO 0")
    on = cluster(mem, queue("all.q", "h1", 5, complex_values="mem=2G"))
    outcome = run(on, job(1, "-l mem=2.5G"), job(2, "-l mem=2G"), loads={"h1": {"mem": "3G"}})
    assert reasons(outcome, 1) == ('(-l mem=2.5G) cannot run in queue "all.q" because of cluster queue',)
    assert places(outcome) == {2: "all.q@h1"}


# Example 5: with >= a job asks for at least the offer.
def test_requests_stand_on_the_left_of_the_operator() -> None:
    on = cluster(attribute("speed speed INT >= YES NO 0"), ONE)
    outcome = run(on, job(1, "-l speed=5"), job(2, "-l speed=10"), loads={"h1": {"speed": "10"}})
    assert reasons(outcome, 1) == ('(-l speed=5) cannot run at host "h1" because it offers only hl:speed=10.000000',)
    assert places(outcome) == {2: "all.q@h1"}


@pytest.mark.parametrize(
    ("line", "values", "request_", "offer"),
    [
        ("n n INT == YES NO 0", "n=5", "n=6", "hf:n=5.000000"),
        ("n n INT != YES NO 0", "n=5", "n=5", "hf:n=5.000000"),
        ("n n INT < YES NO 0", "n=5", "n=5", "hf:n=5.000000"),
        ("n n INT > YES NO 0", "n=5", "n=5", "hf:n=5.000000"),
        ("m m MEMORY <= YES NO 0", "m=1536M", "m=2G", "hf:m=1.500G"),
        ("t t TIME <= YES NO 0", "t=1:0:0", "t=1:0:1", "hf:t=01:00:00"),
        ("d d DOUBLE <= YES NO 0", "d=0.5", "d=0.75", "hf:d=0.500000"),
        ("b b BOOL == YES NO 0", "b=TRUE", "b=FALSE", "hf:b=true"),
        ("b b BOOL == YES NO 0", "b=FALSE", "b", "hf:b=false"),
        ("s ss STRING == YES NO NONE", "s=abc", "s=ABC", "hf:s=abc"),
        ("s ss CSTRING == YES NO NONE", "s=abc", "s=x*", "hf:s=abc"),
        ("s ss RESTRING != YES NO NONE", "s=abc", "s=a|abc", "hf:s=abc"),
        ("j j INT <= YES JOB 0", "j=2", "j=3", "hc:j=2.000000"),
    ],
)
def test_comparisons_and_how_offers_are_printed(line: str, values: str, request_: str, offer: str) -> None:
    outcome = run(cluster(attribute(line), ONE, host("h1", values)), job(1, f"-l {request_}"))
    (text,) = reasons(outcome, 1)
    assert text.endswith(f'cannot run at host "h1" because it offers only {offer}')


@pytest.mark.parametrize(
    ("line", "values", "request_"),
    [
        ("n n INT == YES NO 0", "n=0x10", "n=16"),
        ("n n INT != YES NO 0", "n=5", "n=6"),
        ("m m MEMORY <= YES NO 0", "m=1K", "m=1024"),
        ("t t TIME <= YES NO 0", "t=::90", "t=0:1:30"),
        ("b b BOOL == YES NO 0", "b=TRUE", "b"),
        ("k k CSTRING == YES NO NONE", "k=Linux", "k=lin*|sol*"),
        ("i i INT <= YES NO 0", "i=INFINITY", "i=99999999"),
    ],
)
def test_requests_that_fit(line: str, values: str, request_: str) -> None:
    outcome = run(cluster(attribute(line), ONE, host("h1", values)), job(1, f'-l "{request_}"'))
    assert places(outcome) == {1: "all.q@h1"}


def test_an_attribute_that_nobody_has() -> None:
    outcome = run(cluster(LIC, ONE), job(1, "-l lic=1"))
    assert reasons(outcome, 1) == (
        '(-l lic=1) cannot run in queue "all.q@h1" because job requests unknown resource (lic)',
    )


def test_requests_are_printed_by_full_name_sorted_and_as_stored() -> None:
    names = (LIC, attribute("zebra z TIME <= YES NO 0"), attribute("ant a2 BOOL == YES NO 0"))
    outcome = run(cluster(*names, ONE), job(1, "-l z=1:0:0.5,lic=2,a2 -l lic=1"))
    assert reasons(outcome, 1)[0].startswith("(-l ant=TRUE,lic=1,zebra=3600) cannot run")


def test_per_job_consumables_are_booked_once_per_level() -> None:
    on = cluster(attribute("tok tok INT <= YES JOB 0"), ONE, host("global", "tok=3"), host("h1", "tok=2"))
    outcome = run(on, job(1, "-l tok=2"), job(2, "-l tok=1"))
    assert places(outcome) == {1: "all.q@h1"}
    assert reasons(outcome, 2) == ('(-l tok=1) cannot run at host "h1" because it offers only hc:tok=0.000000',)


def test_limits_of_a_queue_belong_to_matching() -> None:
    on = cluster(queue("short.q", "h1", 2, h_rt="1:0:0"), queue("long.q", "h1", 2, seq_no="5"))
    outcome = run(on, job(1, "-l h_rt=0:30:0"), job(2, "-l h_rt=2:0:0"))
    assert places(outcome) == {1: "short.q@h1", 2: "long.q@h1"}


def test_a_limit_that_differs_per_host_speaks_for_the_instance() -> None:
    on = cluster(queue("all.q", "h1 h2", 1, h_rt="1:0:0,[h2=2:0:0]"))
    outcome = run(on, job(1, "-l h_rt=3600"), job(2, "-l h_rt=7201"), job(3, "-l h_rt=7200"))
    assert places(outcome) == {1: "all.q@h1", 3: "all.q@h2"}
    assert reasons(outcome, 2) == ('(-l h_rt=7201) cannot run in queue "all.q" because of cluster queue',)


def test_consumable_and_limit_of_the_same_name() -> None:
    on = cluster(
        attribute("h_vmem h_vmem MEMORY <= YES YES 0"),
        queue("all.q", "h1", 5, complex_values="h_vmem=4G", h_vmem="2G,[h1=3G]"),
    )
    outcome = run(on, job(1, "-l h_vmem=3G"), job(2, "-l h_vmem=3G"))
    assert places(outcome) == {1: "all.q@h1"}
    assert reasons(outcome, 2) == (
        '(-l h_vmem=3G) cannot run in queue "all.q@h1" because it offers only qc:h_vmem=1.000G',
    )


def test_load_values_of_consumables_take_out_what_others_use() -> None:
    # Section 9: 8G configured, 2G booked by us, 3G reported as free: 3G are used by others.
    on = cluster(attribute("virtual_free vf MEMORY <= YES YES 0"), ONE, host("h1", "virtual_free=8G"))
    busy = running(1, "all.q@h1", "-l vf=2G")
    loads = {"h1": {"virtual_free": "3G"}}
    assert places(run(on, busy, job(2, "-l vf=3G"), loads=loads)) == {2: "all.q@h1"}
    outcome = run(on, busy, job(2, "-l vf=3.1G"), loads=loads)
    assert reasons(outcome, 2) == (
        '(-l virtual_free=3.1G) cannot run at host "h1" because it offers only hc:virtual_free=3.000G',
    )


def test_load_values_are_corrected_for_jobs_that_just_started() -> None:
    on = cluster(
        ONE,
        scheduler(job_load_adjustments="mem_free=1G", load_adjustment_decay_time="0:10:0", load_formula="slots"),
    )
    outcome = run(on, job(1, "-l mf=2G"), job(2, "-l mf=2G"), job(3, "-l mf=2G"), loads={"h1": {"mem_free": "3G"}})
    assert list(places(outcome)) == [1, 2]
    assert reasons(outcome, 3) == (
        '(-l mem_free=2G) cannot run at host "h1" because it offers only hL:mem_free=1.000G',
    )


@pytest.mark.parametrize(
    ("configured", "load", "request_", "fits"),
    [
        ("arch=lx", "sol", "arch=lx", True),
        ("arch=lx", "sol", "arch=sol", False),
        ("num_proc=4", "8", "num_proc=4", True),
        ("num_proc=4", "8", "num_proc=8", False),
    ],
)
def test_a_configured_value_hides_a_load_value_of_an_equality(
    configured: str, load: str, request_: str, fits: bool
) -> None:
    name = configured.split("=")[0]
    outcome = run(cluster(ONE, host("h1", configured)), job(1, f"-l {request_}"), loads={"h1": {name: load}})
    assert bool(places(outcome)) is fits


def test_forced_attributes_must_be_requested() -> None:
    forced = attribute("gpu gpu INT <= FORCED YES 0")
    on_host = run(cluster(forced, ONE, host("h1", "gpu=2")), job(1), job(2, "-l gpu=1"))
    assert reasons(on_host, 1) == ("does not request 'forced' resource \"gpu\" of host h1",)
    assert places(on_host) == {2: "all.q@h1"}
    on_queue = run(cluster(forced, queue("all.q", "h1", 5, complex_values="gpu=2")), job(1))
    assert reasons(on_queue, 1) == ("does not request 'forced' resource \"gpu\" of queue instance all.q@h1",)
    everywhere = run(cluster(forced, ONE, host("global", "gpu=2")), job(1))
    assert reasons(everywhere, 1) == ("does not request 'forced' resource \"gpu\" of host global",)


def test_forcing_a_built_in_attribute_forces_it_in_every_queue() -> None:
    outcome = run(cluster(attribute("h_rt h_rt TIME <= FORCED NO 0"), ONE), job(1), job(2, "-l h_rt=5"))
    assert reasons(outcome, 1) == ("does not request 'forced' resource \"h_rt\" of queue instance all.q@h1",)
    assert places(outcome) == {2: "all.q@h1"}


def test_a_default_that_cannot_be_requested_is_charged_all_the_same() -> None:
    on = cluster(attribute("tape tape INT <= NO YES 2"), ONE, host("h1", "tape=3"))
    outcome = run(on, job(1), job(2))
    assert places(outcome) == {1: "all.q@h1"}
    assert reasons(outcome, 2) == (
        '(-l NONE) cannot run at host "h1" because for default request it offers only hc:tape=1.000000',
    )


def test_slots_of_a_host() -> None:
    on = cluster(queue("a.q", "h1", 5), queue("b.q", "h1", 5), host("h1", "slots=2"))
    outcome = run(on, running(1, "a.q@h1"), job(2), job(3))
    assert list(places(outcome)) == [2]
    assert reasons(outcome, 3) == ('(-l NONE) cannot run at host "h1" because it offers only hc:slots=0.000000',)


def test_exclusive_use() -> None:
    on = cluster(
        attribute("excl ex BOOL EXCL YES YES 0"),
        queue("all.q", "h1 h2", 3),
        host("h1", "excl=TRUE"),
        host("h2", "excl=TRUE"),
    )
    outcome = run(on, job(1, "-l excl"), job(2), job(3, "-l excl"))
    assert places(outcome) == {1: "all.q@h1", 2: "all.q@h2"}
    assert reasons(outcome, 3) == (
        '(-l excl=TRUE) cannot run at host "h1" because it offers only hc:excl=false',
        '(-l excl=TRUE) cannot run at host "h2" because exclusive resource (excl) is already in use',
    )
    lonely = run(on, running(1, "all.q@h1", "-l excl"), running(2, "all.q@h2", "-l excl"), job(3))
    assert reasons(lonely, 3)[0] == (
        '(-l NONE) cannot run at host "h1" because for default request exclusive resource (excl) is already in use'
    )


def test_long_texts_are_cut_at_a_hundred_characters() -> None:
    value = "x" * 150
    on = cluster(attribute("kind kind STRING == YES NO NONE"), ONE, host("h1", "kind=" + "y" * 150))
    outcome = run(on, job(1, f"-l kind={value}"))
    (text,) = reasons(outcome, 1)
    assert (
        text
        == f'(-l {("kind=" + value)[:100]}) cannot run at host "h1" because '
        + ("it offers only hf:kind=" + "y" * 150)[:100]
    )


def test_soft_requests_choose_the_queue_with_the_fewest_violations() -> None:
    on = cluster(
        attribute("fast fast INT <= YES NO 0"),
        queue("all.q", "h1 h2 h3", 1),
        host("h1", "fast=1"),
        host("h2", "fast=4"),
    )
    assert places(run(on, job(1, "-soft -l fast=3"))) == {1: "all.q@h2"}
    # Contradicted on the host and met nowhere counts twice, just met nowhere once.
    assert places(run(on, job(1, "-soft -l fast=9"))) == {1: "all.q@h3"}
    assert places(run(on, job(1, "-soft -q all.q@h3"))) == {1: "all.q@h3"}


def test_a_host_that_is_no_better_than_the_best_so_far_is_not_looked_at() -> None:
    soft = attribute("fast fast INT <= YES NO 0")
    on = cluster(soft, queue("a.q", "h1 h2", 1), queue("b.q", "h2 h3", 1), host("h2", "fast=1"), host("h3", "fast=4"))
    # What comes behind the second queue instance of such a host is tried.
    assert places(run(on, job(1, "-soft -l fast=3"))) == {1: "b.q@h3"}
    licence = attribute("lic lic INT <= YES YES 0")
    lacking = queue("a.q", "h1 h2", 1, complex_values="lic=1,[h2=lic=0]")
    kind = "-l lic=1 -soft -l fast=3"
    outcome = run(cluster(soft, licence, lacking, host("h2", "fast=1")), job(1, kind), job(2, kind))
    assert places(outcome) == {1: "a.q@h1"}
    # Else the next one of its kind would skip it without a word.
    assert reasons(outcome, 2) == (
        f'({kind.partition(" -soft")[0]}) cannot run in queue "a.q@h2" because it offers only qc:lic=0.000000',
    )


def test_what_is_no_number_offers_nothing_in_all_of_a_queue() -> None:
    on = cluster(
        attribute("mem m MEMORY <= YES NO 0"),
        queue("all.q", "h1 h2", 2, complex_values="mem=abc"),
        scheduler(schedd_job_info="true"),
    )
    assert reasons(run(on, job(1, "-l mem=1")), 1) == (
        '(-l mem=1) cannot run in queue "all.q" because of cluster queue',
    )
