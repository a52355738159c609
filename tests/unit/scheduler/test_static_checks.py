"""What rules out a cluster queue, a host or a queue instance whatever is in use (matching.md#one-level-at-a-time)."""

import pytest

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.model import ConfigObject, Kind, config_object, messages
from qmon_tui.scheduler.configuration import CompiledCluster, compile_cluster
from qmon_tui.scheduler.jobs import compile_demand
from qmon_tui.scheduler.matching import PlacementRequest, Refusal, StaticChecks
from qmon_tui.scheduler.matching.static_checks import Requester
from tests.unit.scheduler.building import attribute, cluster, host, queue

MPI = {"pe_list": "mpi", "ckpt_list": "ck"}
QUEUES = (
    queue("both", "n1", qtype="BATCH INTERACTIVE"),
    queue("batch", "n1", qtype="BATCH", h_rt="0:1:0", complex_values="word=a", **MPI),
    queue("inter", "n1 n2", qtype="INTERACTIVE", pe_list="mpi smp", ckpt_list="ck", h_rt="0:1:0,[n2=INFINITY]",
          complex_values="word=a,[n2=NONE]"),
    queue("none", "n1", qtype="NONE"),
)  # fmt: skip
NAMES = {
    getattr(messages, name): name
    for name in (
        "QUEUES_NOT_REQUESTABLE", "NOT_IN_QUEUE_LIST", "NOT_PARALLEL_QUEUE", "NOT_IN_PE_LIST", "NOT_INTERACTIVE",
        "NOT_CHECKPOINTING_QUEUE", "NOT_IN_CKPT_LIST", "NOT_BATCH", "JOB_NOT_PARALLEL", "FORCED_IN_QUEUE", "IN_QUEUE",
        "FORCED_ON_HOST", "NO_CKPT", "NOT_AVAILABLE", "NOT_CLEAN",
    )
}  # fmt: skip


def compiled(*more: ConfigObject) -> CompiledCluster:
    word = attribute("word word STRING == YES NO NONE")
    return compile_cluster(cluster(*QUEUES, word, config_object(Kind.CKPT, "ck", {"ckpt_name": "ck"}), *more))


COMPILED = compiled()


def asking(
    options: str,
    environment: str | None = None,
    slots: int = 1,
    unclean: tuple[str, ...] = (),
    on: CompiledCluster = COMPILED,
) -> PlacementRequest:
    request = parse_qsub(f"{options} sleep").request
    requester = Requester("anna", "staff", None)
    return PlacementRequest(request, compile_demand(request, on.attributes), requester, environment, slots, unclean)


def name_of(refusal: Refusal | None) -> str:
    return "" if refusal is None else NAMES[refusal.number]


def of_instance(on: CompiledCluster, name: str, request: PlacementRequest) -> str:
    instance = next(instance for instance in on.instances if instance.name == name)
    return name_of(StaticChecks(on).instance(instance, request))


@pytest.mark.parametrize(
    ("name", "options", "environment", "refusal"),
    [
        ("both", "", None, ""),
        ("both", "-q both", None, ""),
        ("both", "-q batch", None, "NOT_IN_QUEUE_LIST"),
        ("both", "-q *@n2", None, "NOT_IN_QUEUE_LIST"),
        ("both", "-q both@n1,batch", None, ""),
        ("both", "-q batch -masterq both", None, ""),
        ("both", "-q batch -masterq inter", None, "NOT_IN_QUEUE_LIST"),
        ("both", "-masterq batch", None, ""),
        ("both", "-pe mpi 2", "mpi", "NOT_PARALLEL_QUEUE"),
        ("batch", "-pe mpi 2", "mpi", ""),
        ("batch", "-pe smp 2", "smp", "NOT_IN_PE_LIST"),
        ("inter", "-pe smp 2", "smp", ""),
        ("both", "-ckpt ck", None, "NOT_CHECKPOINTING_QUEUE"),
        ("batch", "-ckpt ck", None, ""),
        ("batch", "-ckpt other", None, "NOT_IN_CKPT_LIST"),
        ("both", "-now y", None, ""),
        ("inter", "-now y", None, ""),
        ("batch", "-now y", None, "NOT_INTERACTIVE"),
        ("none", "-now y", None, "NOT_INTERACTIVE"),
        ("batch", "", None, ""),
        ("inter", "", None, "NOT_BATCH"),
        ("none", "", None, "NOT_BATCH"),
        ("inter", "-pe mpi 2", "mpi", ""),
        # A checkpointing job need not be in a batch queue, but in one for parallel jobs it has to be parallel.
        ("inter", "-ckpt ck", None, "JOB_NOT_PARALLEL"),
        ("inter", "-ckpt ck -pe mpi 2", "mpi", ""),
        ("inter", "-ckpt ck -now y", None, ""),
    ],
)
def test_why_a_queue_instance_does_not_take_a_job(
    name: str, options: str, environment: str | None, refusal: str
) -> None:
    assert of_instance(COMPILED, f"{name}@n1", asking(options, environment)) == refusal


