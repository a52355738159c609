"""Lists of objects: columns, filter, order and marks."""

import pytest

from qmon_tui.formats import Layout, read_texts
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.defaults import default_complexes
from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.model.outcome import InstanceOutcome, Outcome
from qmon_tui.report.grid_rows import Cell, GridRow
from qmon_tui.report.spans import TextRole
from qmon_tui.tui.lists.object_columns import HostUse, ListContext, QueueUse, list_columns, without_empty_spares
from qmon_tui.tui.lists.object_rows import (
    filtered,
    host_use,
    object_rows,
    ordered,
    queue_use,
    used_by_counts,
    worst_findings,
)
from qmon_tui.workspace import Figures


def table(*cells: tuple[str, ...]) -> list[GridRow]:
    return [GridRow(row[0], tuple(Cell(text) for text in row)) for row in cells]


def keys(rows: list[GridRow]) -> list[str]:
    return [row.key for row in rows]


def test_numbers_are_ordered_by_value_and_before_words() -> None:
    rows = table(("a", "1G"), ("b", "100"), ("c", "NONE"), ("d", "1:0:0"), ("e", "-1"))
    assert keys(ordered(rows, 1)) == ["e", "b", "d", "a", "c"]


def test_digits_inside_words_count_as_numbers() -> None:
    assert keys(ordered(table(("node10",), ("node2",), ("Node1",)), 0)) == ["Node1", "node2", "node10"]


def test_descending_turns_the_order_round() -> None:
    assert keys(ordered(table(("a", "1"), ("b", "2")), 1, descending=True)) == ["b", "a"]


FILTERED = read_texts(
    Layout.YAML,
    "cluster",
    {
        "all.yaml": """
hosts:
  node[01-04]: {complex_values: "gpu=4,h_vmem=64G"}
  big01: {complex_values: h_vmem=512G}
hostgroups: {"@rackb": "node03 node04"}
queues: {all.q: {hostlist: "@rackb big01", h_rt: "2:0:0"}, inter.q: {hostlist: node01}}
"""
    },
).cluster
LETTERS = {"all.q@node03": "E", "all.q@node04": "dE", "all.q@big01": "", "inter.q@node01": "d"}


@pytest.mark.parametrize(
    ("kind", "text", "names"),
    [
        (Kind.HOST, "", ["node01", "node02", "node03", "node04", "big01"]),
        (Kind.HOST, "state=E", ["node03", "node04"]),
        (Kind.HOST, "state=dE", ["node04"]),
        (Kind.HOST, "!state=E", ["node01", "node02", "big01"]),
        (Kind.HOST, "state=none", ["big01"]),
        (Kind.HOST, "state!=E", ["node01", "node02", "big01"]),
        (Kind.HOST, "queue=all.q", ["node03", "node04", "big01"]),
        (Kind.HOST, "queue=*@@rackb", ["node03", "node04"]),
        (Kind.HOST, "queue=all.q@node[03-09]", ["node03", "node04"]),
        (Kind.HOST, "host=@rackb", ["node03", "node04"]),
        (Kind.HOST, "node[02-03]", ["node02", "node03"]),
        (Kind.HOST, "!node[02-03] node", ["node01", "node04"]),
        (Kind.HOST, "complex_values=gpu", ["node01", "node02", "node03", "node04"]),
        (Kind.HOST, "gpu=4", ["node01", "node02", "node03", "node04"]),
        (Kind.HOST, "load>2", ["node02"]),
        (Kind.HOST, "load<2.5 load>2", ["node02"]),
        (Kind.HOST, "BIG", ["big01"]),
        (Kind.HOST, "!", []),
        (Kind.QUEUE, "state=E", ["all.q"]),
        (Kind.QUEUE, "inter", ["inter.q"]),
        (Kind.QUEUE, "host=node01", ["inter.q"]),
        (Kind.QUEUE, "host=@rackb", ["all.q"]),
        (Kind.QUEUE, "h_rt>1:00:00", ["all.q", "inter.q"]),
        (Kind.QUEUE, "h_rt=2:0:0", ["all.q"]),
        (Kind.QUEUE, "queue=inter", ["inter.q"]),
        (Kind.HOSTGROUP, "host=node04", ["@rackb"]),
        (Kind.HOSTGROUP, "state=d", ["@rackb"]),
    ],
)
def test_lists_are_filtered_by_fields_states_and_places(kind: Kind, text: str, names: list[str]) -> None:
    declared = list_columns(kind)
    context = ListContext(FILTERED, letters=LETTERS, hosts={"node02": HostUse("0", 0, "2.25")})
    rows = object_rows(FILTERED.objects(kind).values(), declared, context)
    columns = [column.column for column in declared]
    assert keys(filtered(rows, text, kind, context, columns)[0]) == names
    assert keys(filtered(rows, text, kind, context, columns, {"node01", "@rackb", "all.q"})[0]) == [
        row.key for row in rows if row.key in {*names, "node01", "@rackb", "all.q"}
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("statr=E", "there is no column statr, did you mean state?"),
        ("host=@racks", "there is no hostgroup @racks"),
        ("load>", "load> needs a value"),
        ("name>3", "name> needs a number, and a column of numbers"),
        ("gpu>3", "there is no column gpu"),
    ],
)
def test_a_filter_that_means_nothing_says_so(text: str, problem: str) -> None:
    context = ListContext(FILTERED)
    assert filtered([], text, Kind.HOST, context, [column.column for column in list_columns(Kind.HOST)])[1] == problem


