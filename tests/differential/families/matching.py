"""Requests against what hosts and queues offer: all types, operators, levels, defaults, limits and soft requests."""

from random import Random

from tests.differential import attributes as drawn
from tests.differential.attributes import Attribute
from tests.differential.drawing import Draw, Site, odd_ones, options, per_key, scenario, session, some
from tests.differential.scenarios import Scenario

NUMBERS = 40
LIMITS = {
    "h_rt": ("INFINITY", "0:30:0", "3600", "2:0:0"),
    "s_rt": ("INFINITY", "1:0:0"),
    "h_cpu": ("INFINITY", "100"),
    "h_vmem": ("INFINITY", "1G", "2G"),
    "s_vmem": ("INFINITY", "512M"),
    "h_fsize": ("INFINITY", "3000"),
    "h_stack": ("INFINITY", "8M"),
}
"""Queue limits, which are attributes of each queue instance."""
LIMIT_REQUESTS = (
    *("h_rt=0:45:0", "h_rt=3600", "h_rt=2:0:0", "s_rt=INFINITY", "h_cpu=100", "h_cpu=101"),
    *("h_vmem=1G", "h_vmem=2048M", "s_vmem=0.6G", "h_fsize=3K", "h_stack=8M"),
)
BUILT_IN_REQUESTS = (
    *("h=n1", "h=n[12]", "h=!n1", "hostname=n*", "q=a.q", "q=[ab].q", "qname=*", "slots=1", "seq_no=5", "rerun=0"),
    *("tmpdir=/tmp", "calendar=NONE", "min_cpu_interval=1", "arch=lx-*", "num_proc=1", "np_load_avg=1", "mem_free=1M"),
)
SIZES = ("1", "2", "5")


def draw(random: Random) -> Scenario:
    """More attributes than offers: most requests are met at some levels and places only."""
    site = Site.drawn(random, hosts=(2, 5), queues=(1, 3))
    attributes = [drawn.attribute(random, name) for name in ("one", "two", "three", "four", "five", "six")]
    hosts = {name: {"complex_values": drawn.complex_values(random, attributes, 0.6)} for name in site.hosts}
    sections = {
        "complexes": drawn.complexes(attributes),
        "hosts": {"global": {"complex_values": drawn.complex_values(random, attributes, 0.35)}, **hosts},
        "hostgroups": site.hostgroup_objects(),
        "queues": {name: _queue(random, site, attributes) for name in site.queues},
        "scheduler": {
            "schedd_job_info": "true",
            "queue_sort_method": random.choice(("load", "seqno")),
            "weight_waiting_time": random.choice((0, 0.278)),
        },
    }
    return scenario(sections, session(random, lambda: _job(random, site, attributes), runs=(2, 3)))


def _queue(random: Random, site: Site, attributes: list[Attribute]) -> dict[str, str]:
    def of(field: str) -> Draw:
        return lambda: per_key(random, site.places, lambda: random.choice(LIMITS[field]))

    return {
        **site.queue(random, slots=(1, 2, 3, 6)),
        "seq_no": per_key(random, site.places, lambda: random.choice(("0", "5"))),
        "complex_values": per_key(random, site.places, lambda: drawn.complex_values(random, attributes, 0.4), 0.25),
        **odd_ones(random, {field: of(field) for field in LIMITS}, 0.2),
    }


def _job(random: Random, site: Site, attributes: list[Attribute]) -> str:
    hard = [drawn.request(random, entry) for entry in some(random, attributes, 0.4)[:3]]
    hard += [random.choice(LIMIT_REQUESTS)] if random.random() < 0.25 else []
    hard += [random.choice(BUILT_IN_REQUESTS)] if random.random() < 0.2 else []
    drawn_options: dict[str, Draw] = {
        "-l": lambda: ",".join(hard),
        "-q": lambda: site.queue_list(random),
        "-t": lambda: f"1-{random.choice(SIZES)}",
    }
    words = options(odd_ones(random, {"-l": drawn_options["-l"]}, 0.85))
    words += options(odd_ones(random, {name: drawn_options[name] for name in ("-q", "-t")}, 0.12))
    if random.random() < 0.25:
        soft = [drawn.request(random, entry) for entry in attributes if entry["consumable"] == "NO"]
        soft += [random.choice((*LIMIT_REQUESTS, *BUILT_IN_REQUESTS))]
        words += ["-soft", *options({"-l": ",".join(some(random, soft, 0.4))})]
        words += options(odd_ones(random, {"-q": drawn_options["-q"]}, 0.4))
    return " ".join(words)
