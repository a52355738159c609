"""The map of queues and hosts, the listings, and the explanation of state letters."""

import time

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.report.cluster.cluster_map import ClusterMap, cell_role, fill
from qmon_tui.report.cluster.listing_tables import (
    HOST_FIELDS,
    INSTANCE_FIELDS,
    QUEUE_FIELDS,
    ListingField,
    ListingTable,
    SortOrder,
)
from qmon_tui.report.cluster.qstat_listings import (
    HostLine,
    InstanceLine,
    host_lines,
    instance_lines,
    memory,
    queue_lines,
)
from qmon_tui.report.cluster.queue_state_letters import MEANINGS, state_lines
from qmon_tui.report.live_instances import state_letter_words
from qmon_tui.report.spans import TextRole, plain

TEXT = """\
now: 2026-01-01T09:00:00
calendars: {nights: {year: NONE, week: mon-sun=0-24=suspended}}
hostgroups:
  "@first": {hostlist: sim1 sim2}
  "@last": {hostlist: sim2 sim3}
queues:
  all.q: {hostlist: sim1 sim2 sim3, slots: 4, load_thresholds: np_load_avg=1.75, subordinate_list: low.q=1}
  low.q: {hostlist: sim1, slots: 4, load_thresholds: NONE}
  odd.q: {hostlist: sim2, slots: "1,[@first=2],[@last=3]", load_thresholds: NONE}
  night.q: {hostlist: sim3, slots: 1, load_thresholds: NONE, calendar: nights}
loads: {sim1: {np_load_avg: 0.1, load_avg: 0.4}, sim2: {np_load_avg: 2.5, load_avg: 10}}
states: {"all.q@sim3": "ds", "low.q@sim1": "E"}
reasons: {"low.q@sim1": "queue low.q marked QERROR as result of job 7's failure at host sim1", "all.q@sim3": old}
jobs:
- {id: 1, owner: anna, submitted: 2026-01-01T08:00:00, qsub: sleep 6,
   tasks: {1: {state: r, granted: all.q@sim1, started: 2026-01-01T08:30:00}}}
"""
CONTENTS = read_texts(Layout.YAML, "map", {"all.yaml": TEXT})
assert not CONTENTS.findings
OUTCOME = schedule(CONTENTS.cluster, CONTENTS.state)
LINES = instance_lines(CONTENTS.cluster, OUTCOME.queue_instances)
BY_NAME = {line.name: line for line in LINES}


def explained(name: str) -> str:
    (instance_outcome,) = (outcome for outcome in OUTCOME.queue_instances if outcome.name == name)
    return "\n".join(plain(line) for line in state_lines(CONTENTS.cluster, CONTENTS.state, instance_outcome, 200))


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("all.q@sim2", ["load alarm", "np_load_avg is 2.5, limit 1.75"]),
        ("all.q@sim3", ["disabled", "suspended", "qmod -d", "np_load_avg is not reported"]),
        (
            "low.q@sim1",
            ["qmod -cq", "low.q marked QERROR as result of job 7's", "all.q has low.q=1 in its subordinate_list"],
        ),
        ("odd.q@sim2", ["ambiguous", "slots is set by @first and @last"]),
        ("night.q@sim3", ["suspended by calendar", "calendar nights"]),
        ("all.q@sim1", ["jobs may start here"]),
    ],
)
def test_each_letter_is_explained_by_what_makes_it(name: str, facts: list[str]) -> None:
    words = explained(name)
    assert all(fact in words for fact in facts), words


def test_every_letter_that_qstat_knows_has_a_meaning() -> None:
    assert set(MEANINGS) == set("aACDduESsco")
    assert all(state_letter_words(letter) for letter in MEANINGS)


def test_the_map_says_in_words_what_it_says_in_colours() -> None:
    assert cell_role(BY_NAME["all.q@sim2"]) is TextRole.WARNING
    table = ClusterMap(["sim1", "sim2", "sim3"], ["all.q", "low.q", "night.q", "odd.q"], BY_NAME)
    text = "\n".join(plain(table.line(index, 100)) for index in range(3))
    assert "1/4" in text
    assert "0/4a" in text
    assert "0/4ads" in text
    assert "0/1C" in text
    assert "0.40" in text


@pytest.mark.parametrize(
    ("used", "total", "block"), [(0, 4, " "), (1, 100, "▁"), (2, 4, "▄"), (99, 100, "▇"), (4, 4, "█")]
)
def test_only_what_is_full_looks_full_and_only_what_is_empty_empty(used: int, total: int, block: str) -> None:
    assert fill(used, total) == block