def test_the_complex_list_has_the_columns_of_qmon_and_who_uses_it() -> None:
    heads = [column.column.title for column in list_columns(Kind.COMPLEX)]
    assert heads == ["name", "short", "type", "relop", "req", "cons", "default", "urg", "used"]
    entry = next(entry for entry in default_complexes() if entry.name == "slots")
    cluster = Cluster().with_objects(default_complexes())
    (row,) = object_rows([entry], list_columns(Kind.COMPLEX), ListContext(cluster, used_by={"slots": 3}))
    assert [cell.text for cell in row.cells] == ["slots", "s", "INT", "<=", "YES", "YES", "1", "1000", "3"]


def test_the_list_of_configurations_shows_dim_what_a_host_takes_from_the_global_one() -> None:
    everywhere = config_object(Kind.CONFIGURATION, "global", {"mailer": "/opt/mailer"})
    hosts = [config_object(Kind.CONFIGURATION, name, values) for name, values in
             (("sim1", {}), ("sim2", {"mailer": "/usr/bin/mail"}))]  # fmt: skip
    cluster = Cluster().with_objects([everywhere, *hosts])
    columns = list_columns(Kind.CONFIGURATION)
    at = [column.column.key for column in columns].index("mailer")
    rows = object_rows([everywhere, *hosts], columns, ListContext(cluster))
    assert [(row.cells[at].text, row.cells[at].role) for row in rows] == [
        ("/opt/mailer", TextRole.PLAIN), ("/opt/mailer", TextRole.DIM), ("/usr/bin/mail", TextRole.PLAIN),
    ]  # fmt: skip


def test_every_kind_has_a_list_that_can_be_filled_with_defaults() -> None:
    for kind in Kind:
        obj = config_object(kind, "x", {})
        (row,) = object_rows([obj], list_columns(kind), ListContext(Cluster().with_object(obj)))
        assert row.cells[0].text == "x"
        assert len(row.cells) == len(list_columns(kind))