@pytest.mark.parametrize(
    ("options", "refusal"),
    [("", ""), ("-q both", "QUEUES_NOT_REQUESTABLE"), ("-masterq both", "QUEUES_NOT_REQUESTABLE")],
)
def test_where_queues_cannot_be_asked_for_who_does_runs_in_none(options: str, refusal: str) -> None:
    on = compiled(attribute("qname q STRING == NO NO NONE"))
    assert of_instance(on, "both@n1", asking(options, on=on)) == refusal
    without = compile_cluster(on.cluster.without(Kind.COMPLEX, "qname"))
    assert of_instance(without, "both@n1", asking(options, on=without)) == refusal


@pytest.mark.parametrize(("options", "refusals"), [("", ["FORCED_IN_QUEUE", "FORCED_ON_HOST"]), ("-l key=1", ["", ""])])
def test_what_must_be_asked_for(options: str, refusals: list[str]) -> None:
    forced = attribute("key key INT <= FORCED NO 0")
    on = compiled(forced, host("n1", "key=1"), queue("both", "n1", complex_values="key=1"))
    request = asking(options, on=on)
    of_host = StaticChecks(on).host(on.hosts["n1"], {}, request)
    assert [of_instance(on, "both@n1", request), name_of(of_host)] == refusals
    assert name_of(StaticChecks(on).host(on.hosts["n2"], {}, request)) == ""


def test_a_host_that_is_not_cleaned_up_and_an_instance_that_nobody_comes_into_any_more() -> None:
    checks = StaticChecks(COMPILED)
    unclean = asking("", unclean=("n1",))
    assert [name_of(checks.host(COMPILED.hosts[name], {}, unclean)) for name in ("n1", "n2")] == ["NOT_CLEAN", ""]
    told: list[str] = []
    checks = StaticChecks(COMPILED, orphaned=frozenset({"batch@n1"}), announce=told.append)
    found = {instance.name: name_of(checks.instance(instance, asking(""))) for instance in COMPILED.instances}
    assert (found["both@n1"], found["batch@n1"]) == ("", "NOT_AVAILABLE")
    assert told == ['queue instance "batch@n1" dropped because it is temporarily not available']


@pytest.mark.parametrize(("options", "refusal"), [("", ""), ("-ckpt ck", ""), ("-ckpt gone", "NO_CKPT")])
def test_a_checkpointing_environment_that_is_gone(options: str, refusal: str) -> None:
    assert name_of(StaticChecks(COMPILED).checkpoint(asking(options))) == refusal


@pytest.mark.parametrize(
    ("options", "hosts"),
    [("", "n1 n2"), ("-q both", "n1 n2"), ("-q *@n1", "n1"), ("-q both@n1,batch@n2", "n1 n2"), ("-q *@n3", "")],
)
def test_the_hosts_that_a_list_of_queues_leaves(options: str, hosts: str) -> None:
    checks, request = StaticChecks(COMPILED), asking(options)
    assert [name for name in ("n1", "n2") if checks.host_in_queue_list(name, request) is None] == hosts.split()


@pytest.mark.parametrize(
    ("name", "options", "environment", "slots", "refusal"),
    [
        ("both", "", None, 1, ""),
        ("both", "-q both", None, 1, ""),
        ("both", "-q batch", None, 1, "NOT_IN_QUEUE_LIST"),
        ("both", "-q batch,both@n9", None, 1, ""),
        # The queue of -masterq is one of its queues where the job is parallel.
        ("batch", "-q inter -masterq batch", None, 1, "NOT_IN_QUEUE_LIST"),
        ("batch", "-q inter -masterq batch -pe mpi 2", "mpi", 2, ""),
        ("batch", "-q inter -masterq inter -pe mpi 2", "mpi", 2, "NOT_IN_QUEUE_LIST"),
        ("batch", "-q inter -pe mpi 2", "mpi", 2, "NOT_IN_QUEUE_LIST"),
        # Numbers rule out only for one slot, texts always.
        ("batch", "-l h_rt=60", None, 1, ""),
        ("batch", "-l h_rt=61", None, 1, "IN_QUEUE"),
        ("batch", "-l h_rt=61 -pe mpi 2", "mpi", 2, ""),
        ("batch", "-l word=a", None, 1, ""),
        ("batch", "-l word=b", None, 1, "IN_QUEUE"),
        ("batch", "-l word=b -pe mpi 2", "mpi", 2, "IN_QUEUE"),
        # Somewhere there is another value, or none.
        ("inter", "-l h_rt=61", None, 1, ""),
        ("inter", "-l word=b", None, 1, ""),
        ("batch", "-l qname=other", None, 1, ""),
        ("both", "-pe mpi 2", "mpi", 2, "NOT_IN_PE_LIST"),
        ("batch", "-pe smp 2", "smp", 2, "NOT_IN_PE_LIST"),
        ("inter", "-pe smp 2", "smp", 2, ""),
        ("batch", "-now y", None, 1, "NOT_INTERACTIVE"),
        ("inter", "-now y", None, 1, ""),
        ("batch", "", None, 1, ""),
    ],
)
def test_why_a_cluster_queue_is_given_up(
    name: str, options: str, environment: str | None, slots: int, refusal: str
) -> None:
    found = next(queue for queue in COMPILED.queues if queue.name == name)
    assert name_of(StaticChecks(COMPILED).cluster_queue(found, asking(options, environment, slots))) == refusal