@pytest.mark.parametrize("cells", [30, 58, 80, 140])
def test_the_column_of_the_cursor_is_always_in_sight_and_nothing_is_wider_than_its_room(cells: int) -> None:
    queues = [f"queue{number}.q" for number in range(40)]
    lines = {f"{q}@sim1": InstanceLine(q, "sim1", "BIP", 0, 1, 2, 0.5, "lx", "") for q in queues}
    for column in (0, 5, 20, 39):
        table = ClusterMap(["sim1"], queues, lines, column)
        assert len(plain(table.line(0, cells))) <= cells
        assert queues[column][:6] in plain(table.head(cells) or ())
        assert "[" not in plain(table.line(0, cells))
        table.row = 0
        assert "[" in plain(table.line(0, cells)), "only the cell of the cursor has brackets"
    for fields, listed in ((INSTANCE_FIELDS, LINES), (QUEUE_FIELDS, queue_lines(CONTENTS.cluster, LINES))):
        listing = ListingTable("name", listed, fields)
        assert all(len(plain(listing.line(index, cells))) <= cells for index in range(len(listing)))


def test_what_matters_most_stays_where_there_is_little_room() -> None:
    listing = ListingTable("queuename", LINES, INSTANCE_FIELDS)
    assert "states" in plain(listing.head(50) or ())
    assert "arch" not in plain(listing.head(50) or ())
    assert "arch" in plain(listing.head(120) or ())


@pytest.mark.parametrize(
    ("text", "printed"), [("8G", "8.0G"), ("0", "0.0"), ("1500.5G", "1.5T"), ("512M", "512.0M"), (None, "-")]
)
def test_memory_as_qhost_prints_it(text: str | None, printed: str) -> None:
    assert memory(text) == printed


def test_a_thousand_hosts_are_drawn_line_by_line() -> None:
    hosts = [f"node{number:04}" for number in range(1000)]
    queues = ["all.q", "long.q", "short.q"]
    lines = {f"{q}@{h}": InstanceLine(q, h, "BIP", 0, 3, 8, 0.5, "lx", "") for q in queues for h in hosts}
    started = time.process_time()
    table = ClusterMap(hosts, queues, lines, 1)
    for index in range(500, 550):
        table.line(index, 120)
    assert time.process_time() - started < 0.1


def test_where_there_is_room_bars_stand_for_the_slots_and_columns_keep_their_places() -> None:
    table = ClusterMap(["sim1", "sim2", "sim3"], ["all.q", "low.q", "night.q", "odd.q"], BY_NAME, 1)
    for cells, bars in ((60, False), (120, True)):
        lines = [plain(table.line(index, cells)) for index in range(3)]
        assert ("─" in lines[0]) is bars
        assert len({line.index("/4") for line in (lines[0], lines[1])}) == 1, "used and total slots meet at one place"
        head = plain(table.head(cells) or ())
        for number, queue in enumerate(table.queues):
            assert table.column_at(head.index(queue), cells) == number
    assert table.column_at(0, 60) is None


@pytest.mark.parametrize(
    ("fields", "title", "first", "last"),
    [
        (INSTANCE_FIELDS, "queuename", "all.q@sim1", "odd.q@sim2"),
        (INSTANCE_FIELDS, "resv/used/tot.", None, "all.q@sim1"),
        (INSTANCE_FIELDS, "load_avg", "all.q@sim1", None),
    ],
)
def test_a_listing_is_ordered_by_values_not_by_texts(
    fields: tuple[ListingField, ...], title: str, first: str | None, last: str | None
) -> None:
    listing = ListingTable("queuename", LINES, fields, order=SortOrder(title))
    names = [str(listing.key(index)) for index in range(len(listing))]
    assert first is None or names[0] == first
    assert last is None or names[-1] == last
    turned = ListingTable("queuename", LINES, fields, order=SortOrder(title, descending=True))
    assert last is None or turned.key(0) == last
    assert "▲" + title in plain(listing.head(140) or ())
    assert "▼" + title in plain(turned.head(140) or ())
    assert listing.title_at(plain(listing.head(140) or ()).index(title), 140) == title


def test_hosts_are_ordered_by_amounts_of_memory() -> None:
    texts = ("512.0M", "-", "8.0G", "1.5T")
    hosts = [HostLine(f"h{n}", "-", "-", "-", "-", "-", "-", text, "-", "-", "-") for n, text in enumerate(texts)]
    listing = ListingTable("HOSTNAME", hosts, HOST_FIELDS, order=SortOrder("MEMTOT"))
    assert [listing.key(index) for index in range(4)] == ["h1", "h0", "h2", "h3"]


def test_a_host_has_the_letters_of_its_queue_instances_and_of_how_many() -> None:
    states = {line.name: line.states for line in host_lines(CONTENTS.cluster, CONTENTS.state, LINES)}
    assert states == {"sim1": "S 1/2 E 1/2", "sim2": "a 1/2 c 1/2", "sim3": "s 1/2 C 1/2 a 1/2 d 1/2"}
    alone = {line.name: line.states for line in host_lines(CONTENTS.cluster, CONTENTS.state, [BY_NAME["all.q@sim3"]])}
    assert alone == {"sim1": "", "sim2": "", "sim3": "sad"}