def test_a_queue_says_slots_used_of_the_last_run_and_where_hosts_differ() -> None:
    queue = config_object(Kind.QUEUE, "all.q", {"hostlist": "a b", "slots": "1,[a=4]", "seq_no": "3,[b=9]"})
    cluster = Cluster().with_object(queue)

    def cells(context: ListContext) -> dict[str, str]:
        columns = list_columns(Kind.QUEUE)
        (row,) = object_rows([queue], columns, context)
        return {column.column.key: cell.text for column, cell in zip(columns, row.cells, strict=True)}

    before = cells(ListContext(cluster))
    assert (before["slots"], before["seq_no"], before["instances"]) == ("1 ◆1", "3 ◆1", "2")
    after = cells(ListContext(cluster, queues={"all.q": QueueUse("2", 5, {"": 1, "a": 1})}))
    assert (after["slots"], after["states"]) == ("2/5", "a:1")


def test_queue_types_are_the_letters_of_qstat() -> None:
    queue = config_object(Kind.QUEUE, "q", {"qtype": "BATCH", "pe_list": "mpi", "ckpt_list": "NONE"})
    (row,) = object_rows([queue], list_columns(Kind.QUEUE), ListContext(Cluster().with_object(queue)))
    assert row.cells[4].text == "BP"


def test_figures_of_a_run_are_summed_per_cluster_queue() -> None:
    def instance(name: str, state: str, used: int, total: int) -> InstanceOutcome:
        return InstanceOutcome(name, state, used, 0, total, {})

    def instances(used: int) -> tuple[InstanceOutcome, ...]:
        return instance("q@a", "", used, 2), instance("q@b", "d", 0, 3), instance("p@a", "", 0, 1)

    outcome = Outcome(0, (), instances(2), (), instances_before=instances(1))
    use = queue_use(outcome, Figures.CHANGES)
    assert (use["q"].used, use["q"].total, dict(use["q"].states)) == ("1 → 2", 5, {"": 1, "d": 1})
    assert (use["p"].used, use["p"].total) == ("0", 1)
    assert [host_use(outcome, {}, figures)["a"].used for figures in Figures] == ["1 → 2", "2", "1"]


def finding(name: str, severity: Severity) -> Finding:
    return Finding("r", severity, "complex", name, None, "m")


def test_the_worst_finding_marks_the_row_and_notes_do_not() -> None:
    findings = [finding("a", Severity.WARNING), finding("a", Severity.ERROR), finding("b", Severity.INFO)]
    assert worst_findings(findings, Kind.COMPLEX) == {"a": Severity.ERROR}
    assert worst_findings(findings, Kind.QUEUE) == {}


def test_marks_stand_before_the_name() -> None:
    obj = config_object(Kind.PE, "mpi", {})
    context = ListContext(Cluster().with_object(obj), worst={"mpi": Severity.WARNING}, dirty=frozenset({"mpi"}))
    (row,) = object_rows([obj], list_columns(Kind.PE), context)
    assert "".join(sign.text for sign in row.signs) == "●!"


def test_references_are_counted_also_by_shortcut() -> None:
    entry = config_object(Kind.COMPLEX, "gpu", {"name": "gpu", "shortcut": "g"})
    host = config_object(Kind.HOST, "a", {"complex_values": "gpu=1"})
    queue = config_object(Kind.QUEUE, "q", {"complex_values": "g=1,[a=gpu=2]"})
    assert used_by_counts(Cluster().with_objects((entry, host, queue)), Kind.COMPLEX) == {"gpu": 3}


def test_spare_columns_are_left_out_while_they_say_nothing_of_any_object() -> None:
    columns = list_columns(Kind.HOST)
    plain = config_object(Kind.HOST, "a", {"complex_values": "mem=1G"})
    special = config_object(Kind.HOST, "b", {"projects": "sea"})
    context = ListContext(Cluster(), hosts={"a": HostUse("1", 8, "0.25")})

    def shown(*objects: ConfigObject) -> list[list[str]]:
        found, rows = without_empty_spares(columns, object_rows(objects, columns, context))
        return [[column.column.title for column in found], *([cell.text for cell in row.cells] for row in rows)]

    assert shown(plain) == [["name", "np_load", "queue slots", "complex_values"], ["a", "0.25", "1/8", "mem=1G"]]
    assert shown(plain, special)[0] == ["name", "np_load", "queue slots", "complex_values", "projects"]
